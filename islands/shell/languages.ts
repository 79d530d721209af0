import { submitChoice } from "../pickers/submit";

/** A link to another language changes it at once and keeps the page; without scripts it leads to the list of languages. */
export function startLanguages(): void {
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.<HTMLAnchorElement>("a[data-language]");
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain) return;
    event.preventDefault();
    submitChoice(new URL(link.href), "language", link.dataset["language"]!);
  });
}
