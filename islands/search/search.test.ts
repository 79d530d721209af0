import { fireEvent } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answerCalls, markup } from "../testing";
import { resultsUrl, startSearch } from "./start";
import { suggest } from "./suggestions";

const html = `<form action="/en-in/search/" data-search><input id="q" name="q" minlength="2"><button></button></form><i>elsewhere</i>`;
const neem = { id: 1, slug: "neem-soap", name: "Neem Soap", first_image: "http://shop.test/320.jpg" };
const tea = { id: 2, slug: "neem-tea", name: "Neem Tea", first_image: "" };

let form: HTMLFormElement;
let input: HTMLInputElement;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  form = markup(html).querySelector("form")!;
  input = form.querySelector("input")!;
});
afterEach(() => void vi.useRealTimers());

const options = () => [...form.querySelectorAll("[role=option]")];
const names = () => options().map((option) => option.textContent);
const state = () => form.querySelector(".suggest__state:not([hidden])")?.textContent ?? "";
const isOpen = () => !form.querySelector<HTMLElement>(".suggest")!.hidden;
const press = (key: string) => fireEvent.keyDown(input, { key });
const current = () => document.getElementById(input.getAttribute("aria-activedescendant") ?? "-")?.textContent;

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
  const asked = answerCalls({ body: { products: [neem, tea] } });
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
  answer(new Response(`{"products": []}`));
  await vi.advanceTimersByTimeAsync(0);
  expect(state()).toBe("Product not found");
  expect(names()).toEqual(["See all products"]);
});

test("fewer than three letters clear the suggestions and ask nothing", async () => {
  const asked = answerCalls({ body: { products: [neem] } });
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
  answers[1]!({ products: [tea] });
  await vi.advanceTimersByTimeAsync(0);
  answers[0]!({ products: [neem] });
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(["Neem Tea", "See all products"]);
});

test("what is chosen while an answer is on its way stays chosen when it comes; more words choose nothing", async () => {
  answerCalls({ body: { products: [neem, tea] } });
  await find("nee");
  let answer: (response: Response) => void = () => undefined;
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
  type("neem");
  await vi.advanceTimersByTimeAsync(300);
  press("ArrowDown");
  press("ArrowDown");
  expect(current()).toBe("Neem Tea");
  answer(new Response(JSON.stringify({ products: [tea] })));
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(["Neem Tea", "See all products"]);
  expect(current()).toBe("Neem Tea");
  press("ArrowDown");
  type("neem t");
  expect(current()).toBeUndefined();
});

test("a failure leaves the suggestions, says so and can be tried again", async () => {
  const asked = answerCalls({ body: { products: [neem] } }, { status: 503, body: {} }, { body: { products: [tea] } });
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
  answerCalls({ body: { products: [neem] } });
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
  answerCalls({ body: { products: [neem] } });
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
  const asked = answerCalls({ body: { products: [] } });
  input.value = "neem";
  suggest(form, "");
  await vi.advanceTimersByTimeAsync(300);
  expect(asked).toHaveLength(1);
});

test("whoever follows a suggestion has searched for its words", async () => {
  answerCalls({ body: { products: [neem] } });
  const told = beacons();
  await find("neem");
  form.addEventListener("click", (event) => event.preventDefault());
  fireEvent.click(options()[1]!);
  expect(told).toEqual([]); // the results' page counts for itself
  fireEvent.click(options()[0]!.querySelector("img")!);
  expect(await told[0]).toBe(`/api/searches/ {"query":"neem"}`);
});

test("words become an address: single spaces, no slash, capitals kept", () => {
  expect(resultsUrl(form, "  Neem / Amla & 50%  ")).toMatch(/\/en-in\/search\/Neem%20Amla%20%26%2050%25\/$/);
});

test("the results' page shows its words in the field and counts them; one letter leads nowhere", async () => {
  const told = beacons();
  history.replaceState(null, "", "/en-in/search/Neem%20oil/");
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type: "navigate" } as PerformanceNavigationTiming]);
  startSearch();
  expect(input.value).toBe("Neem oil");
  expect(await told[0]).toBe(`/api/searches/ {"query":"Neem oil"}`);
  input.value = " n ";
  expect(fireEvent.submit(form)).toBe(false);
  expect(document.activeElement).toBe(input);
  expect(location.pathname).toBe("/en-in/search/Neem%20oil/");
});
