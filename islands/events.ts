/** The named events by which shell, islands and HTMX answers (HX-Trigger) talk to each other. All on `document`. */
export interface ShopEvents {
  /** The cart holds this many pieces now, of each variant these; `elsewhere`: as another tab has said. */
  "cart:changed": { count: number; lines?: Record<string, number>; elsewhere?: boolean };
  /** This variant was put into the cart on this page. */
  "cart:added": { variant: number };
  /** What the page knows of the cart's lines is not so any more. */
  "cart:stale": object;
  /** The page knows the cart's lines (cart/lines.ts), perhaps others than before. */
  "cart:lines": object;
  /** Cards came into the page after it had loaded. */
  "cards:shown": object;
  /** Country or currency changed; the page is about to be loaded anew. */
  "market:changed": { country?: string; currency?: string };
  /** The listing on this page shows another state. */
  "listing:changed": object;
  /** Another variant of the product on this page was chosen. */
  "variant:changed": { id: number; sku: string };
  /** A fragment was refused or did not arrive: what stood in the element of this id stands there still. */
  "fragment:failed": { target: string };
  /** An island crashed; the markup of the server stands in its place again. */
  "island:restored": object;
  "shop:toast": Toast;
}

export interface Toast {
  kind: "success" | "error" | "info" | "warn";
  message: string;
  link?: { href: string; words: string };
}

export function emit<Name extends keyof ShopEvents>(name: Name, detail: ShopEvents[Name]): void {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

/** Listens until the returned function is called. */
export function listen<Name extends keyof ShopEvents>(name: Name, heard: (detail: ShopEvents[Name]) => void): () => void {
  const listener = (event: Event) => heard((event as CustomEvent<ShopEvents[Name]>).detail);
  document.addEventListener(name, listener);
  return () => document.removeEventListener(name, listener);
}

export function toast(kind: Toast["kind"], message: string, link?: Toast["link"]): void {
  emit("shop:toast", { kind, message, ...(link && { link }) });
}
