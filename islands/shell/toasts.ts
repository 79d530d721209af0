import { listen, type Toast } from "../events";

const SHOWN = 2000; // ms

/** Toasts at the bottom right, read out by screen readers: the `shop:toast` event, also from HX-Trigger. */
export function startToasts(): void {
  listen("shop:toast", show);
}

function show({ kind, message }: Toast): void {
  const line = document.createElement("p");
  line.className = `toast toast--${kind}`;
  line.textContent = message;
  if (kind === "error") line.setAttribute("role", "alert"); // interrupts; the rest waits its turn
  document.querySelector("[data-toasts]")?.append(line);
  setTimeout(() => line.remove(), SHOWN);
}
