import { createElement, type ComponentType } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

/**
 * What every island is given besides its own props: the element whose server-rendered markup it replaces.
 * That markup stands until React's first commit, so a component may look nodes up in its first render
 * and move them into its own output (adopt.tsx).
 */
export interface Fallback {
  fallback: Element;
}

/** Shows the island in place of the server's markup, at once; returns how to take it away again. */
export function mount<Props extends object>(
  element: Element,
  Component: ComponentType<Props & Fallback>,
  props: Props,
): () => void {
  const root = createRoot(element);
  flushSync(() => root.render(createElement(Component, { ...props, fallback: element })));
  return () => root.unmount();
}
