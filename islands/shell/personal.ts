import { get } from "../api";
import { listen, toast, type Toast } from "../events";
import { whenBack, whenIdle } from "../when";
import { hearOfSignOut } from "./sign-out";

/**
 * What public, cached pages leave out: who is signed in, how full the cart is, and what the last
 * action said before it led here.
 *   data-me-name   gets the name     data-account / data-signin   shown to customers / to visitors
 *   template[data-market-offer]   is shown where the shopper is in another country than the page
 *   data-cart-count   gets the number, hidden at 0; data-cart-link is labelled with it
 */
export function startPersonalParts(): void {
  const refresh = () => void showMe();
  whenIdle(refresh);
  addEventListener("pageshow", (event) => event.persisted && refresh()); // back to a kept page
  document.addEventListener("prerenderingchange", refresh);
  whenBack(refresh); // the cart may have grown on another device
  listen("cart:changed", ({ count }) => {
    changes += 1;
    showCount(count);
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
  if (before === changes) showCount(me.cart_count);
  offerCountry(me.country);
  me.toasts.forEach(({ kind, message }) => toast(kind as Toast["kind"], message));
}

function offerCountry(own: { code: string; name: string } | null): void {
  const template = document.querySelector<HTMLTemplateElement>("template[data-market-offer]");
  if (!own || !template || template.dataset["marketOffer"] === own.code) return;
  const offer = template.content.cloneNode(true) as DocumentFragment;
  offer.querySelector("[data-offer-name]")!.textContent = own.name;
  offer.querySelector<HTMLButtonElement>("[data-offer-code]")!.value = own.code;
  template.replaceWith(offer);
}

function showCount(count: number): void {
  each("[data-cart-count]", (element) => {
    element.textContent = String(count);
    element.hidden = count === 0;
  });
  each("[data-cart-link]", (link) => link.setAttribute("aria-label", count ? `Cart, ${count} item${count === 1 ? "" : "s"}` : "Cart"));
}

function each(selector: string, change: (element: HTMLElement) => void): void {
  document.querySelectorAll<HTMLElement>(selector).forEach(change);
}
