import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Adopt } from "./adopt";

const nodes = (html: string) => [...document.createRange().createContextualFragment(html).childNodes];

test("nodes that equal those that are shown leave them where they are", () => {
  const before = nodes('<p>Cart <a href="/">1 item</a></p>');
  const { rerender } = render(<Adopt nodes={before} />);
  rerender(<Adopt nodes={nodes('<p>Cart <a href="/">1 item</a></p>')} />);
  expect(before[0]!.isConnected).toBe(true);
  rerender(<Adopt nodes={nodes('<p>Cart <a href="/">2 items</a></p>')} />);
  expect([before[0]!.isConnected, document.querySelector("a")!.textContent]).toEqual([false, "2 items"]);
});
