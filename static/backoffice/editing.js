// A product on one page: pictures are dropped and dragged, options make rows. Without this file the same form works
// with a file input, numbers and rows one by one.

document.documentElement.classList.add("edit-scripts");
const gallery = document.querySelector("[data-gallery]");
const variants = document.querySelector("[data-variants]");
if (gallery) watchGallery(gallery);
if (variants) watchVariants(variants);
document.querySelectorAll("[data-facts]").forEach(watchFacts);

// --- Pictures ---------------------------------------------------------------------------------------

function watchGallery(gallery) {
  const zone = gallery.querySelector("[data-drop]");
  const files = zone.querySelector("[type=file]");
  const tiles = gallery.querySelector("[data-tiles]");
  files.removeAttribute("name"); // each file is uploaded by itself; the page sends their ids
  files.addEventListener("change", () => take([...files.files]));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    zone.addEventListener(kind, (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      zone.classList.toggle("edit-drop--over", kind === "dragover");
      if (kind === "drop") take([...event.dataTransfer.files]);
    });
  }
  [...tiles.children].forEach((tile) => watchTile(tile, tiles));

  async function take(chosen) {
    for (const file of chosen) {
      const picture = await upload(gallery, file);
      if (picture && !tiles.querySelector(`[name=picture][value="${picture.id}"]`)) addTile(picture);
    }
    files.value = "";
  }

  function addTile(picture) {
    const tile = gallery.querySelector("template[data-tile]").content.firstElementChild.cloneNode(true);
    tile.querySelector("img").src = picture.url;
    tile.querySelector("img").alt = picture.alt;
    for (const field of tile.querySelectorAll("[name]")) {
      field.name = field.name.replace("__pk__", picture.id);
      if (field.value === "__pk__") field.value = picture.id;
    }
    tiles.append(tile);
    watchTile(tile, tiles);
    number(tiles);
  }
}

/** Uploads one file; its line tells the progress, or why it was refused. */
function upload(gallery, file) {
  const line = document.createElement("li");
  const bar = document.createElement("progress");
  const words = document.createElement("span");
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute("aria-label", file.name);
  words.textContent = ` ${file.name}`;
  line.append(bar, words);
  gallery.querySelector("[data-uploads]").append(line);
  const body = new FormData();
  body.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  body.set("upload", file);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", gallery.dataset.gallery);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => (bar.value = total ? loaded / total : 0);
    request.onloadend = () => {
      const isTaken = request.status === 200;
      if (isTaken) line.remove();
      else words.textContent = ` ${file.name}: ${request.response?.detail ?? "The upload did not arrive. Try again."}`;
      resolve(isTaken ? request.response : null);
    };
    request.send(body);
  });
}

function watchTile(tile, tiles) {
  tile.addEventListener("dragstart", (event) => {
    tiles.moved = tile;
    event.dataTransfer.effectAllowed = "move";
  });
  tile.addEventListener("dragover", (event) => {
    if (!tiles.moved || tiles.moved === tile) return;
    event.preventDefault();
    const isBefore = tiles.moved.compareDocumentPosition(tile) & Node.DOCUMENT_POSITION_PRECEDING;
    tile.insertAdjacentElement(isBefore ? "beforebegin" : "afterend", tiles.moved);
    number(tiles);
  });
  tile.addEventListener("drop", (event) => event.preventDefault());
  tile.addEventListener("dragend", () => (tiles.moved = null));
  for (const button of tile.querySelectorAll("[data-move]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const step = Number(button.dataset.move);
      const other = step < 0 ? tile.previousElementSibling : tile.nextElementSibling;
      other?.insertAdjacentElement(step < 0 ? "beforebegin" : "afterend", tile);
      number(tiles);
      button.focus();
    });
  }
  const remove = tile.querySelector("[name=picture_remove]");
  remove.addEventListener("change", () => tile.classList.toggle("edit-tile--gone", remove.checked));
}

function number(tiles) {
  tiles.querySelectorAll("[name^=picture_place_]").forEach((input, index) => (input.value = index + 1));
}

// --- Variants ---------------------------------------------------------------------------------------

function watchVariants(section) {
  const prefix = section.dataset.variants;
  const rows = section.querySelector("[data-rows]");
  const total = document.querySelector(`[name=${prefix}-TOTAL_FORMS]`);
  const add = section.querySelector("[data-add-row]");
  if (!rows || !total) return;
  const names = [...section.querySelectorAll("[name^=option_name_]")];
  const values = [...section.querySelectorAll("[data-option-values]")];
  if (add) {
    add.hidden = false;
    add.addEventListener("click", () => addRow().querySelector("input:not([type=hidden])").focus());
  }
  values.forEach((input) => {
    input.hidden = false;
    input.addEventListener("change", makeRows);
  });
  names.forEach((input, index) => input.addEventListener("input", () => showOption(index)));
  names.forEach((_, index) => showOption(index));

  function showOption(index) {
    const name = names[index].value.trim();
    const isUsed = name || [...rows.querySelectorAll(`[name$="-option_${index}"]`)].some((input) => input.value);
    const head = section.querySelector(`[data-option-head="${index}"]`);
    if (name) head.textContent = name;
    head.removeAttribute("data-empty");
    section.classList.toggle(`edit-no-option-${index}`, !isUsed);
    for (const cell of [head, ...rows.querySelectorAll(`[name$="-option_${index}"]`)].map((one) => one.closest("th, td")))
      cell.classList.toggle("edit-option-column--empty", !isUsed);
  }

  /** A row for each combination of the listed values that has none yet. */
  function makeRows() {
    const lists = values.map((input, index) => (names[index].value.trim() ? split(input.value) : []));
    if (lists.every((list) => !list.length)) return;
    let combinations = [[]];
    for (const list of lists) combinations = combinations.flatMap((done) => (list.length ? list : [""]).map((one) => [...done, one]));
    const known = new Set([...rows.children].map((row) => key(optionsOf(row))));
    for (const combination of combinations.slice(0, 100)) {
      if (known.has(key(combination))) continue;
      const empty = [...rows.children].find((row) => isNew(row) && !optionsOf(row).join(""));
      const row = empty ?? addRow();
      combination.forEach((value, index) => (row.querySelector(`[name$="-option_${index}"]`).value = value));
    }
    names.forEach((_, index) => showOption(index));
  }

  function addRow() {
    const number = Number(total.value);
    const row = section.querySelector("template[data-row]").content.firstElementChild.cloneNode(true);
    for (const one of row.querySelectorAll("[name], [for], [id]")) {
      for (const attribute of ["name", "id", "for"]) {
        const value = one.getAttribute(attribute);
        if (value) one.setAttribute(attribute, value.replace("__prefix__", number));
      }
    }
    const first = rows.firstElementChild;
    for (const field of ["weight_actual", "weight_unit", "max_purchase_qty", "selling_price", "actual_price"]) {
      const [mine, other] = [row, first].map((one) => one?.querySelector(`[name$="-${field}"]`));
      if (mine && other?.value) mine.value = other.value;
    }
    row.querySelector("[name$='-position']").value = number;
    total.value = number + 1;
    rows.append(row);
    watchRow(row);
    names.forEach((_, index) => showOption(index));
    return row;
  }

  function watchRow(row) {
    const drop = row.querySelector("[data-drop-row]");
    if (!drop) return;
    drop.hidden = false;
    drop.addEventListener("click", () => {
      row.querySelectorAll("input").forEach((input) => (input.type === "checkbox" ? (input.checked = true) : (input.value = "")));
      if (row.nextElementSibling || Number(total.value) !== rows.children.length) row.hidden = true; // an empty new row is not saved
      else (row.remove(), (total.value = Number(total.value) - 1));
    });
  }
  [...rows.children].forEach(watchRow);

  const optionsOf = (row) => values.map((_, index) => row.querySelector(`[name$="-option_${index}"]`)?.value.trim() ?? "");
  const isNew = (row) => !row.querySelector("[name$='-id']")?.value;
}

const split = (text) => [...new Set(text.split(",").map((one) => one.trim()).filter(Boolean))];
const key = (options) => options.join("\n").toLowerCase();

// --- Rows of facts ----------------------------------------------------------------------------------

/** There is always an empty row to write into. */
function watchFacts(facts) {
  facts.addEventListener("input", () => {
    const last = facts.lastElementChild;
    if (![...last.querySelectorAll("input")].some((input) => input.value)) return;
    const row = last.cloneNode(true);
    row.querySelectorAll("input").forEach((input) => {
      const label = input.getAttribute("aria-label");  // ends with the number of its row
      input.value = "";
      input.setAttribute("aria-label", label.slice(0, label.lastIndexOf(" ") + 1) + (facts.children.length + 1));
    });
    facts.append(row);
  });
}
