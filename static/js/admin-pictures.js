// Drop pictures on the zone, see how far each upload is, drag to order. Without this file the same forms work
// with a file input and numbers.

const zone = document.querySelector("[data-drop-zone]");
if (zone) watchZone(zone);
document.querySelectorAll("[data-sortable]").forEach(watchOrder);

function watchZone(form) {
  const { uploads, variant } = form.elements;
  for (const kind of ["dragover", "dragleave", "drop"]) {
    form.addEventListener(kind, (event) => {
      event.preventDefault();
      form.classList.toggle("bg-base-100", kind === "dragover");
      if (kind === "drop") send([...event.dataTransfer.files]);
    });
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send([...uploads.files]);
  });

  async function send(files) {
    const button = form.querySelector("button");
    button.disabled = true;
    const outcomes = [];
    for (const file of files) outcomes.push(await sendOne(form, variant.value, file));
    button.disabled = false;
    uploads.value = "";
    if (outcomes.length && outcomes.every(Boolean)) location.hash = "pictures";
    if (outcomes.length && outcomes.every(Boolean)) location.reload();
  }
}

/** Uploads one file; resolves to whether it was taken. Its line tells the progress, or why it was refused. */
function sendOne(form, variant, file) {
  const line = document.createElement("li");
  const bar = document.createElement("progress");
  const words = document.createElement("span");
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute("aria-label", file.name);
  words.textContent = ` ${file.name}`;
  line.append(bar, words);
  form.querySelector("[data-uploads]").append(line);
  const body = new FormData();
  body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  body.set("do", "add");
  body.set("variant", variant);
  body.set("uploads", file);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
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
