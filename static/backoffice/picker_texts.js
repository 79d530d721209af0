// The pickers' words in the language of the back office: Unfold loads Select2 without its translations.
addEventListener("DOMContentLoaded", () => {
  const select2 = window.django?.jQuery?.fn.select2;
  if (!select2 || !window.gettext) return;
  const said = {
    errorLoading: "The results could not be loaded.",
    loadingMore: "Loading more results…",
    noResults: "No results found",
    removeAllItems: "Remove all items",
    searching: "Searching…",
  };
  select2.defaults.set("language", Object.fromEntries(Object.entries(said).map(([name, text]) => [name, () => gettext(text)])));
});
