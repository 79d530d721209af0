from shop.tests.support.access import RouteAccess, Who, admin_entries

CHOICE = "the visitor's own choice, kept in a cookie of his browser"

ENTRIES = [
    RouteAccess("deliver-to/", "GET POST", Who.ANYONE, body=lambda own: {"country": "US", "next": "/"}, why=CHOICE),
    RouteAccess("currency/", "GET POST", Who.ANYONE, body=lambda own: {"currency": "USD", "next": "/"}, why=CHOICE),
    RouteAccess("language/", "GET POST", Who.ANYONE, body=lambda own: {"language": "en", "next": "/"}, why=CHOICE),
    RouteAccess("GET /api/geo-locations/location-data/", "GET", Who.ANYONE),
    RouteAccess("GET /api/pincode/<pincode>/", "GET", Who.ANYONE, path=lambda own: "/api/pincode/560001/"),
    *admin_entries("markets.location", add=True, change=True),
    *admin_entries("markets.currency", add=True, change=True),
    *admin_entries("markets.rate", add=True),
    *admin_entries("markets.servicerule", add=True, change=True, delete=True),
]
