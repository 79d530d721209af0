// The one script of every page: the island runtime and the shell, without React.
import { startListing } from "./filters/listing";
import "./island";
import { startSearch } from "./search/start";
import { startAnswers } from "./shell/answers";
import { startBusyButtons } from "./shell/busy";
import { startCards } from "./shell/cards";
import { startCarousels } from "./shell/carousels";
import { startCartLink } from "./shell/cart-link";
import { startDialogs } from "./shell/dialogs";
import { startFieldErrors } from "./shell/field-errors";
import { startFragments } from "./shell/fragments";
import { startHeader } from "./shell/header";
import { startLanguages } from "./shell/languages";
import { startPasskeys } from "./shell/passkeys";
import { startPersonalParts } from "./shell/personal";
import { startPlaces } from "./shell/places";
import { startPrefetch } from "./shell/prefetch";
import { startQuantities } from "./shell/quantities";
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
startQuantities();
startCards();
startCarousels();
startPasskeys();
startSignOut();
startPlaces();
startAnswers();
startRevealed();
startRecentlyViewed();
if (document.getElementById("listing")) startListing();
startPrefetch();

// What few pages ask for comes with the first page or fragment that does.
withFirst("input[data-otp]", async () => (await import("./shell/code-boxes")).startCodeBoxes());
withFirst("input[type=password]", async () => (await import("./shell/show-password")).startShowPassword());
withFirst("button[data-countdown]", async () => (await import("./shell/countdown")).startCountdowns());
withFirst("input[data-puzzle]", async () => (await import("./shell/puzzle")).startPuzzles());

function withFirst(selector: string, start: () => Promise<void>): void {
  if (document.querySelector(selector)) void start();
  else document.addEventListener("htmx:after:swap", () => withFirst(selector, start), { once: true });
}
