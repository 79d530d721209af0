from shop.tests.access import Door, Who

DOORS = [
    Door("csp-report/", "POST", Who.PROGRAM),
]
