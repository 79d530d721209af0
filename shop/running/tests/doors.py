from shop.tests.access import Door, Who

DOORS = [
    Door("csp-report/", "POST", Who.ANYONE, why="writes a line of the log, counted for client and shop"),
]
