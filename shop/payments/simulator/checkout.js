// Stands in for the provider's script: the same constructor, options, events and results.
"use strict";
(() => {
  const home = new URL(document.currentScript.src).origin;

  // What the window's page is told: one level of names, as in a form's fields.
  function fieldsOf(options) {
    const given = { key: options.key, order_id: options.order_id, name: options.name, description: options.description };
    for (const name of ["name", "email", "contact"]) given[`prefill_${name}`] = options.prefill?.[name];
    given.retry = String(options.retry?.enabled ?? true);
    given.confirm_close = String(Boolean(options.modal?.confirm_close));
    given.callback_url = options.redirect ? options.callback_url : "";
    return Object.entries(given).filter(([, value]) => value);
  }

  function leaveTo(action, fields) {
    const form = document.createElement("form");
    form.method = "post";
    form.action = action;
    for (const [name, value] of fields) {
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name, value });
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  }

  class Razorpay {
    #options;
    #listeners = {};
    #frame = null;
    #timer;

    constructor(options) {
      if (!options?.key) throw new Error("No key passed");
      this.#options = options;
    }

    on(event, listener) {
      (this.#listeners[event] ??= []).push(listener);
    }

    open() {
      if (this.#frame) return;
      if (this.#options.redirect) {
        leaveTo(`${home}/window`, fieldsOf(this.#options));
        return;
      }
      this.#frame = document.createElement("iframe");
      this.#frame.className = "razorpay-checkout-frame";
      this.#frame.title = "Payment window of the simulated provider";
      this.#frame.src = `${home}/window?${new URLSearchParams(fieldsOf(this.#options))}`;
      Object.assign(this.#frame.style, { position: "fixed", inset: "0", width: "100%", height: "100%", border: "0", zIndex: "2147483647" });
      window.addEventListener("message", this.#hear);
      document.addEventListener("keydown", this.#escape);
      if (this.#options.timeout) this.#timer = setTimeout(() => this.#dismiss(), this.#options.timeout * 1000);
      document.body.append(this.#frame);
    }

    close() {
      clearTimeout(this.#timer);
      window.removeEventListener("message", this.#hear);
      document.removeEventListener("keydown", this.#escape);
      this.#frame?.remove();
      this.#frame = null;
    }

    #dismiss() {
      this.close();
      this.#options.modal?.ondismiss?.();
    }

    #escape = (event) => {
      if (event.key === "Escape" && this.#options.modal?.escape !== false) this.#dismiss();
    };

    #hear = ({ origin, source, data }) => {
      if (origin !== home || source !== this.#frame?.contentWindow) return;
      if (data.result) {
        this.close();
        if (this.#options.handler) this.#options.handler(data.result);
        else if (this.#options.callback_url) leaveTo(this.#options.callback_url, Object.entries(data.result));
      } else if (data.error) {
        for (const listener of this.#listeners["payment.failed"] ?? []) listener({ error: data.error });
      } else if (data.closed) {
        this.#dismiss();
      }
    };
  }

  window.Razorpay = Razorpay;
})();
