import { prefersStillness, SWIPE } from "./carousel-kinds";
import { wayOf } from "../way";

const NEAR = 4; // px: scroll positions are fractions on some screens
const gliding = new WeakMap<HTMLElement, number>();

/** How far the row has moved from its start, in px. */
function scrolled(track: HTMLElement): number {
  return track.scrollLeft * wayOf(track);
}

export function furthest(track: HTMLElement): number {
  return track.scrollWidth - track.clientWidth;
}

export function atStart(track: HTMLElement): boolean {
  return scrolled(track) < NEAR;
}

export function atEnd(track: HTMLElement): boolean {
  return scrolled(track) > furthest(track) - NEAR;
}

export function canMove(track: HTMLElement): boolean {
  return furthest(track) >= NEAR;
}

/** From one item to the next, in px. */
function pitch(track: HTMLElement): number {
  const [first, second] = track.children as unknown as HTMLElement[];
  return first && second ? Math.abs(second.offsetLeft - first.offsetLeft) : track.clientWidth;
}

/** Moves by whole items, or by as many as are shown; at the ends it stays, or goes round. */
export function step(track: HTMLElement, way: number, { speed, byOne, loops }: { speed: number; byOne: boolean; loops: boolean }): void {
  if (way > 0 && atEnd(track)) return loops ? glide(track, 0, speed) : undefined;
  if (way < 0 && atStart(track)) return loops ? glide(track, furthest(track), speed) : undefined;
  const item = pitch(track);
  const items = byOne ? 1 : Math.max(1, Math.floor((track.clientWidth + NEAR) / item));
  glide(track, (Math.round(scrolled(track) / item) + way * items) * item, speed);
}

/** Scrolls there in `speed` ms; whatever the person does meanwhile goes first. */
export function glide(track: HTMLElement, wanted: number, speed: number): void {
  stop(track);
  const from = track.scrollLeft;
  const to = Math.max(0, Math.min(wanted, furthest(track))) * wayOf(track);
  if (prefersStillness()) {
    track.scrollLeft = to;
    return;
  }
  const start = performance.now();
  track.classList.add("is-gliding"); // snapping would pull it back
  const frame = () => {
    const part = Math.min(1, (performance.now() - start) / speed);
    track.scrollLeft = from + (to - from) * (1 - (1 - part) ** 3);
    if (part < 1) gliding.set(track, requestAnimationFrame(frame));
    else stop(track);
  };
  gliding.set(track, requestAnimationFrame(frame));
}

export function stop(track: HTMLElement): void {
  cancelAnimationFrame(gliding.get(track) ?? 0);
  track.classList.remove("is-gliding");
}

/** The mouse drags the track as a finger does; what it lets go of is not clicked. */
export function drag(track: HTMLElement, speed: number): void {
  let from: { x: number; left: number } | undefined;
  let swiped = false;
  track.addEventListener("pointerdown", (event) => {
    stop(track);
    swiped = false;
    from = event.pointerType === "mouse" && event.button === 0 ? { x: event.clientX, left: track.scrollLeft } : undefined;
  });
  addEventListener("pointermove", (event) => {
    if (!from) return;
    swiped ||= Math.abs(event.clientX - from.x) > SWIPE;
    if (!swiped) return;
    track.classList.add("is-gliding");
    track.scrollLeft = from.left - (event.clientX - from.x);
  });
  for (const end of ["pointerup", "pointercancel"])
    addEventListener(end, () => {
      if (from && swiped) settle(track, (track.scrollLeft - from.left) * wayOf(track), speed);
      from = undefined;
    });
  track.addEventListener("click", (event) => {
    if (swiped) {
      event.preventDefault();
      event.stopPropagation();
    }
    swiped = false;
  }, { capture: true });
  track.addEventListener("dragstart", (event) => event.preventDefault()); // a link or picture, by the browser
}

/** To the next whole item in the way of the swipe. */
function settle(track: HTMLElement, moved: number, speed: number): void {
  const at = scrolled(track) / pitch(track);
  glide(track, (moved > 0 ? Math.ceil(at) : Math.floor(at)) * pitch(track), speed);
}
