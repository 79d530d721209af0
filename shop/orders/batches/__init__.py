"""Which batches the parcels of orders took, what of them came back, and recalls (see shop/catalog/batches).

`ShippedBatch` says which units of a batch went into a line of a parcel, `ReturnedBatch` which of them came back with a
return. `ShipmentLine.batches` is the parcel's own copy of numbers and expiry dates, for pages and papers.
"""
