import { useLayoutEffect, useRef, type RefObject } from "react";
import { t } from "../texts";
import type { CartState } from "./useCart";

/** The coupon of the cart, or the field for one; a refusal is said there. */
export function Coupon({ state }: { state: CartState }) {
  const { coupon_code: code, coupon_problem: problem, coupon_text: text } = state.cart;
  const place = useRef<HTMLDivElement>(null);
  useFocusAfter(code, place);
  return (
    <div className="coupon" ref={place}>
      {code ? (
        <div className="coupon__used">
          <p>
            <strong>{code}</strong>{" "}
            {problem ? <span className="field__error">{problem}</span> : <span className="muted">{text}</span>}
          </p>
          <button
            type="button"
            className="link-button link-button--quiet"
            aria-label={t("Remove coupon {code}", { code })}
            data-replay="remove-coupon"
            onClick={state.removeCoupon}
          >
            {t("Remove")}
          </button>
        </div>
      ) : (
        <CouponField refusal={state.refusals["coupon"]} apply={state.applyCoupon} edited={() => state.forgive("coupon")} />
      )}
    </div>
  );
}

/** Where the button that was pressed has left, the focus goes to what stands in its place. */
function useFocusAfter(code: string, place: RefObject<HTMLDivElement | null>): void {
  const before = useRef(code);
  useLayoutEffect(() => {
    const isOther = before.current !== code;
    before.current = code;
    if (isOther && document.activeElement === document.body) place.current?.querySelector<HTMLElement>("button, input")?.focus();
  }, [code, place]);
}

interface CouponFieldProps {
  refusal: string | undefined;
  apply: (code: string) => void;
  edited: () => void;
}

function CouponField({ refusal, apply, edited }: CouponFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (refusal) field.current?.focus();
  }, [refusal]);
  const submit = (form: HTMLFormElement) => apply(String(new FormData(form).get("coupon_code")));
  return (
    <form
      className={refusal ? "field field--error" : "field"}
      noValidate
      onSubmit={(event) => (event.preventDefault(), submit(event.currentTarget))}
    >
      <label className="field__label" htmlFor="coupon">
        {t("Coupon code")}
      </label>
      <div className="coupon__row">
        <input
          ref={field}
          id="coupon"
          name="coupon_code"
          type="text"
          maxLength={60}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="done"
          onInput={edited}
          aria-invalid={refusal ? true : undefined}
          aria-describedby={refusal ? "coupon-error" : undefined}
        />
        <button type="submit" className="button button--line" data-replay="apply-coupon">
          {t("Apply")}
        </button>
      </div>
      {refusal && (
        <p className="field__error" id="coupon-error">
          {refusal}
        </p>
      )}
    </form>
  );
}

/** The customer's points, as far as this cart may use them. */
export function Points({ state }: { state: CartState }) {
  const { points_used: used, display } = state.cart;
  if (!display.points_offer) return null;
  return (
    <div className="points">
      <label className="check">
        <input type="checkbox" checked={used > 0} onChange={(event) => state.usePoints(event.target.checked)} />
        <span>{display.points_offer}</span>
      </label>
      {state.refusals["points"] && <p className="field__error">{state.refusals["points"]}</p>}
    </div>
  );
}
