from shop.tests.support.access import Door, Who

DOORS = [
    Door("csp-report/", "POST", Who.PROGRAM),
]
