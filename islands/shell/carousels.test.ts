import { fireEvent } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { markup } from "../testing";
import { startCarousels } from "./carousels";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("ResizeObserver", class {
    constructor(private readonly seen: (entries: { target: Element }[]) => void) {}
    observe(target: Element) {
      this.seen([{ target }]);
    }
  });
});
afterEach(() => void vi.useRealTimers());

/** A carousel of items 100 px wide, `shown` of them at once. */
async function carousel(kind: string, items: number, shown: number) {
  const page = markup(`<div data-carousel="${kind}"><ul data-carousel-track tabindex="0">${
    Array.from({ length: items }, () => `<li><a href="#x">Item</a></li>`).join("")
  }</ul><button data-carousel-move="-1" hidden></button><button data-carousel-move="1" hidden></button>
  <button data-carousel-pause hidden aria-pressed="false"></button></div>`);
  const box = page.firstElementChild as HTMLElement;
  const track = box.querySelector("ul")!;
  let left = 0;
  Object.defineProperties(track, {
    scrollWidth: { value: items * 100 },
    clientWidth: { value: shown * 100 },
    scrollLeft: { get: () => left, set: (value: number) => (left = value) },
  });
  [...track.children].forEach((item, index) => Object.defineProperty(item, "offsetLeft", { value: index * 100 }));
  startCarousels();
  await vi.advanceTimersByTimeAsync(250); // the page is idle
  await vi.dynamicImportSettled();
  const [back, on, pause] = box.querySelectorAll("button") as unknown as HTMLButtonElement[];
  return { box, track, back: back!, on: on!, pause: pause! };
}

const pointer = (target: EventTarget, type: string, x = 0) =>
  target.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: "mouse", clientX: x, button: 0 }));

test.each([
  ["cards", 2500, 600],
  ["chips", 2500, 600],
  ["concerns", 3000, 600],
])("%s move only while hovered, one item each %i ms in %i ms, and stop 300 ms after the pointer left", async (kind, every, speed) => {
  const { box, track } = await carousel(kind, 12, 6);
  vi.advanceTimersByTime(every * 3);
  expect(track.scrollLeft).toBe(0);
  pointer(box, "pointerenter");
  vi.advanceTimersByTime(every - 1);
  expect(track.scrollLeft).toBe(0);
  vi.advanceTimersByTime(1 + speed - 50);
  expect(track.scrollLeft).toBeLessThan(100);
  vi.advanceTimersByTime(100);
  expect(track.scrollLeft).toBe(100);
  vi.advanceTimersByTime(every - speed - 50 - 200);
  pointer(box, "pointerleave");
  vi.advanceTimersByTime(200 + speed + 50); // the step that fell within the 300 ms
  expect(track.scrollLeft).toBe(200);
  vi.advanceTimersByTime(every * 3);
  expect(track.scrollLeft).toBe(200);
});

test.each([
  ["wide", 500],
  ["brands", 600],
])("%s move alone, and stand still for pointer, focus and their button", async (kind, speed) => {
  const { box, track, pause } = await carousel(kind, 5, 1);
  expect(pause.hidden).toBe(false);
  vi.advanceTimersByTime(3000 + speed + 50);
  expect(track.scrollLeft).toBe(100);
  pointer(box, "pointerenter");
  vi.advanceTimersByTime(9000);
  expect(track.scrollLeft).toBe(100);
  pointer(box, "pointerleave");
  track.focus();
  vi.advanceTimersByTime(9000);
  expect(track.scrollLeft).toBe(100);
  track.blur();
  fireEvent.click(pause);
  expect(pause.getAttribute("aria-pressed")).toBe("true");
  vi.advanceTimersByTime(9000);
  expect(track.scrollLeft).toBe(100);
  fireEvent.click(pause);
  vi.advanceTimersByTime(3000 + speed + 50);
  expect(track.scrollLeft).toBe(200);
});

test("after a swipe a hovered carousel waits a second before it goes on", async () => {
  const { box, track } = await carousel("chips", 12, 6);
  pointer(box, "pointerenter");
  pointer(track, "pointerdown", 300);
  pointer(track, "pointermove", 240);
  expect(track.scrollLeft).toBe(60);
  pointer(track, "pointerup", 240);
  vi.advanceTimersByTime(700);
  expect(track.scrollLeft).toBe(100); // the next whole item
  vi.advanceTimersByTime(250 + 2500);
  expect(track.scrollLeft).toBe(100);
  vi.advanceTimersByTime(50 + 650);
  expect(track.scrollLeft).toBe(200);
});

test("a drag of more than 15 px is no click, a shorter one is", async () => {
  const { track } = await carousel("cards", 12, 6);
  const link = track.querySelector("a")!;
  const clicked = vi.fn((event: Event) => event.preventDefault());
  link.addEventListener("click", clicked);
  const dragTo = (x: number) => {
    pointer(link, "pointerdown", 300);
    pointer(link, "pointermove", x);
    pointer(link, "pointerup", x);
    return fireEvent.click(link);
  };
  expect(dragTo(270)).toBe(false);
  expect(clicked).not.toHaveBeenCalled();
  dragTo(285);
  expect(clicked).toHaveBeenCalledOnce();
});

test("up to six products end at their ends, more go round", async () => {
  const few = await carousel("cards", 6, 2);
  expect(few.back.hidden).toBe(false);
  expect(few.back.disabled).toBe(true);
  few.track.scrollLeft = 400;
  fireEvent.scroll(few.track);
  expect(few.on.disabled).toBe(true);
  pointer(few.box, "pointerenter");
  vi.advanceTimersByTime(6000);
  expect(few.track.scrollLeft).toBe(400);
  const many = await carousel("cards", 7, 2);
  expect(many.back.disabled).toBe(false);
  fireEvent.click(many.back);
  vi.advanceTimersByTime(700);
  expect(many.track.scrollLeft).toBe(500);
  fireEvent.click(many.on);
  vi.advanceTimersByTime(700);
  expect(many.track.scrollLeft).toBe(0);
});

test("an arrow shows the next products, keys move by one and to the ends", async () => {
  const { track, on } = await carousel("cards", 12, 3);
  fireEvent.click(on);
  vi.advanceTimersByTime(700);
  expect(track.scrollLeft).toBe(300);
  for (const [key, left] of [["ArrowRight", 400], ["ArrowLeft", 300], ["End", 900], ["Home", 0]] as const) {
    fireEvent.keyDown(track, { key });
    vi.advanceTimersByTime(700);
    expect(track.scrollLeft).toBe(left);
  }
  fireEvent.keyDown(track.querySelector("a")!, { key: "ArrowRight" });
  vi.advanceTimersByTime(700);
  expect(track.scrollLeft).toBe(0);
});

test("nothing moves by itself, and arrows jump, for who prefers stillness", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  const { track, on, pause } = await carousel("wide", 5, 1);
  vi.advanceTimersByTime(9000);
  expect(track.scrollLeft).toBe(0);
  expect(pause.hidden).toBe(true);
  fireEvent.click(on);
  expect(track.scrollLeft).toBe(100);
});

test("arrows stay away where everything is seen", async () => {
  const { back, on } = await carousel("chips", 4, 6);
  expect([back.hidden, on.hidden]).toEqual([true, true]);
});
