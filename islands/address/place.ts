import { get } from "../api";

const PIN = /^[1-9][0-9]{5}$/;

/** What was filled in for the shopper: only that may be replaced, never what was typed. */
const filled = new WeakMap<HTMLInputElement | HTMLSelectElement, string>();

/** Of each place the PIN code whose costs are shown. */
const priced = new WeakMap<HTMLElement, string>();

/** Of each place its last question: an answer to an earlier one may come after, and is dropped. */
const latest = new WeakMap<HTMLElement, symbol>();

/** Address forms (`data-place`): the PIN code tells the state, once it is typed, also before this came, or the state is changed. */
export function start(): void {
  for (const pin of document.querySelectorAll<HTMLInputElement>("[data-place] [data-pincode]")) {
    if (pin.value !== pin.defaultValue) void followPin(pin.closest<HTMLElement>("[data-place]")!);
  }
  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, ({ target }) => {
      const place = (target as Element).closest<HTMLElement>("[data-place]");
      const asked = kind === "input" ? "[data-pincode]" : "select, [data-pincode]";
      if (place?.querySelector("[data-pincode]") && (target as Element).matches(asked)) void followPin(place);
    });
  }
}

/**
 * A PIN code of India, once it has six digits, fills state and city that are still blank and says what
 * is odd about it. `place` holds the fields (`data-place`); nothing is ever refused here.
 */
export async function followPin(place: HTMLElement): Promise<void> {
  const turn = Symbol();
  latest.set(place, turn);
  const pin = field(place, "pincode")?.value.replace(/\s/g, "") ?? "";
  if (!PIN.test(pin)) return say(place, "");
  const state = field(place, "state");
  const typed = state && !mayFill(state) ? state.value : "";
  const answer = await get("/api/pincode/{pincode}/", { pincode: pin, state: typed }).catch(() => undefined);
  if (!answer || latest.get(place) !== turn) return;
  fill(state, answer.state);
  fill(field(place, "city"), answer.city);
  say(place, answer.warning);
  if (priced.get(place) === pin) return;
  priced.set(place, pin);
  place.dispatchEvent(new CustomEvent("pincode:entered", { bubbles: true })); // HTMX asks what it costs to send there
}

function field(place: HTMLElement, name: string): HTMLInputElement | HTMLSelectElement | null {
  return place.querySelector(`[name="${name}"]`);
}

function mayFill(target: HTMLInputElement | HTMLSelectElement): boolean {
  return !target.value.trim() || target.value === filled.get(target);
}

function fill(target: HTMLInputElement | HTMLSelectElement | null, value: string): void {
  if (!target || !value || !mayFill(target)) return;
  target.value = value;
  filled.set(target, value);
}

function say(place: HTMLElement, words: string): void {
  const note = place.querySelector<HTMLElement>("[data-place-note]");
  if (!note) return;
  note.textContent = words;
  note.hidden = !words;
}
