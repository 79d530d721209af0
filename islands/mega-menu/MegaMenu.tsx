import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import { Adopt } from "../adopt";
import type { Fallback } from "../react";
import { wayOf } from "../way";
import { t } from "../texts";

const OPEN_AFTER = 120; // ms the mouse rests on a category before its panel opens
const CLOSE_AFTER = 250; // ms it may leave for a moment

interface Item {
  name: string;
  href: string;
  isCurrent: boolean;
  panel: { className: string; nodes: Node[] } | undefined;
}

/**
 * The category menu. Panels open by resting the mouse, by click or tap (a second one follows the link)
 * and by keys: arrows between categories and into the panel, Escape back.
 */
export default function MegaMenu({ fallback }: Fallback) {
  const [items] = useState(() => itemsIn(fallback));
  const [open, setOpen] = useState(() => pointedAt(fallback));
  const nav = useRef<HTMLElement>(null);
  const timer = useRef(0);

  function later(next: number | undefined, delay: number) {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setOpen(next), delay);
  }

  function now(next: number | undefined) {
    clearTimeout(timer.current);
    setOpen(next);
  }

  useEffect(() => {
    const outside = (event: Event) => {
      if (!nav.current?.contains(event.target as Node)) now(undefined);
    };
    const dismiss = (event: globalThis.KeyboardEvent) => {
      if (event.key === "Escape") now(undefined); // a panel under a resting mouse, the focus elsewhere
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("keydown", dismiss);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("keydown", dismiss);
      clearTimeout(timer.current);
    };
  }, []);

  function clicked(event: MouseEvent, index: number) {
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
    if (elsewhere || open === index || !items[index]?.panel) return;
    event.preventDefault();
    now(index);
  }

  function pressed(event: KeyboardEvent) {
    const tops = [...(nav.current?.querySelectorAll<HTMLElement>(".mega__link") ?? [])];
    const current = tops.findIndex((top) => top.parentElement?.contains(event.target as Node));
    if (current < 0) return;
    if (event.key === "Escape" && open !== undefined) {
      now(undefined);
      tops[current]?.focus();
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const next = (current + (event.key === "ArrowRight" ? 1 : -1) * wayOf(tops[current]!) + tops.length) % tops.length;
      tops[next]?.focus();
      if (open !== undefined) now(next);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const isShown = open === current;
      now(current);
      const links = [...(tops[current]?.parentElement?.querySelectorAll<HTMLElement>("a") ?? [])];
      const step = event.key === "ArrowDown" ? 1 : -1;
      const target = links[links.indexOf(document.activeElement as HTMLElement) + step];
      if (isShown) target?.focus();
      else requestAnimationFrame(() => target?.focus()); // once the panel can be seen
    } else return;
    event.preventDefault();
  }

  return (
    <nav
      ref={nav}
      className="mega"
      aria-label={t("Categories")}
      data-driven=""
      onKeyDown={pressed}
      onBlur={(event) => {
        if (event.relatedTarget && !nav.current?.contains(event.relatedTarget)) now(undefined);
      }}
    >
      <ul className="mega__list">
        {items.map((item, index) => (
          <li
            key={item.href}
            className="mega__item"
            onPointerEnter={(event) => event.pointerType === "mouse" && later(index, open === undefined ? OPEN_AFTER : 60)}
            onPointerLeave={(event) => event.pointerType === "mouse" && later(undefined, CLOSE_AFTER)}
          >
            <a
              className="mega__link"
              href={item.href}
              aria-current={item.isCurrent || undefined}
              aria-expanded={item.panel ? open === index : undefined}
              data-replay={item.href}
              onClick={(event) => clicked(event, index)}
            >
              {item.name}
            </a>
            {item.panel && (
              <Adopt className={item.panel.className} data-open={open === index ? "" : undefined} nodes={item.panel.nodes} />
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The category whose panel CSS shows already, under the mouse that woke this island; a finger does not rest. */
function pointedAt(fallback: Element): number | undefined {
  if (!matchMedia("(hover: hover)").matches) return undefined;
  const found = [...fallback.querySelectorAll(".mega__item")].findIndex((item) => item.matches(":hover"));
  return found < 0 ? undefined : found;
}

function itemsIn(fallback: Element): Item[] {
  return [...fallback.querySelectorAll(".mega__item")].map((item) => {
    const link = item.querySelector<HTMLAnchorElement>(".mega__link")!;
    const panel = item.querySelector(".mega__panel");
    return {
      name: link.textContent,
      href: link.getAttribute("href") ?? "",
      isCurrent: link.hasAttribute("aria-current"),
      panel: panel ? { className: panel.className, nodes: [...panel.childNodes] } : undefined,
    };
  });
}
