import { fetchPage } from "../api";

// Loaded when the cart in the header is pointed at; the page it previews is the link's own.
const SKELETON = `<div class="drawer__body skeleton-lines" aria-hidden="true">${"<p></p>".repeat(3)}</div>`;

/** Shows the cart in a drawer; what cannot be loaded is left to the page. */
export async function openPreview(link: HTMLAnchorElement): Promise<void> {
  const dialog = existing() ?? build();
  const part = dialog.querySelector<HTMLElement>("[data-preview]")!;
  part.innerHTML = SKELETON;
  part.setAttribute("aria-busy", "true");
  dialog.showModal();
  const fresh = await fetchPage(`${link.pathname}preview/`).catch(() => undefined);
  if (!fresh) return location.assign(link.href);
  part.removeAttribute("aria-busy");
  part.replaceChildren(...[...fresh.body.childNodes].map((node) => document.importNode(node, true)));
}

function existing(): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>("dialog.preview");
}

function build(): HTMLDialogElement {
  const dialog = document.createElement("dialog");
  const sprite = document.documentElement.dataset["icons"] ?? "";
  dialog.className = "drawer preview";
  dialog.setAttribute("aria-labelledby", "preview-title");
  dialog.innerHTML = `<div class="drawer__head"><h2 id="preview-title">Your cart</h2>
    <button class="icon-button" type="button" data-dialog-close aria-label="Close">
    <svg class="icon" width="24" height="24" aria-hidden="true"><use href="${encodeURI(sprite)}#close"/></svg></button></div>
    <div class="preview__part" data-preview></div>`;
  document.body.append(dialog);
  return dialog;
}
