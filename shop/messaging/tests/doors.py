from shop.tests.support.access import screen

DOORS = screen("messaging.message")
