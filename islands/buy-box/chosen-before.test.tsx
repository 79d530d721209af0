import { waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import "../island";
import { answerCalls, markup } from "../testing";

test("a quantity chosen before the island came stays chosen", async () => {
  const variant = { id: 1, sku: "S1", attributes: {}, price_html: "", totals: ["₹1", "₹2", "₹3"], problem: "" };
  const given = JSON.stringify({ variants: [variant], attributes: [], chosen: 1, cart_url: "/cart/" });
  const page = markup(`<shop-island name="buy-box" when="load"><script type="application/json">${given}</script>
    <form id="buy"><label for="quantity">Quantity</label><select id="quantity" name="quantity"><option>1</option><option>2</option><option>3</option></select>
    <button type="submit" data-replay="add">ADD TO CART</button></form></shop-island>`);
  const asked = answerCalls({ body: { cart_count: 3 } });
  page.querySelector("select")!.value = "3";
  page.querySelector("button")!.click();
  await waitFor(() => expect(asked.length).toBe(1));
  expect((asked[0]![1] as { quantity: number }).quantity).toBe(3);
});
