const LAYERS = "[data-menu-sheet][open], [data-account][open]";

/**
 * Comfort for the header's <details>, which work by themselves: a click outside and Escape close what is open. The
 * header is the same on every page: which category the page is in is marked here.
 */
export function startHeader(): void {
  document.addEventListener("click", (event) => {
    for (const layer of openLayers()) if (!event.composedPath().includes(layer)) layer.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    for (const layer of openLayers()) {
      layer.open = false;
      layer.querySelector<HTMLElement>("summary")?.focus();
    }
  });
  document.querySelector<HTMLElement>("[data-focus]")?.focus(); // the summary of a form that was refused
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".mega__link")) {
    if (location.pathname.startsWith(link.pathname)) link.setAttribute("aria-current", "true");
  }
}

function openLayers(): NodeListOf<HTMLDetailsElement> {
  return document.querySelectorAll<HTMLDetailsElement>(LAYERS);
}
