import { CallError, post, words } from "../api";
import { inTurn } from "../cart/in-turn";
import { listen, toast } from "../events";
import { t } from "../texts";

// Loaded when a heart is pressed, or when /api/me/ told of products that are on the wishlist.

listen("cart:lines", showHearts); // /api/me/ has answered again, perhaps that nothing is on the wishlist any more

const root = document.documentElement;
const wished = () => new Set((root.dataset["wished"] ?? "").split(",").filter(Boolean));

/** Hearts of what is on the wishlist are filled, and pressing one takes it off. */
export function showHearts(): void {
  const known = wished();
  for (const heart of document.querySelectorAll<HTMLButtonElement>("button.heart")) {
    heart.setAttribute("aria-pressed", String(known.has(heart.value)));
  }
}

/** Answers a press of `button.heart` in place of its form's page. */
export async function answer(heart: HTMLButtonElement): Promise<void> {
  if (heart.ariaBusy === "true") return;
  heart.ariaBusy = "true";
  const wanted = !wished().has(heart.value);
  try {
    const { products } = await inTurn(() => post("/api/wishlist/", { product: Number(heart.value), wanted }));
    root.dataset["wished"] = String(products);
    showHearts();
    const own = document.querySelector<HTMLAnchorElement>("a[href$='/wishlist/']");
    if (wanted) toast("success", t("Saved to your wishlist."), own ? { href: own.href, words: t("See wishlist") } : undefined);
    else toast("success", t("Removed from your wishlist."));
  } catch (error) {
    toast("error", error instanceof CallError ? error.message : words("offline"));
  }
  heart.ariaBusy = null;
}
