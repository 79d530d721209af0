const MOST = 4; // times the size that fits
const TAPPED = 2.5;
const DOUBLE_TAP = 300; // ms between two taps of one
const NEAR = 30; // px between them
const BEARS_IT = "1600px"; // a rendition that bears the enlargement

interface Point {
  x: number;
  y: number;
}

/**
 * Enlarges pictures by touch: two fingers pinch and move, one finger moves what is enlarged, a double
 * tap enlarges and restores. At its own size a picture leaves swiping to the browser.
 *
 * Listens for touches, not pointers: a pointer is cancelled as soon as the browser thinks of scrolling.
 */
export function enlargeByTouch(track: HTMLElement): () => void {
  let enlarged: Enlarged | undefined;
  let fingers: Point[] = [];
  let tapped = { at: 0, where: { x: 0, y: 0 } };
  let moved = false;

  function started(event: TouchEvent) {
    fingers = pointsOf(event.touches);
    moved = fingers.length > 1;
    const slide = (event.target as Element).closest<HTMLElement>(".gallery__slide");
    if (slide && enlarged?.slide !== slide) {
      enlarged?.restore();
      enlarged = new Enlarged(slide);
    }
  }

  function going(event: TouchEvent) {
    const now = pointsOf(event.touches);
    const [was, is] = [middle(fingers), middle(now)];
    if (Math.hypot(is.x - was.x, is.y - was.y) > 10) moved = true;
    if (!enlarged || now.length !== fingers.length || (now.length < 2 && !enlarged.isLarger)) return;
    event.preventDefault(); // ours, not a swipe to the next picture
    moved = true;
    enlarged.change(now.length < 2 ? 1 : span(now) / span(fingers), was, is);
    fingers = now;
  }

  function ended(event: TouchEvent) {
    fingers = pointsOf(event.touches);
    if (fingers.length || !enlarged) return;
    if (enlarged.scale < 1.1) enlarged.restore();
    const where = pointsOf(event.changedTouches)[0]!;
    const isSecond = event.timeStamp - tapped.at < DOUBLE_TAP && Math.hypot(where.x - tapped.where.x, where.y - tapped.where.y) < NEAR;
    if (moved) return;
    tapped = { at: isSecond ? 0 : event.timeStamp, where };
    if (!isSecond) return;
    event.preventDefault(); // no zoom of the whole page
    if (enlarged.isLarger) enlarged.restore();
    else enlarged.change(TAPPED, where, where);
  }

  const listeners = { touchstart: started, touchmove: going, touchend: ended, touchcancel: ended } as const;
  for (const [name, listener] of Object.entries(listeners)) {
    track.addEventListener(name, listener as EventListener, { passive: name === "touchstart" });
  }
  return () => {
    for (const [name, listener] of Object.entries(listeners)) track.removeEventListener(name, listener as EventListener);
  };
}

/** A slide whose picture is `scale` times as large, its corner moved by `at`; CSS does the drawing. */
class Enlarged {
  scale = 1;
  private at: Point = { x: 0, y: 0 };

  constructor(readonly slide: HTMLElement) {}

  get isLarger(): boolean {
    return this.scale > 1;
  }

  /** Grows by `factor` so that what was under the fingers at `was` is under them at `is`. */
  change(factor: number, was: Point, is: Point): void {
    const box = this.slide.getBoundingClientRect();
    const before = this.scale;
    this.scale = Math.min(MOST, Math.max(1, before * factor));
    const ratio = this.scale / before;
    const place = (to: number, from: number, corner: number, start: number, size: number) =>
      Math.min(0, Math.max(size * (1 - this.scale), to - start - ratio * (from - start - corner)));
    this.at = {
      x: place(is.x, was.x, this.at.x, box.left, box.width),
      y: place(is.y, was.y, this.at.y, box.top, box.height),
    };
    this.draw();
    if (this.isLarger) sharpen(this.slide, BEARS_IT);
  }

  restore(): void {
    this.scale = 1;
    this.at = { x: 0, y: 0 };
    this.draw();
  }

  private draw(): void {
    this.slide.classList.toggle("is-enlarged", this.isLarger);
    this.slide.style.setProperty("--enlarged", `translate(${this.at.x}px, ${this.at.y}px) scale(${this.scale})`);
  }
}

/** Lets the browser choose a rendition as wide as this. */
export function sharpen(slide: Element, width: string): void {
  for (const source of slide.querySelectorAll<HTMLImageElement | HTMLSourceElement>("img, source")) source.sizes = width;
}

function pointsOf(touches: TouchList): Point[] {
  return [...touches].slice(0, 2).map(({ clientX, clientY }) => ({ x: clientX, y: clientY }));
}

function middle(points: Point[]): Point {
  const [first = { x: 0, y: 0 }, second = first] = points;
  return { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 };
}

function span([first, second]: Point[]): number {
  return Math.max(1, Math.hypot(first!.x - second!.x, first!.y - second!.y));
}
