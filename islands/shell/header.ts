const LAYERS = "[data-menu-sheet][open], [data-account][open]";

/**
 * Comfort for the header's <details> and the phone's search row, which all work by themselves: a click
 * outside and Escape close what is open, the search row opens with the field in focus. The header is the
 * same on every page: which category the page is in is marked here.
 */
export function startHeader(): void {
  document.addEventListener("click", (event) => {
    for (const layer of openLayers()) if (!event.composedPath().includes(layer)) layer.open = false;
    const target = event.target as Element;
    if (target.closest("[data-search-toggle]")) showSearch(event, true);
    else if (target.closest("[data-search-close]")) showSearch(event, false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    for (const layer of openLayers()) {
      layer.open = false;
      layer.querySelector<HTMLElement>("summary")?.focus();
    }
    if (document.querySelector("#search-box[data-open]")) showSearch(event, false);
  });
  document.querySelector<HTMLElement>("[data-focus]")?.focus(); // the summary of a form that was refused
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".mega__link")) {
    if (location.pathname.startsWith(link.pathname)) link.setAttribute("aria-current", "true");
  }
}

function openLayers(): NodeListOf<HTMLDetailsElement> {
  return document.querySelectorAll<HTMLDetailsElement>(LAYERS);
}

function showSearch(event: Event, isShown: boolean): void {
  const row = document.getElementById("search-box");
  const next = isShown ? row?.querySelector("input") : document.querySelector<HTMLElement>("[data-search-toggle]");
  if (!row || !next) return;
  event.preventDefault();
  row.toggleAttribute("data-open", isShown);
  next.focus();
}
