import { createElement, type ComponentType } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { fetchPage } from "./api";
import { emit } from "./events";
import { keepTyped } from "./typed";

// React starts in one task and the islands are shown in the next: together they would hold up a tap on a slow phone.
await new Promise((resolve) => setTimeout(resolve));

/**
 * What every island is given besides its own props: the element whose server-rendered markup it replaces.
 * That markup stands until React's first commit, so a component may look nodes up in its first render
 * and move them into its own output (adopt.tsx).
 */
export interface Fallback {
  fallback: Element;
}

/** A list of choices that may be open in the element would close with it: not before the focus has left the field. */
export async function whenClosed(element: Element): Promise<void> {
  const field = element.querySelector("select:focus");
  if (field) await new Promise((resolve) => field.addEventListener("blur", resolve, { once: true }));
}

/**
 * Shows the island in place of the server's markup, at once; returns how to take it away again.
 *
 * The root is the error boundary of every island: whatever fails while it renders, is committed or runs an effect
 * brings the server's markup back. While React owns the element it has `data-react`: nobody else adds or removes nodes.
 */
export function mount<Props extends object>(
  element: HTMLElement,
  Component: ComponentType<Props & Fallback>,
  props: Props,
): () => void {
  const kept = [...element.childNodes].map((node) => node.cloneNode(true));
  let wasShown = false;
  let isCrashed = false;
  const root = createRoot(element, {
    onUncaughtError(error, { componentStack }) {
      if (isCrashed) return;
      isCrashed = true;
      console.error(`The island "${element.getAttribute("name")}" crashed; the plain page stays in use.`, error, componentStack);
      queueMicrotask(() => { // React is still committing
        restore(element, kept, unmount);
        if (wasShown) void renew(element); // what was done in it since the page was made is not in the markup of then
      });
    },
  });
  const unmount = () => {
    delete element.dataset["react"];
    root.unmount();
  };
  element.dataset["react"] = "";
  const giveBack = keepTyped(element);
  flushSync(() => root.render(createElement(Component, { ...props, fallback: element })));
  giveBack();
  wasShown = !isCrashed;
  return unmount;
}

function restore(element: HTMLElement, markup: Node[], unmount: () => void): void {
  try {
    unmount();
  } catch {
    // what is left of a tree that lost nodes goes with the next line
  }
  show(element, markup);
}

function show(element: HTMLElement, markup: Node[]): void {
  element.replaceChildren(...markup);
  emit("island:restored", {});
}

/** The island's markup as the server writes it now, unless the shopper is busy in what stands there. */
async function renew(element: HTMLElement): Promise<void> {
  const sameName = `shop-island[name="${element.getAttribute("name")}"]`;
  const index = [...document.querySelectorAll(sameName)].indexOf(element);
  const fresh = await fetchPage(location.pathname + location.search).catch(() => undefined);
  const found = fresh?.querySelectorAll(sameName)[index];
  if (found && !element.matches(":focus-within")) show(element, [...document.importNode(found, true).childNodes]);
}
