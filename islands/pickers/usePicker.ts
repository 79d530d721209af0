import { useId, useState, type KeyboardEvent } from "react";
import { emit, type ShopEvents } from "../events";
import { linkIn } from "./link";
import { submitChoice } from "./submit";
import { useLocations } from "./useLocations";
import { usePopup } from "./usePopup";

/** What both pickers do: take over a link, open a popup with a list, choose from it by mouse or keys. */
export function usePicker(fallback: Element, field: "country" | "currency") {
  const [link] = useState(() => linkIn(fallback));
  const popup = usePopup();
  const locations = useLocations(popup.isOpen);
  const [filter, setFilter] = useState("");
  const [active, setActive] = useState(0);
  const list = useId();

  function filterBy(text: string) {
    setFilter(text);
    setActive(0);
  }

  function pick(value: string) {
    popup.close();
    emit("market:changed", { [field]: value } as ShopEvents["market:changed"]);
    submitChoice(link.url, field, value);
  }

  /** The keys of every list; tells whether this was one. */
  function pressed(event: KeyboardEvent, values: string[]): boolean {
    const next = moved(event, active, values.length);
    const chosen = values[active];
    if (next !== undefined) setActive(next);
    else if (event.key === "Escape") popup.close();
    else if (event.key === "Enter" && chosen) pick(chosen);
    else return false;
    event.preventDefault();
    return true;
  }

  function toggle() {
    filterBy("");
    if (popup.isOpen) popup.close();
    else popup.open();
  }

  return { link, popup, locations, filter, filterBy, active, list, pick, pressed, toggle };
}

export type Picker = ReturnType<typeof usePicker>;

/** Where the arrow keys lead in a list of `count`, round and round; undefined for any other key. */
function moved(event: KeyboardEvent, active: number, count: number): number | undefined {
  if (!count) return undefined;
  if (event.key === "ArrowDown") return (active + 1) % count;
  if (event.key === "ArrowUp") return (active - 1 + count) % count;
  if (event.key === "Home" && event.ctrlKey) return 0;
  if (event.key === "End" && event.ctrlKey) return count - 1;
  return undefined;
}
