import { beforeEach, expect, test, vi } from "vitest";
import { emit } from "../events";
import { answer, showHearts } from "./hearts";

const calls = vi.fn();
vi.mock("../api", async (original) => ({ ...(await original<object>()), post: (...args: unknown[]) => calls(...args) }));

const toasts: string[] = [];
document.addEventListener("shop:toast", (event) => toasts.push((event as CustomEvent<{ message: string }>).detail.message));

beforeEach(() => {
  calls.mockReset();
  toasts.length = 0;
  document.documentElement.dataset["wished"] = "";
  document.body.innerHTML = [7, 70]
    .map((id) => `<button class="heart" form="save-to-wishlist" name="product" value="${id}"></button>`)
    .join("");
});

const hearts = () => [...document.querySelectorAll("button")];
const pressed = () => hearts().map((heart) => heart.getAttribute("aria-pressed"));

test("hearts of what is on the wishlist are filled, each by its whole number", () => {
  document.documentElement.dataset["wished"] = "70,3";
  showHearts();
  expect(pressed()).toEqual(["false", "true"]);
});

test("pressing puts it on, pressing again takes it off", async () => {
  calls.mockResolvedValueOnce({ products: [7] }).mockResolvedValueOnce({ products: [] });
  await answer(hearts()[0]!);
  expect(pressed()).toEqual(["true", "false"]);
  await answer(hearts()[0]!);
  expect(pressed()).toEqual(["false", "false"]);
  expect(calls.mock.calls.map(([, body]) => (body as { wanted: boolean }).wanted)).toEqual([true, false]);
  expect(toasts).toEqual(["Saved to your wishlist.", "Removed from your wishlist."]);
});

test("a refusal is said and changes nothing", async () => {
  calls.mockRejectedValueOnce(new Error("no network"));
  await answer(hearts()[0]!);
  expect(toasts).toHaveLength(1);
  expect(document.documentElement.dataset["wished"]).toBe("");
});

test("the last heart is emptied when its product was taken off elsewhere", () => {
  document.documentElement.dataset["wished"] = "7";
  showHearts();
  document.documentElement.dataset["wished"] = "";
  emit("cart:lines", {}); // as /api/me/ tells
  expect(pressed()).toEqual(["false", "false"]);
});
