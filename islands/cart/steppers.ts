import { addToCart } from "../add-to-cart";
import { t } from "../texts";
import { openDrawer } from "./drawer";
import { quantityOf, setQuantity } from "./lines";

// Loaded when a card is about to be used, or when the page shows one that is in the cart.

/** A card's form `data-add-to-cart` puts its variant into the cart. */
export async function answer(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector("button");
  if (!button || button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  const refusal = await addToCart(variantOf(form), Number(new FormData(form).get("quantity") ?? 1));
  button.ariaBusy = null;
  if (!refusal) form.closest("dialog")?.close(); // what was added is shown instead
}

/** "See options" opens the packs of its product in a sheet in place of the page. */
export function openOptions(link: HTMLAnchorElement): Promise<void> {
  return openDrawer("packs", t("Choose a pack"), `${link.pathname}options/`, link.href);
}

/** In place of each form whose variant is in the cart a stepper, and the form again where it is not. */
export function showSteppers(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-add-to-cart]")) {
    const quantity = quantityOf(variantOf(form));
    const stepper = form.nextElementSibling?.matches(".stepper") ? (form.nextElementSibling as HTMLElement) : undefined;
    const from = quantity ? form : stepper;
    const hadFocus = from?.contains(document.activeElement);
    form.hidden = quantity > 0;
    if (!quantity) stepper?.remove();
    const shown = quantity ? update(stepper ?? build(form), form, quantity) : form;
    if (hadFocus) shown.querySelector<HTMLElement>("button:last-of-type")?.focus({ preventScroll: true });
  }
}

function variantOf(form: HTMLFormElement): number {
  return Number(form.querySelector<HTMLInputElement>("[name=variant]")?.value);
}

function build(form: HTMLFormElement): HTMLElement {
  const name = (form.querySelector("button")?.getAttribute("aria-label") ?? "").replace(/^[^:]*: /, "");
  const stepper = document.createElement("div");
  stepper.className = `stepper ${form.className}`;
  stepper.setAttribute("role", "group");
  stepper.setAttribute("aria-label", t("In your cart: {name}", { name }));
  stepper.innerHTML = `<button type="button" data-step="-1">−</button>
    <output class="stepper__count" aria-live="polite"></output><button type="button" data-step="1" aria-label="${t("Increase quantity")}">+</button>`;
  stepper.addEventListener("click", ({ target }) => {
    const button = (target as Element).closest<HTMLElement>("[data-step]");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    void setQuantity(variantOf(form), quantityOf(variantOf(form)) + Number(button.dataset["step"]));
  });
  form.after(stepper);
  return stepper;
}

function update(stepper: HTMLElement, form: HTMLFormElement, quantity: number): HTMLElement {
  const [less, more] = stepper.querySelectorAll("button");
  stepper.querySelector("output")!.innerHTML = `${quantity}<span class="stepper__words"> ${t("in cart")}</span>`;
  less!.setAttribute("aria-label", quantity > 1 ? t("Decrease quantity") : t("Remove from cart"));
  more!.setAttribute("aria-disabled", String(quantity >= Number(form.dataset["most"] ?? Infinity)));
  return stepper;
}
