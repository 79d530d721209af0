/**
 * Editing a field takes its error away, at the field and in the summary above the form. Inside an island's tree React
 * does that: a node that others take out of it would make its next change fail.
 */
export function startFieldErrors(): void {
  document.addEventListener("input", ({ target }) => {
    const control = target as HTMLElement;
    const field = control.closest(".field--error");
    if (!field || field.closest("[data-react]")) return;
    field.classList.remove("field--error");
    field.querySelector(".field__error")?.remove();
    control.removeAttribute("aria-invalid");
    const told = control.getAttribute("aria-describedby")?.split(" ").filter((id) => document.getElementById(id));
    if (told?.length) control.setAttribute("aria-describedby", told.join(" "));
    else control.removeAttribute("aria-describedby");
    const line = field.closest("form")?.querySelector(`.notice--error a[href="#${CSS.escape(control.id)}"]`)?.closest("li");
    const list = line?.parentElement;
    line?.remove();
    if (list && !list.children.length) list.closest(".notice")?.remove();
  });
}
