import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keep, recall } from "./kept";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  localStorage.clear();
});

test("what is kept is fresh for a minute and restored for three days", () => {
  keep("locations", ["India"]);
  vi.advanceTimersByTime(59_000);
  expect(recall("locations")).toEqual({ data: ["India"], isStale: false });
  vi.advanceTimersByTime(2_000);
  expect(recall("locations")).toEqual({ data: ["India"], isStale: true });
  vi.advanceTimersByTime(3 * 24 * 3600_000);
  expect(recall("locations")).toBeUndefined();
});

test("a record that is damaged, of another key or from the future is none", () => {
  for (const record of ["{", "null", '"x"', '{"queryKey":"menu","data":[],"timestamp":0}', '{"queryKey":"locations"}']) {
    localStorage.setItem("locations", record);
    expect(recall("locations")).toBeUndefined();
  }
  keep("locations", []);
  vi.setSystemTime(Date.now() - 3600_000);
  expect(recall("locations")).toBeUndefined();
});

test("a browser that forbids or has filled its storage goes without", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  keep("locations", ["India"]);
  expect(recall("locations")).toBeUndefined();
});
