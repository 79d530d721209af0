/** A button with `data-busy-label` says so while its form is on the way; coming back, or an answer to HTMX, resets it. */
export function startBusyButtons(): void {
  document.addEventListener("submit", (event) => {
    const button = event.submitter as HTMLButtonElement | null;
    const label = button?.dataset.busyLabel;
    const isSentByHtmx = (event.target as Element).hasAttribute("hx-post");
    if (!button || !label || (event.defaultPrevented && !isSentByHtmx)) return;
    const usual = [...button.childNodes]; // with their classes: a button may hold words of which one is shown
    button.replaceChildren(label);
    // After the form was read: a disabled button would not be sent with it.
    setTimeout(() => (button.disabled = true));
    const reset = () => {
      button.replaceChildren(...usual);
      button.disabled = false;
    };
    addEventListener(isSentByHtmx ? "htmx:finally:request" : "pageshow", reset, { once: true });
  });
}
