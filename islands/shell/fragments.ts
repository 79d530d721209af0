import { toast } from "../events";

/** Answers that are a form with its errors, to be shown in its place; every other refusal is a page. */
const SHOWN_IN_PLACE = [400, 409, 422];

interface Answered extends Event {
  detail: { ctx: { response: { status: number } } };
}

/** A fragment that was refused or did not arrive leaves what is there, link included, and says so. */
export function startFragments(): void {
  document.addEventListener("htmx:before:response", (event) => {
    const { status } = (event as Answered).detail.ctx.response;
    if (status < 400 || SHOWN_IN_PLACE.includes(status)) return;
    event.preventDefault();
    toast("error", status === 429 ? "Too many tries. Please wait and try again." : "Server Error");
  });
  document.addEventListener("htmx:error", () => toast("error", "You seem to be offline. Please try again."));
}
