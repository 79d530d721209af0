import { CallError, post } from "./api";
import { emit, toast } from "./events";
import { pageMarket } from "./market";

export interface Refusal {
  /** It is already in your cart. */
  present: boolean;
  reason: string;
}

/** Puts a new line into the cart and says so; a refusal is said too, and returned to be shown at its place. */
export async function addToCart(variant: number, quantity: number): Promise<Refusal | undefined> {
  try {
    const cart = await post("/add-to-cart/", { product: variant, quantity, ...pageMarket() });
    emit("cart:changed", { count: cart.cart_count });
    toast("success", "Product added to cart successfully!");
    return undefined;
  } catch (error) {
    const { code, message, answer } = error instanceof CallError ? error : new CallError("Server Error", "error", 0);
    const present = code === "already_in_cart";
    toast(present ? "warn" : "error", message);
    return { present, reason: present ? `${String(answer["quantity"])} already in your cart.` : message };
  }
}
