import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { answerCalls, renderOver, toasts } from "../testing";
import Cart from "./Cart";
import type { Cart as CartData } from "./useCart";

function cart(quantities: Record<number, number>, total: string): CartData {
  return {
    cart_items: Object.entries(quantities).map(([id, quantity]) => ({
      product: Number(id),
      product_name: `Tonic ${id}`,
      quantity,
      choices: [1, 2, 3, 4],
      problem: "",
    })),
    cart_count: Object.values(quantities).reduce((sum, quantity) => sum + quantity, 0),
    display: { sub_total: total, shipping: "₹0.00", total: `${total} in all`, lines: { 7: "₹70.00", 8: "₹80.00" }, next_tier: "" },
  } as unknown as CartData;
}

const page = `
  <ul class="lines">
    <li class="line" data-line="7"><a class="line__name" href="/p/7">Tonic of seven herbs</a><div class="line__row">form</div></li>
    <li class="line" data-line="8"><a class="line__name" href="/p/8">Tonic of eight herbs</a><div class="line__row">form</div></li>
  </ul>
  <div class="summary"><h2>Price summary</h2><dl></dl><a href="/checkout/">CHECK OUT</a></div>
  <template data-empty><p>Cart is Empty</p></template>`;

function show(quantities = { 7: 1, 8: 2 } as Record<number, number>) {
  return renderOver(page, (fallback) => <Cart cart={cart(quantities, "₹150.00")} fallback={fallback} />);
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
