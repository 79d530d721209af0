import { CallError, post, type Schemas } from "../api";
import { emit, toast } from "../events";
import { pageMarket } from "../market";
import { inTurn } from "./in-turn";

/** Pieces in the cart by variant id. */
export type Lines = Record<string, number>;

/** What the cart holds as the last answer said; it stands on <html>, where every script of the page reads the same. */
export function cartLines(): Lines {
  return JSON.parse(document.documentElement.dataset["cartLines"] ?? "{}") as Lines;
}

/** Whether there was such an answer. */
export function isCartKnown(): boolean {
  return "cartLines" in document.documentElement.dataset;
}

/** How many pieces these are. */
export function piecesOf(lines: Lines): number {
  return Object.values(lines).reduce((sum, pieces) => sum + pieces, 0);
}

export function linesOf(cart: Schemas["CartOut"]): Lines {
  return Object.fromEntries((cart.cart_items ?? []).map(({ product, quantity }) => [product, quantity]));
}

const wanted = new Map<number, number>(); // by variant, while a call is on its way

/** What a stepper shows: pieces as the shopper has set them, and as the cart has them. */
export function quantityOf(variant: number): number {
  return wanted.get(variant) ?? cartLines()[variant] ?? 0;
}

/**
 * Sets the pieces of a line in the cart, 0 to take it out. Each press counts at once; one call is under way at a time,
 * and the last number is what it ends with. Returns why it was refused, nothing to a press that joined others.
 */
export async function setQuantity(variant: number, quantity: number): Promise<string> {
  const isUnderWay = wanted.has(variant);
  wanted.set(variant, quantity);
  emit("cart:lines", {});
  if (isUnderWay) return "";
  let sent: number;
  let refusal: string;
  do {
    sent = wanted.get(variant)!;
    refusal = await send(variant, sent);
  } while (!refusal && wanted.get(variant) !== sent);
  wanted.delete(variant);
  emit("cart:lines", {});
  if (refusal) toast("error", refusal);
  return refusal;
}

async function send(variant: number, quantity: number): Promise<string> {
  try {
    const cart = await inTurn(() =>
      quantity
        ? post("/update-cart-product-quantity/", { product_id: variant, quantity, ...pageMarket() })
        : post("/delete-from-cart/", { product_ids: [variant], ...pageMarket() }),
    );
    emit("cart:changed", { count: cart.cart_count, lines: linesOf(cart) });
    return "";
  } catch (error) {
    const { message, status } = error instanceof CallError ? error : new CallError("Server Error", "error", 0);
    if (status === 404) emit("cart:stale", {}); // taken out in the meantime, in another tab or on another device
    return message;
  }
}
