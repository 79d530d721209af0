import { useEffect, useRef, useState } from "react";
import { addToCart } from "../add-to-cart";
import { page } from "../api";
import { isCartKnown, quantityOf, setQuantity } from "../cart/lines";
import { emit, listen } from "../events";
import { Icon } from "../icons";
import { groupsFrom, type Attribute, type Group, type Variant } from "./variants";
import type { Fallback } from "../react";
import { t } from "../texts";

export interface Props {
  variants: Variant[];
  attributes: Attribute[];
  chosen: number;
  cart_url: string;
}

type Adding = "no" | "busy" | "added";

/** Chooses a variant and a quantity and puts them into the cart. Prices and totals are the server's words. */
export default function BuyBox({ variants, attributes, chosen, cart_url, fallback }: Props & Partial<Fallback>) {
  const [variant, setVariant] = useState(() => variants.find(({ id }) => id === chosen) ?? variants[0]!);
  const [wanted, setWanted] = useState(() => Number(fallback?.querySelector<HTMLSelectElement>("#quantity")?.value ?? 1));
  const [adding, setAdding] = useState<Adding>("no");
  const [problem, setProblem] = useState("");
  const [isPartial, setPartial] = useState(false); // what else the page says is of another variant
  const shown = useRef(variant);
  const underWay = useRef(new Set<number>()); // variants that are being added
  const held = useHeld(variant.id);
  const quantity = Math.max(1, Math.min(held || wanted, variant.totals.length));
  const total = variant.totals[quantity - 1];
  const isAdded = held > 0 || (adding === "added" && !isCartKnown());
  const label = isAdded ? t("ADDED TO CART") : t("ADD TO CART");

  useEffect(() => showInBar(variant, total, label), [variant, total, label]);
  useEffect(() => listenToBack(variants, show), [variants]);

  function show(next: Variant) {
    shown.current = next;
    setVariant(next);
    setAdding("no");
    setProblem("");
    emit("variant:changed", { id: next.id, sku: next.sku });
    showParts(next);
  }

  function showParts(next: Variant) {
    setPartial(false);
    void showPartsOf(next).catch(() => isInAddress(next) && setPartial(true));
  }

  function choose(next: Variant) {
    if (next === variant) return;
    history.replaceState(history.state, "", addressOf(next));
    show(next);
  }

  async function change(pieces: number) {
    setProblem("");
    const refusal = await setQuantity(variant.id, pieces);
    if (shown.current !== variant) return; // a toast has said it
    if (!refusal && !quantityOf(variant.id)) setAdding("no");
    setProblem(refusal);
  }

  async function add() {
    if (underWay.current.has(variant.id)) return;
    underWay.current.add(variant.id);
    setAdding("busy");
    setProblem("");
    const refusal = await addToCart(variant.id, quantity);
    underWay.current.delete(variant.id);
    if (shown.current !== variant) return; // a toast has said it
    setAdding(refusal && !refusal.present ? "no" : "added");
    setProblem(refusal?.reason ?? "");
  }

  return (
    <div className="buy-box">
      <div className="buy-box__price" dangerouslySetInnerHTML={{ __html: variant.price_html }} />
      {groupsFrom(variant, variants, attributes).map((group) => (
        <Chooser key={group.name} group={group} choose={choose} />
      ))}
      {variant.problem ? (
        <p className="buy-box__problem" role="status">
          {variant.problem}
        </p>
      ) : (
        <form className="buy-box__form" id="buy" onSubmit={(event) => (event.preventDefault(), void add())}>
          <div className="buy-box__sums">
            {!held && (
              <div className="field">
                <label htmlFor="quantity">{t("Quantity")}</label>
                <select id="quantity" value={quantity} onChange={(event) => setWanted(Number(event.target.value))}>
                  {variant.totals.map((_, index) => (
                    <option key={index}>{index + 1}</option>
                  ))}
                </select>
              </div>
            )}
            <p className="buy-box__total">
              <span>{t("Total")}</span>
              <output htmlFor="quantity">{total}</output>
            </p>
          </div>
          <div className="buy-box__add">
            {held > 0 && <Stepper quantity={held} most={variant.totals.length} change={(pieces) => void change(pieces)} />}
            <button className="button button--big button--wide" type="submit" data-replay="add" aria-busy={adding === "busy"}>
              {isAdded && <Icon name="check" size={20} />}
              {label}
            </button>
          </div>
        </form>
      )}
      {isPartial && (
        <p className="buy-box__problem" role="status">
          {t("We couldn't load the pictures and details of this option.")}{" "}
          <button type="button" className="link-button" onClick={() => show(variant)}>
            {t("Try again")}
          </button>
        </p>
      )}
      {problem && (
        <p className="buy-box__problem" role="status">
          {problem} {isAdded && <a href={cart_url}>{t("View cart")}</a>}
        </p>
      )}
    </div>
  );
}

/** Pieces of the variant in the cart, as they change here, on a card of this page or in another tab. */
function useHeld(variant: number): number {
  const [, redraw] = useState(0);
  useEffect(() => listen("cart:lines", () => redraw((count) => count + 1)), []);
  return quantityOf(variant);
}

function Stepper({ quantity, most, change }: { quantity: number; most: number; change: (pieces: number) => void }) {
  return (
    <div className="stepper" role="group" aria-label={t("In your cart")}>
      <button type="button" aria-label={quantity > 1 ? t("Decrease quantity") : t("Remove from cart")} onClick={() => change(quantity - 1)}>
        −
      </button>
      <output className="stepper__count" aria-live="polite">
        {t("{count} in cart", { count: quantity })}
      </output>
      <button type="button" aria-label={t("Increase quantity")} aria-disabled={quantity >= most} onClick={() => quantity < most && change(quantity + 1)}>
        +
      </button>
    </div>
  );
}

function Chooser({ group, choose }: { group: Group; choose: (variant: Variant) => void }) {
  return (
    <fieldset className="options">
      <legend>{group.name}</legend>
      <div className="options__list">
        {group.options.map(({ label, isChosen, isAvailable, note, variant }) => (
          <button
            key={label}
            type="button"
            className={isAvailable ? "option" : "option option--unavailable"}
            aria-pressed={isChosen}
            data-replay={`${group.name}:${label}`}
            onClick={() => choose(variant)}
            onPointerEnter={() => void page(addressOf(variant)).catch(() => undefined)}
          >
            {label}
            {note && <span className="sr-only"> ({note})</span>}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** The bar at the foot of phones stands outside the island; its button sends the form `buy`. */
function showInBar(variant: Variant, total: string | undefined, label: string): void {
  const bar = document.querySelector<HTMLElement>("[data-buy-bar]");
  if (!bar) return;
  bar.hidden = variant.problem !== "";
  const words = { price: total, label: Object.values(variant.attributes).join(", "), button: label };
  for (const [part, text] of Object.entries(words)) {
    const element = bar.querySelector(`[data-buy-bar-${part}]`);
    if (element) element.textContent = text ?? "";
  }
}

function addressOf(variant: Variant): string {
  const address = new URL(location.href);
  address.searchParams.set("variant", variant.sku);
  address.hash = "";
  return address.pathname + address.search;
}

/** Back and forward between addresses of this page choose its variant again. */
function listenToBack(variants: Variant[], show: (variant: Variant) => void): () => void {
  const follow = () => {
    const sku = new URLSearchParams(location.search).get("variant");
    const found = variants.find((variant) => variant.sku === sku);
    if (found) show(found);
  };
  addEventListener("popstate", follow);
  return () => removeEventListener("popstate", follow);
}

/**
 * What else the page says of a variant (`data-variant-part`: ingredients, trade facts), as the server renders it;
 * where that does not come, the page says nothing rather than what is true of another.
 */
async function showPartsOf(variant: Variant): Promise<void> {
  const parts = [...document.querySelectorAll<HTMLElement>("[data-variant-part]")];
  const other = await page(addressOf(variant)).catch((error: unknown) => {
    if (isInAddress(variant)) parts.forEach((part) => (part.hidden = true));
    throw error;
  });
  if (!isInAddress(variant)) return;
  for (const part of parts) {
    const name = CSS.escape(part.dataset["variantPart"] ?? "");
    const fresh = other.querySelector(`[data-variant-part="${name}"]`);
    if (fresh) part.replaceWith(withSameTab(document.importNode(fresh, true), part));
  }
}

function isInAddress(variant: Variant): boolean {
  return new URLSearchParams(location.search).get("variant") === variant.sku;
}

/** The tab that was open stays open, where the other variant has it too. */
function withSameTab(fresh: Element, shown: Element): Element {
  const open = shown.querySelector<HTMLInputElement>("input:checked");
  const same = open && fresh.querySelector<HTMLInputElement>(`#${CSS.escape(open.id)}`);
  if (same) same.checked = true;
  return fresh;
}
