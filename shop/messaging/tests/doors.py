from shop.tests.access import screen

DOORS = screen("messaging.message")
