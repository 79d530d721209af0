import { render, type RenderResult } from "@testing-library/react";
import type { ReactElement } from "react";
import { vi } from "vitest";

/** An element holding server-rendered markup, as an island finds it. */
export function markup(html: string): HTMLElement {
  const element = document.createElement("div");
  element.innerHTML = html;
  document.body.replaceChildren(element);
  return element;
}

/** Shows an island over server-rendered markup, as react.ts does. */
export function renderOver(html: string, island: (fallback: Element) => ReactElement): RenderResult {
  const container = markup(html);
  return render(island(container), { container });
}

/** Answers each call in turn, the last one for ever; returns what was asked: [path, body]. */
export function answerCalls(...answers: { status?: number; body: unknown }[]): [string, unknown][] {
  const asked: [string, unknown][] = [];
  vi.stubGlobal("fetch", (path: string, request: RequestInit = {}) => {
    asked.push([path, request.body ? JSON.parse(request.body as string) : undefined]);
    const { status = 200, body } = (answers.length > 1 ? answers.shift() : answers[0])!;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return Promise.resolve(new Response(text, { status }));
  });
  return asked;
}

/** Every toast shown from now on, as "kind: message". */
export function toasts(): string[] {
  const shown: string[] = [];
  document.addEventListener("shop:toast", (event) => {
    const { kind, message } = (event as CustomEvent<{ kind: string; message: string }>).detail;
    shown.push(`${kind}: ${message}`);
  });
  return shown;
}

/** An IntersectionObserver to which everything is on the screen. */
export class SeenAtOnce {
  constructor(private readonly seen: (entries: unknown[]) => void) {}
  observe(): void {
    this.seen([{ isIntersecting: true }]);
  }
  disconnect(): void {}
}
