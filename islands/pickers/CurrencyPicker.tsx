import type { KeyboardEvent } from "react";
import { pageMarket } from "../market";
import type { Fallback } from "../react";
import { Choices } from "./Choices";
import { PickerBox } from "./PickerBox";
import { usePicker } from "./usePicker";
import { t } from "../texts";

/** The currency: in place of the link to its page, a list of codes that typing filters. */
export default function CurrencyPicker({ fallback }: Fallback) {
  const picker = usePicker(fallback, "currency");
  const { filter, active, list } = picker;
  const { isOpen } = picker.popup;
  const codes = [...new Set(picker.locations.all.map(({ currency_shorthand }) => currency_shorthand))].sort();
  const found = codes.filter((code) => code.includes(filter));

  function pressed(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!isOpen) {
      if (event.key !== "ArrowDown") return;
      picker.toggle();
    } else if (picker.pressed(event, found)) return;
    else if (/^[a-z0-9]$/i.test(event.key)) picker.filterBy(filter + event.key.toUpperCase());
    else if (event.key === "Backspace") picker.filterBy(filter.slice(0, -1));
    else return;
    event.preventDefault();
  }

  return (
    <PickerBox
      picker={picker}
      missing={t("We couldn't load the currencies.")}
      none={t("No currencies found")}
      count={found.length}
      button={{
        role: "combobox",
        "aria-haspopup": "listbox",
        "aria-controls": isOpen && found.length ? list : undefined,
        "aria-activedescendant": isOpen && found.length ? `${list}-${active}` : undefined,
        onKeyDown: pressed,
      }}
      popup={{ className: "picker__popup picker__popup--narrow" }}
      before={
        <p className="picker__state" aria-live="polite">
          {filter || t("Type to filter")}
        </p>
      }
    >
      <Choices
        picker={picker}
        label={t("Currencies")}
        items={found}
        valueOf={(code) => code}
        isCurrent={(code) => code === pageMarket().currency}
      >
        {(code) => code}
      </Choices>
    </PickerBox>
  );
}
