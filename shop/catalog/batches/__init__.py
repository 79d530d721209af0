"""Batches: which units of a variant expire when, in the shop and on their way out.

A variant is tracked by batch (`Variant.is_batched`) from its first receipt with a batch number on; the stock from
before becomes its opening batch, which has neither number nor expiry. `Batch.units` counts what is physically here and
not in a parcel yet: units on hand, reserved, and sold but not packed. `Variant.unmet` counts those among them that no
batch covers, because a batch expired or was recalled after they were reserved; a unit that comes in covers one of them
before it goes on sale. So at every commit, for each variant that is tracked:

    on_hand + held + sold but not packed = units of its batches that are not recalled + unmet

Locks follow those of orders: customer, draft, order, variants by ascending id, then the batches of a variant. Whoever
writes a batch has locked its variant, so that the conditional updates of batches never wait for one another.

Packing (shop/orders/batches) takes the batch that expires first among those that leave the promised rest of life on the
day of the promised delivery; `Batch.sold_until` is the last such day. A scheduled job takes batches off sale in time.
"""
