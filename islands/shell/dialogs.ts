/**
 * Buttons that open and close native dialogs (menu sheet, drawers).
 *   data-dialog-open="id"   opens it as a modal     data-dialog-close   closes the one it stands in
 * The page behind does not scroll: `html.is-locked`. Focus returns by itself, Escape is the browser's.
 */
export function startDialogs(): void {
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    const opener = target.closest<HTMLElement>("[data-dialog-open]");
    if (opener) {
      const dialog = document.getElementById(opener.dataset["dialogOpen"] ?? "");
      if (!(dialog instanceof HTMLDialogElement)) return;
      event.preventDefault(); // without scripts the opener is a link
      open(dialog);
    } else if (target.closest("[data-dialog-close]")) {
      event.preventDefault();
      target.closest("dialog")?.close();
    } else if (target instanceof HTMLDialogElement && target.open) {
      target.close(); // the backdrop
    }
  });
}

function open(dialog: HTMLDialogElement): void {
  if (dialog.open) return;
  dialog.showModal();
  document.documentElement.classList.add("is-locked");
  dialog.addEventListener("close", () => document.documentElement.classList.remove("is-locked"), { once: true });
}
