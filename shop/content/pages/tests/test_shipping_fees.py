"""Shipping policy and questions state the fees as the data has them."""

import pytest

from shop.invalidation.services import invalidate
from shop.markets.models import Location, Slab

pytestmark = pytest.mark.django_db
PAGES = ("/en-in/shippingpolicy/", "/en-in/faq/")
FEES = "<td>India</td><td>under ₹499.00: ₹49.00; from ₹499.00: ₹29.00; from ₹999.00: free</td>"


@pytest.mark.parametrize("path", PAGES)
def test_the_fees_of_each_country_are_stated(client, path):
    assert FEES in client.get(path).text


@pytest.mark.parametrize("path", PAGES)
def test_they_follow_the_data(client, path):
    client.get(path)
    india = Location.objects.get(code="IN")
    Slab.objects.filter(location=india).delete()
    invalidate("shop")
    assert "<td>India</td><td>free</td>" in client.get(path).text
