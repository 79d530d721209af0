import { emit, listen } from "../events";

/** What changes in one tab is known in the others: `cart:changed` comes there with `elsewhere`. */
export function startTabs(): void {
  const channel = new BroadcastChannel("cart");
  listen("cart:changed", ({ count, elsewhere }) => {
    if (!elsewhere) channel.postMessage(count);
  });
  channel.onmessage = ({ data }: MessageEvent<number>) => emit("cart:changed", { count: data, elsewhere: true });
}
