import { page } from "../api";
import { toast } from "../events";

/** Forms that ask and change nothing (`data-answered-in-place`, GET): the answer replaces the form itself. */
export function startAnswers(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches("[data-answered-in-place]") || form.method !== "get") return;
    event.preventDefault();
    void answer(form);
  });
}

async function answer(form: HTMLFormElement): Promise<void> {
  const asked = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  const focused = document.activeElement?.id;
  try {
    const fresh = (await page(`${form.action}?${asked}`)).getElementById(form.id);
    if (fresh) form.replaceWith(document.importNode(fresh, true));
    if (focused) document.getElementById(focused)?.focus();
  } catch {
    toast("error", "Server Error");
  }
}
