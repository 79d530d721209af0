import { afterEach, expect, test, vi } from "vitest";
import { followAddress } from "./history";

const PAGE = "https://shop.example/en-in/products/herbal/";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["the address went back while the page loaded", `${PAGE}?brand=hara`, PAGE, 1],
  ["nothing happened", `${PAGE}?brand=hara`, `${PAGE}?brand=hara`, 0],
  ["a part of the page was asked for", PAGE, `${PAGE}#grid`, 0],
  ["the browser does not name what it loaded", "document", PAGE, 0],
])("%s", (_, loaded, href, times) => {
  const reload = vi.fn();
  vi.stubGlobal("location", { href, origin: "https://shop.example", reload });
  vi.stubGlobal("performance", { getEntriesByType: () => [{ name: loaded }] });
  followAddress();
  expect(reload).toHaveBeenCalledTimes(times);
});

test("a browser without these entries goes on", () => {
  vi.stubGlobal("performance", { getEntriesByType: () => [] });
  expect(followAddress).not.toThrow();
});
