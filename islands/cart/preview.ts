import { whenAdded } from "../add-to-cart";
import { fetchPage } from "../api";
import { emit } from "../events";
import { t } from "../texts";
import { closeIcon, openDrawer } from "./drawer";

// Loaded when the cart in the header is pointed at, or something was added; the page that it previews is the link's own.
const SHOWN = 8000; // ms, and as long as the pointer or the focus is on it

/** Shows the cart in a drawer; what cannot be loaded is left to the page. */
export function openPreview(link: HTMLAnchorElement): Promise<void> {
  document.querySelector(".added")?.remove(); // the drawer has its line too
  return openDrawer("preview", t("Your cart"), `${link.pathname}preview/`, link.href, whenAdded());
}

/** What was just added, the sum and the way on, under the header; it waits for nobody and takes no focus. */
export async function showAdded(link: HTMLAnchorElement, variant: number): Promise<void> {
  const fresh = await fetchPage(`${link.pathname}preview/?added=${variant}`).catch(() => undefined);
  const words = fresh?.querySelector(".added__body");
  if (!words || document.querySelector("dialog.preview[open]")) return; // the toast or the drawer has said it
  document.querySelector(".added")?.remove();
  const panel = document.createElement("section");
  panel.className = "added";
  panel.setAttribute("aria-label", t("Added to your cart"));
  const close = t("Close"); // apart: Babel finds no text in a template with quotes
  panel.innerHTML = `<button class="icon-button added__close" type="button" aria-label="${close}">${closeIcon()}</button>`;
  panel.prepend(document.importNode(words, true));
  panel.querySelector(".added__close")!.addEventListener("click", () => panel.remove());
  panel.addEventListener("keydown", ({ key }) => key === "Escape" && panel.remove());
  document.querySelector("header.top")?.after(panel);
  emit("cards:shown", {});
  const leave = () => {
    if (panel.matches(":hover, :focus-within")) setTimeout(leave, SHOWN / 4);
    else panel.remove();
  };
  setTimeout(leave, SHOWN);
}
