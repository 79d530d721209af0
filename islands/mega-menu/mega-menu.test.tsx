import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderOver } from "../testing";
import MegaMenu from "./MegaMenu";
import MenuSheet from "./MenuSheet";

const bar = `<nav class="mega" data-categories="/categories/"><ul class="mega__list">
  <li class="mega__item"><a class="mega__link" href="/a/" data-more>Ayurveda</a></li>
  <li class="mega__item"><a class="mega__link" href="/u/" data-more>Unani</a></li>
  <li class="mega__item"><a class="mega__link" href="/f/">Fitness</a></li>
</ul></nav>`;
const sheet = `<ul class="sheet__list" data-categories="/categories/">
  <li><a class="sheet__top" href="/a/" data-more>Ayurveda</a></li>
  <li><a class="sheet__top" href="/f/">Fitness</a></li>
  <li><a class="sheet__top" href="/brands/">All brands</a></li>
</ul>`;
const categories = `<main>
  <section class="tint-1" data-branch="/a/"><div class="mega__columns">
    <div class="mega__group"><a class="mega__all" href="/a/"><img alt=""> All Ayurveda <svg></svg></a><ul class="mega__links">
      <li><a class="mega__child" href="/a/tonics/" lang="en">Tonics</a><ul><li><a href="/a/tonics/jams/">Jams</a></li></ul></li>
      <li><a class="mega__child" href="/a/oils/">Oils</a></li></ul></div>
    <div class="mega__group"><p class="mega__title">Brands</p><ul class="mega__brands"><li><a class="mega__brand" href="/brand/v/"><img alt="Vanamitra"></a></li></ul></div>
  </div></section>
  <section class="tint-2" data-branch="/u/"><div><a href="/u/syrups/">Syrups</a></div></section>
  <section class="tint-3" data-branch="/f/"><div class="mega__group"><a class="mega__all" href="/f/">All Fitness</a></div></section>
</main>`;

let answer: () => Promise<Response>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "requestAnimationFrame"] });
  answer = () => Promise.resolve(new Response(categories));
  vi.stubGlobal("fetch", () => answer());
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
const top = (name: string) => screen.getByRole("link", { name });
const openPanels = () => [...document.querySelectorAll("[data-open]")].map((panel) => panel.className);

async function show() {
  renderOver(bar, (fallback) => <MegaMenu fallback={fallback} />);
  await arrived();
}

async function showSheet() {
  renderOver(sheet, (fallback) => <MenuSheet fallback={fallback} />);
  await arrived();
}

/** What is below the categories, or that it will not come. */
const arrived = () => act(async () => void (await new Promise((resolve) => setImmediate(resolve))));

test("a resting mouse opens a panel, a passing one does not", async () => {
  await show();
  const item = top("Ayurveda").parentElement!;
  fireEvent.pointerEnter(item, { pointerType: "mouse" });
  fireEvent.pointerLeave(item, { pointerType: "mouse" });
  pass(500);
  expect(openPanels()).toEqual([]);
  fireEvent.pointerEnter(item, { pointerType: "mouse" });
  pass(200);
  expect(openPanels()).toEqual(["mega__panel tint-1"]);
});

test("a mouse that leaves for a moment keeps the panel, one that stays away closes it", async () => {
  await show();
  const item = top("Ayurveda").parentElement!;
  fireEvent.click(top("Ayurveda"));
  fireEvent.pointerLeave(item, { pointerType: "mouse" });
  pass(100);
  fireEvent.pointerEnter(item, { pointerType: "mouse" });
  pass(500);
  expect(openPanels()).toEqual(["mega__panel tint-1"]);
  fireEvent.pointerLeave(item, { pointerType: "mouse" });
  pass(500);
  expect(openPanels()).toEqual([]);
});

test("a click opens the panel, the next one follows the link; without panel the first does", async () => {
  await show();
  expect(fireEvent.click(top("Ayurveda"))).toBe(false);
  expect(top("Ayurveda").getAttribute("aria-expanded")).toBe("true");
  expect(fireEvent.click(top("Ayurveda"))).toBe(true);
  expect(fireEvent.click(top("Fitness"))).toBe(true);
});

test("keys lead along the bar, into the panel and back", async () => {
  await show();
  top("Ayurveda").focus();
  fireEvent.keyDown(top("Ayurveda"), { key: "ArrowDown" });
  pass(50);
  expect(document.activeElement?.textContent.trim()).toBe("All Ayurveda");
  fireEvent.keyDown(document.activeElement!, { key: "ArrowDown" });
  pass(50);
  expect(document.activeElement?.textContent).toBe("Tonics");
  fireEvent.keyDown(document.activeElement!, { key: "Escape" });
  expect(openPanels()).toEqual([]);
  expect(document.activeElement).toBe(top("Ayurveda"));
  fireEvent.keyDown(top("Ayurveda"), { key: "ArrowLeft" });
  expect(document.activeElement).toBe(top("Fitness"));
});

test("a panel that was asked for by key before it arrived takes the focus", async () => {
  let arrive: (response: Response) => void;
  answer = () => new Promise((resolve) => (arrive = resolve));
  await show();
  top("Ayurveda").focus();
  fireEvent.keyDown(top("Ayurveda"), { key: "ArrowDown" });
  arrive!(new Response(categories));
  await arrived();
  expect(document.activeElement?.textContent.trim()).toBe("All Ayurveda");
});

test("a click elsewhere closes the menu", async () => {
  await show();
  fireEvent.click(top("Unani"));
  fireEvent.pointerDown(document.body);
  expect(openPanels()).toEqual([]);
});

test("on phones a branch slides in, and Back leads to where one was", async () => {
  await showSheet();
  for (const name of ["Fitness", "All brands"]) expect(screen.getByRole("link", { name })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Ayurveda" }));
  expect(screen.getByRole("link", { name: "All Ayurveda" })).toBeTruthy();
  const back = screen.getByRole("button", { name: "Back from Ayurveda" });
  expect(document.activeElement).toBe(back);
  fireEvent.click(back);
  pass(50);
  expect(screen.queryByRole("link", { name: "All Ayurveda" })).toBeNull();
  expect(document.activeElement?.textContent).toBe("Ayurveda");
});

test("grandchildren, concerns and brands are one level deeper, and Escape leads back a level at a time", async () => {
  await showSheet();
  const enter = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
  const levels = () => [...document.querySelectorAll(".sheet__level")].map((level) => level.hasAttribute("inert"));
  enter("Ayurveda");
  enter("Tonics");
  expect(screen.getByRole("link", { name: "Jams" }).getAttribute("href")).toBe("/a/tonics/jams/");
  expect(levels()).toEqual([true, false]);
  fireEvent.keyDown(document.activeElement!, { key: "Escape" });
  pass(50);
  expect(document.activeElement?.textContent).toBe("Tonics");
  enter("Brands");
  expect(screen.getByRole("link", { name: "Vanamitra" })).toBeTruthy();
  fireEvent.keyDown(document.activeElement!, { key: "Escape" });
  fireEvent.keyDown(screen.getByRole("button", { name: "Back from Ayurveda" }), { key: "Escape" });
  pass(50);
  expect(levels()).toEqual([]);
  expect(document.activeElement?.textContent).toBe("Ayurveda");
});

test("a category's level starts with all of it, its name marked as before", async () => {
  await showSheet();
  fireEvent.click(screen.getByRole("button", { name: "Ayurveda" }));
  expect(screen.getByRole("link", { name: "Oils" }).getAttribute("href")).toBe("/a/oils/");
  fireEvent.click(screen.getByRole("button", { name: "Tonics" }));
  const all = screen.getByRole("link", { name: "All Tonics" });
  expect([all.getAttribute("href"), all.querySelector("[lang=en]")?.textContent]).toEqual(["/a/tonics/", "Tonics"]);
});

test("a level entered before it arrived fills up, and closes where it does not come", async () => {
  let arrive: (response: Response) => void;
  answer = () => new Promise((resolve) => (arrive = resolve));
  await showSheet();
  fireEvent.click(screen.getByRole("button", { name: "Ayurveda" }));
  expect(document.querySelector(".sheet__children")!.getAttribute("aria-busy")).toBe("true");
  arrive!(new Response(categories));
  await arrived();
  expect(document.querySelector(".sheet__children")!.getAttribute("aria-busy")).toBe("false");
  expect(screen.getByRole("link", { name: "All Ayurveda" })).toBeTruthy();
});

test("without what is below them, categories are links to their pages", async () => {
  answer = () => Promise.reject(new TypeError("offline"));
  await showSheet();
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByRole("link", { name: "Ayurveda" }).getAttribute("href")).toBe("/a/");
  await show();
  const link = document.querySelector<HTMLAnchorElement>(".mega__link")!;
  expect(fireEvent.click(link)).toBe(true);
});

test("a panel under the mouse goes with Escape, wherever the focus is; a finger that woke the menu opened none", async () => {
  await show();
  fireEvent.click(top("Ayurveda"));
  (document.activeElement as HTMLElement).blur();
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(openPanels()).toEqual([]);
});
