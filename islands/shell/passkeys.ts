/**
 * Forms that make or use a passkey (`data-passkey`): shown where passkeys can work, which is not at an IP address.
 * What they do is fetched when one is sent.
 */
export function startPasskeys(): void {
  const forms = document.querySelectorAll<HTMLFormElement>("form[data-passkey]");
  if (!forms.length || !window.PublicKeyCredential || /^[\d.]+$|^\[/.test(location.hostname)) return;
  for (const form of forms) form.hidden = false;
  document.querySelectorAll("[data-without-passkeys]").forEach((words) => words.remove());
  document.addEventListener("submit", (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>("form[data-passkey]");
    if (!form) return;
    event.preventDefault();
    void import("../passkeys/passkeys").then(({ sendPasskey }) => sendPasskey(form));
  });
}
