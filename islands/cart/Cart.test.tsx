import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { emit } from "../events";
import { answerCalls, renderOver, toasts } from "../testing";
import Cart from "./Cart";
import type { Cart as CartData } from "./useCart";

function line(id: number, quantity: number) {
  return { product: id, product_name: `Tonic ${id}`, quantity, choices: [1, 2, 3, 4], problem: "", note: "" };
}

function cart(quantities: Record<number, number>, total: string, more: object = {}): CartData {
  return {
    cart_items: Object.entries(quantities).map(([id, quantity]) => line(Number(id), quantity)),
    saved_items: [],
    cart_count: Object.values(quantities).reduce((sum, quantity) => sum + quantity, 0),
    coupon_code: "",
    coupon_amt: "0",
    coupon_text: "",
    coupon_problem: "",
    points_used: 0,
    ...more,
    display: {
      sub_total: total,
      shipping: "₹0.00",
      coupon: "−₹15.00",
      points: "−₹9.00",
      points_offer: "",
      total: `${total} in all`,
      lines: { 7: "₹70.00", 8: "₹80.00" },
      next_tier: "",
      arrival: "",
      arrivals: {},
      ...("display" in more ? (more.display as object) : {}),
    },
  } as unknown as CartData;
}

const page = `
  <ul class="lines">
    <li class="line" data-line="7"><a class="line__name" href="/p/7">Tonic of seven herbs</a><div class="line__row">form</div></li>
    <li class="line" data-line="8"><a class="line__name" href="/p/8">Tonic of eight herbs</a><div class="line__row">form</div></li>
  </ul>
  <div class="summary"><h2>Price summary</h2><dl></dl><a href="/checkout/">CHECK OUT</a></div>
  <template data-empty><p>Cart is Empty</p></template>`;

function show(quantities = { 7: 1, 8: 2 } as Record<number, number>, more: object = {}) {
  return renderOver(page, (fallback) => <Cart cart={cart(quantities, "₹150.00", more)} fallback={fallback} />);
}

const quantityOf = (name: string) => screen.getByLabelText(`Quantity of ${name}`) as HTMLSelectElement;

test("lines and the way to the checkout are the server's own markup", () => {
  show();
  expect(screen.getByRole("link", { name: "Tonic of seven herbs" }).getAttribute("href")).toBe("/p/7");
  expect(screen.getByRole("link", { name: "CHECK OUT" })).toBeTruthy();
  expect(screen.queryByText("form")).toBeNull();
});

test("a new quantity shows at once and the totals as the call answers them", async () => {
  const asked = answerCalls({ body: cart({ 7: 3, 8: 2 }, "₹290.00") });
  const said = toasts();
  show();
  fireEvent.change(quantityOf("Tonic 7"), { target: { value: "3" } });
  expect(quantityOf("Tonic 7").value).toBe("3");
  expect(await screen.findByText("₹290.00 in all")).toBeTruthy();
  expect(asked).toEqual([
    ["/update-cart-product-quantity/", { product_id: 7, quantity: 3, deliver_to: 1, currency: "INR" }],
  ]);
  expect(said).toEqual(["success: Quantity updated successfully"]);
});

test("a refused quantity goes back with the reason at its line", async () => {
  answerCalls({ status: 409, body: { detail: "Only 2 left in stock.", code: "out_of_stock" } });
  show();
  fireEvent.change(quantityOf("Tonic 7"), { target: { value: "4" } });
  expect(await screen.findByText("Only 2 left in stock.")).toBeTruthy();
  expect(quantityOf("Tonic 7").value).toBe("1");
});

test("the newest of two quick changes stays while the first is answered", async () => {
  const answers = [cart({ 7: 2, 8: 2 }, "₹220.00"), cart({ 7: 4, 8: 2 }, "₹360.00")];
  const asked: (() => void)[] = [];
  vi.stubGlobal("fetch", () => {
    const body = JSON.stringify(answers[asked.length]);
    return new Promise((resolve) => asked.push(() => resolve(new Response(body))));
  });
  show();
  fireEvent.change(quantityOf("Tonic 7"), { target: { value: "2" } });
  fireEvent.change(quantityOf("Tonic 7"), { target: { value: "4" } });
  await waitFor(() => expect(asked.length).toBe(1));
  asked[0]!();
  await screen.findByText("₹220.00 in all");
  expect(quantityOf("Tonic 7").value).toBe("4");
  asked[1]!();
  await screen.findByText("₹360.00 in all");
  expect(quantityOf("Tonic 7").value).toBe("4");
});

test("a line leaves after the call, the last one leaves the empty cart", async () => {
  const asked = answerCalls({ body: cart({ 8: 2 }, "₹80.00") }, { body: cart({}, "₹0.00") });
  const counts: number[] = [];
  document.addEventListener("cart:changed", (event) => counts.push((event as CustomEvent).detail.count));
  show();
  fireEvent.click(screen.getByRole("button", { name: "Remove Tonic 7" }));
  await waitFor(() => expect(screen.queryByText("Tonic of seven herbs")).toBeNull());
  fireEvent.click(screen.getByRole("button", { name: "Remove Tonic 8" }));
  expect(await screen.findByText("Cart is Empty")).toBeTruthy();
  expect(asked[0]).toEqual(["/delete-from-cart/", { product_ids: [7], deliver_to: 1, currency: "INR" }]);
  expect(counts).toEqual([2, 0]);
});

test("a failed removal keeps the line and warns", async () => {
  answerCalls({ status: 500, body: "" });
  const said = toasts();
  show();
  fireEvent.click(screen.getByRole("button", { name: "Remove Tonic 7" }));
  await waitFor(() => expect(said).toEqual(["warn: Server Error"]));
  expect(screen.getByText("Tonic of seven herbs")).toBeTruthy();
});

test("what was removed comes back with its quantity by Undo, which has the focus", async () => {
  const asked = answerCalls({ body: cart({ 7: 1 }, "₹70.00") }, { body: cart({ 7: 1, 8: 2 }, "₹150.00") });
  show();
  const button = screen.getByRole("button", { name: "Remove Tonic 8" });
  button.focus();
  fireEvent.click(button);
  const undo = await screen.findByRole("button", { name: "Undo" });
  expect(screen.getByText("Removed Tonic 8.")).toBeTruthy();
  expect(document.activeElement).toBe(undo);
  fireEvent.click(undo);
  await waitFor(() => expect(screen.getByText("Tonic of eight herbs")).toBeTruthy());
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(asked[1]).toEqual(["/add-to-cart/", { product: 8, quantity: 2, deliver_to: 1, currency: "INR" }]);
});

test("a removal that cannot be undone says why", async () => {
  answerCalls({ body: cart({ 7: 1 }, "₹70.00") }, { status: 409, body: { detail: "This product is out of stock." } });
  show();
  fireEvent.click(screen.getByRole("button", { name: "Remove Tonic 8" }));
  fireEvent.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByText("This product is out of stock.")).toBeTruthy();
});

test("a line is saved for later and moved back, with its picture and name", async () => {
  const later = cart({ 7: 1 }, "₹70.00", { saved_items: [line(8, 2)] });
  const asked = answerCalls({ body: later }, { body: cart({ 7: 1, 8: 2 }, "₹150.00") });
  show();
  const press = (name: string) => (screen.getByRole("button", { name }).focus(), fireEvent.click(screen.getByRole("button", { name })));
  press("Save for later: Tonic 8");
  const saved = await screen.findByRole("list", { name: "Saved for later" });
  expect(saved.textContent).toContain("Tonic of eight herbs");
  expect(screen.queryByLabelText("Quantity of Tonic 8")).toBeNull();
  expect(document.activeElement!.getAttribute("aria-label")).toBe("Move to cart: Tonic 8");
  press("Move to cart: Tonic 8");
  await waitFor(() => expect(screen.queryByText("Saved for later")).toBeTruthy());
  await waitFor(() => expect(screen.queryByRole("list", { name: "Saved for later" })).toBeNull());
  expect(document.activeElement!.getAttribute("aria-label")).toBe("Save for later: Tonic 8");
  expect(asked.map(([path]) => path)).toEqual(["/save-for-later/", "/move-to-cart/"]);
});

test("a line says that its price has changed", () => {
  show({ 7: 1 }, { cart_items: [{ ...line(7, 1), note: "The price was ₹120.00 when you added it." }] });
  expect(screen.getByText("The price was ₹120.00 when you added it.")).toBeTruthy();
});

test("a refused coupon says why at its field and keeps what was typed; a good one comes off", async () => {
  const good = cart({ 7: 1, 8: 2 }, "₹150.00", { coupon_code: "SAVE10", coupon_amt: "15.00", coupon_text: "10 % off" });
  const asked = answerCalls({ status: 422, body: { detail: "This coupon is not valid." } }, { body: good });
  show();
  const field = screen.getByLabelText("Coupon code") as HTMLInputElement;
  fireEvent.change(field, { target: { value: "nope" } });
  fireEvent.click(screen.getByRole("button", { name: "Apply" }));
  const reason = await screen.findByText("This coupon is not valid.");
  expect([field.value, field.getAttribute("aria-describedby"), reason.id]).toEqual(["nope", "coupon-error", "coupon-error"]);
  expect(document.activeElement).toBe(field);
  fireEvent.change(field, { target: { value: "save10" } });
  fireEvent.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("−₹15.00")).toBeTruthy();
  expect(screen.getByText("10 % off")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Remove coupon SAVE10" }));
  expect(asked[1]).toEqual(["/apply-coupon/", { coupon_code: "save10", deliver_to: 1, currency: "INR" }]);
});

test("a coupon that applies no more says why, and can be removed", async () => {
  const asked = answerCalls({ body: cart({ 7: 1 }, "₹70.00") });
  show({ 7: 1 }, { coupon_code: "OLD", coupon_problem: "This coupon has expired." });
  expect(screen.getByText("This coupon has expired.")).toBeTruthy();
  expect(screen.queryByText("−₹15.00")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Remove coupon OLD" }));
  expect(await screen.findByLabelText("Coupon code")).toBeTruthy();
  expect(asked[0]?.[0]).toBe("/remove-coupon/");
});

test("points are used by a box that says what they take off", async () => {
  const offer = { display: { points_offer: "Use 9 points (−₹9.00)" } };
  const asked = answerCalls({ body: cart({ 7: 1 }, "₹70.00", { ...offer, points_used: 9 }) });
  show({ 7: 1 }, offer);
  fireEvent.click(screen.getByLabelText("Use 9 points (−₹9.00)"));
  expect(await screen.findByText("−₹9.00")).toBeTruthy();
  expect(asked[0]).toEqual(["/use-points/", { use_points: true, deliver_to: 1, currency: "INR" }]);
});

function pageOf(data: CartData, markup: string): string {
  return `<shop-island name="cart"><script type="application/json">${JSON.stringify({ cart: data })}</script>${markup}</shop-island>`;
}

test("what another tab changed is shown as the server writes it, and told to nobody", async () => {
  const nine = `${page}<ul><li class="line" data-line="9"><a class="line__name" href="/p/9">Tonic of nine herbs</a></li></ul>`;
  const asked = answerCalls({ body: pageOf(cart({ 7: 2, 9: 1 }, "₹900.00"), nine) });
  show();
  const told: number[] = [];
  emit("cart:changed", { count: 3, elsewhere: true });
  document.addEventListener("cart:changed", (event) => told.push((event as CustomEvent).detail.count));
  expect(await screen.findByText("Tonic of nine herbs")).toBeTruthy();
  expect(screen.getByText("₹900.00 in all")).toBeTruthy();
  expect(screen.queryByText("Tonic of eight herbs")).toBeNull();
  expect(asked).toEqual([["/", undefined]]);
  expect(told).toEqual([]);
});

test("an emptied cart that another tab fills shows the way to the checkout again", async () => {
  answerCalls({ body: cart({}, "₹0.00") }, { body: pageOf(cart({ 8: 2 }, "₹80.00"), page) });
  show({ 7: 1 });
  fireEvent.click(screen.getByRole("button", { name: "Remove Tonic 7" }));
  await screen.findByText("Cart is Empty");
  emit("cart:changed", { count: 2, elsewhere: true });
  expect(await screen.findByText("Tonic of eight herbs")).toBeTruthy();
  expect(screen.getByRole("link", { name: "CHECK OUT" })).toBeTruthy();
});

test("a page that was opened while something was added shows it when the header knows of it", async () => {
  const asked = answerCalls({ body: pageOf(cart({ 8: 2 }, "₹80.00"), page) });
  show({});
  expect(screen.getByText("Cart is Empty")).toBeTruthy();
  receive({ 8: 2 });
  expect(await screen.findByText("Tonic of eight herbs")).toBeTruthy();
  receive({ 8: 2 });
  expect(asked.length).toBe(1);
});

test("and so does one whose script comes after that", async () => {
  answerCalls({ body: pageOf(cart({ 8: 2 }, "₹80.00"), page) });
  receive({ 8: 2 });
  show({});
  expect(await screen.findByText("Tonic of eight herbs")).toBeTruthy();
});

function receive(lines: Record<string, number>) {
  document.documentElement.dataset["cartLines"] = JSON.stringify(lines);
  act(() => emit("cart:lines", {}));
}

test("coming back to the page after a while asks for the cart again", async () => {
  const asked = answerCalls({ body: pageOf(cart({ 7: 4 }, "₹280.00"), page) });
  vi.useFakeTimers({ toFake: ["Date"] });
  show();
  window.dispatchEvent(new Event("focus"));
  expect(asked).toEqual([]);
  vi.setSystemTime(Date.now() + 60_000);
  window.dispatchEvent(new Event("focus"));
  window.dispatchEvent(new Event("focus"));
  vi.useRealTimers();
  expect(await screen.findByText("₹280.00 in all")).toBeTruthy();
  expect(asked.length).toBe(1);
});

test("the day of the whole cart stands by the sums, that of a line where days differ", () => {
  const display = { arrival: "Delivery by Thu 26 Nov to 560001", arrivals: { 7: "Delivery by Tue 24 Nov" } };
  show({ 7: 1, 8: 2 }, { display });
  expect(screen.getByText("Delivery by Tue 24 Nov").className).toBe("line__date");
  expect(screen.getByText("Delivery by Thu 26 Nov to 560001")).toBeTruthy();
});

test("Undo pressed twice is no error, and a refused one is not said of the next line", async () => {
  answerCalls(
    { body: cart({ 8: 1 }, "₹1") },
    { body: cart({ 7: 1, 8: 1 }, "₹2") },
    { status: 409, body: { detail: "Already added to cart", code: "already_in_cart", ...cart({ 7: 1, 8: 1 }, "₹2") } },
    { body: cart({ 7: 1 }, "₹1") },
  );
  const said = toasts();
  show({ 7: 1, 8: 1 });
  fireEvent.click(screen.getAllByRole("button", { name: /^Remove / })[0]!);
  const undo = await screen.findByRole("button", { name: "Undo" });
  fireEvent.click(undo);
  fireEvent.click(undo);
  await waitFor(() => expect(said.length).toBe(3));
  fireEvent.click(screen.getAllByRole("button", { name: /^Remove / })[1]!);
  await waitFor(() => expect(screen.getByText(/^Removed/).textContent!.trim()).toMatch(/^Removed [^.]+\.$/));
  expect(said.filter((words) => words.startsWith("error"))).toEqual([]);
});
