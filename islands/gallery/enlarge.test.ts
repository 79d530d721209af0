import { beforeEach, expect, test } from "vitest";
import { markup } from "../testing";
import { enlargeByTouch } from "./enlarge";

let track: HTMLElement;
let slide: HTMLElement;
let clock = 0;

beforeEach(() => {
  track = markup('<ul class="gallery__track"><li class="gallery__slide"><img alt=""></li></ul>').querySelector("ul")!;
  slide = track.querySelector("li")!;
  slide.getBoundingClientRect = () => ({ left: 0, top: 0, width: 300, height: 300 }) as DOMRect;
  enlargeByTouch(track);
});

/** Sends one touch event and tells whether the browser was kept from acting on it. */
function touch(kind: string, ...points: [number, number][]): boolean {
  const touches = points.map(([clientX, clientY]) => ({ clientX, clientY }));
  const event = new Event(kind, { bubbles: true, cancelable: true });
  const changedTouches = touches.length ? touches : [{ clientX: 150, clientY: 150 }];
  Object.defineProperties(event, { touches: { value: touches }, changedTouches: { value: changedTouches }, timeStamp: { value: clock } });
  slide.querySelector("img")!.dispatchEvent(event);
  return event.defaultPrevented;
}

function pinch(from: number, to: number): void {
  touch("touchstart", [150 - from, 150], [150 + from, 150]);
  touch("touchmove", [150 - to, 150], [150 + to, 150]);
  touch("touchend");
}

function tap(): void {
  touch("touchstart", [150, 150]);
  touch("touchend");
}

const drawn = () => slide.style.getPropertyValue("--enlarged");

test("two fingers enlarge about their middle, and not without end", () => {
  pinch(30, 60);
  expect(drawn()).toBe("translate(-150px, -150px) scale(2)");
  expect(slide.classList.contains("is-enlarged")).toBe(true);
  pinch(30, 300);
  expect(drawn()).toContain("scale(4)");
});

test("one finger swipes what has its own size and moves what is enlarged, up to its edge", () => {
  touch("touchstart", [150, 150]);
  expect(touch("touchmove", [50, 150])).toBe(false);
  touch("touchend");
  pinch(30, 60);
  touch("touchstart", [150, 150]);
  expect(touch("touchmove", [100, 150])).toBe(true);
  expect(drawn()).toBe("translate(-200px, -150px) scale(2)");
  touch("touchmove", [900, 150]);
  expect(drawn()).toBe("translate(0px, -150px) scale(2)");
});

test("made small again it settles at its own size", () => {
  pinch(30, 60);
  pinch(60, 31);
  expect(drawn()).toBe("translate(0px, 0px) scale(1)");
  expect(slide.classList.contains("is-enlarged")).toBe(false);
});

test("a double tap enlarges and restores, two slow taps do neither", () => {
  clock = 1000;
  tap();
  clock = 1800;
  tap();
  expect(slide.classList.contains("is-enlarged")).toBe(false);
  clock = 1950;
  tap();
  expect(drawn()).toContain("scale(2.5)");
  clock = 3000;
  tap();
  clock = 3100;
  tap();
  expect(drawn()).toContain("scale(1)");
});
