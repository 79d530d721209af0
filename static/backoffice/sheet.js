// The grid as a sheet: keys move between cells, a block from a spreadsheet is pasted over them, what was changed is marked.

const table = document.querySelector("[data-sheet]");
const count = document.querySelector("[data-count]");
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], Enter: [1, 0] };
const rows = () => [...table.tBodies[0].rows].map((row) => [...row.querySelectorAll("input:not([type=hidden])")]);

table?.addEventListener("keydown", (event) => {
  const input = event.target;
  const move = MOVES[event.key] ?? sideways(event, input);
  if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const [row, column] = placeOf(input);
  const next = rows()[row + (event.key === "Enter" && event.shiftKey ? -1 : move[0])]?.[column + move[1]];
  next?.focus();
  next?.select();
});

table?.addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text/plain").replace(/\r/g, "").replace(/\n$/, "");
  if (!/[\t\n]/.test(text)) return; // one value: as everywhere
  event.preventDefault();
  const [top, left] = placeOf(event.target);
  const cells = rows();
  let outside = 0;
  text.split("\n").forEach((line, down) => {
    line.split("\t").forEach((value, right) => {
      const input = cells[top + down]?.[left + right];
      if (!input) return void (outside += Boolean(value.trim()));
      input.value = input.className.includes("--code") ? value.trim() : amount(value.trim());
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
  });
  if (outside) count.textContent += `, ${outside} pasted ${outside === 1 ? "cell" : "cells"} did not fit in the table`;
});

/** Without the sign of a currency, and without commas where they part thousands: 4,50 stays, and is asked about. */
function amount(text) {
  const plain = text.replace(/[₹$€£\s]/g, "");
  return /^\d{1,3}(,\d{2,3})*,\d{3}(\.\d*)?$/.test(plain) ? plain.replaceAll(",", "") : plain;
}

table?.addEventListener("input", (event) => {
  const input = event.target;
  input.classList.toggle("edit-changed", input.value.trim() !== input.previousElementSibling.value);
  const changed = table.querySelectorAll("input.edit-changed").length;
  count.textContent = changed ? `${changed} ${changed === 1 ? "cell" : "cells"} changed` : "";
});

function placeOf(input) {
  const cells = rows();
  const row = cells.findIndex((line) => line.includes(input));
  return [row, cells[row].indexOf(input)];
}

/** Left and right leave a cell at the end of its text alone. */
function sideways(event, input) {
  const at = input.selectionStart;
  const isAll = at === 0 && input.selectionEnd === input.value.length;
  if (event.key === "ArrowLeft" && (isAll || (at === 0 && input.selectionEnd === 0))) return [0, -1];
  if (event.key === "ArrowRight" && (isAll || at === input.value.length)) return [0, 1];
  return null;
}
