// The one script of every page: the island runtime and the shell, without React.
import { startListing } from "./filters/listing";
import "./island";
import { startSearch } from "./search/start";
import { startAnswers } from "./shell/answers";
import { startBusyButtons } from "./shell/busy";
import { startCards } from "./shell/cards";
import { startCarousels } from "./shell/carousels";
import { startCartLink } from "./shell/cart-link";
import { startCountdowns } from "./shell/countdown";
import { startDialogs } from "./shell/dialogs";
import { startFieldErrors } from "./shell/field-errors";
import { startFragments } from "./shell/fragments";
import { startHeader } from "./shell/header";
import { startPasskeys } from "./shell/passkeys";
import { startPersonalParts } from "./shell/personal";
import { startPlaces } from "./shell/places";
import { startPrefetch } from "./shell/prefetch";
import { startPuzzles } from "./shell/puzzle";
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
startTabs();
startCartLink();
startQuantities();
startCards();
startCarousels();
void startCodeBoxes();
startCountdowns();
startPasskeys();
startPuzzles();
startSignOut();
startPlaces();
startAnswers();
startRevealed();
startRecentlyViewed();
if (document.getElementById("listing")) startListing();
startPrefetch();

/** The boxes over the field of a one-time code come with the first page or fragment that asks for one. */
async function startCodeBoxes(): Promise<void> {
  if (document.querySelector("input[data-otp]")) (await import("./shell/code-boxes")).startCodeBoxes();
  else document.addEventListener("htmx:after:swap", () => void startCodeBoxes(), { once: true });
}
