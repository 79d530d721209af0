// The one script of every page: the island runtime and the shell, without React.
import { startListing } from "./filters/listing";
import "./island";
import { startSearch } from "./search/start";
import { startAutosubmit } from "./shell/autosubmit";
import { startBusyButtons } from "./shell/busy";
import { startCards } from "./shell/cards";
import { startCarousels } from "./shell/carousels";
import { startCartLink } from "./shell/cart-link";
import { startDialogs } from "./shell/dialogs";
import { startFieldErrors } from "./shell/field-errors";
import { startFragments } from "./shell/fragments";
import { startHeader } from "./shell/header";
import { followAddress } from "./shell/history";
import { startLanguages } from "./shell/languages";
import { startPersonalParts } from "./shell/personal";
import { startPrefetch } from "./shell/prefetch";
import { startRevealed } from "./shell/revealed";
import { startSignOut } from "./shell/sign-out";
import { startTabs } from "./shell/tabs";
import { startToasts } from "./shell/toasts";
import { startRecentlyViewed } from "./shell/viewed";

startToasts();
startBusyButtons();
startDialogs();
startFieldErrors();
startFragments();
startHeader();
startSearch();
startPersonalParts();
startLanguages();
startTabs();
startCartLink();
startAutosubmit();
startCards();
startSignOut();
if (document.getElementById("listing")) startListing();

// On a slow phone what was set up so far is a task of its own: a tap is answered before the rest.
await new Promise((resolve) => setTimeout(resolve));
followAddress();
startCarousels();
startRevealed();
startRecentlyViewed();
startPrefetch();

// What few pages ask for comes with the first page or fragment that does.
withFirst("input:is([type=password], [data-otp], [data-puzzle]), [data-countdown]", () => import("./shell/credentials"));
withFirst("form[data-passkey]", () => import("./passkeys/passkeys"));
withFirst("[data-place]", () => import("./address/place"));
withFirst("form[data-answered-in-place]", () => import("./shell/answers"));
withFirst("form[data-one-at-a-time]", () => import("./shell/one-at-a-time"));

function withFirst(selector: string, load: () => Promise<{ start: () => void }>): void {
  if (document.querySelector(selector)) void load().then(({ start }) => start());
  else document.addEventListener("htmx:after:swap", () => withFirst(selector, load), { once: true });
}
