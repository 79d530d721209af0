import { expect, test } from "vitest";
import { startRevealed } from "./revealed";

test("an address with a name opens what is closed around it", () => {
  Element.prototype.scrollIntoView = () => undefined;
  document.body.innerHTML = `
    <details id="first"><summary>One</summary><p id="one">Answer</p></details>
    <details id="second"><summary>Two</summary><p id="two">Answer</p></details>`;
  const open = () => [...document.querySelectorAll("details[open]")].map(({ id }) => id);
  location.hash = "#two";
  startRevealed();
  expect(open()).toEqual(["second"]);
  location.hash = "#nobody";
  window.dispatchEvent(new Event("hashchange"));
  expect(open()).toEqual(["second"]);
});
