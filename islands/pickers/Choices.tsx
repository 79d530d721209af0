import { useEffect, useRef, type ReactNode } from "react";
import { Icon } from "../icons";
import type { Picker } from "./usePicker";

interface Props<Item> {
  picker: Picker;
  label: string;
  items: Item[];
  /** What is sent when an item is picked; unlike any other's. */
  valueOf: (item: Item) => string;
  isCurrent: (item: Item) => boolean;
  isBusy?: boolean;
  /** So many of the first are set apart from the rest. */
  onTop?: number;
  children: (item: Item) => ReactNode;
}

/** The list of a picker. The focus stays where the shopper types; the active choice is moved by the arrow keys. */
export function Choices<Item>({ picker, label, items, valueOf, isCurrent, isBusy = false, onTop = 0, children }: Props<Item>) {
  const { active, list } = picker;
  const place = useRef<HTMLUListElement>(null);
  useEffect(() => {
    place.current?.children[active]?.scrollIntoView?.({ block: "nearest" }); // returns a promise in some browsers
  }, [active]);
  return (
    <ul ref={place} id={list} className="picker__list" role="listbox" aria-label={label} aria-busy={isBusy}>
      {items.map((item, index) => (
        <li
          key={valueOf(item)}
          id={`${list}-${index}`}
          className={`picker__choice${index === active ? " is-active" : ""}${index && index === onTop ? " picker__choice--rest" : ""}`}
          role="option"
          aria-selected={isCurrent(item)}
          onClick={() => picker.pick(valueOf(item))}
        >
          {children(item)}
          {isCurrent(item) && <Icon name="check" size={20} />}
        </li>
      ))}
    </ul>
  );
}
