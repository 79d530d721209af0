import { createElement, useLayoutEffect, useRef, type AllHTMLAttributes } from "react";

interface Props extends Omit<AllHTMLAttributes<HTMLElement>, "as"> {
  as?: "div" | "li" | "span" | "ul" | "button";
  /** The server's nodes, moved here before the browser paints: never rebuilt, so pictures do not flicker. */
  nodes: readonly Node[];
}

/** Shows markup that the server has rendered already as a part of an island. */
export function Adopt({ as = "div", nodes, ...rest }: Props) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!holdsEqual(place.current!, nodes)) place.current!.replaceChildren(...nodes);
  }, [nodes]);
  return createElement(as, { ...rest, ref: place });
}

/** Whether these are shown already: what does not change keeps its focus, and live regions stay silent. */
function holdsEqual({ childNodes }: Node, nodes: readonly Node[]): boolean {
  return childNodes.length === nodes.length && nodes.every((node, index) => node.isEqualNode(childNodes[index]!));
}
