import { useLayoutEffect, useRef, useState, type RefObject } from "react";
import { Adopt } from "../adopt";
import { Icon } from "../icons";
import type { Fallback } from "../react";
import { t } from "../texts";
import { Coupon, Points } from "./Reductions";
import { useCart, type Cart as CartData, type CartState, type Line, type Removed } from "./useCart";

export interface Props {
  cart: CartData;
}

/** The cart page: every change without a new page, totals as each call answers them. */
export default function Cart({ cart: initial, fallback }: Props & Fallback) {
  const [parts, setParts] = useState(() => partsIn(fallback));
  const state = useCart(initial, (fresh) => {
    const island = fresh.querySelector("shop-island[name=cart]");
    const props = island?.querySelector(":scope > script")?.textContent;
    if (!island || !props) return undefined;
    setParts(partsIn(document.importNode(island, true)));
    return (JSON.parse(props) as Props).cart;
  });
  const { cart, isBusy, removed, refusals } = state;
  const isBack = [...cart.cart_items, ...cart.saved_items].some(({ product }) => product === removed?.line.product);
  const show = (line: Line, isSaved = false) => (
    <CartLine key={line.product} line={line} facts={parts.lines.get(line.product)} state={state} isSaved={isSaved} />
  );
  return (
    <>
      <Adopt nodes={parts.steps} />
      {removed && !isBack && <Undo removed={removed} refusal={refusals["undo"]} undo={state.undo} />}
      {cart.cart_items.length ? (
        <div className="split" aria-busy={isBusy}>
          <ul className="lines" aria-label={t("Items in your cart")}>
            {cart.cart_items.map((line) => show(line))}
          </ul>
          <aside className="split__side" aria-labelledby="sums">
            <div className="summary">
              <Adopt className="contents" nodes={parts.summaryHead} />
              <Sums cart={cart} />
              {cart.display.offer && <p className="summary__note">{cart.display.offer}</p>}
              {cart.display.next_tier && <p className="summary__note">{cart.display.next_tier}</p>}
              {cart.display.arrival && (
                <p className="summary__note">
                  <Icon name="truck" size={16} />
                  <span>{cart.display.arrival}</span>
                </p>
              )}
              <Coupon state={state} />
              <Points state={state} />
              {cart.cart_items.some((line) => line.problem) && (
                <p className="line__problem">{t("Please change or remove the items that can't be ordered.")}</p>
              )}
              <Adopt className="contents" nodes={parts.summaryFoot} />
            </div>
          </aside>
        </div>
      ) : (
        <Adopt nodes={parts.empty} />
      )}
      {cart.saved_items.length > 0 && (
        <section className="saved" aria-labelledby="saved-title">
          <h2 className="saved__title" id="saved-title">
            {t("Saved for later")}
          </h2>
          <ul className="lines" aria-label={t("Saved for later")}>
            {cart.saved_items.map((line) => show(line, true))}
          </ul>
        </section>
      )}
    </>
  );
}

function Sums({ cart }: { cart: CartData }) {
  const { display } = cart;
  return (
    <dl>
      <dt>{t("Subtotal")}</dt>
      <dd>{display.sub_total}</dd>
      <dt>{t("Shipping")}</dt>
      <dd>
        {display.shipping}
        {display.shipping_note && <span className="muted small"> {display.shipping_note}</span>}
      </dd>
      {Number(cart.coupon_amt) > 0 && (
        <>
          <dt>{display.discount_label}</dt>
          <dd className="summary__less">{display.coupon}</dd>
        </>
      )}
      {cart.points_used > 0 && (
        <>
          <dt>{t("Points")}</dt>
          <dd className="summary__less">{display.points}</dd>
        </>
      )}
      <dt className="summary__total">{t("Total")}</dt>
      <dd className="summary__total">{display.total}</dd>
    </dl>
  );
}

/** Stands where the cart begins; the focus, whose button has just left, goes to the way back. */
function Undo({ removed, refusal, undo }: { removed: Removed; refusal: string | undefined; undo: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (document.activeElement === document.body) button.current?.focus();
  }, [removed]);
  return (
    <div className="undo" role="status">
      <p>
        {t("Removed {name}.", { name: removed.line.product_name })} {refusal && <span className="field__error">{refusal}</span>}
      </p>
      <button ref={button} type="button" className="link-button" onClick={undo}>
        {t("Undo")}
      </button>
    </div>
  );
}

interface LineFacts {
  className: string;
  nodes: Node[];
}

const NO_FACTS: LineFacts = { className: "line", nodes: [] };

interface LineProps {
  line: Line;
  facts: LineFacts | undefined;
  state: CartState;
  isSaved: boolean;
}

function CartLine({ line, facts = NO_FACTS, state, isSaved }: LineProps) {
  const problem = state.refusals[line.product] ?? line.problem;
  return (
    <li className={problem && !isSaved ? `${facts.className} line--problem` : facts.className}>
      <Adopt className="contents" nodes={facts.nodes} />
      {!isSaved && state.cart.display.arrivals[line.product] && (
        <p className="line__date">{state.cart.display.arrivals[line.product]}</p>
      )}
      {line.note && <p className="line__note">{line.note}</p>}
      {problem && <p className="line__problem">{problem}</p>}
      <div className="line__row">
        {isSaved ? <Move line={line} state={state} /> : <Quantity line={line} state={state} />}
        <button
          type="button"
          className="link-button link-button--quiet"
          aria-label={t("Remove {name}", { name: line.product_name })}
          data-replay={`remove-${line.product}`}
          onClick={() => state.remove(line)}
        >
          <Icon name="trash" size={20} /> {t("Remove")}
        </button>
        <output className="line__total">{state.cart.display.lines[line.product]}</output>
      </div>
    </li>
  );
}

let moved = 0; // the product whose line is about to stand in the other list

/** The button that was pressed leaves with its line: the focus goes to that of the line in its new place. */
function useFocusWhereMoved(product: number): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (moved !== product) return;
    moved = 0;
    if (document.activeElement === document.body) button.current?.focus();
  }, [product]);
  return button;
}

function Quantity({ line, state }: { line: Line; state: CartState }) {
  return (
    <>
      <select
        className="inline-select"
        aria-label={t("Quantity of {name}", { name: line.product_name })}
        value={line.quantity}
        onChange={(event) => state.change(line.product, Number(event.target.value))}
      >
        {line.choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
      <button
        type="button"
        className="link-button link-button--quiet"
        aria-label={t("Save for later: {name}", { name: line.product_name })}
        data-replay={`save-${line.product}`}
        ref={useFocusWhereMoved(line.product)}
        onClick={() => ((moved = line.product), state.save(line.product))}
      >
        {t("Save for later")}
      </button>
    </>
  );
}

function Move({ line, state }: { line: Line; state: CartState }) {
  return (
    <button
      type="button"
      className="link-button"
      aria-label={t("Move to cart: {name}", { name: line.product_name })}
      data-replay={`move-${line.product}`}
      ref={useFocusWhereMoved(line.product)}
      onClick={() => ((moved = line.product), state.move(line.product))}
    >
      {t("Move to cart")}
    </button>
  );
}

/** What the server has said already and no change alters: what a line is of, the button to the checkout, "Cart is Empty". */
function partsIn(page: Element) {
  const template = page.querySelector<HTMLTemplateElement>("template[data-empty]");
  const summary = page.querySelector<HTMLTemplateElement>("template[data-summary]")?.content ?? page;
  const parts = [...(summary.querySelector(".summary")?.childNodes ?? [])];
  const sums = parts.findIndex((node) => node instanceof HTMLDListElement);
  return {
    steps: [...page.querySelectorAll(".steps")],
    lines: new Map([...page.querySelectorAll<HTMLElement>("[data-line]")].map(factsOf)),
    summaryHead: parts.slice(0, sums),
    summaryFoot: parts.slice(sums + 1).filter((node) => !(node instanceof Element && node.matches("[data-may-change]"))),
    empty: [...(template ? document.importNode(template.content, true).childNodes : [])],
  };
}

function factsOf(line: HTMLElement): [number, LineFacts] {
  const nodes = [...line.children].filter((part) => !part.matches(".line__row, .line__problem, .line__date, .line__note"));
  return [Number(line.dataset["line"]), { className: line.className.replace(" line--problem", ""), nodes }];
}
