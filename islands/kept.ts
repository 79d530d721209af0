const KEPT = 3 * 24 * 3600_000; // ms
const STALE = 60_000;

interface Kept<Data> {
  queryKey: string;
  data: Data;
  timestamp: number;
}

/**
 * What this browser keeps between pages, where it is younger than three days; older than a minute it is
 * to be asked for again. For lists that are the same for everyone, never for prices, stock or persons.
 */
export function recall<Data>(queryKey: string): { data: Data; isStale: boolean } | undefined {
  const record = readRecord<Data>(inLanguage(queryKey));
  const age = record ? Date.now() - record.timestamp : Infinity;
  return record && age >= 0 && age < KEPT ? { data: record.data, isStale: age > STALE } : undefined;
}

export function keep<Data>(key: string, data: Data): void {
  const queryKey = inLanguage(key);
  try {
    localStorage.setItem(queryKey, JSON.stringify({ queryKey, data, timestamp: Date.now() } satisfies Kept<Data>));
  } catch {
    // full or forbidden: it is asked for on the next page again
  }
}

/** Names are kept in each language that was read. */
function inLanguage(key: string): string {
  const { lang } = document.documentElement;
  return lang && lang !== "en" ? `${lang}:${key}` : key;
}

function readRecord<Data>(queryKey: string): Kept<Data> | undefined {
  try {
    const record = JSON.parse(localStorage.getItem(queryKey) ?? "null") as Kept<Data> | null;
    return record?.queryKey === queryKey && typeof record.timestamp === "number" ? record : undefined;
  } catch {
    return undefined;
  }
}
