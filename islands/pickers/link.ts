/** The link that a picker takes over: its page's address, its label, and what is drawn in it. */
export function linkIn(fallback: Element): { url: URL; label: string; face: Node[] } {
  const link = fallback.querySelector("a")!;
  return { url: new URL(link.href), label: link.getAttribute("aria-label") ?? "", face: [...link.childNodes] };
}
