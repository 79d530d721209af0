import { t } from "../texts";

const NARROW = "(max-width: 47.99rem)"; // as the style sheet says

/**
 * On phones, the questions of `form[data-one-at-a-time]` come one a screen: its `[data-question]` children in turn, with
 * Back and Next and how many there are. A question whose `data-needed` answer is missing says so at its field. One form
 * keeps all answers and is sent whole after the last, so nothing is lost on the way.
 */
export function start(): void {
  enhanceForms();
  document.addEventListener("htmx:after:swap", enhanceForms);
}

function enhanceForms(): void {
  document.querySelectorAll<HTMLFormElement>("form[data-one-at-a-time]:not([data-asking])").forEach(enhance);
}

function enhance(form: HTMLFormElement): void {
  const questions = [...form.querySelectorAll<HTMLElement>("[data-question]")];
  const rest = [...form.querySelectorAll<HTMLElement>("[data-after-questions]")]; // what belongs to the sending
  if (questions.length < 2) return;
  form.dataset["asking"] = "";
  const narrow = matchMedia(NARROW);
  const place = document.createElement("p");
  place.className = "muted";
  place.setAttribute("role", "status");
  const [back, next] = [button(t("Back"), "button button--line"), button(t("Next"), "button")];
  const row = document.createElement("div");
  row.className = "form__actions";
  row.append(back, next);
  questions[0]!.before(place);
  questions.at(-1)!.after(row);

  let now = Math.max(0, questions.findIndex((question) => question.querySelector(".field--error")));
  const show = () => {
    const last = questions.length - 1;
    questions.forEach((question, index) => (question.hidden = narrow.matches && index !== now));
    rest.forEach((part) => (part.hidden = narrow.matches && now !== last));
    place.hidden = row.hidden = !narrow.matches;
    place.textContent = t("Question {number} of {count}", { number: now + 1, count: questions.length });
    back.hidden = now === 0;
    next.hidden = now === last;
  };
  const go = (step: number) => {
    now += step;
    show();
    controls(questions[now]!)[0]?.focus();
  };
  const goOn = () => isAnswered(questions[now]!) && go(1);
  back.addEventListener("click", () => go(-1));
  next.addEventListener("click", goOn);
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || row.hidden || next.hidden || (event.target as Element).matches("textarea, button")) return;
    event.preventDefault(); // else the form goes before its last question was seen
    goOn();
  });
  narrow.addEventListener("change", show);
  show();
}

type Control = HTMLInputElement | HTMLTextAreaElement;

function controls(question: HTMLElement): Control[] {
  const all = [...question.querySelectorAll<Control>("input, textarea")];
  const chosen = all.filter((control) => control.matches(":checked"));
  return [...chosen, ...all];
}

/** Says what is missing at the field, as the server would. */
function isAnswered(question: HTMLElement): boolean {
  const needed = question.dataset["needed"];
  const all = controls(question);
  const has = all.some((control) => (control.type === "radio" ? (control as HTMLInputElement).checked : control.value.trim()));
  const missing = !!needed && !has;
  const field = question.querySelector(".field")!;
  field.classList.toggle("field--error", missing);
  field.querySelector(".field__error")?.remove();
  if (!missing) return true;
  const words = document.createElement("p");
  words.className = "field__error";
  words.setAttribute("role", "alert");
  words.textContent = needed;
  field.append(words);
  all[0]!.focus();
  return false;
}

function button(words: string, className: string): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = className;
  made.textContent = words;
  return made;
}
