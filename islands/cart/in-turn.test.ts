import { beforeEach, expect, test, vi } from "vitest";
import { addToCart } from "../add-to-cart";
import { listen } from "../events";
import { answer } from "../wishlist/hearts";

let waiting: ((response: Response) => void)[];
const moment = () => new Promise((resolve) => setTimeout(resolve, 10));

beforeEach(() => {
  waiting = [];
  vi.stubGlobal("fetch", () => new Promise((resolve) => waiting.push(resolve)));
});

function say(body: object) {
  waiting.shift()!(new Response(JSON.stringify(body)));
  return moment();
}

test("the second product waits for the cart that the first one makes", async () => {
  const counts: number[] = [];
  const stop = listen("cart:changed", ({ count }) => void counts.push(count));
  const both = [addToCart(7, 1), addToCart(8, 1)];
  await moment();
  expect(waiting.length).toBe(1);
  await say({ cart_count: 1, cart_items: [] });
  await say({ cart_count: 2, cart_items: [] });
  await Promise.all(both);
  stop();
  expect(counts).toEqual([1, 2]);
});

test("when the page is left, what waits goes out", async () => {
  const both = [addToCart(9, 1), addToCart(10, 1)];
  await moment();
  expect(waiting.length).toBe(1);
  dispatchEvent(new Event("pagehide"));
  await moment();
  expect(waiting.length).toBe(2);
  await say({ cart_count: 1, cart_items: [] });
  await say({ cart_count: 2, cart_items: [] });
  await Promise.all(both);
});

test("no late answer empties another heart", async () => {
  document.documentElement.dataset["wished"] = "";
  document.body.innerHTML = `<button class="heart" value="7"></button><button class="heart" value="8"></button>`;
  const hearts = [...document.querySelectorAll("button")];
  const both = hearts.map((heart) => answer(heart));
  await moment();
  await say({ products: [7] });
  await say({ products: [8, 7] });
  await Promise.all(both);
  expect(hearts.map((heart) => heart.getAttribute("aria-pressed"))).toEqual(["true", "true"]);
});
