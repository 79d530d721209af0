import { useState } from "react";
import { Adopt } from "../adopt";
import { Icon } from "../icons";
import type { Fallback } from "../react";
import { useCart, type Cart as CartData, type CartState, type Line } from "./useCart";

export interface Props {
  cart: CartData;
}

/** The cart page: quantities and removal without a new page, totals as each call answers them. */
export default function Cart({ cart: initial, fallback }: Props & Fallback) {
  const [parts] = useState(() => partsIn(fallback));
  const state = useCart(initial);
  const { cart, isBusy } = state;
  if (!cart.cart_items.length) return <Adopt nodes={parts.empty} />;
  return (
    <>
      <Adopt nodes={parts.steps} />
      <div className="split" aria-busy={isBusy}>
        <ul className="lines">
          {cart.cart_items.map((line) => (
            <CartLine key={line.product} line={line} facts={parts.lines.get(line.product)} state={state} />
          ))}
        </ul>
        <aside className="split__side" aria-labelledby="sums">
          <div className="summary">
            <Adopt className="contents" nodes={parts.summaryHead} />
            <dl>
              <dt>Subtotal</dt>
              <dd>{cart.display.sub_total}</dd>
              <dt>Shipping</dt>
              <dd>{cart.display.shipping}</dd>
              <dt className="summary__total">Total</dt>
              <dd className="summary__total">{cart.display.total}</dd>
            </dl>
            {cart.display.next_tier && <p className="summary__note">{cart.display.next_tier}</p>}
            {cart.cart_items.some((line) => line.problem) && (
              <p className="line__problem">Please change or remove what cannot be ordered.</p>
            )}
            <Adopt className="contents" nodes={parts.summaryFoot} />
          </div>
        </aside>
      </div>
    </>
  );
}

interface LineFacts {
  className: string;
  nodes: Node[];
}

const NO_FACTS: LineFacts = { className: "line", nodes: [] };

function CartLine({ line, facts = NO_FACTS, state }: { line: Line; facts: LineFacts | undefined; state: CartState }) {
  const problem = state.refusals[line.product] ?? line.problem;
  return (
    <li className={problem ? `${facts.className} line--problem` : facts.className}>
      <Adopt className="contents" nodes={facts.nodes} />
      {problem && <p className="line__problem">{problem}</p>}
      <div className="line__row">
        <select
          className="inline-select"
          aria-label={`Quantity of ${line.product_name}`}
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
          aria-label={`Remove ${line.product_name}`}
          data-replay={`remove-${line.product}`}
          onClick={() => state.remove(line.product)}
        >
          <Icon name="trash" size={20} /> Remove
        </button>
        <output className="line__total">{state.cart.display.lines[line.product]}</output>
      </div>
    </li>
  );
}

/** What the server has said already and no change alters: what a line is of, the button to the checkout, "Cart is Empty". */
function partsIn(fallback: Element) {
  const summary = [...(fallback.querySelector(".summary")?.childNodes ?? [])];
  const sums = summary.findIndex((node) => node instanceof HTMLDListElement);
  const empty = fallback.querySelector<HTMLTemplateElement>("template[data-empty]");
  return {
    steps: [...fallback.querySelectorAll(".steps")],
    lines: new Map([...fallback.querySelectorAll<HTMLElement>("[data-line]")].map(factsOf)),
    summaryHead: summary.slice(0, sums),
    summaryFoot: summary.slice(sums + 1).filter((node) => !(node instanceof Element && node.matches("[data-may-change]"))),
    empty: [...(empty ? document.importNode(empty.content, true).childNodes : [])],
  };
}

function factsOf(line: HTMLElement): [number, LineFacts] {
  const nodes = [...line.children].filter((part) => !part.matches(".line__row, .line__problem"));
  return [Number(line.dataset["line"]), { className: line.className.replace(" line--problem", ""), nodes }];
}
