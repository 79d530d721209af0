import { listen } from "./events";

type Start = () => void;
type Stop = () => void;

/**
 * Calls `start` once, when the element is wanted; the returned function gives up waiting. `prepare` is called before,
 * when there is nothing else to do, where a tap may want the element at any moment.
 */
export function whenWanted(element: Element, when: string, start: Start, prepare: Start): Stop {
  if (when === "visible") return whenVisible(element, start, prepare);
  if (when === "interaction") return whenTouched(element, start);
  if (when === "load") return whenLoaded(start);
  return whenIdle(start);
}

/** After everything the page shows at first has arrived, pictures included. */
function whenLoaded(start: Start): Stop {
  if (document.readyState === "complete") {
    start();
    return () => undefined;
  }
  addEventListener("load", start, { once: true });
  return () => removeEventListener("load", start);
}

/** After that, when the browser has nothing else to do. */
export function whenIdle(start: Start): Stop {
  let stopped = false;
  const run = () => {
    if (!stopped) start();
  };
  const stop = whenLoaded(() => {
    if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: 3000 });
    else setTimeout(run, 200);
  });
  return () => {
    stopped = true;
    stop();
  };
}

/** Near the screen, and the page is used: who only looks is not held up, and never before the largest picture. */
function whenVisible(element: Element, start: Start, prepare: Start): Stop {
  let awaited = 2; // nearness and use
  const come = () => {
    awaited -= 1;
    if (!awaited) start();
  };
  const stops = [whenUsed(come), () => observer.disconnect()];
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      stops.push(whenIdle(prepare));
      come();
    },
    { rootMargin: "200px" },
  );
  observer.observe(element.querySelector(":scope > :not(script)") ?? element); // the island itself has no box
  return () => stops.forEach((stop) => stop());
}

const USES = ["pointermove", "pointerup", "keydown", "scroll"];

/** At the first use of the page, or when it knows of lines in the cart, which the element may show. */
function whenUsed(start: Start): Stop {
  const used = (event?: Event | MouseEvent) => {
    // Browsers send a movement of a mouse that rests where a page appears.
    if (event?.type === "pointermove" && !(event as MouseEvent).movementX && !(event as MouseEvent).movementY) return;
    stop();
    start();
  };
  const unheard = listen("cart:lines", () => document.documentElement.dataset["cartLines"] !== "{}" && used());
  const stop = () => {
    unheard();
    USES.forEach((use) => removeEventListener(use, used, true));
  };
  USES.forEach((use) => addEventListener(use, used, true));
  return stop;
}

/** At the first sign of intent: the pointer comes, a finger or the focus arrives. */
function whenTouched(element: Element, start: Start): Stop {
  const signs = ["pointerenter", "pointerdown", "focusin"];
  const stop = () => signs.forEach((sign) => element.removeEventListener(sign, started));
  const started = () => {
    stop();
    start();
  };
  signs.forEach((sign) => element.addEventListener(sign, started, { passive: true }));
  return stop;
}

const STILL = 100; // ms without a movement, after which a swiped list has come to rest

/** After the press under way and its click; a finger may swipe a list in the element: then once that stands still. */
export function whenReleased(element: Element, byTouch: boolean): Promise<void> {
  return new Promise((resolve) => {
    let moved = false;
    let timer: number | undefined;
    const finish = () => {
      element.removeEventListener("scroll", swiped, true);
      resolve();
    };
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = window.setTimeout(finish, ms);
    };
    const swiped = () => {
      moved = true;
      if (timer) wait(STILL);
    };
    element.addEventListener("scroll", swiped, true); // before a finger is lifted too
    // A pointer is cancelled as soon as a swipe begins; its touch ends when the finger is lifted.
    const ends = byTouch ? ["touchend", "touchcancel"] : ["pointerup", "pointercancel"];
    for (const end of ends) addEventListener(end, () => wait(moved ? STILL : 0), { once: true, capture: true });
  });
}

const AWAY = 3000; // ms

/** Each time that the person comes back to this page from another tab, window or page; not twice in a moment. */
export function whenBack(run: Start): Stop {
  let last = Date.now();
  const back = () => {
    if (document.visibilityState === "hidden" || Date.now() - last < AWAY) return;
    last = Date.now();
    run();
  };
  document.addEventListener("visibilitychange", back);
  addEventListener("focus", back);
  return () => {
    document.removeEventListener("visibilitychange", back);
    removeEventListener("focus", back);
  };
}
