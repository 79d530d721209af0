import { fetchPage } from "../api";
import { emit } from "../events";
import { t } from "../texts";

const latest = new WeakMap<HTMLDialogElement, string>(); // the address that each drawer shows or waits for
const SKELETON = `<div class="drawer__body skeleton-lines" aria-hidden="true">${"<p></p>".repeat(3)}</div>`;

/**
 * Shows a fragment of the server in a drawer of this name; where it does not come, the page at `otherwise`. It is asked
 * for when `first` is over.
 */
export async function openDrawer(
  name: string,
  title: string,
  address: string,
  otherwise: string,
  first: Promise<unknown> = Promise.resolve(),
): Promise<void> {
  const dialog = existing(name) ?? build(name);
  const part = dialog.querySelector<HTMLElement>("[data-part]")!;
  dialog.querySelector("h2")!.textContent = title;
  part.innerHTML = SKELETON;
  part.setAttribute("aria-busy", "true");
  if (!dialog.open) dialog.showModal();
  latest.set(dialog, address);
  const fresh = await first.then(() => fetchPage(address)).catch(() => undefined);
  if (latest.get(dialog) !== address || !dialog.open) return; // of a question that is over
  if (!fresh) return location.assign(otherwise);
  part.removeAttribute("aria-busy");
  part.replaceChildren(...[...fresh.body.childNodes].map((node) => document.importNode(node, true)));
  emit("cards:shown", {});
}

function existing(name: string): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>(`dialog.${name}`);
}

function build(name: string): HTMLDialogElement {
  const dialog = document.createElement("dialog");
  dialog.className = `drawer ${name}`;
  dialog.setAttribute("aria-labelledby", `${name}-title`);
  const close = t("Close"); // apart: Babel finds no text in a template with quotes
  dialog.innerHTML = `<div class="drawer__head"><h2 id="${name}-title"></h2>
    <button class="icon-button" type="button" data-dialog-close aria-label="${close}">${closeIcon()}</button></div>
    <div class="drawer__part" data-part></div>`;
  document.body.append(dialog);
  return dialog;
}

export function closeIcon(): string {
  const sprite = encodeURI(document.documentElement.dataset["icons"] ?? "");
  return `<svg class="icon" width="24" height="24" aria-hidden="true"><use href="${sprite}#close"/></svg>`;
}
