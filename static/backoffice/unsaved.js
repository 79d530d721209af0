// Asks before a form of the back office is left with changes that were not saved.

const mark = document.querySelector("[data-unsaved]");
const form = mark?.form ?? mark?.closest("form");
let before = mark?.dataset.unsaved === "yes" ? "" : null; // what was typed came back with an error: never saved
let isSaving = false;

if (form) {
  // Editors and pickers set their fields up after the page: what counts is how it stood when somebody began.
  for (const kind of ["focusin", "pointerdown"]) {
    document.addEventListener(kind, (event) => {
      if (before === null && (event.target.form === form || form.contains(event.target))) before = state();
    });
  }
  form.addEventListener("submit", () => (isSaving = true));
  addEventListener("pageshow", () => (isSaving = false));
  addEventListener("beforeunload", (event) => {
    if (!isSaving && before !== null && before !== state()) event.preventDefault();
  });
}

function state() {
  return JSON.stringify([...new FormData(form)].map(([name, value]) => [name, value instanceof File ? value.name : value]));
}
