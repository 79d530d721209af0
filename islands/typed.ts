type Field = HTMLInputElement | HTMLTextAreaElement;
const TYPED = "textarea, input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [type=submit])";

/**
 * What was typed into the server's markup before the script that replaces it had come, as on slow connections.
 * Returns what gives it to the fields of the same id or name that stand there afterwards, with the focus.
 */
export function keepTyped(element: Element): () => void {
  const fields = [...element.querySelectorAll<Field>(TYPED)];
  const typed = fields.filter((field) => field.value !== field.defaultValue).map((field) => ({ field, value: field.value }));
  const focused = fields.find((field) => field === document.activeElement);
  const end = focused?.selectionEnd ?? null;
  return () => {
    for (const { field, value } of typed) {
      const now = sameIn(element, field);
      if (now && now.value !== value) write(now, value);
    }
    const now = focused && sameIn(element, focused);
    if (!now || now === document.activeElement) return;
    now.focus();
    if (end !== null) now.setSelectionRange(end, end);
  };
}

function sameIn(element: Element, field: Field): Field | undefined {
  const fields = [...element.querySelectorAll<Field>(TYPED)];
  return fields.find((one) => (field.id ? one.id === field.id : one.name === field.name));
}

/** As a person would: React gets the event. */
function write(field: Field, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field) as object, "value")!.set!.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
