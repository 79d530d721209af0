from shop.tests.support.access import RouteAccess, Who

ENTRIES = [
    RouteAccess("csp-report/", "POST", Who.PROGRAM),
]
