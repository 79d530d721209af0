import { beforeEach, expect, test, vi } from "vitest";
import { start } from "./one-at-a-time";

const page = () => `
  <form data-one-at-a-time>
    <div data-question data-needed="Choose."><fieldset class="field"><input type="radio" name="stars" value="5"><input type="radio" name="stars" value="4"></fieldset></div>
    <div data-question data-needed="Write."><div class="field"><input name="title"></div></div>
    <div data-question><div class="field"><input name="photos"></div></div>
    <p data-after-questions><button type="submit">Send</button></p>
  </form>`;

let onChange: () => void;
let narrow: boolean;

beforeEach(() => {
  narrow = true;
  vi.stubGlobal("matchMedia", () => ({
    get matches() {
      return narrow;
    },
    addEventListener: (_: string, listener: () => void) => (onChange = listener),
  }));
  document.body.innerHTML = page();
});

const shown = () => [...document.querySelectorAll<HTMLElement>("[data-question]")].map(({ hidden }) => !hidden);
const press = (words: string) => [...document.querySelectorAll("button")].find(({ textContent }) => textContent === words)!.click();
const field = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`)!;
const errors = () => [...document.querySelectorAll(".field__error")].map(({ textContent }) => textContent);

test("a phone asks one question after the other and keeps the answers", () => {
  start();
  expect(shown()).toEqual([true, false, false]);
  expect(document.querySelector("[role=status]")!.textContent).toBe("Question 1 of 3");
  field("stars").checked = true;
  press("Next");
  expect(shown()).toEqual([false, true, false]);
  expect(document.activeElement).toBe(field("title"));
  field("title").value = "Good";
  press("Next");
  expect(shown()).toEqual([false, false, true]);
  expect(document.querySelector<HTMLElement>("[data-after-questions]")!.hidden).toBe(false);
  press("Back");
  press("Back");
  expect([field("stars").checked, field("title").value]).toEqual([true, "Good"]);
});

test("what is missing is said at its field, once", () => {
  start();
  press("Next");
  press("Next");
  expect(shown()).toEqual([true, false, false]);
  expect(errors()).toEqual(["Choose."]);
  field("stars").checked = true;
  press("Next");
  expect(errors()).toEqual([]);
});

test("Enter goes on instead of sending what was not seen", () => {
  start();
  field("stars").checked = true;
  const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  field("stars").dispatchEvent(enter);
  expect(enter.defaultPrevented).toBe(true);
  expect(shown()).toEqual([false, true, false]);
});

test("the first question that was refused is shown", () => {
  field("title").closest(".field")!.classList.add("field--error");
  start();
  expect(shown()).toEqual([false, true, false]);
});

test("a wide window shows all of them", () => {
  start();
  narrow = false;
  onChange();
  expect(shown()).toEqual([true, true, true]);
});
