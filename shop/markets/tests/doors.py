from shop.tests.support.access import Door, Who, screen

CHOICE = "the visitor's own choice, kept in a cookie of his browser"

DOORS = [
    Door("deliver-to/", "GET POST", Who.ANYONE, body=lambda own: {"country": "US", "next": "/"}, why=CHOICE),
    Door("currency/", "GET POST", Who.ANYONE, body=lambda own: {"currency": "USD", "next": "/"}, why=CHOICE),
    Door("GET /api/geo-locations/location-data/", "GET", Who.ANYONE),
    Door("GET /api/pincode/<pincode>/", "GET", Who.ANYONE, path=lambda own: "/api/pincode/560001/"),
    *screen("markets.location", add=True, change=True),
    *screen("markets.currency", add=True, change=True),
    *screen("markets.rate", add=True),
    *screen("markets.servicerule", add=True, change=True, delete=True),
]
