import { fireEvent } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { addToCart } from "../add-to-cart";
import { emit } from "../events";
import { startCartLink } from "../shell/cart-link";
import { answerCalls, markup } from "../testing";
import { openDrawer } from "./drawer";

HTMLDialogElement.prototype.showModal = function () {
  this.open = true;
};
startCartLink();

let link: HTMLAnchorElement;
beforeEach(() => {
  history.replaceState(null, "", "/en-in/products/ayurveda/");
  link = markup(`<a href="/en-in/cart/" data-cart-link>Cart</a>`).querySelector("a")!;
});

/** Whether a click is left to the browser, which has no pages here. */
function follows(how: MouseEventInit = {}): boolean {
  let isLeft = false;
  const last = (event: Event) => ((isLeft = !event.defaultPrevented), event.preventDefault());
  addEventListener("click", last, { once: true });
  fireEvent.click(link, how);
  return isLeft;
}

const drawer = () => document.querySelector<HTMLDialogElement>("dialog.preview");

test("the cart in the header opens as a drawer with what the server says now", async () => {
  const asked = answerCalls({ body: "<ul><li>Amla Jam</li></ul>" });
  expect(follows()).toBe(false);
  await vi.waitFor(() => expect(drawer()?.textContent).toContain("Amla Jam"));
  expect(drawer()?.open).toBe(true);
  expect(asked).toEqual([["/en-in/cart/preview/", undefined]]);
  expect(drawer()?.querySelector(".skeleton-lines")).toBeNull();
  drawer()!.open = false;
  fireEvent.click(link);
  await vi.waitFor(() => expect(asked.length).toBe(2));
  expect(document.querySelectorAll("dialog").length).toBe(1);
});

test("the drawer waits for what is being added", async () => {
  let arrive = (_: Response) => {};
  const asked: string[] = [];
  vi.stubGlobal("fetch", (path: string, { keepalive = false }: RequestInit) => {
    asked.push(keepalive ? `${path}, also when the page is left` : path);
    const added = new Promise<Response>((resolve) => (arrive = resolve));
    return path === "/add-to-cart/" ? added : Promise.resolve(new Response("<p>Amla Jam</p>"));
  });
  const adding = addToCart(7, 1);
  fireEvent.click(link);
  await vi.waitFor(() => expect(drawer()?.querySelector(".skeleton-lines")).toBeTruthy());
  expect(asked).toEqual(["/add-to-cart/, also when the page is left"]);
  arrive(new Response(JSON.stringify({ cart_count: 1, cart_items: [] })));
  await adding;
  await vi.waitFor(() => expect(drawer()?.textContent).toContain("Amla Jam"));
});

test("while it is on its way the drawer holds its place", async () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  fireEvent.click(link);
  await vi.waitFor(() => expect(drawer()?.querySelector(".skeleton-lines")).toBeTruthy());
  expect(drawer()?.querySelector("[data-part]")?.getAttribute("aria-busy")).toBe("true");
});

test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])("a click for elsewhere stays a link: %o", (how) => {
  expect(follows(how)).toBe(true);
  expect(drawer()).toBeNull();
});

test("on the cart's own page it is a link", () => {
  history.replaceState(null, "", "/en-in/cart/");
  expect(follows()).toBe(true);
  expect(drawer()).toBeNull();
});

test("what was added is shown under the header with the way to the cart, and Escape or its button takes it away", async () => {
  markup(`<header class="top"><a href="/en-in/cart/" data-cart-link>Cart</a></header><main></main>`);
  const asked = answerCalls({ body: '<div class="added__body"><h2>Added to your cart</h2><a href="/en-in/cart/">View cart</a></div>' });
  const panel = () => document.querySelector<HTMLElement>("header + .added");
  emit("cart:added", { variant: 7 });
  await vi.waitFor(() => expect(panel()?.textContent).toContain("View cart"));
  expect(asked).toEqual([["/en-in/cart/preview/?added=7", undefined]]);
  expect(panel()!.contains(document.activeElement)).toBe(false);
  fireEvent.keyDown(panel()!, { key: "Escape" });
  expect(panel()).toBeNull();
  emit("cart:added", { variant: 7 });
  await vi.waitFor(() => expect(panel()).toBeTruthy());
  fireEvent.click(panel()!.querySelector("[aria-label=Close]")!);
  expect(panel()).toBeNull();
});

test("the drawer takes the place of what was added, and what was added waits for no open drawer", async () => {
  const header = markup(`<header class="top"><a href="/en-in/cart/" data-cart-link>Cart</a></header><main></main>`);
  answerCalls({ body: '<div class="added__body"><a href="/en-in/cart/">View cart</a></div>' });
  const panel = () => document.querySelector(".added");
  emit("cart:added", { variant: 7 });
  await vi.waitFor(() => expect(panel()).toBeTruthy());
  fireEvent.click(header.querySelector("a")!);
  await vi.waitFor(() => expect(drawer()?.open).toBe(true));
  expect(panel()).toBeNull();
  emit("cart:added", { variant: 8 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(panel()).toBeNull();
});

test("only the answer to the latest question is shown, and none in a drawer that was closed", async () => {
  const answers: ((answer: Response) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => answers.push(resolve)));
  const html = { headers: { "content-type": "text/html" } };
  void openDrawer("preview", "A", "/a/", "/page-a/");
  void openDrawer("preview", "B", "/b/", "/page-b/");
  await vi.waitFor(() => expect(answers.length).toBe(2));
  answers[1]!(new Response("<p>Answer B</p>", html));
  await vi.waitFor(() => expect(drawer()?.textContent).toContain("Answer B"));
  answers[0]!(new Response("<p>Answer A</p>", html));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(drawer()?.textContent).not.toContain("Answer A");
  void openDrawer("preview", "C", "/c/", "/page-c/");
  await vi.waitFor(() => expect(answers.length).toBe(3));
  drawer()!.open = false;
  answers[2]!(new Response("<p>Answer C</p>", html));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(drawer()?.textContent).not.toContain("Answer C");
});
