import { tell, type Schemas } from "../api";
import { pageMarket } from "../market";
import { addRecentSearch } from "./recent";

const NAME = "last-search"; // in sessionStorage: of this tab
const CHANGED_WITHIN = 5 * 60_000; // ms
const MAX_LENGTH = 100; // letters

interface LastSearch {
  words: string;
  at: number;
  isFollowed: boolean;
}

/**
 * The results' page counts for the shop's report, without naming anybody: a search, that something was opened of what
 * it found, and that nothing was and other words were tried at once. Once by every visit: not again on reload, nor on
 * the way back.
 */
export function startResults(words: string): void {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const isNew = visit?.type === "navigate";
  document.addEventListener("click", ({ target }) => followed(words, target as Element));
  if (!isNew) return;
  if ("prerendering" in document && document.prerendering) document.addEventListener("prerenderingchange", () => count(words), { once: true });
  else count(words);
}

export function countSearch(words: string, what: Partial<Schemas["CountBody"]>): void {
  tell("/api/searches/", { query: words.slice(0, MAX_LENGTH), is_search: true, is_click: false, before: "", ...what, ...pageMarket() });
}

function count(words: string): void {
  const last = lastSearch();
  const isChanged = last && !last.isFollowed && last.words !== words && Date.now() - last.at < CHANGED_WITHIN;
  countSearch(words, { before: isChanged ? last.words.slice(0, MAX_LENGTH) : "" });
  remember({ words, at: Date.now(), isFollowed: false });
  addRecentSearch(words);
}

function followed(words: string, target: Element): void {
  const last = lastSearch();
  if (!target.closest(".card a, .card button") || !last || last.words !== words || last.isFollowed) return;
  countSearch(words, { is_search: false, is_click: true });
  remember({ ...last, isFollowed: true });
}

function lastSearch(): LastSearch | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? "null") as LastSearch | null;
    return typeof kept?.words === "string" ? kept : undefined;
  } catch {
    return undefined;
  }
}

function remember(last: LastSearch): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(last));
  } catch {
    // full or forbidden: changes of words are not counted
  }
}
