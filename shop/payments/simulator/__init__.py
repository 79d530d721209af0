"""A provider that behaves like Razorpay (shared facts: ids, amounts, states, errors, signatures).

`api.answer` is the whole HTTP interface; `session` plugs it into the SDK's client in-process and
`manage.py razorpay_simulator` serves it; `payer` is the person at the payment window; `events`
makes the webhooks; `faults` makes the next calls go wrong. It keeps its own records and never
reads the shop's.
"""
