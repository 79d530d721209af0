import { whenReleased, whenWanted } from "./when";

const PATIENCE = 4000; // ms a held click waits for its island before the plain form or link takes it

/**
 * <shop-island name="buy-box" when="load|idle|visible|interaction"> around props and working markup.
 *
 * Waits, loads, mounts, and unmounts when taken out of the page. A click on something marked
 * `data-replay="key"` while the island is on its way is held and given to its element of the same key.
 */
export class ShopIsland extends HTMLElement {
  private stopWaiting: (() => void) | undefined;
  private loading: Promise<void> | undefined;
  private unmount: (() => void) | undefined;
  private released: Promise<void> | undefined;

  connectedCallback(): void {
    if (this.loading) return;
    this.addEventListener("click", this.holdClick, true);
    this.addEventListener("pointerdown", this.awaitRelease, true);
    this.stopWaiting = whenWanted(this, this.getAttribute("when") ?? "idle", () => void this.load(), fetchAhead);
  }

  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return; // only moved
      this.stopWaiting?.();
      this.unmount?.();
      this.unmount = undefined;
    });
  }

  private load(): Promise<void> {
    this.stopWaiting?.();
    this.loading ??= this.show();
    return this.loading;
  }

  private async show(): Promise<void> {
    try {
      const [{ mount, whenClosed }, { islands }] = await Promise.all([import("./react"), import("./islands")]);
      let awaited;
      do {
        await (awaited = this.released);
        await whenClosed(this);
      } while (awaited !== this.released);
      const component = islands[this.getAttribute("name") as keyof typeof islands];
      if (!this.isConnected) return;
      const focused = replayKey(document.activeElement);
      this.unmount = mount(this, component as Parameters<typeof mount>[1], this.props());
      if (focused) this.replayable(focused)?.focus();
    } catch (error) {
      console.error(`The island "${this.getAttribute("name")}" did not start.`, error);
    } finally {
      this.removeEventListener("click", this.holdClick, true);
      this.removeEventListener("pointerdown", this.awaitRelease, true);
    }
  }

  /** What is replaced under a finger is neither clicked nor swiped: nothing is shown before the click, or the end of the swipe. */
  private readonly awaitRelease = ({ pointerType }: PointerEvent): void => {
    this.released = whenReleased(this, pointerType === "touch");
  };

  private props(): object {
    const script = this.querySelector(":scope > script[type='application/json']");
    return JSON.parse(script?.textContent || "{}") as object;
  }

  private readonly holdClick = (event: MouseEvent): void => {
    const key = replayKey(event.target as Element);
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!key || !plain) return;
    event.preventDefault();
    event.stopPropagation();
    const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
    void Promise.race([this.load(), patience]).then(() => {
      this.removeEventListener("click", this.holdClick, true);
      this.replayable(key)?.click();
    });
  };

  private replayable(key: string): HTMLElement | null {
    return this.querySelector<HTMLElement>(`[data-replay="${CSS.escape(key)}"]`);
  }
}

function replayKey(element: Element | null): string | undefined {
  return element?.closest<HTMLElement>("[data-replay]")?.dataset.replay;
}

declare const ISLAND_SCRIPTS: readonly string[]; // names beside this script (build.mjs)

let isFetched = false;

/** React and the islands are fetched, and run when an island starts. */
function fetchAhead(): void {
  if (isFetched) return;
  isFetched = true;
  for (const name of ISLAND_SCRIPTS) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = new URL(name, import.meta.url).href;
    document.head.append(link);
  }
}

customElements.define("shop-island", ShopIsland);
