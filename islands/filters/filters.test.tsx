import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { emit } from "../events";
import { markup } from "../testing";
import Filters from "./Filters";
import { startListing } from "./listing";

const PRICE = `<form id="filters"><div id="price-range" data-low="50" data-high="900" data-step="10" data-min="" data-max="" data-symbol="₹">
<div id="island"><div class="price-range__track"></div><div class="price-range__fields">
<label>Lowest, ₹<input type="number" name="price_min" value=""></label><label>Highest, ₹<input type="number" name="price_max" value=""></label>
</div></div></div></form>`;

function showPrices(): { low: HTMLInputElement; high: HTMLInputElement; sent: string[] } {
  const sent: string[] = [];
  markup(PRICE);
  const island = document.getElementById("island")!;
  render(<Filters fallback={island} />, { container: island });
  const low = document.querySelector<HTMLInputElement>("[name=price_min]")!;
  document.addEventListener("change", (event) => sent.push((event.target as HTMLInputElement).name));
  return { low, high: document.querySelector<HTMLInputElement>("[name=price_max]")!, sent };
}

test("letting go of a thumb changes the field that the form sends, and no earlier", () => {
  const { low, sent } = showPrices();
  const thumb = screen.getByLabelText("Lowest price");
  fireEvent.change(thumb, { target: { value: "150" } });
  expect([low.value, thumb.getAttribute("aria-valuetext")]).toEqual(["150", "₹150"]);
  sent.length = 0;
  fireEvent.pointerUp(thumb);
  expect(sent).toEqual(["price_min"]);
});

test("passing over the slider by keyboard sends nothing", () => {
  const { sent } = showPrices();
  fireEvent.keyUp(screen.getByLabelText("Lowest price"), { key: "Tab" });
  fireEvent.pointerUp(screen.getByLabelText("Highest price"));
  expect(sent).toEqual([]);
});

test("thumbs do not pass each other, and an end is no limit", () => {
  const { low, high } = showPrices();
  fireEvent.change(screen.getByLabelText("Highest price"), { target: { value: "300" } });
  fireEvent.change(screen.getByLabelText("Lowest price"), { target: { value: "700" } });
  expect([low.value, high.value]).toEqual(["300", "300"]);
  fireEvent.change(screen.getByLabelText("Lowest price"), { target: { value: "50" } });
  expect(low.value).toBe("");
});

test("what is typed moves the thumbs", () => {
  const { high } = showPrices();
  fireEvent.input(high, { target: { value: "400" } });
  expect(screen.getByLabelText<HTMLInputElement>("Highest price").value).toBe("400");
});

test("another state of the listing brings its own ends and choice", () => {
  showPrices();
  Object.assign(document.getElementById("price-range")!.dataset, { low: "100", high: "400", min: "200" });
  act(() => emit("listing:changed", {}));
  const thumb = screen.getByLabelText<HTMLInputElement>("Lowest price");
  expect([thumb.min, thumb.max, thumb.value]).toEqual(["100", "400", "200"]);
});

const LISTING = `<div id="listing"><input id="listing-q" form="filters" type="search" name="q" value="">
<select id="sort" form="filters" name="sort" data-default="popular"><option value="popular" selected>P</option><option value="price">L</option></select>
<form id="filters"><input type="checkbox" name="brand" value="hara"><input type="checkbox" name="brand" value="vana" checked></form>
<section class="listing__results"><div id="grid"><article class="card"><a class="card__link" href="/a/">A</a></article></div></section></div>`;

let sent: string[];
let ctx: object;

beforeAll(startListing);
beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  markup(LISTING);
  ctx = { target: document.getElementById("listing") };
  form().requestSubmit = () => sent.push(said());
});
afterEach(() => void vi.useRealTimers());

/** What HTMX says of a request for the listing. */
const htmx = (event: string) => document.dispatchEvent(new CustomEvent(`htmx:${event}`, { detail: { ctx } }));
const form = () => document.querySelector<HTMLFormElement>("#filters")!;
/** What the form sends; jsdom does not tell of it as browsers do. */
function said(): string {
  const formData = new FormData(form());
  form().dispatchEvent(Object.assign(new Event("formdata", { bubbles: true }), { formData }));
  return new URLSearchParams(formData as never).toString();
}
const boxes = () => document.querySelectorAll<HTMLInputElement>("#filters input");
const type = (words: string) => fireEvent.input(document.getElementById("listing-q")!, { target: { value: words } });

test("choices are sent at once, quick ones together, without what is empty or usual", () => {
  fireEvent.click(boxes()[0]!);
  fireEvent.click(boxes()[1]!);
  vi.advanceTimersByTime(200);
  expect(sent).toEqual(["brand=hara"]);
  fireEvent.change(document.getElementById("sort")!, { target: { value: "price" } });
  vi.advanceTimersByTime(200);
  expect(sent[1]).toContain("sort=price");
});

test("a search is sent 800 ms after its last letter, from three letters, and when it is cleared", () => {
  type("ne");
  vi.advanceTimersByTime(2000);
  type("nee");
  vi.advanceTimersByTime(799);
  expect(sent).toEqual([]);
  type(" neem ");
  vi.advanceTimersByTime(799);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toHaveLength(1);
  document.querySelector<HTMLInputElement>("#listing-q")!.defaultValue = "neem";
  htmx("before:request");
  htmx("after:swap");
  type("n");
  vi.advanceTimersByTime(800);
  expect(sent).toHaveLength(2);
});

test("an answer that is older than the newest choice does not take it back", () => {
  fireEvent.click(boxes()[0]!);
  htmx("after:swap");
  expect(boxes()[0]!.checked).toBe(true);
  vi.advanceTimersByTime(200);
  htmx("before:request");
  expect(document.querySelector(".listing__results")!.getAttribute("aria-busy")).toBe("true");
  htmx("after:swap");
  expect(boxes()[0]!.checked).toBe(false); // what the server says
  htmx("finally:request");
  expect(document.querySelector(".listing__results")!.hasAttribute("aria-busy")).toBe(false);
});

test("a product that a later page repeats is shown once", () => {
  const grid = document.getElementById("grid")!;
  grid.innerHTML += grid.innerHTML + `<article class="card"><a class="card__link" href="/b/">B</a></article>`;
  htmx("after:swap");
  expect([...grid.querySelectorAll(".card")].map((card) => card.textContent)).toEqual(["A", "B"]);
});

test("a choice that cannot be sent is taken back: every field says what is shown", () => {
  fireEvent.click(boxes()[0]!);
  fireEvent.change(document.getElementById("sort")!, { target: { value: "price" } });
  vi.advanceTimersByTime(200);
  htmx("before:request");
  emit("fragment:failed", { target: "more" });
  expect(boxes()[0]!.checked).toBe(true);
  emit("fragment:failed", { target: "listing" });
  expect([...boxes()].map((box) => box.checked)).toEqual([false, true]);
  expect(document.querySelector<HTMLSelectElement>("#sort")!.value).toBe("popular");
});

test("a request that another replaced ends, and the listing stays busy", () => {
  htmx("before:request");
  const replaced = ctx;
  ctx = { ...ctx };
  htmx("before:request");
  document.dispatchEvent(new CustomEvent("htmx:finally:request", { detail: { ctx: replaced } }));
  expect(document.querySelector(".listing__results")!.getAttribute("aria-busy")).toBe("true");
});
