import { t } from "../texts";

/**
 * A button that may be pressed again after some seconds: `data-countdown="60"`, the seconds left when
 * the page was made. Meanwhile it is disabled and its `data-countdown-left` child tells the time.
 */
export function start(): void {
  countAll();
  document.addEventListener("htmx:after:swap", countAll);
}

function countAll(): void {
  document.querySelectorAll<HTMLButtonElement>("button[data-countdown]").forEach(countDown);
}

function countDown(button: HTMLButtonElement): void {
  const end = Date.now() + Number(button.dataset["countdown"]) * 1000; // by the clock: timers sleep in hidden tabs
  delete button.dataset["countdown"]; // counting
  const left = button.querySelector("[data-countdown-left]");
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    button.disabled = seconds > 0;
    const words = t("{seconds} s", { seconds }); // apart: Babel counts the braces of a template
    if (left) left.textContent = seconds > 0 ? ` (${words})` : "";
    if (seconds > 0) setTimeout(tick, 250);
  };
  tick();
}
