import { useId, useState, type KeyboardEvent } from "react";
import { Adopt } from "../adopt";
import { emit } from "../events";
import type { Fallback } from "../react";
import { pageMarket } from "../market";
import { Choices, moved } from "./Choices";
import { linkIn } from "./link";
import { submitChoice } from "./submit";
import { useLocations } from "./useLocations";
import { usePopup } from "./usePopup";

/** The currency: in place of the link to its page, a list of codes that typing filters. */
export default function CurrencyPicker({ fallback }: Fallback) {
  const [link] = useState(() => linkIn(fallback));
  const { isOpen, open, close, box, button } = usePopup();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const { state, all, retry } = useLocations(isOpen);
  const list = useId();
  const codes = [...new Set(all.map(({ currency_shorthand }) => currency_shorthand))].sort();
  const found = codes.filter((code) => code.includes(typed));

  function pick(currency: string) {
    close();
    emit("market:changed", { currency });
    submitChoice(link.url, "currency", currency);
  }

  function toggle() {
    setTyped("");
    setActive(0);
    if (isOpen) close();
    else open();
  }

  function filterBy(text: string) {
    setTyped(text);
    setActive(0);
  }

  function pressed(event: KeyboardEvent) {
    if (!isOpen || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = moved(event, active, found.length);
    const chosen = found[active];
    if (next !== undefined) setActive(next);
    else if (/^[a-z0-9]$/i.test(event.key)) filterBy(typed + event.key.toUpperCase());
    else if (event.key === "Backspace") filterBy(typed.slice(0, -1));
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && chosen) pick(chosen);
    else return;
    event.preventDefault();
  }

  return (
    <div className="picker-box" ref={box}>
      <button
        ref={button}
        type="button"
        className="picker"
        aria-label={link.label}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen && found.length ? `${list}-${active}` : undefined}
        data-replay="open"
        onClick={toggle}
        onKeyDown={pressed}
      >
        <Adopt as="span" className="picker__face" nodes={link.face} />
      </button>
      {isOpen && (
        <div className="picker__popup picker__popup--narrow">
          <p className="picker__state" aria-live="polite">
            {typed || "Type to filter"}
          </p>
          {state === "loading" && <p className="picker__state">Loading...</p>}
          {state === "failed" && (
            <p className="picker__state">
              The currencies did not arrive.{" "}
              <button type="button" className="link-button" onClick={retry}>
                Try again
              </button>
            </p>
          )}
          {state === "ready" && !found.length && (
            <p className="picker__state" role="status">
              No currencies found
            </p>
          )}
          <Choices
            id={list}
            label="Currencies"
            items={found}
            active={active}
            keyOf={(code) => code}
            isCurrent={(code) => code === pageMarket().currency}
            pick={pick}
          >
            {(code) => code}
          </Choices>
        </div>
      )}
    </div>
  );
}
