import { CallError, post } from "../api";
import { t } from "../texts";

type Options = Record<string, unknown>;
type Descriptor = { id: string; type: PublicKeyCredentialType };

/** Forms that make or use a passkey (`data-passkey`): shown where passkeys can work, which is not at an IP address. */
export function start(): void {
  if (!window.PublicKeyCredential || /^[\d.]+$|^\[/.test(location.hostname)) return;
  showForms();
  document.addEventListener("htmx:after:swap", showForms);
  document.addEventListener("submit", (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>("form[data-passkey]");
    if (!form) return;
    event.preventDefault();
    void sendPasskey(form);
  });
}

function showForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) form.hidden = false;
  document.querySelectorAll("[data-without-passkeys]").forEach((words) => words.remove());
}

/**
 * Signs in with a passkey or adds one, as the form says, and goes on to where that leads. What went wrong is said
 * in the form.
 */
export async function sendPasskey(form: HTMLFormElement, go = leave): Promise<void> {
  const button = form.querySelector("button")!;
  say(form, "");
  button.disabled = true;
  try {
    go(form.dataset["passkey"] === "add" ? await add(form) : await signIn());
  } catch (error) {
    if (error instanceof CallError && error.code === "proof_needed") go(proofPage(form));
    else say(form, wordsFor(error));
  } finally {
    button.disabled = false;
  }
}

async function signIn(): Promise<string> {
  const { publicKey } = await post("/api/passkeys/options/", {});
  const credential = (await navigator.credentials.get({ publicKey: requestOptions(publicKey) })) as PublicKeyCredential;
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response as AuthenticatorAssertionResponse;
  const response = {
    clientDataJSON: encode(clientDataJSON),
    authenticatorData: encode(authenticatorData),
    signature: encode(signature),
    userHandle: encode(userHandle ?? new ArrayBuffer(0)),
  };
  const { next } = await post("/api/passkeys/sign-in/", { credential: { ...named(credential), response } });
  return next;
}

/** Where to go: the form's `data-next`, or nowhere, when the page is to be asked for again. */
async function add(form: HTMLFormElement): Promise<string> {
  const { publicKey } = await post("/api/passkeys/register-options/", {});
  const credential = (await navigator.credentials.create({ publicKey: creationOptions(publicKey) })) as PublicKeyCredential;
  const { clientDataJSON, attestationObject } = credential.response as AuthenticatorAttestationResponse;
  const response = { clientDataJSON: encode(clientDataJSON), attestationObject: encode(attestationObject) };
  const name = String(new FormData(form).get("name"));
  await post("/api/passkeys/add/", { name, credential: { ...named(credential), response } });
  return form.dataset["next"] ?? "";
}

/** Where its person confirms who it is, and comes back from with the name that was typed. */
function proofPage(form: HTMLFormElement): string {
  const name = String(new FormData(form).get("name"));
  const back = `${location.pathname}?${new URLSearchParams({ passkey: name })}#passkeys`;
  return `${form.dataset["proof"]}?${new URLSearchParams({ next: back })}`;
}

function requestOptions(options: Options): PublicKeyCredentialRequestOptions {
  return { ...options, challenge: decode(options["challenge"] as string), allowCredentials: known(options["allowCredentials"]) };
}

function creationOptions(options: Options): PublicKeyCredentialCreationOptions {
  const user = options["user"] as { id: string };
  return {
    ...(options as unknown as PublicKeyCredentialCreationOptions),
    challenge: decode(options["challenge"] as string),
    user: { ...(user as unknown as PublicKeyCredentialUserEntity), id: decode(user.id) },
    excludeCredentials: known(options["excludeCredentials"]),
  };
}

function known(listed: unknown): PublicKeyCredentialDescriptor[] {
  return ((listed ?? []) as Descriptor[]).map(({ id, type }) => ({ id: decode(id), type }));
}

function named(credential: PublicKeyCredential) {
  return { id: credential.id, rawId: encode(credential.rawId), type: "public-key" as const };
}

/** Bytes as base64url without padding, and back. */
export function encode(bytes: ArrayBuffer): string {
  const characters = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function decode(text: string): ArrayBuffer {
  const characters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(characters, (character) => character.charCodeAt(0)).buffer;
}

function wordsFor(error: unknown): string {
  if (error instanceof CallError) return error.message;
  const name = error instanceof DOMException ? error.name : "";
  if (name === "InvalidStateError") return t("This device already has a passkey for your account.");
  if (name === "NotAllowedError") return t("No passkey was used. Please try again.");
  return t("Your browser couldn't use a passkey here.");
}

function say(form: HTMLFormElement, words: string): void {
  const problem = form.querySelector<HTMLElement>("[data-passkey-problem]")!;
  problem.textContent = words;
  problem.hidden = !words;
}

function leave(next: string): void {
  if (next) location.assign(next);
  else location.reload();
}
