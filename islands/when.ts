type Start = () => void;
type Stop = () => void;

/** Calls `start` once, when the element is wanted; the returned function gives up waiting. */
export function whenWanted(element: Element, when: string, start: Start): Stop {
  if (when === "visible") return whenVisible(element, start);
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

/** Near the screen, and idle: never before the largest picture. */
function whenVisible(element: Element, start: Start): Stop {
  let stopIdle: Stop = () => undefined;
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      stopIdle = whenIdle(start);
    },
    { rootMargin: "200px" },
  );
  observer.observe(element.querySelector(":scope > :not(script)") ?? element); // the island itself has no box
  return () => {
    observer.disconnect();
    stopIdle();
  };
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
