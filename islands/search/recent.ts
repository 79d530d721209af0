// Recent searches: kept in this browser alone until its customer signs out, never sent.
const NAME = "recent-searches";
const MOST = 5;

/** Newest first. */
export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(kept) ? kept.filter((words) => typeof words === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function addRecentSearch(words: string): void {
  const others = recentSearches().filter((other) => other.toLowerCase() !== words.toLowerCase());
  try {
    localStorage.setItem(NAME, JSON.stringify([words, ...others].slice(0, MOST)));
  } catch {
    // full or forbidden: there are none
  }
}

export function clearRecentSearches(): void {
  try {
    localStorage.removeItem(NAME);
  } catch {
    // forbidden: there are none
  }
}
