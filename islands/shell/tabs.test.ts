import { afterEach, expect, test, vi } from "vitest";
import { emit, listen } from "../events";
import { startTabs } from "./tabs";

const channels: Channel[] = [];
class Channel {
  onmessage: ((event: { data: number }) => void) | undefined;
  constructor() {
    channels.push(this);
  }
  postMessage(data: number): void {
    for (const other of channels) if (other !== this) other.onmessage?.({ data });
  }
}

afterEach(() => vi.unstubAllGlobals());

test("a change of the cart reaches the other tabs once and does not come back", () => {
  vi.stubGlobal("BroadcastChannel", Channel);
  startTabs();
  const other = new Channel();
  const heard: number[] = [];
  const said: object[] = [];
  other.onmessage = ({ data }) => heard.push(data);
  const stop = listen("cart:changed", (detail) => said.push(detail));
  emit("cart:changed", { count: 3 });
  expect(heard).toEqual([3]);
  other.postMessage(5);
  expect(said).toEqual([{ count: 3 }, { count: 5, elsewhere: true }]);
  expect(heard).toEqual([3]);
  stop();
});
