// The one script of every page: the island runtime and the shell, without React.
import "./island";
import { startSearch } from "./search/start";
import { startBusyButtons } from "./shell/busy";
import { startCards } from "./shell/cards";
import { startCarousels } from "./shell/carousels";
import { startCodeBoxes } from "./shell/code-boxes";
import { startCountdowns } from "./shell/countdown";
import { startDialogs } from "./shell/dialogs";
import { startFragments } from "./shell/fragments";
import { startHeader } from "./shell/header";
import { startPersonalParts } from "./shell/personal";
import { startQuantities } from "./shell/quantities";
import { startToasts } from "./shell/toasts";
import { startRecentlyViewed } from "./shell/viewed";

startToasts();
startBusyButtons();
startDialogs();
startFragments();
startHeader();
startSearch();
startPersonalParts();
startQuantities();
startCards();
startCarousels();
startCodeBoxes();
startCountdowns();
startRecentlyViewed();
