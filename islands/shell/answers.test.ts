import { expect, test, vi } from "vitest";
import { answerCalls, markup, toasts } from "../testing";
import { start } from "./answers";

start();

function ask(pincode: string): HTMLFormElement {
  const element = markup(
    `<form id="pin" method="get" action="/product/jam/delivery/" data-answered-in-place><input name="pincode" value="${pincode}"><div role="status">Delivered by Mon 23 Nov</div></form>`,
  );
  const form = element.querySelector("form")!;
  form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  return form;
}

test("the answer takes the place of the form", async () => {
  const asked = answerCalls({ body: '<main><form id="pin"><p>Delivered by Tue 24 Nov</p></form></main>' });
  ask("560001");
  await vi.waitFor(() => expect(document.body.textContent).toContain("Delivered by Tue 24 Nov"));
  expect(new URL(asked[0]![0]).pathname + new URL(asked[0]![0]).search).toBe("/product/jam/delivery/?pincode=560001");
});

test("of two quick questions the second is answered", async () => {
  const arrive: ((answer: Response) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise((resolve) => arrive.push(resolve)));
  const form = ask("560011");
  form.querySelector("input")!.value = "560012";
  form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  arrive[0]!(new Response('<form id="pin">first</form>'));
  arrive[1]!(new Response('<form id="pin">second</form>'));
  await vi.waitFor(() => expect(document.body.textContent).toContain("second"));
});

test("an answer that fails is said and leaves the form", async () => {
  const said = toasts();
  answerCalls({ status: 500, body: "" });
  const form = ask("560002");
  await vi.waitFor(() => expect(said).toEqual(["error: Server Error"]));
  expect(form.isConnected).toBe(true);
  expect(form.textContent).toBe("We couldn't load that. Please try again.");
});
