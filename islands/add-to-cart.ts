import { CallError, post, type Schemas } from "./api";
import { inTurn } from "./cart/in-turn";
import { linesOf } from "./cart/lines";
import { emit, toast } from "./events";
import { pageMarket } from "./market";
import { t } from "./texts";

export interface Refusal {
  /** It is already in your cart. */
  present: boolean;
  reason: string;
}

let underWay: Promise<unknown> = Promise.resolve();

/** When all that was added so far has its answer. */
export function whenAdded(): Promise<unknown> {
  return underWay;
}

/** Puts a new line into the cart and says so; a refusal is said too, and returned to be shown at its place. */
export function addToCart(variant: number, quantity: number): Promise<Refusal | undefined> {
  const answer = add(variant, quantity);
  underWay = Promise.all([underWay, answer]);
  return answer;
}

async function add(variant: number, quantity: number): Promise<Refusal | undefined> {
  try {
    const cart = await inTurn(() => post("/add-to-cart/", { product: variant, quantity, ...pageMarket() }));
    tellOf(cart);
    toast("success", t("Product added to cart successfully!"));
    emit("cart:added", { variant });
    return undefined;
  } catch (error) {
    const { code, message, answer } = error instanceof CallError ? error : new CallError(t("Server Error"), "error", 0);
    if (code !== "already_in_cart") {
      toast("error", message);
      return { present: false, reason: message };
    }
    tellOf(answer as unknown as Schemas["CartOut"]); // added elsewhere, and not known here
    const held = String(answer["quantity"]);
    toast("warn", message, cartLink(t("{held} in your cart", { held })));
    return { present: true, reason: t("{held} already in your cart.", { held }) };
  }
}

function tellOf(cart: Schemas["CartOut"]): void {
  emit("cart:changed", { count: cart.cart_count, lines: linesOf(cart) });
}

function cartLink(words: string): { href: string; words: string } | undefined {
  const link = document.querySelector<HTMLAnchorElement>("a[data-cart-link]");
  return link ? { href: link.href, words } : undefined;
}
