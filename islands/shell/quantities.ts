/** Fields that send their form when changed: `data-autosubmit`. Its button, `data-without-scripts`, is not needed then. */
export function startQuantities(): void {
  document.documentElement.classList.add("has-scripts");
  document.addEventListener("change", (event) => {
    const field = (event.target as Element).closest<HTMLSelectElement | HTMLInputElement>("[data-autosubmit]");
    field?.form?.requestSubmit();
  });
}
