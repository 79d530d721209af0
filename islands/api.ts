// The only place that fetches, besides texts.ts. Paths and shapes come from the API's own schema (npm run types).
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

const PATIENCE = 20_000; // ms; who waits longer is told, and may ask again

type Json<T> = T extends { content: { "application/json": infer Content } } ? Content : never;
type Answer<Operation> = Operation extends { responses: { 200: infer Ok } } ? Json<Ok> : never;
type PathsWith<Method extends "get" | "post"> = {
  [Path in keyof paths]: paths[Path] extends { [Key in Method]: { responses: unknown } } ? Path : never;
}[keyof paths];
type Body<Operation> = Operation extends { requestBody: infer Request } ? Json<Request> : Record<string, never>;

/** A call that was refused or did not arrive. `message` may be shown to the shopper. */
export class CallError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
    readonly answer: Record<string, unknown> = {},
  ) {
    super(message);
  }

  /** Messages by the name of the field they belong to. */
  get fields(): Record<string, string[]> {
    return (this.answer["fields"] as Record<string, string[]> | undefined) ?? {};
  }
}

const WORDS = {
  offline: "You seem to be offline. Please try again.",
  many: "Too many requests. Please wait a moment.",
  broken: "Server Error",
  again: "Try again",
  unchanged: "This part of the page hasn't changed.",
  unloaded: "We couldn't load that. Please try again.",
};

/** What is said where nothing arrived, or nothing that explains itself: in the language of the page, which brings it
 * along, since nothing can be fetched then. */
export function words(kind: keyof typeof WORDS): string {
  return document.documentElement.dataset[kind] ?? WORDS[kind];
}

/** `params` fill the {names} of the path; the others become the query. */
export function get<Path extends PathsWith<"get">>(path: Path, params: Record<string, string> = {}): Promise<Answer<paths[Path]["get"]>> {
  return call(withParams(path, params), { method: "GET" }) as Promise<Answer<paths[Path]["get"]>>;
}

function withParams(path: string, params: Record<string, string>): string {
  const query = new URLSearchParams(params);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    query.delete(name);
    return encodeURIComponent(params[name] ?? "");
  });
  return query.size ? `${filled}?${query}` : filled;
}

/** Arrives even when the page is left before its answer. */
export function post<Path extends PathsWith<"post">>(
  path: Path,
  body: Body<paths[Path]["post"]>,
  signal?: AbortSignal,
): Promise<Answer<paths[Path]["post"]>> {
  const headers = { "Content-Type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(body), keepalive: true, ...(signal && { signal }) };
  return call(path, request) as Promise<Answer<paths[Path]["post"]>>;
}

/** Tells the server something that nobody waits for: it arrives even when the page is left at once. */
export function tell<Path extends PathsWith<"post">>(path: Path, body: Body<paths[Path]["post"]>): void {
  navigator.sendBeacon?.(path, new Blob([JSON.stringify(body)], { type: "application/json" }));
}

async function call(path: string, request: RequestInit): Promise<unknown> {
  const signal = AbortSignal.timeout(PATIENCE);
  const headers = { ...request.headers, "Accept-Language": document.documentElement.lang || "en" }; // not the browser's
  const response = await fetch(path, { signal, ...request, headers, credentials: "same-origin" }).catch(() => {
    throw new CallError(words("offline"), "offline", 0);
  });
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.ok) return answer;
  const reason = response.status < 500 && typeof answer["detail"] === "string" ? answer["detail"] : words("broken");
  throw new CallError(reason, String(answer["code"] ?? "error"), response.status, answer);
}

const pages = new Map<string, Promise<Document>>();

/** A page of this site as the server renders it in another state, parsed and not shown; asked for once. */
export function page(url: string): Promise<Document> {
  let found = pages.get(url);
  if (!found) {
    found = fetchPage(url);
    pages.set(url, found);
    found.catch(() => pages.delete(url));
  }
  return found;
}

/** The same as it is now. */
export async function fetchPage(url: string): Promise<Document> {
  const response = await fetch(url, { credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE) });
  if (!response.ok) throw new CallError(words("broken"), "error", response.status);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}
