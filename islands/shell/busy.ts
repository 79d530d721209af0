/** A button with `data-busy-label` says so while its form is on the way; coming back resets it. */
export function startBusyButtons(): void {
  document.addEventListener("submit", (event) => {
    const button = event.submitter as HTMLButtonElement | null;
    const label = button?.dataset.busyLabel;
    if (!button || !label || event.defaultPrevented) return;
    const usual = button.textContent;
    button.textContent = label;
    // After the form was read: a disabled button would not be sent with it.
    setTimeout(() => (button.disabled = true));
    addEventListener("pageshow", () => {
      button.textContent = usual;
      button.disabled = false;
    }, { once: true });
  });
}
