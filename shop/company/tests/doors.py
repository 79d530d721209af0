from shop.tests.support.access import screen

# Nobody adds a second row (test_back_office.py adds the first).
DOORS = screen("company.company", change=True, delete=True)
