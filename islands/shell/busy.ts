/**
 * A button with `data-busy-label` says so while its form is on the way; coming back, or an answer to HTMX, resets it.
 * What HTMX asked for before does not bring it back meanwhile, ready to be pressed again.
 */
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
    const keep = (swap: Event) => (swap as CustomEvent<{ ctx: { target?: Element } }>).detail.ctx.target?.contains(button) && swap.preventDefault();
    if (!isSentByHtmx) document.addEventListener("htmx:before:swap", keep);
    const reset = () => {
      document.removeEventListener("htmx:before:swap", keep);
      button.replaceChildren(...usual);
      button.disabled = false;
    };
    addEventListener(isSentByHtmx ? "htmx:finally:request" : "pageshow", reset, { once: true });
  });
}
