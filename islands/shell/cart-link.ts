import { listen } from "../events";

const ELSEWHERE = /^(\/[a-z]{2,3}-[a-z]{2})?\/(cart|checkout)\//; // pages that show the cart themselves

/**
 * The cart in the header opens a drawer in place of its page; a click for another tab, and one without scripts, do not.
 * What was added is shown under the header.
 */
export function startCartLink(): void {
  const load = () => import("../cart/preview");
  document.addEventListener("pointerover", ({ target }) => {
    if (cartLink(target)) void load().catch(() => undefined);
  });
  listen("cart:added", ({ variant }) => {
    const link = document.querySelector<HTMLAnchorElement>("a[data-cart-link]");
    if (link) void load().then(({ showAdded }) => showAdded(link, variant), () => undefined);
  });
  document.addEventListener("click", (event) => {
    const link = cartLink(event.target);
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain) return;
    event.preventDefault();
    void load().then(
      ({ openPreview }) => openPreview(link),
      () => location.assign(link.href),
    );
  });
}

function cartLink(target: EventTarget | null): HTMLAnchorElement | null {
  if (ELSEWHERE.test(location.pathname)) return null;
  return (target as Element | null)?.closest?.<HTMLAnchorElement>("a[data-cart-link]") ?? null;
}
