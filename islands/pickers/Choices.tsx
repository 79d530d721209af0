import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";

interface Props<Item> {
  id: string;
  label: string;
  items: Item[];
  active: number;
  keyOf: (item: Item) => string;
  isCurrent: (item: Item) => boolean;
  pick: (item: Item) => void;
  children: (item: Item) => ReactNode;
}

/** The list of a picker. The focus stays where the shopper types; `active` is moved by the arrow keys. */
export function Choices<Item>({ id, label, items, active, keyOf, isCurrent, pick, children }: Props<Item>) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.children[active]?.scrollIntoView?.({ block: "nearest" }), [active]);
  return (
    <ul ref={list} id={id} className="picker__list" role="listbox" aria-label={label}>
      {items.map((item, index) => (
        <li
          key={keyOf(item)}
          id={`${id}-${index}`}
          className={index === active ? "picker__choice is-active" : "picker__choice"}
          role="option"
          aria-selected={isCurrent(item)}
          onClick={() => pick(item)}
        >
          {children(item)}
        </li>
      ))}
    </ul>
  );
}

/** Where the arrow keys lead in a list of `count`, round and round; undefined for any other key. */
export function moved(event: KeyboardEvent, active: number, count: number): number | undefined {
  if (!count) return undefined;
  if (event.key === "ArrowDown") return (active + 1) % count;
  if (event.key === "ArrowUp") return (active - 1 + count) % count;
  if (event.key === "Home" && event.ctrlKey) return 0;
  if (event.key === "End" && event.ctrlKey) return count - 1;
  return undefined;
}
