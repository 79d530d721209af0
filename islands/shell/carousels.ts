import { kindOf, prefersStillness } from "./carousel-kinds";
import { atEnd, atStart, canMove, drag, furthest, glide, step, stop } from "./carousel-track";
import { wayOf } from "../way";
import { whenIdle } from "../when";

/**
 * Arrows, keys, dragging and autoplay for scroll-snap lists, which can be swiped, scrolled and tabbed
 * through without them.
 *   data-carousel="kind" > data-carousel-track, hidden buttons data-carousel-move="-1" and "1", and
 *   data-carousel-pause where it moves by itself
 */
export function startCarousels(): void {
  enhanceCarousels(document);
  document.addEventListener("htmx:after:swap", () => enhanceCarousels(document));
}

/** Those that came into the page since. All are measured before any button changes: the page is laid out once. */
export function enhanceCarousels(place: ParentNode): void {
  const found = place.querySelectorAll<HTMLElement>("[data-carousel]:not([data-carousel-ready])");
  if (!found.length) return;
  const sizes = new ResizeObserver((entries) => entries.map(({ target }) => measures.get(target)!()).forEach((show) => show()));
  found.forEach((carousel) => enhance(carousel, sizes));
}

const measures = new WeakMap<Element, () => () => void>();

function enhance(carousel: HTMLElement, sizes: ResizeObserver): void {
  const track = carousel.querySelector<HTMLElement>("[data-carousel-track]");
  if (!track) return;
  carousel.dataset["carouselReady"] = "";
  const kind = kindOf(carousel);
  const loops = track.children.length >= kind.loopsFrom;
  const move = (way: number, byOne = kind.byOne) => step(track, way, { speed: kind.speed, byOne, loops });
  measures.set(track, wireArrows(carousel, track, loops, move));
  sizes.observe(track); // also runs once now
  wireKeys(track, kind.speed, (way) => move(way, true));
  drag(track, kind.speed);
  track.addEventListener("wheel", () => stop(track), { passive: true });
  if (prefersStillness()) return;
  whenIdle(() => void import("./carousel-autoplay").then(({ autoplay }) => autoplay(carousel, kind, () => isSeen(carousel) && move(1, true))));
}

/** What measures the track and gives what then shows which of its arrows lead on. */
function wireArrows(carousel: HTMLElement, track: HTMLElement, loops: boolean, move: (way: number) => void): () => () => void {
  const buttons = carousel.querySelectorAll<HTMLButtonElement>("[data-carousel-move]");
  const way = (button: HTMLButtonElement) => Number(button.dataset["carouselMove"]);
  buttons.forEach((button) => button.addEventListener("click", () => move(way(button))));
  const measure = () => {
    const hidden = !canMove(track);
    const isFirst = !loops && atStart(track);
    const isLast = !loops && atEnd(track);
    return () => buttons.forEach((button) => {
      button.hidden = hidden;
      button.disabled = way(button) < 0 ? isFirst : isLast;
    });
  };
  track.addEventListener("scroll", () => measure()(), { passive: true });
  return measure;
}

/** Arrow keys, Home and End, while the row itself has the focus. */
function wireKeys(track: HTMLElement, speed: number, move: (way: number) => void): void {
  const acts: Record<string, () => void> = {
    ArrowLeft: () => move(-wayOf(track)),
    ArrowRight: () => move(wayOf(track)),
    Home: () => glide(track, 0, speed),
    End: () => glide(track, furthest(track), speed),
  };
  track.addEventListener("keydown", (event) => {
    const act = event.target === track && !event.altKey && !event.ctrlKey && !event.metaKey && acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function isSeen(carousel: HTMLElement): boolean {
  const { top, bottom } = carousel.getBoundingClientRect();
  return !document.hidden && bottom >= 0 && top <= innerHeight;
}
