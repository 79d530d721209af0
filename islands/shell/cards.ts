import { listen } from "../events";
import { cartLines } from "../cart/lines";

/**
 * Cards know the cart: buttons of the form #add-to-cart, which works by itself too, add in place, and a stepper takes the
 * place of those whose variant is in the cart; hearts do so for the wishlist. The page is the same for everyone;
 * /api/me/ tells what is in the cart and on the wishlist.
 */
export function startCards(): void {
  const load = () => import("../cart/steppers");
  const hearts = () => import("../wishlist/hearts");
  document.addEventListener("submit", (event) => {
    const { id } = event.target as HTMLFormElement;
    const own = id === "add-to-cart" ? load : id === "save-to-wishlist" && hearts;
    const button = event.submitter as HTMLButtonElement | null;
    if (!own || !button) return;
    event.preventDefault();
    void own().then(
      ({ answer }) => answer(button),
      () => submitBy(button),
    );
  });
  document.addEventListener("pointerover", ({ target }) => {
    if ((target as Element | null)?.closest?.("[form=add-to-cart], [data-options]")) void load().catch(() => undefined);
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
  return [...document.querySelectorAll<HTMLButtonElement>("[form=add-to-cart]")].some(({ value }) => value in lines);
}

/** As the browser does by itself: `form.submit()` leaves out the button. */
function submitBy({ form, name, value }: HTMLButtonElement): void {
  form!.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  form!.submit();
}
