// Nothing typed into a form of the back office is lost unsaid: who leaves the page is asked, and where htmx puts a part of
// the page anew, what was typed into the other forms of that part stands there again.
{
  const begun = new Map(); // a form: how it stood when somebody began, as [name, value]
  const never = [["never", "saved"]];
  let sending = null;
  let typed = []; // [id of the field, value], while a part of the page is replaced

  const fieldsOf = (form) => [...new FormData(form)].map(([name, value]) => [name, value instanceof File ? value.name : value]);
  const differs = (form) => JSON.stringify(fieldsOf(form)) !== JSON.stringify(begun.get(form));
  const unsaved = () => [...begun.keys()].filter((form) => form.isConnected && form !== sending && differs(form));

  const begin = (form) => {
    // A list's form holds what is ticked for an action, and nothing typed.
    if (form?.method === "post" && form.id !== "changelist-form" && !begun.has(form)) begun.set(form, fieldsOf(form));
  };
  // Editors and pickers set their fields up after the page: what counts is how it stood when somebody began.
  for (const kind of ["focusin", "pointerdown"]) {
    document.addEventListener(kind, ({ target }) => begin(target.form ?? target.closest?.("form")));
  }
  addEventListener("DOMContentLoaded", () => { // what was typed came back with an error
    for (const mark of document.querySelectorAll("[data-unsaved=yes], form [aria-invalid=true]")) begun.set(mark.form ?? mark.closest("form"), never);
  });
  document.addEventListener("submit", ({ target }) => (sending = target));
  addEventListener("pageshow", () => (sending = null));
  addEventListener("beforeunload", (event) => {
    if (unsaved().length) event.preventDefault();
  });

  document.addEventListener("htmx:beforeSwap", ({ target }) => {
    const replaced = unsaved().filter((form) => target.contains(form));
    typed = replaced.flatMap((form) => [...form.elements].filter((field) => isTyped(field)).map(({ id, value }) => [id, value]));
  });
  document.addEventListener("htmx:afterSettle", () => {
    sending = null;
    for (const [id, value] of typed) {
      const field = document.getElementById(id);
      if (!field?.form || field.value === value) continue;
      begin(field.form);
      field.value = value;
      field.closest("details")?.setAttribute("open", "");
    }
    typed = [];
  });

  const isTyped = ({ id, form, name, type, value }) =>
    id && !["hidden", "file", "checkbox", "radio"].includes(type) && begun.get(form).every(([key, old]) => key !== name || old !== value);
}
