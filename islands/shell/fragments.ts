import { toast } from "../events";

/** Answers that are a form with its errors, to be shown in its place; every other refusal is a page. */
const SHOWN_IN_PLACE = [400, 409, 422, 429];

interface Answered extends Event {
  detail: { ctx: { response: { status: number }; sourceElement?: HTMLElement } };
}

/**
 * A fragment that was refused or did not arrive leaves what is there, link included, and says so: in the
 * words of `data-failure` where the element that asked for it has some.
 */
export function startFragments(): void {
  document.addEventListener("htmx:before:response", (event) => {
    const { response, sourceElement } = (event as Answered).detail.ctx;
    if (response.status < 400 || SHOWN_IN_PLACE.includes(response.status)) return;
    event.preventDefault();
    toast("error", sourceElement?.dataset.failure ?? "Server Error");
  });
  // The summary of a form that was refused, as when a whole page brings it (header.ts).
  document.addEventListener("htmx:after:swap", (event) => {
    if ((event as Answered).detail.ctx.response.status >= 400) document.querySelector<HTMLElement>("[data-focus]")?.focus();
  });
  document.addEventListener("htmx:error", () => toast("error", "You seem to be offline. Please try again."));
}
