import { fireEvent } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keep } from "../kept";
import { answerCalls, markup } from "../testing";
import { addRecentSearch, recentSearches } from "./recent";
import { startResults } from "./results";
import { resultsUrl, startSearch } from "./start";
import { suggest } from "./suggestions";

const html = `<form action="/en-in/search/" data-search><input id="q" name="q" minlength="2"><button></button></form><i>elsewhere</i>`;
const neem = { id: 1, slug: "neem-soap", name: "Neem Soap", lang: "", first_image: "http://shop.test/320.jpg", price: "₹99", pack: "75 g", in_stock: true };
const tea = { id: 2, slug: "neem-tea", name: "Neem Tea", lang: "en", first_image: "", price: "₹150", pack: "", in_stock: false };
const found = (...products: object[]) => ({ note: "", places: [], products });

let form: HTMLFormElement;
let input: HTMLInputElement;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  keep("popular-searches-1", []);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  form = markup(html).querySelector("form")!;
  input = form.querySelector("input")!;
});
afterEach(() => void vi.useRealTimers());

const options = () => [...form.querySelectorAll("[role=option]")];
const names = () => options().map((option) => (option.querySelector("span:not(.suggest__picture)")?.firstChild ?? option).textContent);
const state = () => form.querySelector(".suggest__state:not([hidden])")?.textContent ?? "";
const isOpen = () => !form.querySelector<HTMLElement>(".suggest")!.hidden;
const press = (key: string) => fireEvent.keyDown(input, { key });
const current = () => {
  const option = document.getElementById(input.getAttribute("aria-activedescendant") ?? "-");
  return names()[options().indexOf(option!)];
};

function type(words: string): void {
  input.focus();
  fireEvent.input(input, { target: { value: words } });
}

/** Every beacon that was sent: "path body". */
function beacons(): Promise<string>[] {
  const sent: Promise<string>[] = [];
  const sendBeacon = (path: string, body: Blob) => {
    const reader = new FileReader();
    const read = new Promise<string>((resolve) => (reader.onload = () => resolve(`${path} ${String(reader.result)}`)));
    reader.readAsText(body);
    return sent.push(read) > 0;
  };
  Object.defineProperty(navigator, "sendBeacon", { value: sendBeacon, configurable: true });
  return sent;
}

async function find(words: string): Promise<void> {
  suggest(form, "");
  type(words);
  await vi.advanceTimersByTimeAsync(300);
}

test("three letters are searched for 300 ms after the last one, in the page's market", async () => {
  const asked = answerCalls({ body: found(neem, tea) });
  suggest(form, "");
  type("nee");
  await vi.advanceTimersByTimeAsync(299);
  type(" neem ");
  await vi.advanceTimersByTimeAsync(299);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual([["/search/", { query: "neem", deliver_to: 1, currency: "INR" }]]);
  expect(names()).toEqual(["Neem Soap", "Neem Tea", "See all products"]);
  expect(options().map((option) => option.getAttribute("href"))).toEqual([
    "/en-in/product/neem-soap/",
    "/en-in/product/neem-tea/",
    expect.stringMatching(/\/en-in\/search\/neem\/$/),
  ]);
  expect(form.querySelector("img")?.src).toBe(neem.first_image);
  expect(form.querySelector("[role=status]")?.textContent).toBe("2 products");
});

test("it says that it searches, and that nothing was found", async () => {
  let answer: (response: Response) => void = () => undefined;
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
  await find("zzz");
  expect(state()).toBe("Loading...");
  answer(new Response(JSON.stringify(found())));
  await vi.advanceTimersByTimeAsync(0);
  expect(state()).toBe("Product not found");
  expect(names()).toEqual(["See all products"]);
});

test("fewer than three letters clear the suggestions and ask nothing", async () => {
  const asked = answerCalls({ body: found(neem) });
  await find("neem");
  type("  ne ");
  expect(isOpen()).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toHaveLength(1);
  fireEvent.focus(input);
  expect(isOpen()).toBe(false);
});

test("a late answer never replaces a newer one", async () => {
  const answers: ((body: object) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise((resolve) => answers.push((body) => resolve(new Response(JSON.stringify(body))))));
  await find("nee");
  type("neem");
  await vi.advanceTimersByTimeAsync(300);
  answers[1]!(found(tea));
  await vi.advanceTimersByTimeAsync(0);
  answers[0]!(found(neem));
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(["Neem Tea", "See all products"]);
});

test("what is chosen while an answer is on its way stays chosen when it comes; more words choose nothing", async () => {
  answerCalls({ body: found(neem, tea) });
  await find("nee");
  let answer: (response: Response) => void = () => undefined;
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
  type("neem");
  await vi.advanceTimersByTimeAsync(300);
  press("ArrowDown");
  press("ArrowDown");
  expect(current()).toBe("Neem Tea");
  answer(new Response(JSON.stringify(found(tea))));
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(["Neem Tea", "See all products"]);
  expect(current()).toBe("Neem Tea");
  press("ArrowDown");
  type("neem t");
  expect(current()).toBeUndefined();
});

test("a failure leaves the suggestions, says so and can be tried again", async () => {
  const asked = answerCalls({ body: found(neem) }, { status: 503, body: {} }, { body: found(tea) });
  await find("neem");
  type("neem t");
  await vi.advanceTimersByTimeAsync(300);
  expect(names()).toEqual(["Neem Soap", "See all products"]);
  expect(state()).toBe("Server Error Try again");
  fireEvent.click(form.querySelector(".suggest__state button")!);
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(["Neem Tea", "See all products"]);
  expect(asked.map(([, body]) => (body as { query: string }).query)).toEqual(["neem", "neem t", "neem t"]);
});

test("arrows lead round through the suggestions and back into the field, Enter follows", async () => {
  answerCalls({ body: found(neem) });
  await find("neem");
  expect(input.getAttribute("aria-expanded")).toBe("true");
  press("ArrowDown");
  expect(current()).toBe("Neem Soap");
  const followed = vi.fn((event: Event) => event.preventDefault());
  options()[0]!.addEventListener("click", followed);
  press("Enter");
  expect(followed).toHaveBeenCalledOnce();
  press("ArrowDown");
  expect(current()).toBe("See all products");
  press("ArrowDown");
  expect(current()).toBeUndefined();
  press("ArrowUp");
  expect(current()).toBe("See all products");
  expect(document.activeElement).toBe(input);
});

test("Escape and a click outside close, the field opens again", async () => {
  answerCalls({ body: found(neem) });
  await find("neem");
  expect(press("Escape")).toBe(false);
  expect(isOpen()).toBe(false);
  expect(press("Escape")).toBe(true);
  fireEvent.focus(input);
  expect(isOpen()).toBe(true);
  fireEvent.pointerDown(options()[0]!);
  expect(isOpen()).toBe(true);
  fireEvent.pointerDown(document.querySelector("i")!);
  expect(isOpen()).toBe(false);
});

test("what was typed while the suggestions were on their way counts", async () => {
  const asked = answerCalls({ body: found() });
  input.value = "neem";
  suggest(form, "");
  await vi.advanceTimersByTimeAsync(300);
  expect(asked).toHaveLength(1);
});

test("whoever follows a suggestion has searched for its words", async () => {
  answerCalls({ body: found(neem) });
  const sent = beacons();
  await find("neem");
  form.addEventListener("click", (event) => event.preventDefault());
  fireEvent.click(options()[1]!);
  expect(sent).toEqual([]); // the results' page counts for itself
  fireEvent.click(options()[0]!.querySelector("img")!);
  const body = { query: "neem", is_search: true, is_click: true, before: "", deliver_to: 1, currency: "INR" };
  expect(await sent[0]).toBe(`/api/searches/ ${JSON.stringify(body)}`);
  expect(recentSearches()).toEqual(["neem"]);
});

test("places come before products, which say pack and price, and how the words were understood", async () => {
  const places = [{ kind: "concern", name: "Skin care", lang: "en", path: "/health-concerns/skin-care/" }];
  answerCalls({ body: { note: "Showing results for “neem”", places, products: [neem, tea] } });
  await find("neeem");
  expect(state()).toBe("Showing results for “neem”");
  expect(options().map((option) => option.textContent)).toEqual([
    "Skin care Health concern",
    "Neem Soap 75 g · ₹99",
    "Neem Tea Sold out",
    "See all products",
  ]);
  expect(options()[0]!.getAttribute("href")).toBe("/en-in/health-concerns/skin-care/");
  expect(options().map((option) => option.querySelector("bdi")?.getAttribute("lang"))).toEqual(["en", null, "en", undefined]);
  expect(form.querySelector("[role=status]")?.textContent).toBe("Showing results for “neem”. 2 products");
});

test("before anything is typed there are recent and popular searches; the recent ones can be cleared", async () => {
  const asked = answerCalls({ body: { searches: ["neem", "hair oil"] } });
  localStorage.clear();
  addRecentSearch("Neem");
  addRecentSearch("amla");
  addRecentSearch("neem");
  suggest(form, "");
  input.focus();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual([["/api/searches/popular/?deliver_to=1&currency=INR", undefined]]);
  expect(names()).toEqual(["neem", "amla", "hair oil"]);
  expect(options()[2]!.getAttribute("href")).toMatch(/\/en-in\/search\/hair%20oil\/$/);
  fireEvent.click(form.querySelector(".suggest__clear")!);
  expect(names()).toEqual(["neem", "hair oil"]);
  expect(recentSearches()).toEqual([]);
});

test("words become an address: single spaces, no slash, capitals kept", () => {
  expect(resultsUrl(form, "  Neem / Amla & 50%  ")).toMatch(/\/en-in\/search\/Neem%20Amla%20%26%2050%25\/$/);
});

test("the results' page shows its words in the field; one letter leads nowhere", () => {
  history.replaceState(null, "", "/en-in/search/Neem%20oil/");
  startSearch();
  expect(input.value).toBe("Neem oil");
  input.value = " n ";
  expect(fireEvent.submit(form)).toBe(false);
  expect(document.activeElement).toBe(input);
  expect(location.pathname).toBe("/en-in/search/Neem%20oil/");
});

test("a visit is counted once, and once that something was opened; what was changed without that is reported", async () => {
  const sent = beacons();
  const entries = vi.spyOn(performance, "getEntriesByType");
  entries.mockReturnValue([{ type: "navigate" } as PerformanceNavigationTiming]);
  const page = markup(`<div class="card"><a href="#x">Neem oil</a></div>`);
  startResults("neem ol");
  startResults("neem oil");
  fireEvent.click(page.querySelector("a")!);
  fireEvent.click(page.querySelector("a")!);
  startResults("amla");
  entries.mockReturnValue([{ type: "reload" } as PerformanceNavigationTiming]);
  startResults("amla");
  const market = { deliver_to: 1, currency: "INR" };
  const bodies = (await Promise.all(sent)).map((said) => JSON.parse(said.replace("/api/searches/ ", "")) as object);
  expect(bodies).toEqual([
    { query: "neem ol", is_search: true, is_click: false, before: "", ...market },
    { query: "neem oil", is_search: true, is_click: false, before: "neem ol", ...market },
    { query: "neem oil", is_search: false, is_click: true, before: "", ...market },
    { query: "amla", is_search: true, is_click: false, before: "", ...market },
  ]);
  expect(recentSearches()).toEqual(["amla", "neem oil", "neem ol"]);
});
