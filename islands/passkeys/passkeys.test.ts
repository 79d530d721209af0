import { afterEach, expect, test, vi } from "vitest";
import { answerCalls, markup } from "../testing";
import { decode, encode, sendPasskey, start } from "./passkeys";

const CHALLENGE = encode(bytes(1, 2, 251, 255));
const OPTIONS = { body: { publicKey: { challenge: CHALLENGE, rpId: "localhost", allowCredentials: [] } } };

function bytes(...values: number[]): ArrayBuffer {
  return Uint8Array.from(values).buffer;
}

function passkeyForm(attributes: string): HTMLFormElement {
  return markup(`<form ${attributes} hidden><input name="name" value="My phone">
    <p data-passkey-problem hidden></p><button>Go</button></form>`).querySelector("form")!;
}

function credentials(ceremony: "get" | "create", answer: () => Promise<unknown>) {
  const asked = vi.fn(answer);
  vi.stubGlobal("navigator", { credentials: { [ceremony]: asked } });
  return asked;
}

afterEach(() => void vi.unstubAllGlobals());

test("bytes travel as base64url without padding", () => {
  expect(CHALLENGE).toBe("AQL7_w");
  expect([...new Uint8Array(decode("AQL7_w"))]).toEqual([1, 2, 251, 255]);
});

test("a signed challenge is sent, and the answer leads on", async () => {
  const asked = answerCalls(OPTIONS, { body: { next: "/en-in/orders/" } });
  const response = { clientDataJSON: bytes(1), authenticatorData: bytes(2), signature: bytes(3), userHandle: bytes(4) };
  const get = credentials("get", () => Promise.resolve({ id: "BQ", rawId: bytes(5), response }));
  const gone: string[] = [];
  await sendPasskey(passkeyForm(`data-passkey="sign-in"`), (next) => void gone.push(next));
  const [wanted] = get.mock.calls[0] as unknown as [{ publicKey: PublicKeyCredentialRequestOptions }];
  expect([...new Uint8Array(wanted.publicKey.challenge as ArrayBuffer)]).toEqual([1, 2, 251, 255]);
  const sent = { clientDataJSON: "AQ", authenticatorData: "Ag", signature: "Aw", userHandle: "BA" };
  expect(asked[1]).toEqual(["/api/passkeys/sign-in/", { credential: { id: "BQ", rawId: "BQ", type: "public-key", response: sent } }]);
  expect(gone).toEqual(["/en-in/orders/"]);
});

test("who has to confirm who it is goes there and comes back with the name that was typed", async () => {
  answerCalls({ status: 403, body: { code: "proof_needed", detail: "Please confirm it's you first." } });
  const gone: string[] = [];
  await sendPasskey(passkeyForm(`data-passkey="add" data-proof="/profile/proof/"`), (next) => void gone.push(next));
  expect(gone).toEqual([`/profile/proof/?next=${encodeURIComponent("/?passkey=My+phone#passkeys")}`]);
});

test("a new passkey is sent with its name", async () => {
  const user = { id: encode(bytes(9)), name: "asha@example.com", displayName: "Asha" };
  const options = { challenge: CHALLENGE, user, excludeCredentials: [{ type: "public-key", id: "BQ" }] };
  const asked = answerCalls({ body: { publicKey: options } }, { body: { message: "Passkey added" } });
  const response = { clientDataJSON: bytes(1), attestationObject: bytes(2) };
  const create = credentials("create", () => Promise.resolve({ id: "BQ", rawId: bytes(5), response }));
  const gone: string[] = [];
  await sendPasskey(passkeyForm(`data-passkey="add" data-next="/second-factor/"`), (next) => void gone.push(next));
  const [wanted] = create.mock.calls[0] as unknown as [{ publicKey: PublicKeyCredentialCreationOptions }];
  expect(new Uint8Array(wanted.publicKey.user.id as ArrayBuffer)).toEqual(new Uint8Array([9]));
  expect(new Uint8Array(wanted.publicKey.excludeCredentials![0]!.id as ArrayBuffer)).toEqual(new Uint8Array([5]));
  expect(asked[1]).toEqual([
    "/api/passkeys/add/",
    { name: "My phone", credential: { id: "BQ", rawId: "BQ", type: "public-key", response: { clientDataJSON: "AQ", attestationObject: "Ag" } } },
  ]);
  expect(gone).toEqual(["/second-factor/"]);
});

test.each([
  ["NotAllowedError", "No passkey was used. Please try again."],
  ["InvalidStateError", "This device already has a passkey for your account."],
  ["SecurityError", "Your browser couldn't use a passkey here."],
])("what went wrong is said in the form: %s", async (name, words) => {
  answerCalls(OPTIONS);
  credentials("get", () => Promise.reject(new DOMException("", name)));
  const form = passkeyForm(`data-passkey="sign-in"`);
  await sendPasskey(form);
  const problem = form.querySelector<HTMLElement>("[data-passkey-problem]")!;
  expect([problem.hidden, problem.textContent, form.querySelector("button")!.disabled]).toEqual([false, words, false]);
});

test("a refusal of the shop is said in its own words", async () => {
  answerCalls({ status: 429, body: { detail: "Too many attempts. Please wait and try again." } });
  const form = passkeyForm(`data-passkey="sign-in"`);
  await sendPasskey(form);
  expect(form.querySelector("[data-passkey-problem]")!.textContent).toBe("Too many attempts. Please wait and try again.");
});

test.each([
  ["localhost", false],
  ["shop.example", false],
  ["127.0.0.1", true],
  ["[::1]", true],
])("at %s the forms are hidden: %s", (hostname, hidden) => {
  vi.stubGlobal("PublicKeyCredential", class {});
  vi.stubGlobal("location", { hostname });
  const form = passkeyForm(`data-passkey="sign-in"`);
  start();
  expect(form.hidden).toBe(hidden);
});

test("a browser that knows no passkeys shows no form for them", () => {
  vi.stubGlobal("PublicKeyCredential", undefined);
  const form = passkeyForm(`data-passkey="add"`);
  start();
  expect(form.hidden).toBe(true);
});

test("a form that HTMX brings is shown, too", () => {
  vi.stubGlobal("PublicKeyCredential", class {});
  vi.stubGlobal("location", { hostname: "localhost" });
  start();
  const form = passkeyForm(`data-passkey="sign-in"`);
  document.dispatchEvent(new Event("htmx:after:swap"));
  expect(form.hidden).toBe(false);
});
