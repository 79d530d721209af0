import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startPrefetch } from "./prefetch";

const fetched = () => [...document.head.querySelectorAll<HTMLLinkElement>("link[rel=prefetch]")].map((link) => new URL(link.href).pathname);

function point(name: string, selector: string, pointerType = "mouse"): void {
  const event = new Event(name, { bubbles: true });
  Object.assign(event, { pointerType });
  document.querySelector(selector)!.dispatchEvent(event);
}

beforeAll(() => {
  vi.useFakeTimers();
  Object.defineProperty(HTMLLinkElement.prototype, "relList", { value: { supports: () => true } });
  startPrefetch();
});

beforeEach(() => {
  document.head.innerHTML = "";
  document.body.innerHTML = `
    <a id="product" href="/en-in/product/neem-soap/"><span>Neem Soap</span></a>
    <a id="cart" href="/en-in/cart/">Cart</a>
    <a id="foreign" href="https://elsewhere.example/product/x/">Elsewhere</a>`;
});

test("a page is fetched when the pointer rests on its link, once, and not when it only passes", () => {
  point("pointerover", "#product span");
  vi.advanceTimersByTime(30);
  point("pointerover", "body");
  vi.advanceTimersByTime(200);
  expect(fetched()).toEqual([]);
  for (const name of ["pointerover", "pointerdown"]) {
    point(name, "#product span");
    vi.advanceTimersByTime(200);
  }
  expect(fetched()).toEqual(["/en-in/product/neem-soap/"]);
});

test("a finger that comes down fetches at once", () => {
  point("pointerdown", "#product", "touch");
  expect(fetched()).toEqual(["/en-in/product/neem-soap/"]);
});

test("the cart and other sites are never fetched ahead", () => {
  point("pointerdown", "#cart");
  point("pointerdown", "#foreign");
  expect(fetched()).toEqual([]);
});
