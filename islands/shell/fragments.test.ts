import { expect, test } from "vitest";
import { toasts } from "../testing";
import { startFragments } from "./fragments";

startFragments();

function answered(status: number): boolean {
  const event = new CustomEvent("htmx:before:response", { detail: { ctx: { response: { status } } }, cancelable: true });
  return document.dispatchEvent(event);
}

test("a page of an error never takes the place of a fragment, and the failure is said", () => {
  const said = toasts();
  expect([500, 503, 404].map(answered)).toEqual([false, false, false]);
  expect(said).toEqual(["error: Server Error", "error: Server Error", "error: Server Error"]);
});

test("good answers and forms with their errors are shown", () => {
  const said = toasts();
  expect([200, 400, 409, 422, 429].map(answered)).toEqual([true, true, true, true, true]);
  expect(said).toEqual([]);
});

test("an answer that did not arrive is said", () => {
  const said = toasts();
  document.dispatchEvent(new CustomEvent("htmx:error"));
  expect(said).toEqual(["error: You seem to be offline. Please try again."]);
});

test("what asked for the fragment may have words of its own for the failure", () => {
  const said = toasts();
  const sourceElement = document.createElement("form");
  sourceElement.dataset.failure = "Failed to Add Address";
  const detail = { ctx: { response: { status: 500 }, sourceElement } };
  document.dispatchEvent(new CustomEvent("htmx:before:response", { detail, cancelable: true }));
  expect(said).toEqual(["error: Failed to Add Address"]);
});

test("a form that comes back with its errors is read from their summary on", () => {
  document.body.innerHTML = '<div data-focus tabindex="-1">Please look at these again</div>';
  const swapped = (status: number) => new CustomEvent("htmx:after:swap", { detail: { ctx: { response: { status } } } });
  document.dispatchEvent(swapped(200));
  expect(document.activeElement).toBe(document.body);
  document.dispatchEvent(swapped(422));
  expect(document.activeElement?.textContent).toBe("Please look at these again");
});
