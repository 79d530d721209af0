// What a page has and jsdom lacks.
import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";

class PointerEventOfMouse extends MouseEvent {
  readonly pointerType: string;
  constructor(kind: string, init: PointerEventInit = {}) {
    super(kind, init);
    this.pointerType = init.pointerType ?? "";
  }
}
Object.assign(document.defaultView!, { PointerEvent: PointerEventOfMouse });

beforeEach(() => {
  Object.assign(document.documentElement.dataset, { deliverTo: "1", currency: "INR", flags: "/static/flags/" });
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  Element.prototype.scrollTo = () => undefined;
  globalThis.CSS = { escape: (text: string) => text.replace(/["\\:]/g, "\\$&") } as typeof CSS;
});

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  history.replaceState(null, "", "/");
  localStorage.clear();
  delete document.documentElement.dataset["cartLines"];
});
