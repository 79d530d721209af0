/**
 * Arrows for scroll-snap lists, which can be swiped, scrolled and tabbed through without them.
 *   data-carousel > data-carousel-track, and two hidden buttons data-carousel-move="-1" and "1"
 */
export function startCarousels(): void {
  document.querySelectorAll<HTMLElement>("[data-carousel]").forEach(enhance);
  document.addEventListener("htmx:after:swap", () => {
    document.querySelectorAll<HTMLElement>("[data-carousel]:not([data-carousel-ready])").forEach(enhance);
  });
}

function enhance(carousel: HTMLElement): void {
  const track = carousel.querySelector<HTMLElement>("[data-carousel-track]");
  const buttons = carousel.querySelectorAll<HTMLButtonElement>("[data-carousel-move]");
  if (!track) return;
  carousel.dataset["carouselReady"] = "";
  buttons.forEach((button) => {
    button.addEventListener("click", () => move(track, Number(button.dataset["carouselMove"])));
  });
  const update = () => {
    const most = track.scrollWidth - track.clientWidth;
    buttons.forEach((button) => {
      button.hidden = most < 4;
      button.disabled = button.dataset["carouselMove"] === "-1" ? track.scrollLeft < 4 : track.scrollLeft > most - 4;
    });
  };
  track.addEventListener("scroll", update, { passive: true });
  new ResizeObserver(update).observe(track); // also runs once now
}

function move(track: HTMLElement, pages: number): void {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  track.scrollBy({ left: pages * track.clientWidth * 0.9, behavior: still ? "auto" : "smooth" });
}
