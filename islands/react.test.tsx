import { waitFor } from "@testing-library/react";
import { useEffect, useLayoutEffect, useState, type ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { mount } from "./react";
import { startFieldErrors } from "./shell/field-errors";
import { answerCalls, markup } from "./testing";

const MARKUP = '<form action="/cart/"><input name="quantity" value="1"><button>Change</button></form>';
const NOW = MARKUP.replace('value="1"', 'value="3"');

let island: HTMLElement;
let said: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  island = markup(`<shop-island name="test">${MARKUP}</shop-island>`).querySelector<HTMLElement>("shop-island")!;
});

const fails = (): never => {
  throw new Error("on purpose");
};
const reports = () => said.mock.calls.map(([words]) => String(words)).filter((words) => words.includes("crashed"));

const CRASHES: Record<string, () => ReactNode> = {
  "in its first render": fails,
  "in a layout effect": () => (useLayoutEffect(fails), (<p>React</p>)),
  "in an effect": () => (useEffect(fails), (<p>React</p>)),
  "without a component": undefined as never,
};

test.each(Object.entries(CRASHES))("an island that crashes %s leaves the server's markup", async (_, Component) => {
  answerCalls({ status: 503, body: "" });
  mount(island, Component, {});
  await waitFor(() => expect(island.innerHTML).toBe(MARKUP));
  expect(island.dataset["react"]).toBeUndefined();
  expect(reports()).toHaveLength(1);
});

let crash: () => void;

function CrashesLater() {
  const [isCrashed, setCrashed] = useState(false);
  crash = () => setCrashed(true);
  if (isCrashed) fails();
  return <p>React</p>;
}

test("an island that crashes when it has been used shows what the server says by now", async () => {
  const asked = answerCalls({ body: `<shop-island name="test">${NOW}</shop-island>` });
  mount(island, CrashesLater, {});
  expect(island.innerHTML).toBe("<p>React</p>");
  crash();
  await waitFor(() => expect(island.innerHTML).toBe(NOW));
  expect(asked.map(([path]) => path)).toEqual(["/"]);
});

test("what was typed before the island came is typed on in it", () => {
  const said = vi.fn();
  function Typing() {
    const [code, setCode] = useState("");
    said(code);
    return <input name="quantity" value={code} onChange={(event) => setCode(event.target.value)} />;
  }
  const before = island.querySelector("input")!;
  before.focus();
  before.value = "SAVE";
  before.setSelectionRange(2, 2);
  mount(island, Typing, {});
  const now = island.querySelector("input")!;
  expect(now).not.toBe(before);
  expect([now.value, document.activeElement, now.selectionEnd]).toEqual(["SAVE", now, 2]);
  expect(said).toHaveBeenLastCalledWith("SAVE");
});

test("a field in which nobody typed has what the island says", () => {
  mount(island, () => <input name="quantity" defaultValue="7" />, {});
  expect(island.querySelector("input")!.value).toBe("7");
  expect(document.activeElement).toBe(document.body);
});

test("what the shopper has begun to type there is not replaced", async () => {
  let arrive = (_: Response) => {};
  vi.stubGlobal("fetch", () => new Promise((resolve) => (arrive = resolve)));
  mount(island, CrashesLater, {});
  crash();
  await waitFor(() => expect(island.innerHTML).toBe(MARKUP));
  island.querySelector("input")!.focus();
  arrive(new Response(`<shop-island name="test">${NOW}</shop-island>`));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(island.innerHTML).toBe(MARKUP);
});

test("a tree that lost nodes to somebody else gives way to the server's markup", async () => {
  answerCalls({ status: 503, body: "" });
  let forgive = () => {};
  const Loses = () => {
    const [problem, setProblem] = useState(true);
    forgive = () => setProblem(false);
    return <div>{problem && <p>No</p>}</div>;
  };
  mount(island, Loses, {});
  island.querySelector("p")!.remove();
  forgive();
  await waitFor(() => expect(island.innerHTML).toBe(MARKUP));
});

test("errors at fields of an island are React's own to take away", () => {
  startFieldErrors();
  mount(island, () => <div className="field field--error"><input id="code" /><p className="field__error">No</p></div>, {});
  island.querySelector("input")!.dispatchEvent(new Event("input", { bubbles: true }));
  expect(island.textContent).toBe("No");
});
