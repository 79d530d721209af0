// Opens the provider's window over the pay page. Its result goes to the shop as a plain form; in
// browsers that cannot show the window, the provider posts it to the callback address itself.
"use strict";

const form = document.querySelector("[data-pay]");
const failed = form.querySelector("[data-pay-failed]");
const inAppBrowser = /Instagram|FBAN|FBAV|FB_IAB|Opera Mini|OPR\/|UCBrowser/.test(navigator.userAgent);

function say(words) {
  failed.textContent = words;
  failed.hidden = false;
}

function send(result) {
  for (const name of ["razorpay_order_id", "razorpay_payment_id", "razorpay_signature"]) {
    form.elements.namedItem(name).value = result[name];
  }
  form.submit();
}

function open() {
  if (!window.Razorpay) {
    say("The payment window could not be loaded. Please check your connection and try again.");
    return;
  }
  const given = form.dataset;
  const paying = new window.Razorpay({
    key: given.key,
    order_id: given.order,
    amount: given.amount,
    currency: given.currency,
    name: given.name,
    description: given.description,
    prefill: { name: given.customer, email: given.email, contact: given.contact },
    theme: { color: "#1f5a41" },
    modal: { ondismiss: () => say("The payment was not completed. Your order is kept; you can try again."), confirm_close: true },
    ...(inAppBrowser ? { callback_url: given.callback, redirect: true } : { handler: send }),
  });
  paying.on("payment.failed", (event) => say(event.error.description || "Payment Transaction failed ..."));
  paying.open();
}

form.querySelector("[data-pay-open]").addEventListener("click", open);
open();
