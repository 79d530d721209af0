// The pharmacist's keyboard and the zoom of a prescription. Without scripts a picture opens by its link.
const review = document.querySelector("[data-review]");

if (review) {
  const pages = [...review.querySelectorAll(".review__page")];
  const lines = [...review.querySelectorAll("[data-line]")];
  const form = review.querySelector("[data-review-form]");
  let zoomed = 1;
  let turned = 0;

  const show = () => {
    for (const page of pages) {
      page.dataset.zoom = String(zoomed);
      page.dataset.turn = String(turned);
    }
  };
  const zoom = (step) => {
    zoomed = Math.min(4, Math.max(1, zoomed + step));
    show();
  };
  const turn = () => {
    turned = (turned + 1) % 4;
    show();
  };
  const current = () => Math.max(0, lines.findIndex((line) => line.contains(document.activeElement)));
  const go = (step) => {
    const inside = lines.some((line) => line.contains(document.activeElement));
    const at = inside ? Math.min(lines.length - 1, Math.max(0, current() + step)) : 0;
    lines[at]?.querySelector("input[type=radio]")?.focus();
  };
  const decide = (value) => {
    const choice = lines[current()]?.querySelector(`input[type=radio][value="${value}"]`);
    if (!choice) return;
    choice.checked = true;
    choice.focus();
    if (value === "refuse") lines[current()].querySelector("select")?.focus();
  };
  const keys = {
    a: () => decide("approve"),
    r: () => decide("refuse"),
    l: () => decide(""),
    j: () => go(1),
    k: () => go(-1),
    "+": () => zoom(1),
    "=": () => zoom(1),
    "-": () => zoom(-1),
    0: () => zoom(-4),
    t: turn,
    n: () => location.assign(review.dataset.next),
  };

  for (const button of review.querySelectorAll("button[data-zoom]")) {
    button.hidden = false;
    button.addEventListener("click", () => ({ in: () => zoom(1), out: () => zoom(-1), turn })[button.dataset.zoom]());
  }
  for (const hint of review.querySelectorAll("[data-keys]")) hint.hidden = false;
  for (const page of pages) {
    page.querySelector("a").addEventListener("click", (event) => {
      event.preventDefault();
      zoom(zoomed < 4 ? 1 : -4);
    });
  }
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
      form?.requestSubmit();
      return;
    }
    const types = event.target.matches("input:not([type=radio]), textarea, select");
    if (types || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key.toLowerCase()];
    if (act) {
      event.preventDefault();
      act();
    }
  });
}
