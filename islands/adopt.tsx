import { createElement, useLayoutEffect, useRef, type AllHTMLAttributes } from "react";

interface Props extends Omit<AllHTMLAttributes<HTMLElement>, "as"> {
  as?: "div" | "li" | "span" | "ul" | "button";
  /** The server's nodes, moved here before the browser paints: never rebuilt, so pictures do not flicker. */
  nodes: readonly Node[];
}

/** Shows markup that the server has rendered already as a part of an island. */
export function Adopt({ as = "div", nodes, ...rest }: Props) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(...nodes), [nodes]);
  return createElement(as, { ...rest, ref: place });
}
