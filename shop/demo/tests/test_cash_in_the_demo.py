from shop.markets.models import Location
from shop.markets.queries import service_for

from ..purchases import CASH_LIMIT, load_cash_on_delivery


def test_the_demo_takes_cash_in_some_cities_up_to_a_limit(db):
    load_cash_on_delivery()
    load_cash_on_delivery()  # twice is once
    india = Location.objects.get(code="IN")
    assert india.cash_on_delivery_max == CASH_LIMIT
    assert service_for(india.pk, "560003").cash_on_delivery
    assert not service_for(india.pk, "682001").cash_on_delivery
