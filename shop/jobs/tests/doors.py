from shop.tests.access import screen

DOORS = screen("chores.failedrow")
