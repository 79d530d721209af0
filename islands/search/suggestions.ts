import { get, post, type Schemas } from "../api";
import { keep, recall } from "../kept";
import { pageMarket } from "../market";
import { addRecentSearch, clearRecentSearches, recentSearches } from "./recent";
import { countSearch } from "./results";
import { resultsUrl, tidy } from "./start";
import { t, tn } from "../texts";

const SHORTEST = 3; // letters
const DEBOUNCE = 300; // ms after the last key
const KINDS: Record<string, string> = { concern: t("Health concern"), category: t("Category"), brand: t("Brand") };

type Found = Schemas["SearchOut"];
type Product = Schemas["FoundOut"];
type Place = Schemas["PlaceOut"];

/**
 * Suggestions under a search field, as an ARIA combobox: the focus stays in the field, the arrow keys move over
 * places, products and "See all products", Enter follows, Escape closes. While nothing is typed they are recent and
 * popular searches. `before` is what stood in the field when it was entered: what was typed while this file was on its
 * way counts too.
 */
export function suggest(form: HTMLFormElement, before: string): void {
  const input = form.querySelector("input")!;
  const list = element("div", { id: `${input.id}-list`, className: "suggest__list", role: "listbox", ariaLabel: t("Suggestions") });
  const state = element("p", { className: "suggest__state", hidden: true });
  const clear = element("button", { type: "button", className: "suggest__clear link-button", hidden: true }, t("Clear recent searches"));
  const box = element("div", { className: "suggest", hidden: true }, state, list, clear);
  const spoken = element("p", { className: "sr-only", role: "status" });
  form.append(box, spoken);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);

  let found: Found | undefined;
  const kept = recall<string[]>(popularKey());
  let popular = kept?.data ?? [];
  let isPopularKnown = kept?.isStale === false;
  let asked = ""; // the words that were asked for last
  let running = new AbortController();
  let timer = 0;
  let active = -1;

  const options = () => [...list.querySelectorAll<HTMLElement>("[role=option]")];

  function setOpen(isOpen: boolean): void {
    box.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) activate(-1);
  }

  function activate(index: number): void {
    active = index;
    options().forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
    const option = options()[index];
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView?.({ block: "nearest" });
  }

  function say(text: string, ...more: Node[]): void {
    state.replaceChildren(text, ...more);
    state.hidden = !text;
    const count = found?.products.length ?? 0;
    spoken.textContent = [text, count ? tn("{count} product", "{count} products", count) : ""].filter(Boolean).join(". ");
  }

  /** What is chosen stays chosen where it is still offered: new answers arrive while somebody moves through the list. */
  function draw(): void {
    const chosen = options()[active] as HTMLAnchorElement | undefined;
    const groups = [
      group(t("Health concerns, categories and brands"), (found?.places ?? []).map((place) => placeRow(form, place))),
      group(t("Products"), (found?.products ?? []).map((product) => productRow(form, product))),
    ];
    show([...groups, element("a", { className: "suggest__all", href: resultsUrl(form, asked) }, t("See all products"))]);
    activate(options().findIndex((row) => row.className === chosen?.className && (row.className === "suggest__all" || row.getAttribute("href") === chosen.getAttribute("href"))));
  }

  function show(rows: (Node | undefined)[], hasRecent = false): void {
    list.replaceChildren(...rows.filter((row) => row !== undefined));
    for (const row of list.querySelectorAll("a")) row.setAttribute("role", "option");
    options().forEach((row, at) => Object.assign(row, { tabIndex: -1, id: `${list.id}-${at}` }));
    clear.hidden = !hasRecent;
  }

  /** Before anything is typed: what was searched for in this browser, and what many search for in this country. */
  function showSearches(): void {
    const recent = recentSearches();
    const named = (name: string, searches: string[]) => group(name, searches.map((words) => searchRow(form, words)), name);
    const others = popular.filter((words) => !recent.includes(words));
    show([named(t("Recent searches"), recent), named(t("Popular searches"), others)], recent.length > 0);
    found = undefined;
    say("");
    setOpen(options().length > 0);
  }

  function entered(): void {
    if (found) setOpen(true);
    if (found || tidy(input.value)) return;
    showSearches();
    if (isPopularKnown) return;
    isPopularKnown = true;
    const { deliver_to, currency } = pageMarket();
    get("/api/searches/popular/", { deliver_to: String(deliver_to), currency }).then(
      ({ searches }) => {
        keep(popularKey(), (popular = searches));
        if (!tidy(input.value) && document.activeElement === input) showSearches();
      },
      () => undefined, // without them
    );
  }

  function typed(): void {
    const words = tidy(input.value);
    if (words === asked && !box.hidden) return;
    activate(-1);
    clearTimeout(timer);
    running.abort(); // a late answer never replaces a newer one
    asked = words;
    if (words.length < SHORTEST) {
      found = undefined;
      setOpen(false);
      if (!words) showSearches();
    } else timer = window.setTimeout(() => void ask(), DEBOUNCE);
  }

  async function ask(): Promise<void> {
    const mine = (running = new AbortController());
    say(t("Loading..."));
    draw();
    setOpen(true);
    try {
      const answer = await post("/search/", { query: asked, ...pageMarket() }, mine.signal);
      if (mine.signal.aborted) return;
      found = answer;
      say(answer.note || (answer.products.length ? "" : t("Product not found")));
      draw();
    } catch (error) {
      if (mine.signal.aborted) return;
      const retry = element("button", { type: "button", className: "link-button" }, t("Try again"));
      retry.addEventListener("click", () => {
        input.focus();
        void ask();
      });
      say(`${(error as Error).message} `, retry); // what was found before stays
    }
  }

  function pressed(event: KeyboardEvent): void {
    if (event.isComposing || box.hidden) return;
    const count = options().length;
    const option = options()[active];
    if (event.key === "ArrowDown") activate((active + 2) % (count + 1) - 1);
    else if (event.key === "ArrowUp") activate((active + count + 1) % (count + 1) - 1);
    else if (event.key === "Escape") setOpen(false);
    else if (event.key === "Enter" && option) option.click();
    else return;
    event.preventDefault();
  }

  list.addEventListener("click", ({ target }) => {
    if (!(target as Element).closest(".suggest__item")) return;
    countSearch(asked, { is_click: true });
    addRecentSearch(asked);
  });
  clear.addEventListener("click", () => {
    clearRecentSearches();
    input.focus();
    showSearches();
  });
  input.addEventListener("input", typed);
  input.addEventListener("keydown", pressed);
  input.addEventListener("focus", entered);
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !form.contains(relatedTarget as Node)) setOpen(false);
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!form.contains(target as Node)) setOpen(false);
  });
  setOpen(false);
  if (input.value !== before) typed();
  else if (document.activeElement === input) entered();
}

function popularKey(): string {
  return `popular-searches-${pageMarket().deliver_to}`;
}

/** Rows under a heading, or nothing where there are none. A heading that all can see is not needed beside pictures. */
function group(name: string, rows: HTMLElement[], heading = ""): HTMLElement | undefined {
  if (!rows.length) return undefined;
  const shown = heading ? [element("span", { className: "suggest__heading", ariaHidden: "true" }, heading)] : [];
  return element("div", { role: "group", ariaLabel: name, className: `suggest__group suggest__group--${rows[0]!.className}` }, ...shown, ...rows);
}

function placeRow(form: HTMLFormElement, { kind, name, lang, path }: Place): HTMLElement {
  return element("a", { className: "suggest__place", href: addressOf(form, path) }, nameOf(name, lang), " ", element("span", { className: "suggest__kind" }, KINDS[kind] ?? ""));
}

function productRow(form: HTMLFormElement, product: Product): HTMLElement {
  const about = [product.pack, product.in_stock ? product.price : t("Sold out")].filter(Boolean).join(" · ");
  const text = element("span", {}, nameOf(product.name, product.lang), " ", element("span", { className: "suggest__about" }, about));
  return element("a", { className: "suggest__item", href: addressOf(form, `/product/${encodeURIComponent(product.slug)}/`) }, thumbnail(product), text);
}

/** Marked where it is still in English on a page of another language. */
function nameOf(name: string, lang: string): HTMLElement {
  return element("bdi", lang ? { lang } : {}, name);
}

function searchRow(form: HTMLFormElement, words: string): HTMLElement {
  return element("a", { className: "suggest__words", href: resultsUrl(form, words) }, words);
}

function thumbnail({ first_image }: Product): HTMLElement {
  if (!first_image) return element("span", { className: "suggest__picture" });
  return element("img", { className: "suggest__picture", src: first_image, alt: "", width: 44, height: 44 });
}

/** The address under the form's market prefix of a path that has none. */
function addressOf(form: HTMLFormElement, path: string): string {
  return new URL(`..${path}`, form.action).pathname;
}

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
