"""A provider that behaves like Razorpay: ids, amounts, states, errors, signatures, faults.

`provider` is the provider itself, its rows in a `store` (memory, or the shop's database), in the
shapes of `shapes`. It has four interfaces: `api` (with the `faults` that strike a call), `payer` (the
person at the window, whose page is `window`), `events` (webhooks) and `control` (tests and proofs).
`session` plugs the API into the SDK's client inside the shop's process; `server` serves all of it,
as `manage.py razorpay_simulator`. It keeps its own ledger and never reads the shop's rows.
"""
