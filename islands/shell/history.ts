/**
 * Back or forward, pressed while this page loaded, changed its address before HTMX was there to follow: the page is
 * loaded again, as its address says. To be called once HTMX listens.
 */
export function followAddress(): void {
  const loaded = performance.getEntriesByType("navigation")[0]?.name ?? "";
  if (loaded.startsWith(location.origin) && withoutHash(loaded) !== withoutHash(location.href)) location.reload();
}

function withoutHash(address: string): string {
  return address.split("#", 1)[0]!;
}
