"""Where the shop delivers: the longest prefix of a postcode counts."""

import pytest

from ..models import ServiceRule
from ..queries import Service, service_for, services_for

pytestmark = pytest.mark.django_db
INDIA, UK, UAE = 1, 75, 73


@pytest.fixture
def rule():
    """rule("744", is_served=False): one of India, or of `location_id`."""

    def make(prefix, location_id=INDIA, **fields):
        return ServiceRule.objects.create(location_id=location_id, prefix=prefix, **fields)

    return make


def test_without_a_rule_the_shop_delivers():
    assert service_for(INDIA, "744101") == Service()


def test_the_longest_prefix_counts(rule):
    rule("7", extra_days=1)
    rule("744", is_served=False)
    rule("744101", extra_days=5, note="Only by boat.")
    assert service_for(INDIA, "744101") == Service(extra_days=5, note="Only by boat.")
    assert not service_for(INDIA, "744102").is_served
    assert service_for(INDIA, "700001").extra_days == 1
    assert service_for(INDIA, "560001") == Service()


def test_an_empty_prefix_is_the_whole_country_and_no_other(rule):
    rule("", is_served=False)
    rule("11", extra_days=1)
    assert service_for(INDIA, "110001").is_served
    assert not service_for(INDIA, "560001").is_served
    assert service_for(UAE, "").is_served


def test_postcodes_are_compared_without_what_stands_between(rule):
    rule("SW1", UK, extra_days=2)
    assert service_for(UK, "sw1A 1aa").extra_days == 2
    made = ServiceRule(location_id=UK, prefix="ec1-y ")
    made.clean()
    assert made.prefix == "EC1Y"


def test_a_refusal_is_in_words(rule):
    rule("744", is_served=False, note="Ask us by mail.")
    assert service_for(INDIA, "744101").refusal("744101") == "We don't deliver to 744101. Ask us by mail."
    assert service_for(INDIA, "560001").refusal("560001") == ""


def test_many_places_take_one_query(rule, django_assert_num_queries):
    rule("744", is_served=False)
    places = [(INDIA, f"{pin}") for pin in range(744100, 744120)] + [(UAE, "")]
    services_for(places)  # which countries have rules is remembered
    with django_assert_num_queries(1):
        found = services_for(places)
    assert [service.is_served for service in found.values()] == [False] * 20 + [True]
    with django_assert_num_queries(0):
        assert services_for([]) == {}
