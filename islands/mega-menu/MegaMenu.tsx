import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import { Adopt } from "../adopt";
import type { Fallback } from "../react";
import { wayOf } from "../way";
import { t } from "../texts";
import { useBranches, type Branches } from "./branches";

const OPEN_AFTER = 120; // ms the mouse rests on a category before its panel opens
const CLOSE_AFTER = 250; // ms it may leave for a moment

interface Item {
  name: string;
  lang: string | undefined;
  href: string;
  isCurrent: boolean;
  hasMore: boolean;
}

/**
 * The category menu. Panels open by resting the mouse, by click or tap (a second one follows the link)
 * and by keys: arrows between categories and into the panel, Escape back.
 */
export default function MegaMenu({ fallback }: Fallback) {
  const [items] = useState(() => itemsIn(fallback));
  const branches = useBranches(fallback);
  const panels = useMemo(() => panelsOf(branches), [branches]);
  const [open, setOpen] = useState(() => pointedAt(fallback));
  const nav = useRef<HTMLElement>(null);
  const timer = useRef(0);
  const isAwaited = useRef(false); // a panel by somebody's arrow key, before it arrived

  function later(next: number | undefined, delay: number) {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setOpen(next), delay);
  }

  function now(next: number | undefined) {
    clearTimeout(timer.current);
    setOpen(next);
  }

  useEffect(() => {
    if (isAwaited.current) nav.current?.querySelector<HTMLElement>("[data-open] a")?.focus();
    isAwaited.current = false;
  }, [panels]);

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

  const panelOf = (item: Item | undefined) => (item?.hasMore ? panels.get(item.href) : undefined);

  function clicked(event: MouseEvent, index: number) {
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
    const mayOpen = branches === undefined ? items[index]?.hasMore : panelOf(items[index]);
    if (elsewhere || open === index || !mayOpen) return;
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
      isAwaited.current = !target;
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
              lang={item.lang}
              aria-current={item.isCurrent || undefined}
              aria-expanded={panelOf(item) ? open === index : undefined}
              data-replay={item.href}
              onClick={(event) => clicked(event, index)}
            >
              {item.name}
            </a>
            {panelOf(item) && <Adopt {...panelOf(item)!} data-open={open === index ? "" : undefined} />}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The category under the mouse that woke this island; a finger does not rest. */
function pointedAt(fallback: Element): number | undefined {
  if (!matchMedia("(hover: hover)").matches) return undefined;
  const found = [...fallback.querySelectorAll(".mega__item")].findIndex((item) => item.matches(":hover"));
  return found < 0 ? undefined : found;
}

function itemsIn(fallback: Element): Item[] {
  return [...fallback.querySelectorAll<HTMLAnchorElement>(".mega__link")].map((link) => ({
    name: link.textContent,
    lang: link.lang || undefined,
    href: link.getAttribute("href") ?? "",
    isCurrent: link.hasAttribute("aria-current"),
    hasMore: "more" in link.dataset,
  }));
}

function panelsOf(branches: Branches): Map<string, { className: string; nodes: Node[] }> {
  const panelOf = (section: HTMLElement) => ({ className: `mega__panel ${section.className}`, nodes: [...section.childNodes] });
  return new Map([...(branches ?? [])].map(([href, section]) => [href, panelOf(section)]));
}
