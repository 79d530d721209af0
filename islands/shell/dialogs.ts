/**
 * Buttons that open and close native dialogs (drawers).
 *   data-dialog-open="id"   opens it as a modal     data-dialog-close   closes the one it stands in
 * Focus and Escape are the browser's; the page behind stands still by CSS.
 */
export function startDialogs(): void {
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    const opener = target.closest<HTMLElement>("[data-dialog-open]");
    if (opener) {
      const dialog = document.getElementById(opener.dataset["dialogOpen"] ?? "");
      if (!(dialog instanceof HTMLDialogElement)) return;
      event.preventDefault(); // without scripts the opener is a link
      // After the next picture, in which the button springs back: for a modal the browser computes the styles of the
      // whole page anew, which takes a slow phone a tenth of a second.
      requestAnimationFrame(() => setTimeout(() => dialog.open || dialog.showModal()));
    } else if (target.closest("[data-dialog-close]")) {
      event.preventDefault();
      target.closest("dialog")?.close();
    } else if (target instanceof HTMLDialogElement && target.open) {
      target.close(); // the backdrop
    }
  });
}
