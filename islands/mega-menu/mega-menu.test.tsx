import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderOver } from "../testing";
import MegaMenu from "./MegaMenu";
import MenuSheet from "./MenuSheet";

const bar = `<nav class="mega"><ul class="mega__list">
  <li class="mega__item"><a class="mega__link" href="/a/">Ayurveda</a><div class="mega__panel tint-1"><a href="/a/tonics/">Tonics</a><a href="/a/oils/">Oils</a></div></li>
  <li class="mega__item"><a class="mega__link" href="/u/">Unani</a><div class="mega__panel tint-2"><a href="/u/syrups/">Syrups</a></div></li>
  <li class="mega__item"><a class="mega__link" href="/f/">Fitness</a></li>
</ul></nav>`;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "requestAnimationFrame"] }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
const top = (name: string) => screen.getByRole("link", { name });
const openPanels = () => [...document.querySelectorAll("[data-open]")].map((panel) => panel.className);

function show() {
  renderOver(bar, (fallback) => <MegaMenu fallback={fallback} />);
}

test("a resting mouse opens a panel, a passing one does not", () => {
  show();
  const item = top("Ayurveda").parentElement!;
  fireEvent.pointerEnter(item, { pointerType: "mouse" });
  fireEvent.pointerLeave(item, { pointerType: "mouse" });
  pass(500);
  expect(openPanels()).toEqual([]);
  fireEvent.pointerEnter(item, { pointerType: "mouse" });
  pass(200);
  expect(openPanels()).toEqual(["mega__panel tint-1"]);
});

test("a mouse that leaves for a moment keeps the panel, one that stays away closes it", () => {
  show();
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

test("a click opens the panel, the next one follows the link; without panel the first does", () => {
  show();
  expect(fireEvent.click(top("Ayurveda"))).toBe(false);
  expect(top("Ayurveda").getAttribute("aria-expanded")).toBe("true");
  expect(fireEvent.click(top("Ayurveda"))).toBe(true);
  expect(fireEvent.click(top("Fitness"))).toBe(true);
});

test("keys lead along the bar, into the panel and back", () => {
  show();
  top("Ayurveda").focus();
  fireEvent.keyDown(top("Ayurveda"), { key: "ArrowDown" });
  pass(50);
  expect(document.activeElement?.textContent).toBe("Tonics");
  fireEvent.keyDown(document.activeElement!, { key: "ArrowDown" });
  pass(50);
  expect(document.activeElement?.textContent).toBe("Oils");
  fireEvent.keyDown(document.activeElement!, { key: "Escape" });
  expect(openPanels()).toEqual([]);
  expect(document.activeElement).toBe(top("Ayurveda"));
  fireEvent.keyDown(top("Ayurveda"), { key: "ArrowLeft" });
  expect(document.activeElement).toBe(top("Fitness"));
});

test("a click elsewhere closes the menu", () => {
  show();
  fireEvent.click(top("Unani"));
  fireEvent.pointerDown(document.body);
  expect(openPanels()).toEqual([]);
});

const sheet = `<ul class="sheet__list">
  <li><details><summary>Ayurveda</summary><ul class="sheet__children"><li><a href="/a/">All Ayurveda</a></li></ul></details></li>
  <li><a class="sheet__top" href="/brands/">All brands</a></li>
</ul>`;

test("on phones a branch slides in, and Back leads to where one was", () => {
  renderOver(sheet, (fallback) => <MenuSheet fallback={fallback} />);
  expect(screen.getByRole("link", { name: "All brands" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Ayurveda" }));
  expect(screen.getByRole("link", { name: "All Ayurveda" })).toBeTruthy();
  const back = screen.getByRole("button", { name: "Back from Ayurveda" });
  expect(document.activeElement).toBe(back);
  fireEvent.click(back);
  pass(50);
  expect(screen.queryByRole("link", { name: "All Ayurveda" })).toBeNull();
  expect(document.activeElement?.textContent).toBe("Ayurveda");
});

const deep = `<ul class="sheet__list"><li><details><summary data-replay="0">Ayurveda</summary><ul class="sheet__children">
  <li><a href="/a/">All Ayurveda</a></li>
  <li><details><summary>Tonics</summary><ul class="sheet__children"><li><a href="/a/tonics/jams/">Jams</a></li></ul></details></li>
  <li><details><summary>Brands</summary><ul class="sheet__children"><li><a href="/brand/v/">Vanamitra</a></li></ul></details></li>
</ul></details></li></ul>`;

test("grandchildren, concerns and brands are one level deeper, and Escape leads back a level at a time", () => {
  renderOver(deep, (fallback) => <MenuSheet fallback={fallback} />);
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

test("a panel under the mouse goes with Escape, wherever the focus is; a finger that woke the menu opened none", () => {
  show();
  fireEvent.click(top("Ayurveda"));
  (document.activeElement as HTMLElement).blur();
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(openPanels()).toEqual([]);
});
