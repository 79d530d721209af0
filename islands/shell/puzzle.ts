/**
 * After too many tries the server asks for a small proof of work (`data-puzzle`, the nonce; `data-bits`): a number whose
 * SHA-256 with the nonce begins with so many zero bits. It goes with the form, beside the ticket that is there.
 */
export function start(): void {
  solveAll();
  document.addEventListener("htmx:after:swap", solveAll);
}

function solveAll(): void {
  document.querySelectorAll<HTMLInputElement>("input[data-puzzle]").forEach((input) => {
    const { puzzle, bits } = input.dataset;
    delete input.dataset["puzzle"]; // at work
    void import("../puzzle/solve").then(async ({ solve }) => {
      const answer = await solve(puzzle!, Number(bits));
      input.value = `${input.value} ${answer}`;
      const words = input.form?.querySelector<HTMLElement>("[data-puzzle-words]");
      if (words) words.textContent = words.dataset["solved"]!;
    });
  });
}
