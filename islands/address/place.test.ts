import { expect, test, vi } from "vitest";
import { answerCalls, markup } from "../testing";
import { followPin, start } from "./place";

const KARNATAKA = { pincode: "560001", is_known: true, states: ["Karnataka"], state: "Karnataka", city: "Bengaluru", warning: "" };
const ODD = { ...KARNATAKA, warning: "PIN code 560001 belongs to Karnataka. Please check the PIN code and state." };

function place(values: { pincode?: string; city?: string; state?: string } = {}): HTMLElement {
  const element = markup(`
    <div data-place><input name="pincode" data-pincode value="${values.pincode ?? ""}"><p data-place-note hidden></p>
    <input name="city" value="${values.city ?? ""}">
    <select name="state"><option></option><option>Karnataka</option><option>Kerala</option></select></div>`);
  field(element, "state").value = values.state ?? "";
  return element.querySelector<HTMLElement>("[data-place]")!;
}

const field = (element: HTMLElement, name: string) => element.querySelector<HTMLInputElement>(`[name="${name}"]`)!;
const note = (element: HTMLElement) => element.querySelector<HTMLElement>("[data-place-note]")!;

test("six digits fill state and city", async () => {
  const asked = answerCalls({ body: KARNATAKA });
  const element = place({ pincode: "560 001" });
  await followPin(element);
  expect(asked).toEqual([["/api/pincode/560001/?state=", undefined]]);
  expect([field(element, "state").value, field(element, "city").value]).toEqual(["Karnataka", "Bengaluru"]);
  expect(note(element).hidden).toBe(true);
});

test("what was typed stays, and what is odd is said", async () => {
  const asked = answerCalls({ body: ODD });
  const element = place({ pincode: "560001", city: "Whitefield", state: "Kerala" });
  await followPin(element);
  expect(asked[0]![0]).toBe("/api/pincode/560001/?state=Kerala");
  expect([field(element, "state").value, field(element, "city").value]).toEqual(["Kerala", "Whitefield"]);
  expect(note(element).textContent).toBe(ODD.warning);
  expect(note(element).hidden).toBe(false);
});

test("another PIN code replaces what the first one filled", async () => {
  answerCalls({ body: KARNATAKA }, { body: { ...KARNATAKA, state: "Kerala", city: "Kochi" } });
  const element = place({ pincode: "560001" });
  await followPin(element);
  field(element, "pincode").value = "682001";
  await followPin(element);
  expect([field(element, "state").value, field(element, "city").value]).toEqual(["Kerala", "Kochi"]);
});

test("the costs are asked for once a PIN code", async () => {
  answerCalls({ body: KARNATAKA }, { body: KARNATAKA }, { body: { ...KARNATAKA, state: "Kerala", city: "Kochi" } });
  const element = place({ pincode: "560001" });
  const asked = vi.fn();
  element.addEventListener("pincode:entered", asked);
  await followPin(element);
  field(element, "state").value = "Kerala";
  await followPin(element);
  expect(asked).toHaveBeenCalledTimes(1);
  field(element, "pincode").value = "682001";
  await followPin(element);
  expect(asked).toHaveBeenCalledTimes(2);
});

test("an unfinished PIN code asks nothing and takes the words back", async () => {
  const asked = answerCalls({ body: ODD });
  const element = place({ pincode: "560001", state: "Kerala" });
  await followPin(element);
  field(element, "pincode").value = "56000";
  await followPin(element);
  expect(asked.length).toBe(1);
  expect(note(element).hidden).toBe(true);
});

test("an answer that comes after the next one is dropped", async () => {
  const arrive: ((answer: Response) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise((resolve) => arrive.push(resolve)));
  const element = place({ pincode: "560001", city: "Whitefield" });
  const first = followPin(element);
  field(element, "state").value = "Kerala";
  const second = followPin(element);
  arrive[1]!(Response.json(ODD));
  await second;
  arrive[0]!(Response.json(KARNATAKA));
  await first;
  expect([field(element, "state").value, note(element).textContent]).toEqual(["Kerala", ODD.warning]);
});

test("a call that fails changes nothing", async () => {
  answerCalls({ status: 500, body: {} });
  const element = place({ pincode: "560001" });
  await followPin(element);
  expect([field(element, "state").value, note(element).hidden]).toEqual(["", true]);
});

test("typing in an Indian form asks; forms of other countries do not", async () => {
  start();
  const asked = answerCalls({ body: KARNATAKA });
  const element = place({ pincode: "560001" });
  field(element, "pincode").dispatchEvent(new Event("input", { bubbles: true }));
  await vi.waitFor(() => expect(field(element, "state").value).toBe("Karnataka"));
  field(element, "pincode").removeAttribute("data-pincode");
  field(element, "pincode").dispatchEvent(new Event("input", { bubbles: true }));
  field(element, "state").dispatchEvent(new Event("change", { bubbles: true }));
  await new Promise((done) => setTimeout(done));
  expect(asked.length).toBe(1);
});

test("what was typed before the script came fills state and city", async () => {
  answerCalls({ body: KARNATAKA });
  const element = place();
  field(element, "pincode").value = "560001";
  start();
  await vi.waitFor(() => expect(field(element, "city").value).toBe("Bengaluru"));
});

test("an address that came with the page is left alone", async () => {
  const asked = answerCalls({ body: KARNATAKA });
  place({ pincode: "560001" });
  start();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(asked).toEqual([]);
});
