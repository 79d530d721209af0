/** An address with #name opens the <details> around that name, in browsers that do not by themselves. */
export function startRevealed(): void {
  window.addEventListener("hashchange", reveal);
  reveal();
}

function reveal(): void {
  const name = location.hash.slice(1);
  const details = name ? document.getElementById(name)?.closest("details") : null;
  if (!details || details.open) return;
  details.open = true;
  details.scrollIntoView();
}
