import pytest

from ..queries import market_registry


@pytest.mark.django_db
def test_the_shipped_world_has_sixty_countries_with_rates_and_stable_ids():
    markets = market_registry()
    assert len(markets.locations) >= 60
    assert (markets.locations[1].code, markets.locations[22].code) == ("IN", "US")
    assert markets.default.name == "USA"


def test_prices_follow_the_rate(india, usa):
    from decimal import Decimal

    assert india.from_inr(Decimal("399")) == Decimal("399.00")
    assert usa.from_inr(Decimal("885")) == Decimal("10.00")
    assert india.display(Decimal("123456")) == "₹1,23,456.00"
