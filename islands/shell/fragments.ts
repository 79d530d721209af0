import { words } from "../api";
import { emit, toast } from "../events";

/** Answers to a form that are the form with its errors, to be shown in its place; every other refusal is a page. */
const SHOWN_IN_PLACE = [400, 409, 422, 429];

type Choice = HTMLInputElement; // a radio button or checkbox that is sent when it is chosen

interface Context {
  request?: { action: string; method: string; headers?: Record<string, string> };
  response?: { status: number };
  sourceElement?: HTMLElement;
  target?: HTMLElement;
  swap?: string;
  select?: string;
  push?: string;
  replace?: string;
}

/**
 * A fragment that was refused or did not arrive leaves what is there, address included, and says so, in the words of
 * `data-failure` where the element that asked for it has some: where it would stand, with a link that asks again, or as
 * a toast where it has no such place. A choice that was sent goes back to the one that the page shows.
 */
export function startFragments(): void {
  let shown = location.href;
  const failed = (ctx: Context, otherwise: string) => {
    if (ctx.request?.headers?.["HX-History-Restore-Request"]) history.replaceState(history.state, "", shown);
    const reason = ctx.sourceElement?.dataset["failure"] ?? otherwise;
    if (!offerRetry(ctx, reason)) toast("error", reason);
    for (const choice of choicesOf(ctx)) choice.checked = choice.defaultChecked;
    emit("fragment:failed", { target: ctx.target?.id ?? "" });
  };
  listen("before:request", () => notices().forEach((notice) => (notice.hidden = true)));
  listen("before:response", (ctx, event) => {
    const status = ctx.response!.status;
    if (status < 400 || (ctx.request?.method !== "GET" && SHOWN_IN_PLACE.includes(status))) return;
    event.preventDefault();
    failed(ctx, words(status === 429 ? "many" : "broken"));
  });
  listen("after:swap", (ctx) => {
    shown = location.href;
    // The summary of a form that was refused, as when a whole page brings it (header.ts).
    if ((ctx.response?.status ?? 0) >= 400) document.querySelector<HTMLElement>("[data-focus]")?.focus();
    else for (const choice of choicesOf(ctx)) choice.defaultChecked = choice.checked;
  });
  listen("error", (ctx) => failed(ctx, words("offline")));
}

function listen(name: string, heard: (ctx: Context, event: Event) => void): void {
  document.addEventListener(`htmx:${name}`, (event) => heard((event as CustomEvent<{ ctx?: Context } | null>).detail?.ctx ?? {}, event));
}

function notices(): NodeListOf<HTMLElement> {
  return document.querySelectorAll("[data-failed]");
}

/** The radio buttons or checkboxes whose change was what was sent. */
function choicesOf({ sourceElement: source }: Context): Choice[] {
  const form = source instanceof HTMLFormElement ? source : (source as Choice | undefined)?.form;
  const isSent = (field: Element) => field.matches("[type=radio], [type=checkbox]") && field.matches("[data-autosubmit], [hx-post]");
  return [...(form?.elements ?? [])].filter(isSent) as Choice[];
}

/** Above the place of the fragment, or at the foot of the drawer where it was asked for; false for what asks by itself. */
function offerRetry({ request, sourceElement, target, swap, select, push, replace }: Context, reason: string): boolean {
  notices().forEach((notice) => notice.remove());
  const isTimed = sourceElement?.getAttribute("hx-trigger")?.startsWith("every");
  if (request?.method !== "GET" || !target?.id || isTimed) return false;
  const notice = document.createElement("div");
  notice.className = "notice notice--error notice--failed";
  notice.setAttribute("role", "alert");
  notice.dataset["failed"] = "";
  const sync = sourceElement?.getAttribute("hx-sync");
  const asked = { get: request.action, target: `#${target.id}`, swap, select, sync, "push-url": push, "replace-url": replace };
  const retry = document.createElement("a");
  retry.className = "button button--line";
  retry.href = request.action;
  retry.textContent = words("again");
  for (const [name, value] of Object.entries(asked)) if (value) retry.setAttribute(`hx-${name}`, value);
  notice.append(`${reason} ${words("unchanged")}`, retry);
  const foot = sourceElement?.closest("dialog[open]")?.querySelector("form > :last-child");
  if (foot) foot.before(notice);
  else target.before(notice);
  (window as { htmx?: { process: (element: Element) => void } }).htmx?.process(notice);
  return true;
}
