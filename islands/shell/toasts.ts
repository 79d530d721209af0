import { listen, type Toast } from "../events";

const SHOWN = 2000; // ms

/** Toasts at the bottom right, read out by screen readers: the `shop:toast` event, also from HX-Trigger. */
export function startToasts(): void {
  listen("shop:toast", show);
  for (const rendered of document.querySelectorAll("[data-toasts] > *")) dismissLater(rendered);
}

function show({ kind, message }: Toast): void {
  const line = document.createElement("p");
  line.className = `toast toast--${kind}`;
  line.textContent = message;
  region(kind).append(line);
  dismissLater(line);
}

/** The page's own live region; errors interrupt, the rest waits its turn. */
function region(kind: Toast["kind"]): Element {
  const urgent = kind === "error";
  const found = document.querySelector(urgent ? "[data-toasts='urgent']" : "[data-toasts]:not([data-toasts='urgent'])");
  return found ?? makeRegion(urgent);
}

function makeRegion(urgent: boolean): Element {
  const made = document.createElement("div");
  made.className = "toasts";
  made.dataset["toasts"] = urgent ? "urgent" : "";
  made.setAttribute("role", urgent ? "alert" : "status");
  document.body.append(made);
  return made;
}

function dismissLater(line: Element): void {
  setTimeout(() => line.remove(), SHOWN);
}
