from shop.tests.support.access import admin_entries

# Nobody adds a second row (test_back_office.py adds the first).
ENTRIES = admin_entries("company.company", change=True, delete=True)
