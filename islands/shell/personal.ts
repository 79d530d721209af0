import { get } from "../api";
import { emit, listen, toast, type Toast } from "../events";
import { whenBack, whenIdle } from "../when";
import { hearOfSignOut } from "./sign-out";

/**
 * What public, cached pages leave out: who is signed in, how full the cart is, and what the last
 * action said before it led here.
 *   data-me-name   gets the name     data-account / data-signin   shown to customers / to visitors
 *   template[data-market-offer]   is shown where the shopper is in another country than the page
 *   template[data-language-offer]   else, where the shopper reads another language than the page's
 *   data-cart-count   gets the number, hidden at 0; data-cart-link is labelled with it
 */
export function startPersonalParts(): void {
  const refresh = () => void showMe();
  whenIdle(refresh);
  addEventListener("pageshow", (event) => event.persisted && refresh()); // back to a kept page
  document.addEventListener("prerenderingchange", refresh);
  whenBack(refresh); // the cart may have grown on another device
  listen("cart:stale", refresh);
  listen("cart:changed", ({ count, lines, elsewhere }) => {
    changes += 1;
    showCount(count);
    if (lines) knowLines(lines);
    else if (elsewhere) refresh();
  });
}

let changes = 0; // of the cart: an answer that was asked for before the last of them does not know its count

async function showMe(): Promise<void> {
  const before = changes;
  const me = await get("/api/me/").catch(() => undefined);
  if (!me) return; // the header stays a visitor's; every page works with it
  each("[data-me-name]", (element) => (element.textContent = me.name));
  each("[data-account]", (element) => (element.hidden = !me.signed_in));
  each("[data-signin]", (element) => (element.hidden = me.signed_in));
  if (!me.signed_in) hearOfSignOut();
  document.documentElement.dataset["wished"] = String(me.wished);
  if (before === changes) {
    showCount(me.cart_count);
    knowLines(me.cart_lines ?? {}); // a server of before tells no lines
  }
  if (!offerCountry(me.country)) offerLanguage(me.language);
  me.toasts.forEach(({ kind, message }) => toast(kind as Toast["kind"], message));
}

function offerCountry(own: { code: string; name: string } | null): boolean {
  const template = document.querySelector<HTMLTemplateElement>("template[data-market-offer]");
  if (!own || !template || template.dataset["marketOffer"] === own.code) return false;
  show(template, (offer) => {
    offer.querySelector("[data-offer-name]")!.textContent = own.name;
    offer.querySelector<HTMLButtonElement>("[data-offer-code]")!.value = own.code;
  });
  return true;
}

/** The language that was picked, else the first of the browser's that this page has. */
function offerLanguage(picked: string | undefined): void {
  const templateOf = (code: string) => document.querySelector<HTMLTemplateElement>(`template[data-language-offer="${CSS.escape(code)}"]`);
  const { lang } = document.documentElement;
  const wanted = picked || navigator.languages.map((tag) => tag.split("-")[0]!).find((code) => code === lang || templateOf(code));
  const template = wanted && wanted !== lang && templateOf(wanted);
  if (template) show(template);
}

function show(template: HTMLTemplateElement, fill?: (offer: DocumentFragment) => void): void {
  const offer = template.content.cloneNode(true) as DocumentFragment;
  fill?.(offer);
  offer.querySelector("[data-offer-stay]")?.addEventListener("click", stay);
  template.replaceWith(offer);
}

/** The answer is kept as its form would keep it, and the page stays as it is. */
function stay(event: Event): void {
  const button = event.currentTarget as HTMLButtonElement;
  if (!navigator.sendBeacon?.(button.form!.action, new URLSearchParams({ [button.name]: button.value }))) return;
  event.preventDefault();
  button.closest("aside")?.remove();
  document.getElementById("main")?.focus({ preventScroll: true });
}

function knowLines(lines: Record<string, number>): void {
  document.documentElement.dataset["cartLines"] = JSON.stringify(lines);
  emit("cart:lines", {});
}

let shownCount = 0;

function showCount(count: number): void {
  shownCount = count;
  each("[data-cart-count]", (element) => {
    element.textContent = String(count);
    element.hidden = count === 0;
  });
  void labelCart(count);
}

/** The number is read out with the link, at once as a number and in words once they are loaded: only a number needs them. */
async function labelCart(count: number): Promise<void> {
  labelLinks((empty) => (count ? `${empty} ${count}` : empty));
  const words = count && (await import("../texts").catch(() => undefined))?.tn("Cart, {count} item", "Cart, {count} items", count);
  if (words && count === shownCount) labelLinks(() => words);
}

/** `name` is given the label that the server wrote, which is that of an empty cart. */
function labelLinks(name: (empty: string) => string): void {
  each("[data-cart-link]", (link) => {
    const empty = (link.dataset["empty"] ??= link.getAttribute("aria-label") ?? "");
    link.setAttribute("aria-label", name(empty));
  });
}

function each(selector: string, change: (element: HTMLElement) => void): void {
  document.querySelectorAll<HTMLElement>(selector).forEach(change);
}
