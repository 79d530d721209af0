// Names and landmarks that the markup of Unfold, Django and Select2 lacks, for those who hear or tab through a screen.

// Rows that are added, and what htmx puts in, come later. Pickers set themselves up on the same events.
for (const kind of ["load", "formset:added", "htmx:afterSettle"]) {
  addEventListener(kind, (event) => setTimeout(() => complete(event.target.body ?? event.target)));
}

function complete(root) {
  const each = (selector, change) => root.querySelectorAll(selector).forEach(change);
  const give = (element, name, value) => element && !element.hasAttribute(name) && value && element.setAttribute(name, value);

  give(document.getElementById("main"), "role", "main");
  // What scrolls is no landmark, least of all several of one name.
  each(".simplebar-content-wrapper", (part) => ["role", "aria-label"].forEach((name) => part.removeAttribute(name)));
  each(".help-tooltip[aria-label]", (mark) => give(mark, "role", "img"));
  each("th:not([role])", (cell) => textOf(cell) || give(cell, "role", "cell"));
  each("td :is(input, select, textarea)", (field) => field.labels?.length || give(field, "aria-label", headingOf(field)));
  each(".select2-selection__clear", (cross) => give(cross, "aria-hidden", "true")); // for the mouse, in a list of others
  each(".tiptap[role=textbox]", (editor) => give(editor, "aria-label", labelBeside(editor)));
  each("select.select2-hidden-accessible", (select) => {
    const label = select.getAttribute("aria-label") || textOf(select.labels[0]) || labelBeside(select) || headingOf(select);
    const widget = select.nextElementSibling;
    for (const part of widget.querySelectorAll("[role=combobox], [role=textbox], .select2-search__field")) {
      give(part, "aria-label", label);
    }
  });
}

function textOf(element) {
  const shown = element?.cloneNode(true);
  shown?.querySelectorAll("[class*=material-symbols]").forEach((icon) => icon.remove()); // drawn by their names
  const text = shown?.textContent.replace(/\s+/g, " ").trim() ?? "";
  return text.endsWith("*") ? text.slice(0, -1).trim() : text; // the mark of a required field
}

function labelBeside(field) {
  return textOf(field.closest("[class*='field-']")?.querySelector("label"));
}

/** The heading of the column that a field of a table stands in. */
function headingOf(field) {
  const cell = field.closest("td");
  const headings = field.closest("table")?.querySelectorAll("thead tr:last-child > *");
  return textOf(headings?.[cell?.cellIndex]);
}
