import { page, words } from "../api";
import { toast } from "../events";

/** Forms that ask and change nothing (`data-answered-in-place`, GET): the answer replaces the form itself. */
export function start(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches("[data-answered-in-place]") || form.method !== "get") return;
    event.preventDefault();
    void answer(form);
  });
}

let latest = ""; // of two quick questions the second is answered, whichever answer comes first

async function answer(form: HTMLFormElement): Promise<void> {
  const asked = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  const focused = document.activeElement?.id;
  const address = (latest = `${form.action}?${asked}`);
  const status = form.querySelector("[role=status]");
  try {
    const fresh = (await page(address)).getElementById(form.id);
    if (latest !== address) return;
    if (fresh) document.getElementById(form.id)?.replaceWith(document.importNode(fresh, true));
    if (focused) document.getElementById(focused)?.focus();
  } catch {
    if (latest !== address) return;
    toast("error", words("broken"));
    if (status) status.textContent = words("unloaded"); // in place of an earlier answer
  }
}
