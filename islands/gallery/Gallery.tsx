import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { Adopt } from "../adopt";
import { page } from "../api";
import { listen } from "../events";
import { Icon } from "../icons";
import type { Fallback } from "../react";
import { wayOf } from "../way";
import { enlargeByTouch, sharpen } from "./enlarge";
import { t } from "../texts";

interface Slide {
  large: Node[];
  small: Node[];
}

/**
 * Pictures of a product: swiped (a scroll-snap list), by thumbnails, arrows and keys; enlarged under the
 * pointer, by two fingers or a double tap.
 */
export default function Gallery({ fallback }: Fallback) {
  const [slides, setSlides] = useState(() => slidesIn(fallback));
  const [place] = useState(() => fallback.querySelector(".gallery__track")?.scrollLeft ?? 0); // swiped before this was here
  const [shown, setShown] = useState(0);
  const track = useRef<HTMLUListElement>(null);
  const aim = useRef<number | undefined>(undefined); // where the list is being scrolled to, until a hand stops it

  useLayoutEffect(() => {
    track.current!.scrollLeft = place;
    arrived(track.current!);
  }, []);
  useEffect(() => enlargeByTouch(track.current!), []);
  useEffect(
    () =>
      listen("variant:changed", ({ sku }) => {
        slidesOf(sku).then((found) => {
          if (!found.length || new URLSearchParams(location.search).get("variant") !== sku) return;
          setSlides(found);
          setShown(0);
          letGo();
          track.current?.scrollTo({ left: 0 });
        }, () => undefined); // the buy box says so, and asks again
      }),
    [],
  );

  function go(index: number) {
    const target = (index + slides.length) % slides.length;
    setShown(target);
    aim.current = target;
    const list = track.current;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    list?.scrollTo({ left: target * list.clientWidth * wayOf(list), behavior: still ? "auto" : "smooth" });
  }

  /** The end of an earlier movement says nothing of the one under way. */
  function arrived(list: HTMLElement) {
    if (!list.clientWidth) return;
    const index = Math.round(Math.abs(list.scrollLeft) / list.clientWidth);
    if (aim.current !== undefined && aim.current !== index) return;
    letGo();
    setShown(index);
  }

  function letGo() {
    aim.current = undefined;
  }

  function pressed(event: KeyboardEvent<HTMLElement>) {
    const way = wayOf(event.currentTarget);
    const target = { ArrowLeft: shown - way, ArrowRight: shown + way, Home: 0, End: slides.length - 1 }[event.key];
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(target);
  }

  const several = slides.length > 1;
  return (
    <div className="gallery" onKeyDown={pressed}>
      <div className="gallery__stage">
        <ul
          ref={track}
          className="gallery__track"
          tabIndex={0}
          aria-label={t("Pictures")}
          onScrollEnd={({ currentTarget }) => arrived(currentTarget)}
          onPointerDown={letGo}
          onWheel={letGo}
        >
          {slides.map((slide, index) => (
            <Adopt
              as="li"
              key={index}
              className="gallery__slide"
              nodes={slide.large}
              onPointerMove={zoom}
              onPointerLeave={stopZoom}
            />
          ))}
        </ul>
        {several && <Arrow to="previous" icon="chevron-left" go={() => go(shown - 1)} />}
        {several && <Arrow to="next" icon="chevron-right" go={() => go(shown + 1)} />}
        {several && (
          <p className="gallery__count" role="status">
            <span className="sr-only">{t("Picture {number} of {count}", { number: shown + 1, count: slides.length })}</span>
            <span aria-hidden="true">
              {shown + 1} / {slides.length}
            </span>
          </p>
        )}
      </div>
      {several && (
        <ul className="gallery__thumbs">
          {slides.map((slide, index) => (
            <li key={index}>
              <Adopt
                as="button"
                type="button"
                className="gallery__thumb"
                aria-label={t("Picture {number} of {count}", { number: index + 1, count: slides.length })}
                aria-current={index === shown}
                data-replay={`picture-${index + 1}`}
                nodes={slide.small}
                onClick={() => go(index)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Arrow({ to, icon, go }: { to: "previous" | "next"; icon: string; go: () => void }) {
  return (
    <button type="button" className={`gallery__arrow gallery__arrow--${to}`} aria-label={to === "next" ? t("Next picture") : t("Previous picture")} onClick={go}>
      <Icon name={icon} />
    </button>
  );
}

function slidesIn(gallery: ParentNode): Slide[] {
  const small = [...gallery.querySelectorAll(".gallery__thumb")];
  return [...gallery.querySelectorAll(".gallery__slide")].map((slide, index) => ({
    large: [...slide.childNodes],
    small: [...(small[index]?.childNodes ?? [])],
  }));
}

async function slidesOf(sku: string): Promise<Slide[]> {
  const address = new URL(location.href);
  address.searchParams.set("variant", sku);
  const other = await page(address.pathname + address.search);
  const gallery = other.querySelector("shop-island[name='gallery']");
  return gallery ? slidesIn(document.importNode(gallery, true)) : [];
}

/** Moves the enlarged picture under a mouse (not a finger, which pinches); CSS does the scaling. */
function zoom(event: PointerEvent<HTMLElement>) {
  if (event.pointerType !== "mouse") return;
  const slide = event.currentTarget;
  const box = slide.getBoundingClientRect();
  slide.style.setProperty("--zoom-x", `${((event.clientX - box.left) / box.width) * 100}%`);
  slide.style.setProperty("--zoom-y", `${((event.clientY - box.top) / box.height) * 100}%`);
  if (slide.classList.contains("is-zoomed")) return;
  slide.classList.add("is-zoomed");
  sharpen(slide, "1200px");
}

function stopZoom(event: PointerEvent<HTMLElement>) {
  event.currentTarget.classList.remove("is-zoomed");
}
