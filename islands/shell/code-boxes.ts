import { t } from "../texts";

/**
 * A box for each digit over one real field, `<input data-otp maxlength="…" autocomplete="one-time-code">`: each digit
 * moves on, Backspace moves back, a pasted or suggested code fills them all. The field keeps the value
 * and is what the form sends. A form with `data-sent-when-filled` goes by itself, once. Where the browser knows WebOTP,
 * the code comes out of the SMS (its last line names this site).
 */
export function start(): void {
  enhanceFields();
  document.addEventListener("htmx:after:swap", enhanceFields);
}

function enhanceFields(): void {
  document.querySelectorAll<HTMLInputElement>("input[data-otp]:not(.sr-only)").forEach(enhance); // those that have no boxes yet
}

function enhance(field: HTMLInputElement): void {
  const length = field.maxLength;
  const isWhole = field.form?.matches("[data-sent-when-filled]") && field.value.length === length;
  const isTyped = field.value !== field.defaultValue; // before the boxes came
  // A whole code was refused: with its digits in the boxes the first new one would send the form.
  if (isWhole && !isTyped) field.value = "";
  const group = document.createElement("div");
  group.className = "code-boxes";
  group.setAttribute("role", "group");
  const label = field.labels?.[0];
  if (label) {
    label.id ||= `${field.id}-label`;
    group.setAttribute("aria-labelledby", label.id);
  }
  const boxes = Array.from({ length }, (_, index) => makeBox(field, index, length));
  group.append(...boxes);
  field.before(group);
  field.classList.add("sr-only");
  field.tabIndex = -1;
  field.setAttribute("aria-hidden", "true");
  wire(field, boxes);
  const focusNext = () => (boxes.find((box) => !box.value) ?? boxes[0])?.focus();
  field.addEventListener("focus", focusNext); // sent incomplete
  if (label) label.htmlFor = boxes[0]!.id;
  if (document.activeElement === field || field.autofocus) focusNext(); // digits typed before the boxes came stand
  if (isWhole && isTyped) sendOnce(field.form);
}

function makeBox(field: HTMLInputElement, index: number, length: number): HTMLInputElement {
  const box = document.createElement("input");
  box.id = `${field.id}-${index + 1}`;
  box.className = "code-box";
  box.inputMode = "numeric";
  box.autocomplete = index === 0 ? "one-time-code" : "off";
  box.maxLength = index === 0 ? length : 1; // the phone's suggestion arrives whole in the first box
  box.setAttribute("aria-label", t("Digit {number} of {length}", { number: index + 1, length }));
  for (const name of ["aria-describedby", "aria-invalid"]) {
    const value = field.getAttribute(name);
    if (value) box.setAttribute(name, value);
  }
  box.value = field.value[index] ?? "";
  return box;
}

function wire(field: HTMLInputElement, boxes: HTMLInputElement[]): void {
  const keep = () => {
    field.value = boxes.map((box) => box.value).join("");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const fill = (from: number, typed: string) => {
    const digits = typed.replace(/\D/g, "").slice(0, boxes.length - from);
    if (!digits) boxes[from]!.value = "";
    [...digits].forEach((digit, step) => (boxes[from + step]!.value = digit));
    keep();
    if (digits) boxes[Math.min(from + digits.length, boxes.length - 1)]!.focus();
    if (digits && field.value.length === boxes.length) sendOnce(field.form);
  };
  readSms(field, (code) => fill(0, code));
  boxes.forEach((box, index) => {
    box.addEventListener("focus", () => box.select());
    box.addEventListener("input", (event) => {
      event.stopPropagation();
      fill(index, box.value);
    });
    box.addEventListener("paste", (event) => {
      event.preventDefault();
      const text = event.clipboardData?.getData("text") ?? "";
      fill(text.replace(/\D/g, "").length >= boxes.length ? 0 : index, text);
    });
    box.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) {
        event.preventDefault();
        boxes[index + step]?.focus();
      } else if (event.key === "Backspace" && !box.value && index > 0) {
        event.preventDefault();
        boxes[index - 1]!.value = "";
        boxes[index - 1]!.focus();
        keep();
      }
    });
  });
}

const sent = new WeakSet<HTMLFormElement>();

function sendOnce(form: HTMLFormElement | null): void {
  if (!form?.matches("[data-sent-when-filled]") || sent.has(form)) return;
  sent.add(form);
  form.requestSubmit(form.querySelector<HTMLButtonElement>("button[type=submit]"));
}

function readSms(field: HTMLInputElement, fill: (code: string) => void): void {
  if (!("OTPCredential" in window)) return;
  const stop = new AbortController();
  field.form?.addEventListener("submit", () => stop.abort(), { once: true });
  const asked = { otp: { transport: ["sms"] }, signal: stop.signal } as CredentialRequestOptions;
  navigator.credentials.get(asked).then(
    (got) => got && fill((got as Credential & { code: string }).code),
    () => {}, // typed by hand
  );
}
