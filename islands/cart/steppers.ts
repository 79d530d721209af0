import { addToCart } from "../add-to-cart";
import { t } from "../texts";
import { openDrawer } from "./drawer";
import { quantityOf, setQuantity } from "./lines";

// Loaded when a card is about to be used, or when the page shows one that is in the cart.

/** A card's button of the form #add-to-cart puts its variant into the cart. */
export async function answer(button: HTMLButtonElement): Promise<void> {
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  const refusal = await addToCart(Number(button.value), 1);
  button.ariaBusy = null;
  if (!refusal) button.closest("dialog")?.close(); // what was added is shown instead
}

/** "See options" opens the packs of its product in a sheet in place of the page. */
export function openOptions(link: HTMLAnchorElement): Promise<void> {
  return openDrawer("packs", t("Choose a pack"), `${link.pathname}options/`, link.href);
}

/** In place of each button whose variant is in the cart a stepper, and the button again where it is not. */
export function showSteppers(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[form=add-to-cart]")) {
    const quantity = quantityOf(Number(button.value));
    const stepper = button.nextElementSibling?.matches(".stepper") ? (button.nextElementSibling as HTMLElement) : undefined;
    const hadFocus = (quantity ? button : stepper)?.contains(document.activeElement);
    button.hidden = quantity > 0;
    if (!quantity) stepper?.remove();
    const shown = quantity ? update(stepper ?? build(button), button, quantity) : button;
    if (hadFocus) shown.focus({ preventScroll: true });
  }
}

function build(button: HTMLButtonElement): HTMLElement {
  const name = (button.getAttribute("aria-label") ?? "").replace(/^[^:]*: /, "");
  const variant = Number(button.value);
  const stepper = document.createElement("div");
  stepper.className = ["stepper", ...[...button.classList].filter((each) => each.endsWith("__action"))].join(" ");
  stepper.setAttribute("role", "group");
  stepper.setAttribute("aria-label", t("In your cart: {name}", { name }));
  stepper.innerHTML = `<button type="button" data-step="-1">−</button>
    <output class="stepper__count" aria-live="polite"></output><button type="button" data-step="1" aria-label="${t("Increase quantity")}">+</button>`;
  stepper.addEventListener("click", ({ target }) => {
    const step = (target as Element).closest<HTMLElement>("[data-step]");
    if (!step || step.getAttribute("aria-disabled") === "true") return;
    void setQuantity(variant, quantityOf(variant) + Number(step.dataset["step"]));
  });
  button.after(stepper);
  return stepper;
}

/** Shows the quantity; returns the button that more of it is taken by. */
function update(stepper: HTMLElement, button: HTMLButtonElement, quantity: number): HTMLElement {
  const [less, more] = stepper.querySelectorAll("button");
  const [output, words] = [stepper.querySelector("output")!, ` ${t("in cart")}`];
  // Screen readers say again what is written again.
  if (output.textContent !== quantity + words) output.innerHTML = `${quantity}<span class="stepper__words">${words}</span>`;
  less!.setAttribute("aria-label", quantity > 1 ? t("Decrease quantity") : t("Remove from cart"));
  more!.setAttribute("aria-disabled", String(quantity >= Number(button.dataset["most"] ?? Infinity)));
  return more!;
}
