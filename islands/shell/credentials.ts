import { start as startBoxes } from "./code-boxes";
import { start as startCountdown } from "./countdown";
import { start as startPuzzles } from "./puzzle";
import { start as startShowing } from "./show-password";

/**
 * Where a password or a code is typed: a button that shows the password, a box for each digit, a button that asks for
 * another code after some seconds, and the proof of work after too many tries.
 */
export function start(): void {
  startShowing();
  startBoxes();
  startCountdown();
  startPuzzles();
}
