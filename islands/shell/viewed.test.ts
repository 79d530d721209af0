import { beforeEach, expect, test, vi } from "vitest";
import { answerCalls, markup, SeenAtOnce } from "../testing";
import { startRecentlyViewed } from "./viewed";

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("IntersectionObserver", SeenAtOnce);
});

let visits = 0; // pages are asked for once an address
function visit(product: number): HTMLElement {
  visits += 1;
  const place = markup(`<p></p><section data-recently-viewed="/viewed-${visits}/" data-product="${product}" hidden></section>`);
  startRecentlyViewed();
  return place.querySelector("section")!;
}

test("the first product shows no row and asks for nothing", () => {
  const asked = answerCalls({ body: "" });
  expect(visit(7).hidden).toBe(true);
  expect(asked).toEqual([]);
});

test("the others are shown, the latest first and never the one on the page", async () => {
  const asked = answerCalls({ body: "<h2>Recently viewed</h2>" });
  [1, 2, 3].forEach(visit);
  const row = visit(2);
  await vi.waitFor(() => expect(row.hidden).toBe(false));
  expect(row.textContent).toBe("Recently viewed");
  expect(asked.at(-1)?.[0]).toBe(`/viewed-${visits}/?ids=3,1`);
});

test("twelve are remembered", () => {
  const asked = answerCalls({ body: "" });
  for (let id = 1; id <= 20; id += 1) visit(id);
  expect(asked.at(-1)?.[0]).toBe(`/viewed-${visits}/?ids=19,18,17,16,15,14,13,12,11,10,9,8`);
});

test("where all of them have left the shop nothing is shown", async () => {
  answerCalls({ body: "" });
  visit(1);
  const row = visit(2);
  await new Promise((resolve) => setTimeout(resolve));
  expect(row.hidden).toBe(true);
});

test("what else stands in the store is not believed", () => {
  const asked = answerCalls({ body: "" });
  localStorage.setItem("recently-viewed", '{"a": 1}');
  visit(1);
  localStorage.setItem("recently-viewed", '["<b>", "3/../4", 5]');
  visit(6);
  expect(asked.map(([path]) => path)).toEqual([`/viewed-${visits}/?ids=5`]);
});

test("the home page shows what was seen, and is no product itself", () => {
  const asked = answerCalls({ body: "" });
  visit(3);
  visits += 1;
  markup(`<p></p><section data-recently-viewed="/viewed-${visits}/" hidden></section>`);
  startRecentlyViewed();
  expect(asked.map(([path]) => path)).toEqual([`/viewed-${visits}/?ids=3`]);
  expect(localStorage.getItem("recently-viewed")).toBe('["3"]');
});
