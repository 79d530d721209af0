import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Adopt } from "../adopt";
import { t } from "../texts";
import type { Picker } from "./usePicker";

interface Props {
  picker: Picker;
  /** Said where the list did not arrive, and where nothing of it is found. */
  missing: string;
  none: string;
  /** How many are listed. */
  count: number;
  button: ButtonHTMLAttributes<HTMLButtonElement>;
  popup: { className: string; role?: "dialog"; "aria-label"?: string };
  before: ReactNode;
  children: ReactNode;
}

/** The button that the server's link becomes, and its popup: `before`, then the list or why there is none. */
export function PickerBox({ picker, missing, none, count, button, popup, before, children }: Props) {
  const { link, locations } = picker;
  const { isOpen, box, button: face } = picker.popup;
  return (
    <div className="picker-box" ref={box}>
      <button
        ref={face}
        type="button"
        className="picker"
        aria-label={link.label}
        aria-expanded={isOpen}
        data-replay="open"
        onClick={picker.toggle}
        {...button}
      >
        <Adopt as="span" className="picker__face" nodes={link.face} />
      </button>
      {isOpen && (
        <div {...popup}>
          {before}
          {locations.state === "loading" && <p className="picker__state">{t("Loading...")}</p>}
          {locations.state === "failed" && (
            <p className="picker__state">
              {missing}{" "}
              <button type="button" className="link-button" onClick={locations.retry}>
                {t("Try again")}
              </button>
            </p>
          )}
          {locations.state === "ready" && !count && (
            <p className="picker__state" role="status">
              {none}
            </p>
          )}
          {count > 0 && children}
        </div>
      )}
    </div>
  );
}
