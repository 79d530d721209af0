import { page } from "../api";
import { emit } from "../events";
import { enhanceCarousels } from "./carousels";

const STORE = "recently-viewed"; // ids of products, the latest first; they stay in this browser
const KEPT = 12;

/**
 * The row of products looked at before, on `section[data-recently-viewed="address of the cards"]`, which a product's
 * page marks with its `data-product`; it stays hidden where there are none.
 */
export function startRecentlyViewed(): void {
  const row = document.querySelector<HTMLElement>("[data-recently-viewed]");
  if (!row) return;
  const { product = "", recentlyViewed } = row.dataset;
  const others = kept().filter((id) => id !== product);
  if (product) keep([product, ...others].slice(0, KEPT));
  if (others.length) whenNear(row, () => void show(row, `${recentlyViewed}?ids=${others.join(",")}`));
}

async function show(row: HTMLElement, address: string): Promise<void> {
  const cards = await page(address).catch(() => undefined); // a comfort: without it nothing is missing
  if (!cards?.body.childElementCount) return;
  row.append(...[...cards.body.childNodes].map((node) => document.importNode(node, true)));
  row.hidden = false;
  enhanceCarousels(row);
  emit("cards:shown", {});
}

/** What stands hidden has no place on the screen: the place before it is watched. */
function whenNear(row: HTMLElement, start: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      start();
    },
    { rootMargin: "600px" },
  );
  observer.observe(row.previousElementSibling ?? row.parentElement!);
}

function kept(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(STORE) ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => /^\d+$/.test(String(id))).map(String) : [];
  } catch {
    return []; // no storage in this browser, or not our words in it
  }
}

function keep(ids: string[]): void {
  try {
    localStorage.setItem(STORE, JSON.stringify(ids));
  } catch {
    // full or forbidden: nothing is remembered
  }
}
