import pytest


@pytest.fixture
def shelf(make_product, make_variant):
    """shelf("Antacid Gel", …) -> the ids of products with these names, one each."""

    def shelf(*names, ingredients=""):
        return [make_variant(product=make_product(name), ingredients=ingredients).product_id for name in names]

    return shelf
