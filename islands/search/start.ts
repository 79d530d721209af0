// Part of main.js: the search fields work as plain forms; the suggestions come when one is wanted.

/** Where /search/{words} is, beside the form's own address, which holds the market prefix. */
export function resultsUrl(form: HTMLFormElement, words: string): string {
  return `${form.action}${encodeURIComponent(tidy(words))}/`;
}

/** What is searched for: as the server cuts it, single spaces and no slash. */
export function tidy(words: string): string {
  return words.replaceAll("/", " ").split(/\s+/).filter(Boolean).join(" ");
}

/** `<form data-search>`: goes straight to the results, shows what was searched for, loads suggestions on focus. */
export function startSearch(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (form.matches("form[data-search]")) submitted(event, form);
  });
  document.addEventListener("focusin", ({ target }) => {
    const form = (target as Element).closest<HTMLFormElement>("form[data-search]:not([data-driven])");
    if (!form || !(target instanceof HTMLInputElement)) return;
    form.dataset["driven"] = "";
    const before = target.value;
    void import("./suggestions").then(
      ({ suggest }) => suggest(form, before),
      () => delete form.dataset["driven"], // offline: the next focus tries again
    );
  });
  const words = wordsOfPage();
  if (!words) return;
  // The header is the same on every page; on the results' page its field holds their words.
  for (const input of document.querySelectorAll<HTMLInputElement>("form[data-search] input")) input.value ||= words;
  void import("./results").then(({ startResults }) => startResults(words));
}

function submitted(event: Event, form: HTMLFormElement): void {
  const input = form.querySelector("input")!;
  const words = tidy(input.value);
  event.preventDefault();
  if (words.length >= input.minLength) location.assign(resultsUrl(form, words));
  else input.focus();
}

/** What the results' page was asked for; nothing on other pages. */
function wordsOfPage(): string | undefined {
  const words = /^(?:\/[a-z]{2,3}-[a-z]{2})?\/search\/([^/]+)\/?$/i.exec(location.pathname)?.[1];
  return words && decodeURIComponent(words);
}
