import { useEffect, useRef, useState, type ChangeEvent } from "react";
import { Adopt } from "../adopt";
import { listen } from "../events";
import type { Fallback } from "../react";
import { t } from "../texts";

interface Range {
  low: number; // ends of the slider
  high: number;
  step: number;
  min: number | null; // what is chosen; null: no limit
  max: number | null;
}

/**
 * The price range of a listing: a slider with two thumbs above the server's two fields, which stay what the
 * form sends. Letting go of a thumb is a change of its field, which the form answers like any other.
 */
export default function Filters({ fallback }: Fallback) {
  const [box] = useState(() => fallback.closest<HTMLElement>("[data-low]")!);
  const [fields] = useState(() => [...fallback.querySelectorAll(".price-range__fields")]);
  const [inputs] = useState(() => fields[0]!.querySelectorAll("input"));
  const [range, setRange] = useState(() => readRange(box));
  const sent = useRef<string[]>([]); // what the fields said when they changed last

  useEffect(() => listen("listing:changed", () => setRange(readRange(box))), [box]);
  useEffect(() => {
    const note = () => void (sent.current = [...inputs].map(({ value }) => value));
    note();
    const unlisten = listen("listing:changed", note);
    inputs.forEach((input) => input.addEventListener("change", note));
    return () => {
      unlisten();
      inputs.forEach((input) => input.removeEventListener("change", note));
    };
  }, [inputs]);
  useEffect(() => {
    const typed = () => setRange({ ...readRange(box), min: number(inputs[0]!.value), max: number(inputs[1]!.value) });
    inputs.forEach((input) => input.addEventListener("input", typed));
    return () => inputs.forEach((input) => input.removeEventListener("input", typed));
  }, [box, inputs]);

  const { low, high, step } = range;
  const from = clamp(range.min ?? low, low, high);
  const to = clamp(range.max ?? high, from, high);
  const part = (value: number) => `${(100 * (value - low)) / (high - low || 1)}%`;

  const move = (which: 0 | 1) => (event: ChangeEvent<HTMLInputElement>) => {
    const value = tidy(Number(event.target.value));
    const next = which === 0 ? Math.min(value, to) : Math.max(value, from);
    inputs[which]!.value = next === (which === 0 ? low : high) ? "" : String(next);
    setRange({ ...range, [which === 0 ? "min" : "max"]: next });
  };
  const letGo = (which: 0 | 1) => () => {
    if (inputs[which]!.value !== sent.current[which]) inputs[which]!.dispatchEvent(new Event("change", { bubbles: true }));
  };

  return (
    <>
      <div className="price-range__track">
        <svg className="price-range__fill" width="100%" height="4" aria-hidden="true">
          <rect x={part(from)} width={`${(100 * (to - from)) / (high - low || 1)}%`} height="4" fill="currentColor" />
        </svg>
        {([0, 1] as const).map((which) => (
          <Thumb
            key={which}
            {...{ low, high, step }}
            label={which === 0 ? t("Lowest price") : t("Highest price")}
            value={which === 0 ? from : to}
            symbol={box.dataset["symbol"] ?? ""}
            move={move(which)}
            letGo={letGo(which)}
          />
        ))}
      </div>
      <Adopt nodes={fields} />
    </>
  );
}

interface ThumbProps {
  label: string;
  symbol: string;
  low: number;
  high: number;
  step: number;
  value: number;
  move: (event: ChangeEvent<HTMLInputElement>) => void;
  letGo: () => void;
}

function Thumb({ label, symbol, low, high, step, value, move, letGo }: ThumbProps) {
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={`${symbol}${value}`}
      min={low}
      max={high}
      step={step}
      value={value}
      onChange={move}
      onPointerUp={letGo}
      onKeyUp={letGo}
    />
  );
}

function readRange(box: HTMLElement): Range {
  const { low, high, step, min, max } = box.dataset;
  return { low: Number(low), high: Number(high), step: Number(step), min: number(min), max: number(max) };
}

function number(text: string | undefined): number | null {
  return text ? Number(text) : null;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Steps of a tenth add up to 0.30000000000000004. */
function tidy(value: number): number {
  return Number(value.toFixed(3));
}
