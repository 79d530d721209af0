// The editor's buttons in the language of the back office: its library has them in English alone.
addEventListener("load", () => {
  const { gettext } = window;
  if (!gettext) return;
  for (const part of document.querySelectorAll(".prose-menubar *")) {
    for (const name of ["title", "aria-label"]) {
      if (part.getAttribute(name)) part.setAttribute(name, gettext(part.getAttribute(name)));
    }
    const isText = !part.children.length && !part.matches(".material-icons");
    if (isText && part.textContent) part.textContent = gettext(part.textContent);
  }
});
