from shop.tests.support.access import admin_entries

ENTRIES = [*admin_entries("messaging.message"), *admin_entries("messaging.messagetext", change=True)]
