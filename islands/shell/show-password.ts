import { t } from "../texts";

/**
 * Every password field gets a button that shows what was typed; sending the form hides it again. The button is put
 * beside the field, which stays where it is: a moved field loses its focus, and with it the letters typed meanwhile.
 */
export function start(): void {
  addButtons();
  document.addEventListener("htmx:after:swap", addButtons);
}

function addButtons(): void {
  document.querySelectorAll<HTMLInputElement>("input[type=password]:not([data-showable])").forEach(addButton);
}

function addButton(field: HTMLInputElement): void {
  field.dataset["showable"] = "";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button--line";
  const show = (shown: boolean) => {
    field.type = shown ? "text" : "password";
    button.textContent = shown ? t("Hide") : t("Show");
    button.setAttribute("aria-label", shown ? t("Hide password") : t("Show password"));
  };
  show(false);
  button.addEventListener("click", () => show(field.type === "password"));
  field.form?.addEventListener("submit", () => show(false)); // browsers offer to keep passwords only
  field.after(button);
}
