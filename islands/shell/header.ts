const LAYERS = "[data-menu-sheet][open], [data-account][open]";

/**
 * Comfort for the header's <details> and the phone's search row, which all work by themselves: a click
 * outside and Escape close what is open, the search row opens with the field in focus.
 */
export function startHeader(): void {
  document.addEventListener("click", (event) => {
    for (const layer of openLayers()) if (!event.composedPath().includes(layer)) layer.open = false;
    if ((event.target as Element).closest("[data-search-toggle]")) openSearch(event);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    for (const layer of openLayers()) {
      layer.open = false;
      layer.querySelector<HTMLElement>("summary")?.focus();
    }
  });
  document.querySelector<HTMLElement>("[data-focus]")?.focus(); // the summary of a form that was refused
}

function openLayers(): NodeListOf<HTMLDetailsElement> {
  return document.querySelectorAll<HTMLDetailsElement>(LAYERS);
}

function openSearch(event: Event): void {
  const row = document.getElementById("search-box");
  const field = row?.querySelector("input");
  if (!row || !field) return;
  event.preventDefault();
  row.toggleAttribute("data-open");
  if (row.hasAttribute("data-open")) field.focus();
}
