import { expect, test } from "vitest";
import { markup, toasts } from "../testing";
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

test.each([
  ["offline", () => document.dispatchEvent(new CustomEvent("htmx:error"))],
  ["broken", () => answered(500)],
] as const)("a failure is said in the words that the page brings along: %s", (kind, happen) => {
  const said = toasts();
  document.documentElement.dataset[kind] = "गड़बड़";
  happen();
  delete document.documentElement.dataset[kind];
  expect(said).toEqual(["error: गड़बड़"]);
});

function failed(ctx: object): void {
  document.dispatchEvent(new CustomEvent("htmx:error", { detail: { ctx } }));
}

const retry = () => document.querySelector<HTMLAnchorElement>("[data-failed] a");

test("a fragment that was read says at its place that it did not come, and asks again for the same", () => {
  markup('<form id="f" hx-sync="#f:replace"></form><div id="found">before</div>');
  const request = { action: "/orders/?tab=paid", method: "GET" };
  const [sourceElement, target] = [document.getElementById("f")!, document.getElementById("found")!];
  failed({ request, sourceElement, target, swap: "outerHTML", push: "true" });
  failed({ request, sourceElement, target, swap: "outerHTML", push: "true" });
  expect(document.querySelectorAll("[data-failed]")).toHaveLength(1);
  expect(target.previousElementSibling!.textContent).toContain("This part of the page hasn't changed.");
  const asked = ["hx-get", "href", "hx-target", "hx-swap", "hx-push-url", "hx-sync"].map((name) => retry()!.getAttribute(name));
  expect(asked).toEqual(["/orders/?tab=paid", "/orders/?tab=paid", "#found", "outerHTML", "true", "#f:replace"]);
  document.dispatchEvent(new CustomEvent("htmx:before:request"));
  expect(document.querySelector<HTMLElement>("[data-failed]")!.hidden).toBe(true);
});

test("too many requests are no fragment of a page that was read, and nothing is asked again of a form", () => {
  markup('<div id="found">before</div>');
  const target = document.getElementById("found")!;
  const answer = (method: string) => {
    const detail = { ctx: { request: { action: "/", method }, response: { status: 429 }, target } };
    return document.dispatchEvent(new CustomEvent("htmx:before:response", { detail, cancelable: true }));
  };
  expect(answer("POST")).toBe(true);
  expect(retry()).toBeNull();
  expect(answer("GET")).toBe(false);
  expect(retry()).not.toBeNull();
});

test("in an open drawer the failure is said in the drawer; what asks every few seconds goes on by itself", () => {
  markup('<dialog open><form id="f"><p id="foot"></p></form></dialog><div id="found" hx-trigger="every 5s"></div>');
  const request = { action: "/", method: "GET" };
  const target = document.getElementById("found")!;
  failed({ request, sourceElement: target, target });
  expect(retry()).toBeNull();
  failed({ request, sourceElement: document.getElementById("f")!, target });
  expect(document.getElementById("foot")!.previousElementSibling).toBe(document.querySelector("[data-failed]"));
});

test("a radio button goes back to the one that counts", () => {
  const radio = (value: string) => `<input type="radio" name="to" value="${value}" hx-post="/choose/">`;
  markup(`<form>${radio("1").replace(">", " checked>")}${radio("2")}${radio("3")}<input type="checkbox" checked></form>`);
  const [first, second, third, other] = [...document.querySelectorAll("input")] as HTMLInputElement[];
  const ctx = { request: { action: "/choose/", method: "POST" }, response: { status: 200 }, sourceElement: second! };
  other!.checked = false;
  second!.checked = true;
  document.dispatchEvent(new CustomEvent("htmx:after:swap", { detail: { ctx } }));
  third!.checked = true;
  failed({ ...ctx, sourceElement: third! });
  expect([first, second, third, other].map((field) => field!.checked)).toEqual([false, true, false, false]);
});

test("the way back that does not arrive leaves the address of what is shown", () => {
  history.replaceState(null, "", "/listing/?brand=hara");
  document.dispatchEvent(new CustomEvent("htmx:after:swap", { detail: { ctx: { response: { status: 200 } } } }));
  history.replaceState(null, "", "/listing/");
  failed({ request: { action: "/listing/", method: "GET", headers: { "HX-History-Restore-Request": "true" } } });
  expect(location.search).toBe("?brand=hara");
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
  document.body.innerHTML = '<div data-focus tabindex="-1">Please check these fields</div>';
  const swapped = (status: number) => new CustomEvent("htmx:after:swap", { detail: { ctx: { response: { status } } } });
  document.dispatchEvent(swapped(200));
  expect(document.activeElement).toBe(document.body);
  document.dispatchEvent(swapped(422));
  expect(document.activeElement?.textContent).toBe("Please check these fields");
});
