import { beforeEach, expect, test, vi } from "vitest";

class Channel {
  static all: Channel[] = [];
  onmessage: (() => void) | null = null;
  constructor() {
    Channel.all.push(this);
  }
  postMessage(): void {
    for (const other of Channel.all) if (other !== this) other.onmessage?.();
  }
}

const reload = vi.fn();

async function openTab(customer: string) {
  vi.resetModules();
  document.head.innerHTML = customer;
  const tab = await import("./sign-out");
  tab.startSignOut();
  return tab;
}

const CUSTOMERS = '<meta name="customer" content="signed in">';

beforeEach(() => {
  Channel.all = [];
  reload.mockClear();
  vi.stubGlobal("BroadcastChannel", Channel);
  vi.stubGlobal("location", { reload });
  localStorage.setItem("recently-viewed", "[1]");
  sessionStorage.setItem("draft", "12 Temple Road");
});

function submit(action: string): void {
  const form = document.createElement("form");
  form.action = action;
  document.body.append(form);
  form.dispatchEvent(new Event("submit", { bubbles: true }));
}

test.each(["/en-in/logout/", "/logout/", "/en-in/change-password/", "/en-in/profile/delete/"])(
  "%s leaves nothing in the browser's storage",
  async (action) => {
    await openTab("");
    submit(`https://shop.example${action}`);
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
  },
);

test("another form leaves it as it is", async () => {
  await openTab("");
  submit("https://shop.example/en-in/cart/add/");
  expect(localStorage.getItem("recently-viewed")).toBe("[1]");
});

test("a page that shows a customer is asked for again in the other tabs", async () => {
  await openTab(CUSTOMERS);
  const visitors = await openTab("");
  document.head.innerHTML = CUSTOMERS;
  Channel.all[1]!.postMessage();
  expect(reload).toHaveBeenCalledOnce();
  expect(visitors).toBeDefined();
});

test("a page for visitors stays", async () => {
  const tab = await openTab("");
  tab.hearOfSignOut();
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  expect(reload).not.toHaveBeenCalled();
});

test("a customer's page that the back button finds is asked for again", async () => {
  await openTab(CUSTOMERS);
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
  expect(reload).not.toHaveBeenCalled();
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  expect(reload).toHaveBeenCalled();
});
