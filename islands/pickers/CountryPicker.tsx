import { useEffect, useState } from "react";
import { pageMarket } from "../market";
import type { Fallback } from "../react";
import { Choices } from "./Choices";
import { PickerBox } from "./PickerBox";
import type { Location } from "./useLocations";
import { usePicker } from "./usePicker";

const BUSY = 300; // ms after a key in the filter

/** "Deliver to": in place of the link to its page, a popup with a filter. */
export default function CountryPicker({ fallback }: Fallback) {
  const picker = usePicker(fallback, "country");
  const { filter, active, list } = picker;
  const isBusy = useBusy(filter);
  const wanted = filter.trim().toLowerCase();
  const found = picker.locations.all.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <PickerBox
      picker={picker}
      what="countries"
      count={found.length}
      button={{ "aria-haspopup": "dialog" }}
      popup={{ className: "picker__popup", role: "dialog", "aria-label": "Deliver to" }}
      before={
        <>
          <input
            className="picker__filter"
            type="text"
            role="combobox"
            autoFocus
            autoComplete="off"
            placeholder="Search for a country"
            aria-label="Search for a country"
            aria-autocomplete="list"
            aria-expanded={found.length > 0}
            aria-controls={found.length ? list : undefined}
            aria-activedescendant={found.length ? `${list}-${active}` : undefined}
            value={filter}
            onChange={(event) => picker.filterBy(event.target.value)}
            onKeyDown={(event) => picker.pressed(event, found.map(codeOf))}
          />
          <p className="picker__title">COUNTRIES</p>
        </>
      }
    >
      <Choices
        picker={picker}
        label="Countries"
        items={found}
        valueOf={codeOf}
        isCurrent={({ id }) => id === pageMarket().deliver_to}
        isBusy={isBusy}
      >
        {(location) => (
          <>
            <img className="flag" src={flagOf(location)} alt="" width={16} height={12} loading="lazy" />
            {location.name}
          </>
        )}
      </Choices>
    </PickerBox>
  );
}

/** True for 300 ms after each change of what is typed. */
function useBusy(typed: string): boolean {
  const [settled, settle] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => settle(typed), BUSY);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled !== typed;
}

function codeOf(location: Location): string {
  return location.timezone_shorthand;
}

function flagOf(location: Location): string {
  return `${document.documentElement.dataset["flags"] ?? ""}${codeOf(location).toLowerCase()}.svg`;
}
