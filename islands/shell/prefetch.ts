// A page that is about to be opened is fetched while the finger is still coming down or the pointer rests on its link.
const LIKELY = /^(\/[a-z]{2,3}-[a-z]{2})?\/(product|products|brand|brands|health-concerns)\//;
const REST = 65; // ms a pointer rests on a link before it means it

export function startPrefetch(): void {
  if (!document.createElement("link").relList.supports("prefetch")) return;
  const connection = (navigator as Navigator & { connection?: { saveData?: boolean } }).connection;
  if (connection?.saveData) return;
  let resting: number | undefined;
  document.addEventListener("pointerover", ({ target, pointerType }) => {
    clearTimeout(resting);
    const address = likelyAddress(target);
    if (address && pointerType === "mouse") resting = window.setTimeout(() => prefetch(address), REST);
  });
  document.addEventListener("pointerdown", ({ target }) => {
    const address = likelyAddress(target);
    if (address) prefetch(address);
  });
}

/** The address of a link to a product or listing of this shop: never one that does something. */
function likelyAddress(target: EventTarget | null): string | undefined {
  const link = (target as Element | null)?.closest?.<HTMLAnchorElement>("a[href]");
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return undefined;
  const isHere = link.pathname === location.pathname && link.search === location.search;
  return LIKELY.test(link.pathname) && !isHere ? link.href.replace(/#.*/, "") : undefined;
}

function prefetch(address: string): void {
  const links = [...document.head.querySelectorAll<HTMLLinkElement>("link[rel=prefetch]")];
  if (links.some((link) => link.href === address)) return;
  const link = document.createElement("link");
  link.rel = "prefetch";
  link.href = address;
  document.head.append(link);
}
