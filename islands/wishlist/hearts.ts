import { CallError, post, words } from "../api";
import { toast } from "../events";
import { t } from "../texts";

// Loaded when a heart is pressed, or when /api/me/ told of products that are on the wishlist.

const root = document.documentElement;
const wished = () => new Set((root.dataset["wished"] ?? "").split(",").filter(Boolean));

/** Hearts of what is on the wishlist are filled, and pressing one takes it off. */
export function showHearts(): void {
  const known = wished();
  for (const form of document.querySelectorAll<HTMLFormElement>("form.heart")) {
    const button = form.querySelector("button")!;
    const isOn = known.has(productOf(form));
    button.value = isOn ? "0" : "1";
    button.setAttribute("aria-pressed", String(isOn));
  }
}

/** Answers `form.heart` in place of its page. */
export async function answer(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector("button")!;
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  const wanted = button.value !== "0";
  try {
    const { products } = await post("/api/wishlist/", { product: Number(productOf(form)), wanted });
    root.dataset["wished"] = String(products);
    showHearts();
    const own = document.querySelector<HTMLAnchorElement>("a[href$='/wishlist/']");
    if (wanted) toast("success", t("Saved to your wishlist."), own ? { href: own.href, words: t("See wishlist") } : undefined);
    else toast("success", t("Removed from your wishlist."));
  } catch (error) {
    toast("error", error instanceof CallError ? error.message : words("offline"));
  }
  button.ariaBusy = null;
}

function productOf(form: HTMLFormElement): string {
  return form.querySelector<HTMLInputElement>("[name=product]")!.value;
}
