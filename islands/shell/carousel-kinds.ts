/** How each kind of carousel moves; how many items it shows stands in static/css/base/carousel.css. */
export interface Kind {
  every: number; // ms between two steps of autoplay
  speed: number; // ms that a step takes
  alone: boolean; // moves by itself until it is paused; otherwise only while hovered
  byOne: boolean; // an arrow moves one item, otherwise as many as are shown
  loopsFrom: number; // with this many items the end leads back to the start
}

const PRODUCTS: Kind = { every: 2500, speed: 600, alone: false, byOne: false, loopsFrom: 7 };
const KINDS: Record<string, Kind> = {
  cards: PRODUCTS,
  chips: { every: 2500, speed: 600, alone: false, byOne: true, loopsFrom: 2 },
  concerns: { every: 3000, speed: 600, alone: false, byOne: true, loopsFrom: 2 },
  brands: { every: 3000, speed: 600, alone: true, byOne: false, loopsFrom: 2 },
  wide: { every: 3000, speed: 500, alone: true, byOne: true, loopsFrom: 2 },
};

export const SWIPE = 15; // px that a pointer moves before it swipes
export const STOPS_AFTER = 300; // ms after the pointer left
export const RESUMES_AFTER = 1000; // ms after a swipe

export function kindOf(carousel: HTMLElement): Kind {
  return KINDS[carousel.dataset["carousel"] ?? ""] ?? PRODUCTS;
}

export function prefersStillness(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
