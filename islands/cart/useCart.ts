import { useRef, useState } from "react";
import { CallError, post, type Schemas } from "../api";
import { emit, toast } from "../events";
import { pageMarket } from "../market";

export type Cart = Schemas["CartOut"];
export type Line = Schemas["CartItemOut"];

export interface CartState {
  /** The server's cart, but for quantities that are on their way to it. */
  cart: Cart;
  /** Why the last change of a line was refused, by variant id. */
  refusals: Record<number, string>;
  /** Changes are on their way: totals are those of before. */
  isBusy: boolean;
  change: (variant: number, quantity: number) => void;
  remove: (variant: number) => void;
}

/** A cart whose changes show at once and are sent one after the other; a refused one is taken back. */
export function useCart(initial: Cart): CartState {
  const [cart, setCart] = useState(initial);
  const [wanted, setWanted] = useState<Record<number, number>>({});
  const [refusals, setRefusals] = useState<Record<number, string>>({});
  const [waiting, setWaiting] = useState(0);
  const queue = useRef(Promise.resolve());

  function send(variant: number, call: () => Promise<Cart>, done: string, kind: "warn" | "error") {
    setRefusals((before) => without(before, variant));
    setWaiting((count) => count + 1);
    queue.current = queue.current.then(async () => {
      try {
        const fresh = await call();
        setCart(fresh);
        emit("cart:changed", { count: fresh.cart_count });
        toast("success", done);
      } catch (error) {
        const reason = error instanceof CallError ? error.message : "Server Error";
        setRefusals((before) => ({ ...before, [variant]: reason }));
        toast(kind, reason);
      }
      setWaiting((count) => count - 1);
    });
  }

  /** The server has answered for this quantity; a newer one may be on its way. */
  function settle(variant: number, quantity: number) {
    setWanted((before) => (before[variant] === quantity ? without(before, variant) : before));
  }

  return {
    cart: { ...cart, cart_items: cart.cart_items.map((line) => withWanted(line, wanted)) },
    refusals,
    isBusy: waiting > 0,
    change(variant, quantity) {
      setWanted((before) => ({ ...before, [variant]: quantity }));
      const body = { product_id: variant, quantity, ...pageMarket() };
      const call = () => post("/update-cart-product-quantity/", body).finally(() => settle(variant, quantity));
      send(variant, call, "Quantity updated successfully", "error");
    },
    remove(variant) {
      const body = { product_ids: [variant], ...pageMarket() };
      send(variant, () => post("/delete-from-cart/", body), "Product Delete Success", "warn");
    },
  };
}

function withWanted(line: Line, wanted: Record<number, number>): Line {
  return { ...line, quantity: wanted[line.product] ?? line.quantity };
}

function without<Value>(record: Record<number, Value>, key: number): Record<number, Value> {
  const { [key]: _, ...rest } = record;
  return rest;
}
