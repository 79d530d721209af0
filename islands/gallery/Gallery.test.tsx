import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { emit } from "../events";
import { answerCalls, renderOver } from "../testing";
import Gallery from "./Gallery";

function pictures(...names: string[]): string {
  const slides = names.map((name) => `<div class="gallery__slide"><img alt="${name}"></div>`).join("");
  const thumbs = names.map((name) => `<a class="gallery__thumb"><img alt="${name}, small"></a>`).join("");
  return `<div class="gallery"><div class="gallery__stage">${slides}</div><div class="gallery__thumbs">${thumbs}</div></div>`;
}

const shown = () => screen.getAllByRole("button", { current: true })[0]?.getAttribute("aria-label");

test("the pictures are the server's own, not new ones", () => {
  let front: Element | null = null;
  renderOver(pictures("front", "back"), (fallback) => {
    front = fallback.querySelector("img");
    return <Gallery fallback={fallback} />;
  });
  expect(screen.getByAltText("front")).toBe(front);
  expect(screen.getByAltText("back, small")).toBeTruthy();
});

test("thumbnails, arrows and keys lead from picture to picture, round and round", () => {
  renderOver(pictures("front", "back", "label"), (fallback) => <Gallery fallback={fallback} />);
  fireEvent.click(screen.getByRole("button", { name: "Picture 2 of 3" }));
  expect(shown()).toBe("Picture 2 of 3");
  fireEvent.click(screen.getByRole("button", { name: "Next picture" }));
  expect(shown()).toBe("Picture 3 of 3");
  fireEvent.keyDown(screen.getByRole("list", { name: "Pictures" }), { key: "ArrowRight" });
  expect(shown()).toBe("Picture 1 of 3");
  fireEvent.click(screen.getByRole("button", { name: "Previous picture" }));
  expect(shown()).toBe("Picture 3 of 3");
});

test("a single picture has neither arrows nor thumbnails", () => {
  renderOver(pictures("front"), (fallback) => <Gallery fallback={fallback} />);
  expect(screen.queryAllByRole("button")).toEqual([]);
});

test("another variant shows its own pictures, from the first", async () => {
  renderOver(pictures("front", "back"), (fallback) => <Gallery fallback={fallback} />);
  fireEvent.click(screen.getByRole("button", { name: "Picture 2 of 2" }));
  const asked = answerCalls({ body: `<shop-island name="gallery">${pictures("large front", "large back")}</shop-island>` });
  history.replaceState(null, "", "/product/oil/?variant=S2");
  act(() => emit("variant:changed", { id: 2, sku: "S2" }));
  await waitFor(() => expect(screen.getByAltText("large front")).toBeTruthy());
  expect(asked[0]?.[0]).toBe("/product/oil/?variant=S2");
  expect(screen.queryByAltText("front")).toBeNull();
  expect(shown()).toBe("Picture 1 of 2");
});

test("a list that was swiped before is shown where it stands", () => {
  const width = vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(300);
  const markup = `<ul class="gallery__track"></ul>${pictures("front", "back", "label")}`;
  renderOver(markup, (fallback) => {
    fallback.querySelector(".gallery__track")!.scrollLeft = 600;
    return <Gallery fallback={fallback} />;
  });
  expect(shown()).toBe("Picture 3 of 3");
  expect(screen.getByRole("list", { name: "Pictures" }).scrollLeft).toBe(600);
  width.mockRestore();
});
