import { useId, useState, type KeyboardEvent } from "react";
import { Adopt } from "../adopt";
import { emit } from "../events";
import { pageMarket } from "../market";
import type { Fallback } from "../react";
import { Choices, moved } from "./Choices";
import { linkIn } from "./link";
import { submitChoice } from "./submit";
import { useLocations, type Location } from "./useLocations";
import { usePopup } from "./usePopup";

/** "Deliver to": in place of the link to its page, a popup with a filter. */
export default function CountryPicker({ fallback }: Fallback) {
  const [link] = useState(() => linkIn(fallback));
  const { isOpen, open, close, box, button } = usePopup();
  const [filter, setFilter] = useState("");
  const [active, setActive] = useState(0);
  const { state, all, retry } = useLocations(isOpen);
  const list = useId();
  const found = all.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()));

  function pick(location: Location) {
    close();
    emit("market:changed", { country: location.timezone_shorthand });
    submitChoice(link.url, "country", location.timezone_shorthand);
  }

  function pressed(event: KeyboardEvent) {
    const next = moved(event, active, found.length);
    const chosen = found[active];
    if (next !== undefined) setActive(next);
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
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        data-replay="open"
        onClick={() => (isOpen ? close() : open())}
      >
        <Adopt as="span" className="picker__face" nodes={link.face} />
      </button>
      {isOpen && (
        <div className="picker__popup" role="dialog" aria-label="Deliver to">
          <input
            className="picker__filter"
            type="text"
            role="combobox"
            autoFocus
            autoComplete="off"
            placeholder="Search for a country"
            aria-label="Search for a country"
            aria-expanded="true"
            aria-controls={list}
            aria-activedescendant={found.length ? `${list}-${active}` : undefined}
            value={filter}
            onChange={(event) => {
              setFilter(event.target.value);
              setActive(0);
            }}
            onKeyDown={pressed}
          />
          <p className="picker__title">COUNTRIES</p>
          {state === "loading" && <p className="picker__state">Loading...</p>}
          {state === "failed" && (
            <p className="picker__state">
              The countries did not arrive.{" "}
              <button type="button" className="link-button" onClick={retry}>
                Try again
              </button>
            </p>
          )}
          {state === "ready" && !found.length && <p className="picker__state">No countries found</p>}
          <Choices
            id={list}
            label="Countries"
            items={found}
            active={active}
            keyOf={({ timezone_shorthand }) => timezone_shorthand}
            isCurrent={({ id }) => id === pageMarket().deliver_to}
            pick={pick}
          >
            {(location) => (
              <>
                <img
                  className="flag"
                  src={flagOf(location)}
                  alt=""
                  width={20}
                  height={15}
                  loading="lazy"
                />
                {location.name}
              </>
            )}
          </Choices>
        </div>
      )}
    </div>
  );
}

function flagOf(location: Location): string {
  return `${document.documentElement.dataset["flags"] ?? ""}${location.timezone_shorthand.toLowerCase()}.svg`;
}
