import { waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { emit } from "./events";
import { answerCalls, markup, SeenAtOnce } from "./testing";
import "./island";

const picker = (when: string) => `
  <shop-island name="currency-picker" when="${when}"><script type="application/json">{}</script>
    <a class="picker" href="/currency/" aria-label="Prices in INR: change" data-replay="open">INR</a></shop-island>`;

const button = () => document.querySelector("shop-island button");

beforeEach(() => void answerCalls({ body: [] }));

test("an island waits for a sign of intent, then takes the place of the plain link", async () => {
  const element = markup(picker("interaction"));
  expect(button()).toBeNull();
  element.querySelector("a")!.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
  await waitFor(() => expect(button()?.textContent).toBe("INR"));
  expect(element.querySelector("a, script")).toBeNull();
});

test("the first click is kept for the island", async () => {
  const element = markup(picker("interaction"));
  const click = new MouseEvent("click", { bubbles: true, cancelable: true });
  element.querySelector("a")!.dispatchEvent(click);
  expect(click.defaultPrevented).toBe(true);
  await waitFor(() => expect(button()?.getAttribute("aria-expanded")).toBe("true"));
});

test("a click that asks for a new tab stays the browser's", () => {
  const element = markup(picker("interaction"));
  const click = new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: true });
  element.querySelector("a")!.dispatchEvent(click);
  expect(click.defaultPrevented).toBe(false);
});

test("an island that cannot start leaves the plain link in use, and gives it the held click", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const element = markup(picker("interaction").replace("{}", "not JSON"));
  const clicks: boolean[] = [];
  element.addEventListener("click", (event) => {
    clicks.push(event.defaultPrevented);
    event.preventDefault();
  });
  element.querySelector("a")!.click();
  await waitFor(() => expect(clicks).toEqual([false]));
  expect(element.querySelector("a")).toBeTruthy();
});

test("an island taken out of the page is unmounted", async () => {
  const element = markup(picker("load"));
  await waitFor(() => expect(button()).toBeTruthy());
  const island = element.querySelector("shop-island")!;
  island.remove();
  await waitFor(() => expect(island.childElementCount).toBe(0));
});

test("an island never takes the place of a list of choices that may be open", async () => {
  const element = markup(picker("load").replace("<a ", "<select><option>1<option>2</select><a "));
  const choices = element.querySelector("select")!;
  choices.focus();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(choices.isConnected).toBe(true);
  choices.blur();
  await waitFor(() => expect(button()).toBeTruthy());
});

test("an island never takes a link's place between press and release: its click would be lost", async () => {
  const element = markup(picker("interaction"));
  element.querySelector("a")!.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(button()).toBeNull();
  window.dispatchEvent(new PointerEvent("pointerup"));
  element.querySelector("a")!.click();
  await waitFor(() => expect(button()?.getAttribute("aria-expanded")).toBe("true"));
});

test("an island never takes a list's place under the finger that swipes it, nor before it has come to rest", async () => {
  const element = markup(picker("interaction"));
  const link = element.querySelector("a")!;
  const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  link.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch" }));
  window.dispatchEvent(new PointerEvent("pointercancel")); // the browser swipes from here on
  await later(150);
  expect(button()).toBeNull();
  link.dispatchEvent(new Event("scroll"));
  window.dispatchEvent(new Event("touchend"));
  for (let movement = 0; movement < 4; movement++) {
    await later(50);
    link.dispatchEvent(new Event("scroll"));
  }
  expect(button()).toBeNull();
  await waitFor(() => expect(button()).toBeTruthy());
});

test("an island that shows itself waits until the page is used", async () => {
  vi.stubGlobal("IntersectionObserver", SeenAtOnce);
  markup(picker("visible"));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(button()).toBeNull();
  dispatchEvent(new Event("scroll"));
  await waitFor(() => expect(button()).toBeTruthy());
});

test("an island that shows itself starts unasked where the cart has lines", async () => {
  vi.stubGlobal("IntersectionObserver", SeenAtOnce);
  markup(picker("visible"));
  document.documentElement.dataset["cartLines"] = "{}";
  emit("cart:lines", {});
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(button()).toBeNull();
  document.documentElement.dataset["cartLines"] = '{"7":1}';
  emit("cart:lines", {});
  await waitFor(() => expect(button()).toBeTruthy());
});

test("the press that leaves a list of choices is not lost", async () => {
  const page = markup(picker("load").replace("<a ", "<select><option>1<option>2</select><a "));
  const link = page.querySelector("a")!;
  page.querySelector("select")!.focus();
  await new Promise((resolve) => setTimeout(resolve, 1200)); // the island is loaded and waits for the list
  link.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  page.querySelector("select")!.blur(); // as pressing the mouse does
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(link.isConnected).toBe(true);
  dispatchEvent(new PointerEvent("pointerup"));
  link.click();
  await waitFor(() => expect(button()?.getAttribute("aria-expanded")).toBe("true"));
});
