import { useEffect, useState } from "react";
import { pageMarket } from "../market";
import type { Fallback } from "../react";
import { Choices } from "./Choices";
import { likelyAmong, matching } from "./countries";
import { PickerBox } from "./PickerBox";
import type { Location } from "./useLocations";
import { usePicker } from "./usePicker";
import { t } from "../texts";

const BUSY = 300; // ms after a key in the filter

/** "Deliver to": in place of the link to its page, a popup with a filter. */
export default function CountryPicker({ fallback }: Fallback) {
  const picker = usePicker(fallback, "country");
  const { filter, active, list } = picker;
  const isBusy = useBusy(filter);
  const { all } = picker.locations;
  const likely = filter.trim() ? [] : likelyAmong(all);
  const found = filter.trim() ? matching(all, filter) : [...likely, ...all.filter((location) => !likely.includes(location))];
  return (
    <PickerBox
      picker={picker}
      missing={t("We couldn't load the countries.")}
      none={t("No countries found")}
      count={found.length}
      button={{ "aria-haspopup": "dialog" }}
      popup={{ className: "picker__popup", role: "dialog", "aria-label": t("Deliver to") }}
      before={
        <>
          <input
            className="picker__filter"
            type="text"
            role="combobox"
            autoFocus
            autoComplete="off"
            placeholder={t("Search for a country")}
            aria-label={t("Search for a country")}
            aria-autocomplete="list"
            aria-expanded={found.length > 0}
            aria-controls={found.length ? list : undefined}
            aria-activedescendant={found.length ? `${list}-${active}` : undefined}
            value={filter}
            onChange={(event) => picker.filterBy(event.target.value)}
            onKeyDown={(event) => picker.pressed(event, found.map(codeOf))}
          />
          <p className="picker__title">{t("COUNTRIES")}</p>
        </>
      }
    >
      <Choices
        picker={picker}
        label={t("Countries")}
        items={found}
        valueOf={codeOf}
        isCurrent={({ id }) => id === pageMarket().deliver_to}
        isBusy={isBusy}
        onTop={likely.length}
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
