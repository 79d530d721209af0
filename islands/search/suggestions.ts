import { post, tell, type Schemas } from "../api";
import { pageMarket } from "../market";
import { resultsUrl, tidy } from "./start";

const SHORTEST = 3; // letters
const DEBOUNCE = 300; // ms after the last key

type Product = Schemas["FoundOut"];

/**
 * Suggestions under a search field, as an ARIA combobox: the focus stays in the field, the arrow keys
 * move over the products and "See all products", Enter follows, Escape closes. `before` is what stood in
 * the field when it was entered: what was typed while this file was on its way counts too.
 */
export function suggest(form: HTMLFormElement, before: string): void {
  const input = form.querySelector("input")!;
  const list = element("div", { id: `${input.id}-list`, className: "suggest__list", role: "listbox", ariaLabel: "Products" });
  const state = element("p", { className: "suggest__state", hidden: true });
  const box = element("div", { className: "suggest", hidden: true }, state, list);
  const spoken = element("p", { className: "sr-only", role: "status" });
  form.append(box, spoken);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);

  let found: Product[] | undefined;
  let asked = ""; // the words that were asked for last
  let running = new AbortController();
  let timer = 0;
  let active = -1;

  const options = () => [...list.children] as HTMLElement[];

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
    spoken.textContent = text || (found?.length === 1 ? "1 product" : `${found?.length ?? 0} products`);
  }

  /** What is chosen stays chosen where it is still offered: new answers arrive while somebody moves through the list. */
  function draw(): void {
    const chosen = options()[active] as HTMLAnchorElement | undefined;
    const rows = (found ?? []).map((product) =>
      element(
        "a",
        { className: "suggest__item", href: productUrl(form, product) },
        thumbnail(product),
        product.name,
      ),
    );
    rows.push(element("a", { className: "suggest__all", href: resultsUrl(form, asked) }, "See all products"));
    rows.forEach((row, at) => Object.assign(row, { role: "option", tabIndex: -1, id: `${list.id}-${at}` }));
    list.replaceChildren(...rows);
    activate(rows.findIndex((row) => row.className === chosen?.className && (row.className === "suggest__all" || row.href === chosen.href)));
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
    } else timer = window.setTimeout(() => void ask(), DEBOUNCE);
  }

  async function ask(): Promise<void> {
    const mine = (running = new AbortController());
    say("Loading...");
    draw();
    setOpen(true);
    try {
      const { products } = await post("/search/", { query: asked, ...pageMarket() }, mine.signal);
      if (mine.signal.aborted) return;
      found = products;
      say(products.length ? "" : "Product not found");
      draw();
    } catch (error) {
      if (mine.signal.aborted) return;
      const retry = element("button", { type: "button", className: "link-button" }, "Try again");
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
    if ((target as Element).closest(".suggest__item")) tell("/api/searches/", { query: asked });
  });
  input.addEventListener("input", typed);
  input.addEventListener("keydown", pressed);
  input.addEventListener("focus", () => found && setOpen(true));
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !form.contains(relatedTarget as Node)) setOpen(false);
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!form.contains(target as Node)) setOpen(false);
  });
  setOpen(false);
  if (input.value !== before) typed();
}

function thumbnail({ first_image }: Product): HTMLElement {
  if (!first_image) return element("span", { className: "suggest__picture" });
  return element("img", { className: "suggest__picture", src: first_image, alt: "", width: 44, height: 44 });
}

function productUrl(form: HTMLFormElement, product: Product): string {
  return new URL(`../product/${encodeURIComponent(product.slug)}/`, form.action).pathname;
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
