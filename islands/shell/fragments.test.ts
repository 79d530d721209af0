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
  expect([500, 503, 404, 429].map(answered)).toEqual([false, false, false, false]);
  expect(said).toEqual([
    "error: Server Error",
    "error: Server Error",
    "error: Server Error",
    "error: Too many tries. Please wait and try again.",
  ]);
});

test("good answers and forms with their errors are shown", () => {
  const said = toasts();
  expect([200, 400, 409, 422].map(answered)).toEqual([true, true, true, true]);
  expect(said).toEqual([]);
});

test("an answer that did not arrive is said", () => {
  const said = toasts();
  document.dispatchEvent(new CustomEvent("htmx:error"));
  expect(said).toEqual(["error: You seem to be offline. Please try again."]);
});
