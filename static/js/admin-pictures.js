// Drop pictures on the zone, see how far each upload is, drag to order. Without this file the same forms work
// with a file input and numbers.

const panel = document.querySelector("[data-pictures]");
const zone = panel?.querySelector("[data-drop-zone]");
if (zone) watchZone(zone);
if (panel) watchGalleries();

function watchZone(zone) {
  const [files, variant] = [zone.querySelector("[name=uploads]"), zone.querySelector("[name=variant]")];
  for (const kind of ["dragover", "dragleave", "drop"]) {
    zone.addEventListener(kind, (event) => {
      event.preventDefault();
      zone.classList.toggle("bg-base-100", kind === "dragover");
      if (kind === "drop") send([...event.dataTransfer.files]);
    });
  }
  const button = zone.querySelector("button");
  button.addEventListener("click", (event) => {
    event.preventDefault();
    if (files.files.length) send([...files.files]);
    else files.click();
  });

  async function send(chosen) {
    button.disabled = true;
    for (const file of chosen) await sendOne(zone, variant.value, file);
    button.disabled = false;
    files.value = "";
    await showGalleries();
  }
}

/** The galleries as the shop has them now; the rest of the page, with what was typed, stays. */
async function showGalleries() {
  const answer = await fetch(location.pathname, { credentials: "same-origin" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-galleries]");
  const old = panel.querySelector("[data-galleries]");
  if (!fresh || !old) return;
  old.replaceWith(document.adoptNode(fresh));
  watchGalleries();
}

function watchGalleries() {
  panel.querySelectorAll("[data-sortable]").forEach(watchOrder);
  panel.querySelectorAll("button[value=arrange]").forEach((button) => button.addEventListener("click", arrange));
}

async function arrange(event) {
  event.preventDefault();
  const body = newBody("arrange");
  panel.querySelectorAll("[name^=place-]").forEach((input) => body.set(input.name, input.value));
  panel.querySelectorAll("[name=remove]:checked").forEach((input) => body.append("remove", input.value));
  await fetch(panel.dataset.pictures, { method: "POST", body, credentials: "same-origin" });
  await showGalleries();
}

function newBody(what) {
  const body = new FormData();
  body.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  body.set("do", what);
  return body;
}

/** Uploads one file; resolves to whether it was taken. Its line tells the progress, or why it was refused. */
function sendOne(zone, variant, file) {
  const line = document.createElement("li");
  const bar = document.createElement("progress");
  const words = document.createElement("span");
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute("aria-label", file.name);
  words.textContent = ` ${file.name}`;
  line.append(bar, words);
  zone.querySelector("[data-uploads]").append(line);
  const body = newBody("add");
  body.set("variant", variant);
  body.set("uploads", file);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", panel.dataset.pictures);
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => (bar.value = total ? loaded / total : 0);
    request.onloadend = () => {
      const isTaken = request.status === 200;
      bar.value = isTaken ? 1 : 0;
      words.textContent = isTaken
        ? ` ${file.name}`
        : ` ${file.name}: ${request.response?.detail ?? "The upload did not arrive. Try again."}`;
      resolve(isTaken);
    };
    request.send(body);
  });
}

function watchOrder(list) {
  let moved = null;
  list.addEventListener("dragstart", (event) => {
    moved = event.target.closest("li");
    event.dataTransfer.effectAllowed = "move";
  });
  list.addEventListener("dragover", (event) => {
    const over = event.target.closest("li");
    if (!moved || !over || over === moved) return;
    event.preventDefault();
    const isBefore = moved.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_PRECEDING;
    over.insertAdjacentElement(isBefore ? "beforebegin" : "afterend", moved);
    number(list);
  });
  list.addEventListener("drop", (event) => event.preventDefault());
  list.addEventListener("dragend", () => (moved = null));
}

function number(list) {
  list.querySelectorAll("input[type=number]").forEach((input, index) => (input.value = index + 1));
}
