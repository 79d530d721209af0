type Field = HTMLSelectElement | HTMLInputElement;

/**
 * Fields that send their form when changed: `data-autosubmit`. Its button, `data-without-scripts`, is not needed then.
 * What was chosen before this script came, as on slow connections, is sent when it comes; their forms have
 * autocomplete="off", so that no browser puts an earlier choice there by itself.
 */
export function startAutosubmit(): void {
  document.documentElement.classList.add("has-scripts");
  const send = (field: Field | null) => field?.form?.requestSubmit();
  document.addEventListener("change", ({ target }) => send((target as Element).closest<Field>("[data-autosubmit]")));
  send([...document.querySelectorAll<Field>("[data-autosubmit], #filters [type=checkbox], #sort")].find(isChanged) ?? null);
}

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) return [...field.options].some((one) => one.defaultSelected && !one.selected);
  return field.checked !== field.defaultChecked;
}
