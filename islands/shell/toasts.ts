import { listen, type Toast } from "../events";

const SHOWN = 2000; // ms
const SHOWN_WITH_LINK = 6000; // long enough to be reached

/** Toasts at the bottom right, read out by screen readers: the `shop:toast` event, also from HX-Trigger. */
export function startToasts(): void {
  listen("shop:toast", show);
}

function show({ kind, message, link }: Toast): void {
  const line = document.createElement("p");
  line.className = `toast toast--${kind}`;
  line.textContent = message;
  if (link) line.append(" ", Object.assign(document.createElement("a"), { href: link.href, textContent: link.words }));
  if (kind === "error") line.setAttribute("role", "alert"); // interrupts; the rest waits its turn
  document.querySelector("[data-toasts]")?.append(line);
  setTimeout(() => line.remove(), link ? SHOWN_WITH_LINK : SHOWN);
}
