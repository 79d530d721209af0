import { expect, test } from "vitest";
import { markup } from "../testing";
import { startFieldErrors } from "./field-errors";

startFieldErrors();

function refused(): HTMLElement {
  return markup(
    `<form><div class="notice notice--error"><p>Please check these fields:</p><ul><li><a href="#id_name">Name: Name is mandatory</a></li><li><a href="#id_quote">Quote is mandatory</a></li></ul></div>
    <div class="field field--error"><input id="id_name" aria-invalid="true" aria-describedby="id_name_helptext id_name_error"><p id="id_name_helptext">Help</p><p class="field__error" id="id_name_error">Name is mandatory</p></div>
    <div class="field field--error"><textarea id="id_quote" aria-invalid="true" aria-describedby="id_quote_error"></textarea><p class="field__error" id="id_quote_error">Quote is mandatory</p></div></form>`,
  );
}

function edit(form: HTMLElement, id: string): void {
  form.querySelector(`#${id}`)!.dispatchEvent(new Event("input", { bubbles: true }));
}

test("editing a field takes its error away, and only its own", () => {
  const form = refused();
  edit(form, "id_name");
  const name = form.querySelector("#id_name")!;
  expect(name.closest(".field--error")).toBeNull();
  expect(name.getAttribute("aria-describedby")).toBe("id_name_helptext");
  expect(name.hasAttribute("aria-invalid")).toBe(false);
  expect(form.textContent).not.toContain("Name is mandatory");
  expect(form.querySelector("#id_quote_error")).not.toBeNull();
});

test("the summary goes with the last error", () => {
  const form = refused();
  edit(form, "id_name");
  expect(form.querySelector(".notice")).not.toBeNull();
  edit(form, "id_quote");
  expect(form.querySelector(".notice")).toBeNull();
  expect(form.querySelector("#id_quote")!.hasAttribute("aria-describedby")).toBe(false);
});
