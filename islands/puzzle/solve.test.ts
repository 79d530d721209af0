import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { start as startPuzzles } from "../shell/puzzle";
import { markup } from "../testing";
import { firstWord, solve } from "./solve";

const sha256 = (text: string) => createHash("sha256").update(text).digest();

test("it hashes as others do, up to the length of a block", () => {
  for (let length = 0; length <= 55; length++) {
    const text = "puzzle:0123456789-_AZaz".repeat(3).slice(0, length);
    expect(firstWord(text)).toBe(sha256(text).readUInt32BE());
  }
});

test.each([1, 8, 12])("a number is found for %i bits, and it is the first", async (bits) => {
  const answer = await solve("a nonce of 22 letters_", bits);
  const zeros = (number: number) => Math.clz32(sha256(`a nonce of 22 letters_:${number}`).readUInt32BE());
  expect(zeros(answer)).toBeGreaterThanOrEqual(bits);
  for (let number = 0; number < answer; number++) expect(zeros(number)).toBeLessThan(bits);
});

test("the answer goes with the ticket, and the words say that it is there", async () => {
  const form = markup(`<form><input type="hidden" name="puzzle" value="ticket" data-puzzle="nonce" data-bits="4">
    <p data-puzzle-words data-solved="You can try again now.">Wait</p></form>`).querySelector("form")!;
  startPuzzles();
  const answer = await solve("nonce", 4);
  await vi.waitFor(() => expect(new FormData(form).get("puzzle")).toBe(`ticket ${answer}`));
  expect(form.textContent).toContain("You can try again now.");
});
