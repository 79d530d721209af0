import { fireEvent } from "@testing-library/dom";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { emit, listen } from "../events";
import { answerCalls, markup, toasts } from "../testing";
import { answer, openOptions, showSteppers } from "./steppers";

const stop = [
  listen("cart:lines", showSteppers),
  listen("cart:changed", ({ lines }) => know(lines ?? {})), // as shell/personal.ts does
];
afterAll(() => stop.forEach((each) => each()));
beforeEach(() => know({}));

function know(lines: Record<string, number>) {
  document.documentElement.dataset["cartLines"] = JSON.stringify(lines);
  emit("cart:lines", {});
}

function card() {
  const page = markup(`<button class="button card__action" form="add-to-cart" name="variant" value="7" data-most="3"
    aria-label="Add to cart: Honey">Add to cart</button>`);
  const stepper = () => page.querySelector<HTMLElement>(".stepper");
  return {
    button: page.querySelector("button")!,
    stepper,
    said: () => stepper()?.querySelector("output")?.textContent,
    press: (name: string) => fireEvent.click(stepper()!.querySelector(`[aria-label="${name}"]`)!),
  };
}

const cart = (quantity: number) => ({ cart_count: quantity, cart_items: quantity ? [{ product: 7, quantity }] : [] });

test("a card whose variant is in the cart has a stepper in place of its button, and the button again without", () => {
  const { button, stepper, said } = card();
  know({ 7: 2 });
  expect([button.hidden, said(), stepper()!.getAttribute("aria-label")]).toEqual([true, "2 in cart", "In your cart: Honey"]);
  know({ 8: 1 });
  expect([button.hidden, stepper()]).toEqual([false, null]);
});

test("a number that stays is not written again", () => {
  const { stepper } = card();
  know({ 7: 2 });
  const written = stepper()!.querySelector("output")!.firstChild;
  know({ 7: 2, 8: 1 });
  expect(stepper()!.querySelector("output")!.firstChild).toBe(written);
});

test("adding from a card shows its stepper, and the focus is on it", async () => {
  answerCalls({ body: cart(1) });
  const { button, stepper, said } = card();
  button.focus();
  await answer(button);
  expect([button.hidden, said(), stepper()!.contains(document.activeElement)]).toEqual([true, "1 in cart", true]);
});

test("a repeated add names the quantity, links to the cart and shows the stepper", async () => {
  answerCalls({ status: 409, body: { detail: "Already added to cart", code: "already_in_cart", quantity: 3, ...cart(3) } });
  const { button, said } = card();
  document.body.insertAdjacentHTML("beforeend", '<a data-cart-link href="/en-in/cart/"></a>');
  const shown: object[] = [];
  const unlisten = listen("shop:toast", (detail) => shown.push(detail));
  await answer(button);
  unlisten();
  const link = { href: "http://localhost:3000/en-in/cart/", words: "3 in your cart" };
  expect(shown).toEqual([{ kind: "warn", message: "Already added to cart", link }]);
  expect(said()).toBe("3 in cart");
});

test("quick presses count at once, go out one after the other, and end with the last number", async () => {
  const asked = answerCalls({ body: cart(2) }, { body: cart(3) });
  const { press, said, stepper } = card();
  know({ 7: 1 });
  press("Increase quantity");
  press("Increase quantity");
  expect(said()).toBe("3 in cart");
  expect(stepper()!.querySelector("[aria-label='Increase quantity']")!.getAttribute("aria-disabled")).toBe("true");
  press("Increase quantity");
  await vi.waitFor(() => expect(asked.length).toBe(2));
  expect(asked.map(([, body]) => (body as { quantity: number }).quantity)).toEqual([2, 3]);
  await vi.waitFor(() => expect(said()).toBe("3 in cart"));
});

test("the last piece taken away removes the line and gives the button back, with the focus", async () => {
  const asked = answerCalls({ body: cart(0) });
  const { button, stepper, press } = card();
  know({ 7: 1 });
  stepper()!.querySelector<HTMLElement>("[aria-label='Remove from cart']")!.focus();
  press("Remove from cart");
  await vi.waitFor(() => expect(asked.length).toBe(1));
  expect(asked[0]).toEqual(["/delete-from-cart/", { product_ids: [7], deliver_to: 1, currency: "INR" }]);
  expect([button.hidden, stepper(), document.activeElement]).toEqual([false, null, button]);
});

test("a refused change is said and taken back", async () => {
  answerCalls({ status: 409, body: { detail: "Only 1 left in stock.", code: "out_of_stock" } });
  const said = toasts();
  const { press, said: shown } = card();
  know({ 7: 1 });
  press("Increase quantity");
  await vi.waitFor(() => expect(said).toEqual(["error: Only 1 left in stock."]));
  expect(shown()).toBe("1 in cart");
});

test("See options opens the packs of its product in a sheet, whose cards know the cart too", async () => {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  const pack = '<button form="add-to-cart" name="variant" value="8" aria-label="Add to cart: Honey, 250 g">Add</button>';
  const asked = answerCalls({ body: pack });
  const stopShowing = listen("cards:shown", showSteppers);
  know({ 8: 2 });
  const link = markup('<a data-options href="/en-in/product/honey/">See options</a>').querySelector("a")!;
  await openOptions(link);
  stopShowing();
  const sheet = document.querySelector<HTMLDialogElement>("dialog.packs")!;
  expect([asked, sheet.open]).toEqual([[["/en-in/product/honey/options/", undefined]], true]);
  expect(sheet.querySelector(".stepper")?.textContent).toContain("2 in cart");
});
