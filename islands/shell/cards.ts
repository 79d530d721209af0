import { addToCart } from "../add-to-cart";

/** One-tap adding on product cards: takes over `form[data-add-to-cart]`, which works by itself too. */
export function startCards(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches("[data-add-to-cart]")) return;
    event.preventDefault();
    void add(form);
  });
}

async function add(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector("button");
  if (!button || button.ariaBusy === "true") return;
  const fields = new FormData(form);
  button.ariaBusy = "true";
  const refusal = await addToCart(Number(fields.get("variant")), Number(fields.get("quantity") ?? 1));
  button.ariaBusy = null;
  if (refusal && !refusal.present) return;
  button.textContent = "Added to cart";
  button.classList.add("is-added");
}
