import { expect, test, vi } from "vitest";
import { groupsFrom, type Variant } from "./variants";

function variant(id: number, attributes: Record<string, string>, sold = false): Variant {
  return { id, sku: `S${id}`, attributes, price_html: "", totals: sold ? [] : ["₹1.00"], problem: "" };
}

const mint10 = variant(1, { Size: "10 ml", Flavour: "Mint" });
const mint30 = variant(2, { Size: "30 ml", Flavour: "Mint" });
const rose10 = variant(3, { Size: "10 ml", Flavour: "Rose" }, true);
const variants = [mint30, mint10, rose10];
const attributes = [
  { name: "Size", labels: ["10 ml", "30 ml"] },
  { name: "Flavour", labels: ["Mint", "Rose"] },
];

const describe = (chosen: Variant) =>
  groupsFrom(chosen, variants, attributes).map(({ name, options }) => [
    name,
    options.map((option) => `${option.label}${option.isChosen ? "*" : ""}${option.isAvailable ? "" : `: ${option.note}`}`),
  ]);

test("values keep the server's order and the chosen ones are marked", () => {
  expect(describe(mint10)).toEqual([
    ["Size", ["10 ml*", "30 ml"]],
    ["Flavour", ["Mint*", "Rose: sold out"]],
  ]);
});

test("a combination that does not exist leads to the first variant with the value", () => {
  const [size] = groupsFrom(rose10, variants, attributes);
  expect(size?.options[1]).toMatchObject({ label: "30 ml", isAvailable: false, note: "switches to 30 ml, Mint", variant: mint30 });
});

test("what an option is not is said in the page's language", async () => {
  vi.resetModules();
  vi.doMock("../texts", () => ({ t: (text: string) => `in Hindi: ${text}` }));
  const translated = await import("./variants");
  const notes = (chosen: Variant) => translated.groupsFrom(chosen, variants, attributes).flatMap(({ options }) => options.map(({ note }) => note));
  expect(notes(mint10)).toContain("in Hindi: sold out");
  expect(notes(rose10)).toContain("in Hindi: switches to {option}");
  vi.doUnmock("../texts");
});
