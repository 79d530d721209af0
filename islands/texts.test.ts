import { afterEach, expect, test, vi } from "vitest";

const ARABIC = {
  "View cart": "عرض السلة",
  "{held} in your cart": "{held} في سلتك",
  "{count} product": { zero: "لا منتجات", one: "منتج واحد", two: "منتجان", few: "{count} منتجات", many: "{count} منتجًا", other: "{count} منتج" },
};

afterEach(() => {
  vi.resetModules();
  delete document.documentElement.dataset["texts"];
  document.documentElement.lang = "";
});

async function textsOf(lang: string, answer: () => Promise<Response>) {
  Object.assign(document.documentElement, { lang });
  document.documentElement.dataset["texts"] = `/static/texts/${lang}.json`;
  vi.stubGlobal("fetch", vi.fn(answer));
  return import("./texts");
}

test("texts are in the page's language, with their values, and in the form that the number asks for", async () => {
  const { t, tn } = await textsOf("ar", () => Promise.resolve(new Response(JSON.stringify(ARABIC))));
  expect(t("View cart")).toBe("عرض السلة");
  expect(t("{held} in your cart", { held: 3 })).toBe("3 في سلتك");
  expect([1, 2, 3, 11, 100].map((count) => tn("{count} product", "{count} products", count))).toEqual([
    "منتج واحد",
    "منتجان",
    "3 منتجات",
    "11 منتجًا",
    "100 منتج",
  ]);
});

test("without its texts a page says it in English", async () => {
  const { t, tn } = await textsOf("hi", () => Promise.reject(new TypeError("offline")));
  expect(t("View cart")).toBe("View cart");
  expect([1, 2].map((count) => tn("{count} product", "{count} products", count))).toEqual(["1 product", "2 products"]);
});
