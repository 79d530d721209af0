import { fireEvent } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { startCartLink } from "../shell/cart-link";
import { answerCalls, markup } from "../testing";

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

test("while it is on its way the drawer holds its place", async () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  fireEvent.click(link);
  await vi.waitFor(() => expect(drawer()?.querySelector(".skeleton-lines")).toBeTruthy());
  expect(drawer()?.querySelector("[data-preview]")?.getAttribute("aria-busy")).toBe("true");
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
