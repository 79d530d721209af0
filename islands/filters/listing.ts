import { emit, listen } from "../events";

const AFTER_CHOICE = 150; // ms, so that two quick choices make one request
const AFTER_TYPING = 800;
const SHORTEST_SEARCH = 3;

/**
 * What a listing does at once instead of after a button: its form is sent when something is chosen or typed.
 * HTMX fetches the new state, puts it in place and keeps the address; a newer request replaces an older one. One that
 * fails takes back what was chosen, so that every field says what is shown; shell/fragments.ts says so and asks again.
 */
export function startListing(): void {
  let timer: number | undefined;
  let isAhead = false; // something was chosen that no request knows of yet
  let searched = searchField()?.value.trim() ?? "";

  const send = () => {
    clearTimeout(timer);
    filters()?.requestSubmit();
  };
  const sendAfter = (wait: number) => {
    clearTimeout(timer);
    isAhead = true;
    timer = window.setTimeout(send, wait);
  };

  document.addEventListener("change", (event) => {
    const field = event.target as HTMLInputElement;
    if (field.form?.id === "filters" && field.id !== "listing-q") sendAfter(AFTER_CHOICE);
  });
  document.addEventListener("input", (event) => {
    if ((event.target as Element).id !== "listing-q") return;
    const words = searchField()!.value.trim();
    const effective = words.length >= SHORTEST_SEARCH ? words : "";
    clearTimeout(timer);
    if (effective !== searched) sendAfter(AFTER_TYPING);
  });
  // Addresses without empty fields, with and without HTMX.
  document.addEventListener("formdata", (event) => {
    if ((event.target as Element).id !== "filters") return;
    for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
    const sort = document.querySelector<HTMLSelectElement>("#sort");
    if (sort && sort.value === sort.dataset["default"]) event.formData.delete("sort");
  });
  let shownBefore = 0; // cards, while more of them are on their way
  let latest: object | undefined; // a request that another one replaced ends later than that one begins
  document.addEventListener("htmx:before:request", (event) => {
    const ctx = contextOf(event);
    if (ctx?.target?.id === "more") shownBefore = cardLinks().length;
    if (ctx?.target?.id !== "listing") return;
    isAhead = false;
    latest = ctx;
    document.querySelector(".listing__results")?.setAttribute("aria-busy", "true");
  });
  document.addEventListener("htmx:finally:request", (event) => {
    if (latest === contextOf(event)) document.querySelector(".listing__results")?.removeAttribute("aria-busy");
  });
  const follow = (isKept: (field: HTMLInputElement) => boolean) => {
    if (isAhead) return; // the shopper's newest choice is on its way
    searched = searchField()?.defaultValue.trim() ?? "";
    showServerState(isKept);
    emit("listing:changed", {});
  };
  document.addEventListener("htmx:after:swap", () => {
    dropRepeated();
    if (shownBefore) announceMore(shownBefore);
    shownBefore = 0;
    follow((field) => field === document.activeElement && field.type !== "checkbox");
  });
  listen("fragment:failed", ({ target }) => target === "listing" && follow(() => false));
  listen("island:restored", () => follow(() => false));
}

function filters(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>("#filters");
}

function searchField(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>("#listing-q");
}

function contextOf(event: Event): { target?: Element } | undefined {
  return (event as CustomEvent<{ ctx?: { target?: Element } } | null>).detail?.ctx;
}

/** Fields that were touched no longer follow their attributes by themselves; those in use may be kept. */
function showServerState(isKept: (field: HTMLInputElement) => boolean): void {
  const box = document.querySelector<HTMLElement>("#price-range");
  for (const field of filters()?.elements ?? []) {
    if (field instanceof HTMLSelectElement) {
      for (const option of field.options) if (option.defaultSelected) option.selected = true;
    } else if (field instanceof HTMLInputElement && !isKept(field)) {
      if (field.type === "checkbox") field.checked = field.defaultChecked;
      else if (field.name === "price_min") field.value = box?.dataset["min"] ?? "";
      else if (field.name === "price_max") field.value = box?.dataset["max"] ?? "";
      else if (field.type === "search") field.value = field.defaultValue;
    }
  }
}

function cardLinks(): NodeListOf<HTMLAnchorElement> {
  return document.querySelectorAll("#grid .card__link");
}

/** The button that asked for them is gone: the focus goes to the first new card, and how many there are now is said. */
function announceMore(before: number): void {
  const status = document.querySelector("[data-more-shown]");
  const words = document.querySelector<HTMLElement>("#more p")?.dataset["announcement"];
  if (status && words) status.textContent = words;
  cardLinks()[before]?.focus({ preventScroll: true });
}

/** A product that moved to a later page while the shopper read is not shown twice. */
function dropRepeated(): void {
  const seen = new Set<string>();
  cardLinks().forEach((link) => {
    if (seen.has(link.href)) link.closest(".card")?.remove();
    seen.add(link.href);
  });
}
