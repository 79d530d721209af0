import { listen } from "../events";
import { cartLines } from "../cart/lines";

/**
 * Cards know the cart: `form[data-add-to-cart]`, which works by itself too, adds in place, and a stepper takes the place
 * of those whose variant is in the cart; so does `form.heart` for the wishlist. The page is the same for everyone;
 * /api/me/ tells what is in the cart and on the wishlist.
 */
export function startCards(): void {
  const load = () => import("../cart/steppers");
  const hearts = () => import("../wishlist/hearts");
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const own = form.matches("[data-add-to-cart]") ? load : form.matches(".heart") && hearts;
    if (!own) return;
    event.preventDefault();
    void own().then(
      ({ answer }) => answer(form),
      () => form.submit(),
    );
  });
  document.addEventListener("pointerover", ({ target }) => {
    if ((target as Element | null)?.closest?.("[data-add-to-cart], [data-options]")) void load().catch(() => undefined);
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.<HTMLAnchorElement>("a[data-options]");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void load().then(
      ({ openOptions }) => openOptions(link),
      () => location.assign(link.href),
    );
  });
  const show = () => {
    if (document.documentElement.dataset["wished"]) void hearts().then(({ showHearts }) => showHearts(), () => undefined);
    if (!document.querySelector(".stepper") && !isInCart()) return;
    void load().then(({ showSteppers }) => showSteppers(), () => undefined);
  };
  listen("cart:lines", show);
  listen("cards:shown", show);
  document.addEventListener("htmx:after:swap", show);
}

function isInCart(): boolean {
  const lines = cartLines();
  const forms = document.querySelectorAll<HTMLInputElement>("[data-add-to-cart] [name=variant]");
  return [...forms].some(({ value }) => value in lines);
}
