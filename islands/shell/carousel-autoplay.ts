import { RESUMES_AFTER, STOPS_AFTER, type Kind } from "./carousel-kinds";

type Reason = "away" | "hover" | "focus" | "swipe" | "button";

/** Takes a step every so often, as long as there is no reason not to. */
class Autoplay {
  private readonly reasons = new Set<Reason>();
  private readonly delays = new Map<Reason, ReturnType<typeof setTimeout>>();
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly step: () => void, private readonly every: number) {}

  hold(reason: Reason, after = 0): void {
    this.change(reason, after, () => {
      this.reasons.add(reason);
      clearInterval(this.timer);
      this.timer = undefined;
    });
  }

  release(reason: Reason, after = 0): void {
    this.change(reason, after, () => {
      this.reasons.delete(reason);
      if (!this.reasons.size) this.timer ??= setInterval(this.step, this.every);
    });
  }

  /** The latest word about a reason counts: an earlier one still waiting is dropped. */
  private change(reason: Reason, after: number, act: () => void): void {
    clearTimeout(this.delays.get(reason));
    if (after) this.delays.set(reason, setTimeout(act, after));
    else act();
  }
}

/** Takes steps by itself, held and released by what pointer, focus, finger and the pause button do in the carousel. */
export function autoplay(carousel: HTMLElement, kind: Kind, step: () => void): void {
  carousel.dataset["carouselPlays"] = ""; // shows the pictures that waited (banner.css)
  const play = new Autoplay(step, kind.every);
  const mouse = (type: string, act: () => void) =>
    carousel.addEventListener(type, (event) => (event as PointerEvent).pointerType === "mouse" && act());
  mouse("pointerenter", () => (kind.alone ? play.hold("hover") : play.release("away")));
  mouse("pointerleave", () => (kind.alone ? play.release("hover") : play.hold("away", STOPS_AFTER)));
  carousel.addEventListener("focusin", (event) => {
    if ((event.target as Element).matches(":focus-visible")) play.hold("focus");
  });
  carousel.addEventListener("focusout", () => play.release("focus"));
  carousel.addEventListener("pointerdown", () => play.hold("swipe"), { passive: true });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => play.release("swipe", RESUMES_AFTER));
  const isHovered = carousel.matches(":hover"); // since before this came
  if (!kind.alone) return isHovered ? play.release("away") : play.hold("away");
  offerPause(carousel, play);
  if (isHovered) play.hold("hover");
  play.release("away");
}

/** The button that stops what moves by itself; hidden where nothing does. */
function offerPause(carousel: HTMLElement, play: Autoplay): void {
  const button = carousel.querySelector<HTMLButtonElement>("[data-carousel-pause]");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const pauses = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(pauses));
    if (pauses) play.hold("button");
    else play.release("button");
  });
}
