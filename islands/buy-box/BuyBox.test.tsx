import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { emit } from "../events";
import { answerCalls, markup, toasts } from "../testing";
import BuyBox from "./BuyBox";
import type { Variant } from "./variants";

function variant(id: number, attributes: Record<string, string>, totals = ["₹100.00", "₹200.00"]): Variant {
  const problem = totals.length ? "" : "Out of stock.";
  return { id, sku: `S${id}`, attributes, price_html: `<p>price of ${id}</p>`, totals, problem };
}

const small = variant(1, { Size: "10 ml" });
const large = variant(2, { Size: "30 ml" }, ["₹649.00"]);
const gone = variant(3, { Size: "50 ml" }, []);

function show(variants = [small, large, gone], chosen = 1) {
  const attributes = [{ name: "Size", labels: ["10 ml", "30 ml", "50 ml"] }];
  return render(<BuyBox variants={variants} attributes={attributes} chosen={chosen} cart_url="/cart/" />);
}

const addButton = () => screen.getByRole("button", { name: /ADD(ED)? TO CART/ });

test("choosing a value shows the variant's price and total and keeps it in the address", () => {
  answerCalls({ body: "<html></html>" });
  show();
  fireEvent.click(screen.getByRole("button", { name: "30 ml" }));
  expect(screen.getByText("price of 2")).toBeTruthy();
  expect(screen.getByText("₹649.00", { selector: "output" })).toBeTruthy();
  expect(location.search).toBe("?variant=S2");
});

test("a quantity shows the server's total for it", () => {
  show();
  fireEvent.change(screen.getByLabelText("Quantity"), { target: { value: "2" } });
  expect(screen.getByText("₹200.00", { selector: "output" })).toBeTruthy();
});

test("a larger quantity than the next variant allows comes down to what it allows", () => {
  answerCalls({ body: "<html></html>" });
  show();
  fireEvent.change(screen.getByLabelText("Quantity"), { target: { value: "2" } });
  fireEvent.click(screen.getByRole("button", { name: "30 ml" }));
  expect((screen.getByLabelText("Quantity") as HTMLSelectElement).value).toBe("1");
});

test("adding sends variant, quantity and the page's market, and says so", async () => {
  const asked = answerCalls({ body: { cart_count: 2 } });
  const said = toasts();
  show();
  fireEvent.change(screen.getByLabelText("Quantity"), { target: { value: "2" } });
  fireEvent.click(addButton());
  await waitFor(() => expect(addButton().textContent).toBe("ADDED TO CART"));
  expect(asked).toEqual([["/add-to-cart/", { product: 1, quantity: 2, deliver_to: 1, currency: "INR" }]]);
  expect(said).toEqual(["success: Product added to cart successfully!"]);
});

test("two quick clicks add once", async () => {
  const asked = answerCalls({ body: { cart_count: 1 } });
  show();
  fireEvent.click(addButton());
  fireEvent.click(addButton());
  await waitFor(() => expect(addButton().textContent).toBe("ADDED TO CART"));
  expect(asked.length).toBe(1);
});

test("a variant in the cart already is named with its quantity there", async () => {
  answerCalls({ status: 409, body: { detail: "Already added to cart", code: "already_in_cart", quantity: 3 } });
  const said = toasts();
  show();
  fireEvent.click(addButton());
  expect(await screen.findByText(/3 already in your cart/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "View cart" }).getAttribute("href")).toBe("/cart/");
  expect(addButton().textContent).toBe("ADDED TO CART");
  expect(said).toEqual(["warn: Already added to cart"]);
});

test("a refusal shows the server's reason, a breakdown the plain words", async () => {
  answerCalls({ status: 409, body: { detail: "Only 1 left in stock.", code: "out_of_stock" } }, { status: 500, body: "" });
  const said = toasts();
  show();
  fireEvent.click(addButton());
  expect(await screen.findByText("Only 1 left in stock.")).toBeTruthy();
  fireEvent.click(addButton());
  expect(await screen.findByText("Server Error")).toBeTruthy();
  expect(said).toEqual(["error: Only 1 left in stock.", "error: Server Error"]);
});

test("another variant can be added after the first", async () => {
  answerCalls({ body: { cart_count: 1 } });
  show();
  fireEvent.click(addButton());
  await waitFor(() => expect(addButton().textContent).toBe("ADDED TO CART"));
  fireEvent.click(screen.getByRole("button", { name: "30 ml" }));
  expect(addButton().textContent).toBe("ADD TO CART");
});

test("what is answered after another variant was chosen is not said of that one", async () => {
  answerCalls({ status: 409, body: { detail: "Already added to cart", code: "already_in_cart", quantity: 3 } });
  const said = toasts();
  show();
  fireEvent.click(addButton());
  fireEvent.click(screen.getByRole("button", { name: "30 ml" }));
  await waitFor(() => expect(said).toEqual(["warn: Already added to cart"]));
  await act(async () => undefined);
  expect([addButton().textContent, screen.queryByText(/already in your cart/)]).toEqual(["ADD TO CART", null]);
});

test("what was added and taken out elsewhere can be added again", async () => {
  answerCalls({ body: { cart_count: 1 } });
  show();
  fireEvent.click(addButton());
  await waitFor(() => expect(addButton().textContent).toBe("ADDED TO CART"));
  document.documentElement.dataset["cartLines"] = "{}";
  act(() => emit("cart:lines", {}));
  expect(addButton().textContent).toBe("ADD TO CART");
  delete document.documentElement.dataset["cartLines"];
});

test("a sold-out variant can be looked at and not bought", () => {
  answerCalls({ body: "<html></html>" });
  show();
  fireEvent.click(screen.getByRole("button", { name: /50 ml/ }));
  expect(screen.getByText("Out of stock.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /ADD TO CART/ })).toBeNull();
});

test("what else the page says of a variant comes from the server's page", async () => {
  answerCalls({ body: '<div data-variant-part="facts">30 ml net</div>' });
  history.replaceState(null, "", "/product/oil/"); // pages are asked for once an address
  const element = markup('<main><div data-variant-part="facts">10 ml net</div></main>');
  show();
  fireEvent.click(screen.getByRole("button", { name: "30 ml" }));
  await waitFor(() => expect(element.textContent).toBe("30 ml net"));
});

test("the open tab stays open when another variant's words come", async () => {
  const tabs = (words: string) =>
    `<div data-variant-part="details"><input type="radio" name="part" id="one" checked><input type="radio" name="part" id="two">${words}</div>`;
  answerCalls({ body: tabs("30 ml") });
  history.replaceState(null, "", "/product/balm/");
  const element = markup(tabs("10 ml"));
  element.querySelector<HTMLInputElement>("#two")!.checked = true;
  show();
  fireEvent.click(screen.getByRole("button", { name: "30 ml" }));
  await waitFor(() => expect(element.textContent).toBe("30 ml"));
  expect(element.querySelector("input:checked")!.id).toBe("two");
});

test("details of a choice that do not load are said, asked for again, and not those of another choice", async () => {
  const other = variant(9, { Size: "30 ml" });
  const fresh = '<section data-variant-part="details">Herbs of 9</section>';
  answerCalls({ status: 503, body: "" }, { body: fresh });
  document.body.innerHTML = '<section data-variant-part="details">Herbs of 1</section>';
  const part = () => document.querySelector<HTMLElement>("[data-variant-part]")!;
  const box = document.body.appendChild(document.createElement("div"));
  render(<BuyBox variants={[small, other]} attributes={[{ name: "Size", labels: ["10 ml", "30 ml"] }]} chosen={1} cart_url="/cart/" />, {
    container: box,
  });
  fireEvent.click(screen.getByRole("button", { name: "30 ml" }));
  const retry = await screen.findByRole("button", { name: "Try again" });
  expect(part().hidden).toBe(true);
  fireEvent.click(retry);
  await waitFor(() => expect(part().textContent).toBe("Herbs of 9"));
  expect([part().hidden, screen.queryByRole("button", { name: "Try again" })]).toEqual([false, null]);
});

/** What the shell knows of the cart after an answer, without the shell. */
function know(lines: Record<string, number>) {
  document.documentElement.dataset["cartLines"] = JSON.stringify(lines);
  act(() => emit("cart:lines", {}));
}

test("a variant that is in the cart says so from the start, with a stepper beside the button", async () => {
  know({ 1: 2 });
  const asked = answerCalls({ body: { cart_count: 1, cart_items: [{ product: 1, quantity: 1 }] } });
  show();
  expect(addButton().textContent).toBe("ADDED TO CART");
  expect(screen.getByRole("group", { name: "In your cart" }).textContent).toContain("2 in cart");
  expect([screen.queryByLabelText("Quantity"), screen.getByText("₹200.00", { selector: "output" })]).toMatchObject([null, {}]);
  expect(screen.getByRole("button", { name: "Increase quantity" }).getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(screen.getByRole("button", { name: "Decrease quantity" }));
  expect(screen.getByText("1 in cart")).toBeTruthy();
  await waitFor(() => expect(asked).toEqual([["/update-cart-product-quantity/", { product_id: 1, quantity: 1, deliver_to: 1, currency: "INR" }]]));
  know({});
  expect(addButton().textContent).toBe("ADD TO CART");
  expect(screen.getByLabelText("Quantity")).toBeTruthy();
});

test("the cart knows one variant of a product and not another", () => {
  know({ 1: 1 });
  answerCalls({ body: "<html></html>" });
  show();
  fireEvent.click(screen.getByRole("button", { name: "30 ml" }));
  expect([addButton().textContent, screen.queryByRole("group", { name: "In your cart" })]).toEqual(["ADD TO CART", null]);
  know({});
});
