import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { answerCalls, renderOver } from "../testing";
import CountryPicker from "./CountryPicker";
import CurrencyPicker from "./CurrencyPicker";

const locations = [
  { id: 9, name: "Ecuador", timezone_shorthand: "EC", currency_shorthand: "USD", currency_symbol: "$" },
  { id: 5, name: "Germany", timezone_shorthand: "DE", currency_shorthand: "EUR", currency_symbol: "€", aliases: ["Deutschland"] },
  { id: 1, name: "India", timezone_shorthand: "IN", currency_shorthand: "INR", currency_symbol: "₹", aliases: ["Bharat", "भारत"], is_likely: true },
  { id: 73, name: "Türkiye", timezone_shorthand: "TR", currency_shorthand: "EUR", currency_symbol: "€", aliases: ["Turkey"] },
  { id: 70, name: "Ukraine", timezone_shorthand: "UA", currency_shorthand: "EUR", currency_symbol: "€" },
  { id: 75, name: "United Kingdom", timezone_shorthand: "GB", currency_shorthand: "EUR", currency_symbol: "€", aliases: ["UK", "Great Britain", "England"], is_likely: true },
  { id: 22, name: "United States", timezone_shorthand: "US", currency_shorthand: "USD", currency_symbol: "$", aliases: ["America"], is_likely: true },
];

const countryLink = `<a class="picker" href="/en-in/deliver-to/" aria-label="Deliver to India: change">
  Deliver to <img src="/static/flags/in.svg"> India</a>`;
const currencyLink = `<a class="picker" href="/en-in/currency/" aria-label="INR ₹: change currency">INR ₹</a>`;

/** Every form that was sent: its action and fields. */
let sent: [string, Record<string, FormDataEntryValue>][];

beforeEach(() => {
  sent = [];
  vi.spyOn(HTMLFormElement.prototype, "requestSubmit").mockImplementation(function (this: HTMLFormElement) {
    sent.push([new URL(this.action).pathname, Object.fromEntries(new FormData(this))]);
  });
  answerCalls({ body: locations });
  history.replaceState(null, "", "/en-in/cart/");
});

const names = () => screen.queryAllByRole("option").map((option) => option.textContent);

async function openCountries() {
  renderOver(countryLink, (fallback) => <CountryPicker fallback={fallback} />);
  fireEvent.click(screen.getByRole("button", { name: "Deliver to India: change" }));
  await screen.findByText("Germany");
  return screen.getByPlaceholderText("Search for a country");
}

async function openCurrencies() {
  renderOver(currencyLink, (fallback) => <CurrencyPicker fallback={fallback} />);
  const button = screen.getByRole("combobox", { name: "INR ₹: change currency" });
  fireEvent.click(button);
  await screen.findByText("EUR");
  return button;
}

test("countries open with a focused filter, a heading and flags", async () => {
  const filter = await openCountries();
  expect(document.activeElement).toBe(filter);
  expect(screen.getByText("COUNTRIES")).toBeTruthy();
  expect(screen.getByText("Germany").querySelector("img")?.getAttribute("src")).toMatch(/\/static\/flags\/de\.svg$/);
  expect(screen.getByRole("option", { selected: true }).textContent).toBe("India");
});

test("countries are filtered by what their name contains, in any case", async () => {
  fireEvent.change(await openCountries(), { target: { value: "DO" } });
  expect(names()).toEqual(["Ecuador", "United Kingdom"]);
});

test.each([
  ["uk", ["United Kingdom", "Ukraine"]],
  ["england", ["United Kingdom"]],
  ["brit", ["United Kingdom"]],
  ["turk", ["Türkiye"]],
  ["भारत", ["India"]],
  ["deutsch", ["Germany"]],
  ["gb", ["United Kingdom"]],
])("a country is found as %s", async (typed, found) => {
  fireEvent.change(await openCountries(), { target: { value: typed } });
  expect(names()).toEqual(found);
});

test("the page's country stands on top, then those of the browser's languages and the likely ones, then the rest by name", async () => {
  const languages = vi.spyOn(navigator, "languages", "get").mockReturnValue(["de-DE", "en"]);
  await openCountries();
  languages.mockRestore();
  expect(names()).toEqual(["India", "Germany", "United Kingdom", "United States", "Ecuador", "Türkiye", "Ukraine"]);
  expect(document.querySelector(".picker__choice--rest")?.textContent).toBe("Ecuador");
  expect(screen.getByRole("option", { selected: true }).querySelector("svg")).toBeTruthy();
});

test("the list of countries is busy for 300 ms after a key in its filter", async () => {
  const filter = await openCountries();
  const isBusy = () => screen.getByRole("listbox").getAttribute("aria-busy");
  expect(isBusy()).toBe("false");
  fireEvent.change(filter, { target: { value: "ger" } });
  expect(isBusy()).toBe("true");
  await vi.waitFor(() => expect(isBusy()).toBe("false"));
});

test("a country that is not there is said", async () => {
  fireEvent.change(await openCountries(), { target: { value: "atlantis" } });
  expect(screen.getByText("No countries found")).toBeTruthy();
  expect(screen.queryByRole("listbox")).toBeNull();
});

test("a country is sent with the page to come back to", async () => {
  await openCountries();
  fireEvent.click(screen.getByText("United States"));
  expect(sent).toEqual([["/en-in/deliver-to/", { country: "US", next: "/en-in/cart/" }]]);
  expect(screen.queryByText("COUNTRIES")).toBeNull();
});

test("arrows and Enter choose a country", async () => {
  const filter = await openCountries();
  fireEvent.keyDown(filter, { key: "ArrowDown" });
  fireEvent.keyDown(filter, { key: "Enter" });
  expect(sent[0]?.[1]["country"]).toBe("US");
});

test("Escape closes and gives the focus back, a click outside closes", async () => {
  fireEvent.keyDown(await openCountries(), { key: "Escape" });
  const button = screen.getByRole("button", { name: "Deliver to India: change" });
  expect(screen.queryByText("COUNTRIES")).toBeNull();
  expect(document.activeElement).toBe(button);
  fireEvent.click(button);
  fireEvent.pointerDown(document.body);
  expect(screen.queryByText("COUNTRIES")).toBeNull();
});

test("countries that did not arrive can be asked for again", async () => {
  answerCalls({ status: 503, body: {} }, { body: locations });
  renderOver(countryLink, (fallback) => <CountryPicker fallback={fallback} />);
  fireEvent.click(screen.getByRole("button", { name: "Deliver to India: change" }));
  fireEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Germany")).toBeTruthy();
});

test("only single letters and digits filter the currencies; arrows and Escape work as in every list", async () => {
  const button = await openCurrencies();
  for (const key of ["Shift", "F1", "-", "Dead", " "]) fireEvent.keyDown(button, { key });
  fireEvent.keyDown(button, { key: "u", ctrlKey: true });
  expect(names()).toEqual(["EUR", "INR", "USD"]);
  fireEvent.keyDown(button, { key: "ArrowUp" });
  expect(document.getElementById(button.getAttribute("aria-activedescendant")!)?.textContent).toBe("USD");
  fireEvent.keyDown(button, { key: "Escape" });
  expect(names()).toEqual([]);
  expect(document.activeElement).toBe(button);
  fireEvent.keyDown(button, { key: "ArrowDown" });
  expect(names()).toEqual(["EUR", "INR", "USD"]);
  fireEvent.pointerDown(document.body);
  expect(names()).toEqual([]);
});

test("currencies are unique, sorted codes that typing filters", async () => {
  const button = await openCurrencies();
  expect(names()).toEqual(["EUR", "INR", "USD"]);
  fireEvent.keyDown(button, { key: "u" });
  expect(names()).toEqual(["EUR", "USD"]);
  fireEvent.keyDown(button, { key: "s" });
  expect(names()).toEqual(["USD"]);
  fireEvent.keyDown(button, { key: "x" });
  expect(screen.getByText("No currencies found")).toBeTruthy();
  fireEvent.keyDown(button, { key: "Backspace" });
  fireEvent.keyDown(button, { key: "Enter" });
  expect(sent).toEqual([["/en-in/currency/", { currency: "USD", next: "/en-in/cart/" }]]);
});
