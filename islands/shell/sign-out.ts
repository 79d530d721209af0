const LEAVES = /\/(logout|change-password|profile\/delete)\/$/;
const tabs = new BroadcastChannel("signed-out");

/**
 * Signing out leaves nothing in this browser: what it kept is forgotten, other tabs and pages that the back
 * button finds leave too when they show a customer (`meta[name=customer]`). The server says the same by
 * Clear-Site-Data, which browsers hear over https only.
 */
export function startSignOut(): void {
  document.addEventListener("submit", ({ target }) => {
    if (LEAVES.test((target as HTMLFormElement).action)) forget();
  });
  addEventListener("pageshow", ({ persisted }) => persisted && leave());
  tabs.onmessage = leave;
}

/** The server was asked who is signed in: nobody is. */
export function hearOfSignOut(): void {
  tabs.postMessage("");
  leave();
}

/** The page as it is for a visitor. */
function leave(): void {
  if (document.querySelector("meta[name=customer]")) location.reload();
}

function forget(): void {
  for (const name of ["localStorage", "sessionStorage"] as const) {
    try {
      window[name].clear();
    } catch {
      // forbidden in this browser: then nothing is kept either
    }
  }
}
