import { fireEvent } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emit, listen } from "../events";
import { answerCalls, markup, toasts } from "../testing";
import { startBusyButtons } from "./busy";
import { startCards } from "./cards";
import { start as startCodeBoxes } from "./code-boxes";
import { start as startCountdowns } from "./countdown";
import { startDialogs } from "./dialogs";
import { startHeader } from "./header";
import { startLanguages } from "./languages";
import { startPersonalParts } from "./personal";
import { startToasts } from "./toasts";

startToasts();
startBusyButtons();
startCards();
startDialogs();
startHeader();
beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

test("a toast is text, leaves after two seconds, and an error interrupts", () => {
  markup(`<div data-toasts role="status"></div>`);
  emit("shop:toast", { kind: "success", message: "<b>Added</b>" });
  emit("shop:toast", { kind: "error", message: "Server Error" });
  expect(document.querySelector("[role=status] .toast--success")?.textContent).toBe("<b>Added</b>");
  expect(document.querySelector(".toast--error[role=alert]")?.textContent).toBe("Server Error");
  vi.advanceTimersByTime(2100);
  expect(document.querySelector(".toast")).toBeNull();
});

test("the header learns who is signed in and how full the cart is", async () => {
  answerCalls({ body: { signed_in: true, name: "ASHA", cart_count: 3, toasts: [] } });
  const header = markup(`<a data-signin></a><p data-account hidden><b data-me-name></b></p>
    <a data-cart-link aria-label="Cart"><i data-cart-count hidden></i></a>`);
  const label = () => header.querySelector("[data-cart-link]")?.getAttribute("aria-label");
  startPersonalParts();
  await vi.waitFor(() => expect(header.querySelector("[data-me-name]")?.textContent).toBe("ASHA"));
  expect(header.querySelector<HTMLElement>("[data-account]")?.hidden).toBe(false);
  expect(header.querySelector<HTMLElement>("[data-signin]")?.hidden).toBe(true);
  await vi.waitFor(() => expect(label()).toBe("Cart, 3 items"));
  emit("cart:changed", { count: 1 });
  expect(label()).toBe("Cart 1"); // the number that is seen is read out at once, its words when they are there
  emit("cart:changed", { count: 0 });
  expect(header.querySelector<HTMLElement>("[data-cart-count]")?.hidden).toBe(true);
  await vi.waitFor(() => expect(label()).toBe("Cart"));
  await vi.advanceTimersByTimeAsync(10);
  expect(label()).toBe("Cart"); // not the words of the count before it
});

test("who is in another country than the page is offered the change, once and with both names", async () => {
  answerCalls({ body: { signed_in: false, name: "", country: { code: "IN", name: "India" }, cart_count: 0, toasts: [] } });
  const template = (page: string) =>
    markup(`<template data-market-offer="${page}"><aside><b data-offer-name></b><button data-offer-code></button></aside></template>`);
  const elsewhere = template("US");
  startPersonalParts();
  await vi.waitFor(() => expect(elsewhere.querySelector("aside b")?.textContent).toBe("India"));
  expect(elsewhere.querySelector("button")?.value).toBe("IN");
  const same = template("IN");
  startPersonalParts();
  await vi.advanceTimersByTimeAsync(500);
  expect(same.querySelector("aside")).toBeNull();
});

test("who stays is asked no more, and the page stays as it is", async () => {
  answerCalls({ body: { signed_in: false, name: "", country: { code: "IN", name: "India" }, cart_count: 0, toasts: [] } });
  const kept: [string, string][] = [];
  vi.stubGlobal("navigator", { ...navigator, sendBeacon: (path: string, body: URLSearchParams) => kept.push([new URL(path).pathname, String(body)]) });
  const page = markup(`<template data-market-offer="US"><aside><form method="post" action="/en-us/deliver-to/"><b data-offer-name></b>
    <button data-offer-code></button><button name="country" value="US" data-offer-stay></button></form></aside></template>`);
  startPersonalParts();
  await vi.waitFor(() => expect(page.querySelector("aside")).toBeTruthy());
  expect(fireEvent.click(page.querySelector("[data-offer-stay]")!)).toBe(false);
  expect([kept, page.querySelector("aside")]).toEqual([[["/en-us/deliver-to/", "country=US"]], null]);
});

test.each([
  ["hi", ["en-IN"], "hi"],
  ["", ["ta", "hi-IN", "en"], "hi"],
  ["", ["en-IN", "hi"], null],
  ["en", ["hi"], null],
  ["ar", ["hi"], null],
])("picked %j, browser %j: offers %j", async (language, languages, offered) => {
  answerCalls({ body: { signed_in: false, name: "", country: null, language, cart_count: 0, toasts: [] } });
  vi.stubGlobal("navigator", { ...navigator, languages });
  document.documentElement.lang = "en";
  const page = markup(`<template data-language-offer="hi"><aside lang="hi">…</aside></template>`);
  startPersonalParts();
  await vi.advanceTimersByTimeAsync(500);
  expect(page.querySelector("aside")?.lang ?? null).toBe(offered);
});

test("a link to another language keeps the page, and is a link for another tab", () => {
  const sent: [string, Record<string, string>][] = [];
  const note = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    sent.push([new URL(form.action).pathname, Object.fromEntries(new FormData(form)) as Record<string, string>]);
  };
  document.addEventListener("submit", note);
  const link = markup(`<a href="/en-in/language/" data-language="hi">हिंदी</a>`).querySelector("a")!;
  startLanguages();
  expect(fireEvent.click(link)).toBe(false);
  fireEvent.click(link, { ctrlKey: true });
  document.removeEventListener("submit", note);
  expect(sent).toEqual([["/en-in/language/", { language: "hi", next: location.pathname + location.search }]]);
});

test("a card adds its one variant without leaving the page", async () => {
  const asked = answerCalls({ body: { cart_count: 1, cart_items: [{ product: 7, quantity: 1 }], toasts: [] } });
  const said = toasts();
  const stop = listen("cart:changed", ({ lines }) => (document.documentElement.dataset["cartLines"] = JSON.stringify(lines)));
  const card = markup(`<form id="add-to-cart" action="/cart/add/" method="post"></form>
    <button form="add-to-cart" name="variant" value="7">Add to cart</button>`);
  const submit = new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: card.querySelector("button") });
  expect(card.querySelector("form")!.dispatchEvent(submit)).toBe(false);
  await vi.waitFor(() => expect(said).toEqual(["success: Product added to cart successfully!"]));
  emit("cart:lines", {});
  await vi.waitFor(() => expect(card.querySelector(".stepper output")?.textContent).toBe("1 in cart"));
  stop();
  expect(asked).toEqual([["/add-to-cart/", { product: 7, quantity: 1, deliver_to: 1, currency: "INR" }]]);
});

test("a countdown keeps its button until the time is over", () => {
  const button = markup(`<button data-countdown="60">Resend OTP<span data-countdown-left></span></button>`).querySelector("button")!;
  startCountdowns();
  expect([button.disabled, button.textContent]).toEqual([true, "Resend OTP (60 s)"]);
  vi.advanceTimersByTime(60_500);
  expect([button.disabled, button.textContent]).toEqual([false, "Resend OTP"]);
});

test("boxes and countdown start in what htmx brought, once", () => {
  startCodeBoxes();
  startCountdowns();
  const main = markup("");
  const swap = () => document.dispatchEvent(new CustomEvent("htmx:after:swap"));
  main.innerHTML = `<label for="otp">Code</label><input id="otp" data-otp maxlength="6" autofocus>
    <button data-countdown="42">Resend OTP<span data-countdown-left></span></button>`;
  swap();
  swap();
  expect(main.querySelectorAll(".code-box").length).toBe(6);
  expect(document.activeElement).toBe(main.querySelector(".code-box"));
  expect(main.querySelector("button")!.textContent).toBe("Resend OTP (42 s)");
  vi.advanceTimersByTime(20_000);
  swap();
  expect(main.querySelector("button")!.textContent).toBe("Resend OTP (22 s)");
});

test("a button says that its form is on the way until the answer is there", () => {
  const page = markup(`<form hx-post="/x/"><button data-busy-label="Sending...">Send OTP</button></form>`);
  const [form, button] = [page.querySelector("form")!, page.querySelector("button")!];
  form.addEventListener("submit", (event) => event.preventDefault()); // as htmx does
  fireEvent(form, new SubmitEvent("submit", { submitter: button, bubbles: true, cancelable: true }));
  vi.advanceTimersByTime(10);
  expect([button.textContent, button.disabled]).toEqual(["Sending...", true]);
  document.dispatchEvent(new CustomEvent("htmx:finally:request", { bubbles: true }));
  expect([button.textContent, button.disabled]).toEqual(["Send OTP", false]);
});

test("what was asked for before does not bring a pressed button back until the page does", () => {
  const page = markup(`<section><form action="/x/"><button data-busy-label="One moment…">PAY</button></form></section><p></p>`);
  const [form, button] = [page.querySelector("form")!, page.querySelector("button")!];
  const isSwapped = (selector: string) => {
    const detail = { ctx: { target: page.querySelector(selector) } };
    return document.dispatchEvent(new CustomEvent("htmx:before:swap", { detail, cancelable: true }));
  };
  expect(isSwapped("section")).toBe(true);
  fireEvent(form, new SubmitEvent("submit", { submitter: button, bubbles: true, cancelable: true }));
  expect([isSwapped("section"), isSwapped("p")]).toEqual([false, true]);
  dispatchEvent(new Event("pageshow"));
  expect(isSwapped("section")).toBe(true);
});

test("a button that holds words of which one is shown has them again after coming back", () => {
  const label = `<span class="pay-words pay-words--upi">PAY by UPI</span><span class="pay-words">Place order</span>`;
  const page = markup(`<form action="/x/"><button data-busy-label="One moment…">${label}</button></form>`);
  const [form, button] = [page.querySelector("form")!, page.querySelector("button")!];
  fireEvent(form, new SubmitEvent("submit", { submitter: button, bubbles: true, cancelable: true }));
  expect(button.innerHTML).toBe("One moment…");
  dispatchEvent(new Event("pageshow"));
  expect(button.innerHTML).toBe(label);
});

test("a button of a form that a script sends itself says nothing", () => {
  const page = markup(`<form><button data-busy-label="Sending...">Send OTP</button></form>`);
  const [form, button] = [page.querySelector("form")!, page.querySelector("button")!];
  form.addEventListener("submit", (event) => event.preventDefault());
  fireEvent(form, new SubmitEvent("submit", { submitter: button, bubbles: true, cancelable: true }));
  expect(button.textContent).toBe("Send OTP");
});

function codeBoxes() {
  const form = markup(`<label for="otp">Code</label><input id="otp" name="otp_code" data-otp maxlength="6">`);
  startCodeBoxes();
  const field = form.querySelector<HTMLInputElement>("[data-otp]")!;
  const boxes = [...form.querySelectorAll<HTMLInputElement>(".code-box")];
  return { field, boxes, focused: () => boxes.indexOf(document.activeElement as HTMLInputElement) };
}

test("each digit moves on to the next of six boxes and fills the real field", () => {
  const { field, boxes, focused } = codeBoxes();
  expect(boxes.length).toBe(6);
  fireEvent.input(boxes[0]!, { target: { value: "4" } });
  expect([field.value, focused()]).toEqual(["4", 1]);
  fireEvent.input(boxes[1]!, { target: { value: "x" } });
  expect([field.value, boxes[1]!.value, focused()]).toEqual(["4", "", 1]);
});

test("a pasted or suggested code fills all boxes", () => {
  const { field, boxes, focused } = codeBoxes();
  fireEvent.paste(boxes[3]!, { clipboardData: { getData: () => "123 456" } });
  expect([field.value, focused()]).toEqual(["123456", 5]);
  fireEvent.input(boxes[0]!, { target: { value: "654321" } });
  expect(field.value).toBe("654321");
});

test("Backspace in an empty box takes the digit before it, arrows walk", () => {
  const { field, boxes, focused } = codeBoxes();
  fireEvent.paste(boxes[0]!, { clipboardData: { getData: () => "12" } });
  fireEvent.keyDown(boxes[2]!, { key: "Backspace" });
  expect([field.value, focused()]).toEqual(["1", 1]);
  fireEvent.keyDown(boxes[1]!, { key: "ArrowLeft" });
  expect(focused()).toBe(0);
});

test("a dialog opens after the next picture, its button and its backdrop close it", async () => {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
  const page = markup(`<a href="#" data-dialog-open="sheet">Open</a><dialog id="sheet"><button data-dialog-close>x</button></dialog>`);
  const dialog = page.querySelector("dialog")!;
  fireEvent.click(page.querySelector("a")!);
  expect(dialog.open).toBe(false);
  await vi.waitFor(() => expect(dialog.open).toBe(true));
  fireEvent.click(page.querySelector("button")!);
  expect(dialog.open).toBe(false);
  fireEvent.click(page.querySelector("a")!);
  await vi.waitFor(() => expect(dialog.open).toBe(true));
  fireEvent.click(dialog);
  expect(dialog.open).toBe(false);
});

test("a click outside and Escape close the account menu, and the focus goes back", () => {
  const page = markup(`<details data-account open><summary>Asha</summary><a href="#">Profile</a></details><p>Page</p>`);
  const menu = page.querySelector("details")!;
  fireEvent.click(page.querySelector("a")!);
  expect(menu.open).toBe(true);
  fireEvent.click(page.querySelector("p")!);
  expect(menu.open).toBe(false);
  menu.open = true;
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(menu.open).toBe(false);
  expect(document.activeElement).toBe(page.querySelector("summary"));
});

function wholeCode(sentBefore: string, typed: string) {
  const page = markup(`<form data-sent-when-filled><label for="otp">Code</label>
    <input id="otp" data-otp maxlength="6" value="${sentBefore}"><button type="submit">Verify</button></form>`);
  const [form, field] = [page.querySelector("form")!, page.querySelector<HTMLInputElement>("[data-otp]")!];
  const sent = vi.fn((event: Event) => event.preventDefault());
  form.addEventListener("submit", sent);
  field.value = typed;
  startCodeBoxes();
  return { field, sent };
}

test("a whole code typed before the boxes came is sent", () => {
  const { field, sent } = wholeCode("", "482913");
  expect([field.value, sent.mock.calls.length]).toEqual(["482913", 1]);
});

test("a refused code that came back with the page is cleared", () => {
  const { field, sent } = wholeCode("482913", "482913");
  expect([field.value, sent.mock.calls.length]).toEqual(["", 0]);
});
