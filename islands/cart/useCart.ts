import { useEffect, useRef, useState } from "react";
import { CallError, fetchPage, post, type Schemas } from "../api";
import { emit, listen, toast } from "../events";
import { pageMarket } from "../market";
import { t } from "../texts";
import { whenBack } from "../when";
import { cartLines, isCartKnown, piecesOf } from "./lines";

export type Cart = Schemas["CartOut"];
export type Line = Schemas["CartItemOut"];

/** A line that was just taken out. */
export interface Removed {
  line: Line;
  wasSaved: boolean;
}

export interface CartState {
  /** The server's cart, but for quantities that are on their way to it. */
  cart: Cart;
  /** Why the last change was refused: of a line by its variant id, of the coupon under "coupon". */
  refusals: Record<string, string>;
  /** Takes the refusal of a coupon away, while another is typed. */
  forgive: (key: string) => void;
  /** Changes are on their way: totals are those of before. */
  isBusy: boolean;
  removed: Removed | undefined;
  change: (variant: number, quantity: number) => void;
  remove: (line: Line) => void;
  undo: () => void;
  save: (variant: number) => void;
  move: (variant: number) => void;
  applyCoupon: (code: string) => void;
  removeCoupon: () => void;
  usePoints: (wanted: boolean) => void;
}

type Kind = "warn" | "error";

/**
 * A cart whose changes show at once and are sent one after the other; a refused one is taken back.
 *
 * `learn` is given the page as the server writes it now, whenever the cart may have changed elsewhere: in
 * another tab, or on another device while nobody looked at this one.
 */
export function useCart(initial: Cart, learn: (fresh: Document) => Cart | undefined): CartState {
  const [cart, setCart] = useState(initial);
  const [wanted, setWanted] = useState<Record<number, number>>({});
  const [refusals, setRefusals] = useState<Record<string, string>>({});
  const [removed, setRemoved] = useState<Removed>();
  const [waiting, setWaiting] = useState(0);
  const queue = useRef(Promise.resolve());
  const count = useRef(initial.cart_count);

  function show(fresh: Cart) {
    setCart(fresh);
    count.current = fresh.cart_count;
    emit("cart:changed", { count: fresh.cart_count });
  }

  function send(key: number | string, call: () => Promise<Cart>, done: string, kind: Kind = "error", settled = () => {}) {
    setRefusals((before) => without(before, String(key)));
    setWaiting((before) => before + 1);
    queue.current = queue.current.then(async () => {
      try {
        show(await call());
        settled();
        toast("success", done);
      } catch (error) {
        const reason = error instanceof CallError ? error.message : t("Server Error");
        setRefusals((before) => ({ ...before, [key]: reason }));
        toast(kind, reason);
        // Perhaps it was done and only its answer was lost.
        if (!(error instanceof CallError) || error.status === 0 || error.status >= 500) refresh();
      }
      setWaiting((before) => before - 1);
    });
  }

  function refresh() {
    queue.current = queue.current.then(async () => {
      const found = await fetchPage(location.pathname).then(learn).catch(() => undefined); // later then
      if (!found) return;
      setCart(found); // and nothing is told: the other tabs know
      count.current = found.cart_count;
    });
  }

  /** The header may know of more than this page was rendered with: it was opened while something was added. */
  function compare() {
    if (isCartKnown() && piecesOf(cartLines()) !== count.current) refresh();
  }

  useEffect(() => {
    compare();
    const stop = [
      whenBack(refresh),
      listen("cart:lines", compare),
      listen("cart:changed", ({ count: said, elsewhere }) => {
        if (elsewhere || said !== count.current) refresh();
      }),
    ];
    return () => stop.forEach((each) => each());
  }, []);

  /** The server has answered for this quantity; a newer one may be on its way. */
  function settle(variant: number, quantity: number) {
    setWanted((before) => (before[variant] === quantity ? without(before, variant) : before));
  }

  return {
    cart: { ...cart, cart_items: cart.cart_items.map((line) => withWanted(line, wanted)) },
    refusals,
    forgive(key) {
      setRefusals((before) => (key in before ? without(before, key) : before));
    },
    isBusy: waiting > 0,
    removed,
    change(variant, quantity) {
      setWanted((before) => ({ ...before, [variant]: quantity }));
      const body = { product_id: variant, quantity, ...pageMarket() };
      const call = () => post("/update-cart-product-quantity/", body).finally(() => settle(variant, quantity));
      send(variant, call, t("Quantity updated successfully"));
    },
    remove(line) {
      const body = { product_ids: [line.product], ...pageMarket() };
      const wasSaved = cart.saved_items.some(({ product }) => product === line.product);
      const settled = () => {
        setRemoved({ line, wasSaved });
        setRefusals((before) => without(before, "undo"));
      };
      send(line.product, () => post("/delete-from-cart/", body), t("Product Delete Success"), "warn", settled);
    },
    undo() {
      if (!removed) return;
      const { line, wasSaved } = removed;
      const call = () => restore(line, wasSaved);
      send("undo", call, t("Product added to cart successfully!"), "error", () => setRemoved(undefined));
    },
    save(variant) {
      send(variant, () => post("/save-for-later/", { product_id: variant, ...pageMarket() }), t("Saved for later"));
    },
    move(variant) {
      const call = () => post("/move-to-cart/", { product_id: variant, ...pageMarket() });
      send(variant, call, t("Product added to cart successfully!"));
    },
    applyCoupon(code) {
      send("coupon", () => post("/apply-coupon/", { coupon_code: code, ...pageMarket() }), t("Coupon applied"));
    },
    removeCoupon() {
      send("coupon", () => post("/remove-coupon/", pageMarket()), t("Coupon removed"));
    },
    usePoints(use) {
      send("points", () => post("/use-points/", { use_points: use, ...pageMarket() }), t("Points updated"));
    },
  };
}

async function restore({ product, quantity }: Line, wasSaved: boolean): Promise<Cart> {
  const cart = await post("/add-to-cart/", { product, quantity, ...pageMarket() }).catch(alreadyThere);
  return wasSaved ? post("/save-for-later/", { product_id: product, ...pageMarket() }) : cart;
}

/** As after a second press, or where the first one's answer was lost: that is what was wanted. */
function alreadyThere(error: unknown): Cart {
  if (error instanceof CallError && error.code === "already_in_cart") return error.answer as unknown as Cart;
  throw error;
}

function withWanted(line: Line, wanted: Record<number, number>): Line {
  return { ...line, quantity: wanted[line.product] ?? line.quantity };
}

function without<Value>(record: Record<string, Value>, key: number | string): Record<string, Value> {
  const { [key]: _, ...rest } = record;
  return rest;
}
