// Opens the provider's window over the pay page. Its result goes to the shop as a plain form; in
// browsers that cannot show the window, the provider's own page posts it to the callback address.
"use strict";

const form = document.querySelector("[data-pay]");
const notice = form.querySelector("[data-pay-failed]");
const button = form.querySelector("[data-pay-open]");
const words = JSON.parse(document.getElementById("failure-words").textContent);
const inAppBrowser = /Instagram|FBAN|FBAV|FB_IAB|Opera Mini|OPR\/|UCBrowser/.test(navigator.userAgent);

function say(text) {
  notice.textContent = text;
  notice.hidden = false;
}

function send(result) {
  button.disabled = true;
  for (const name of ["razorpay_order_id", "razorpay_payment_id", "razorpay_signature"]) {
    form.elements.namedItem(name).value = result[name];
  }
  form.submit();
}

function open() {
  if (!window.Razorpay) {
    say(words.window);
    return;
  }
  notice.hidden = true;
  let lastFailure = "";
  const given = form.dataset;
  const paying = new window.Razorpay({
    key: given.key,
    order_id: given.order,
    amount: given.amount,
    currency: given.currency,
    name: given.name,
    description: given.description,
    prefill: { name: given.customer, email: given.email, contact: given.contact, ...(given.method && { method: given.method }) },
    theme: { color: "#1f5a41" },
    modal: {
      ondismiss: () => say(lastFailure || words.closed),
      confirm_close: true,
    },
    ...(inAppBrowser ? { callback_url: given.callback, redirect: true } : { handler: send }),
  });
  paying.on("payment.failed", ({ error }) => {
    lastFailure = words[error.reason] ?? words[""];
    say(lastFailure);
  });
  paying.open();
}

// Opened at once, except where somebody comes back from a failure or from the provider's page.
const [arrival] = performance.getEntriesByType("navigation");
button.addEventListener("click", open);
if (notice.hidden && arrival?.type !== "back_forward") open();
