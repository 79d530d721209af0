"""The ledger of points: what is left of which, in whichever order it was used, given back and ended."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from shop.messaging.models import Message

from ...models import Customer, PointsEntry
from .. import services as points
from ..expiry import expire_points, notify_of_expiring_points
from ..services import NotEnoughPoints, balance_of, lots_of, points_for, twelve_months_after

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def earn(customer):
    """earn(45, days=30): points that end in as many days."""

    def earn(amount, *, days, of=customer):
        number = PointsEntry.objects.count()
        ends = timezone.now() + days * DAY
        return PointsEntry.objects.create(
            customer=of, kind="earned", points=amount, reference=f"ORD-{number}", key=f"earned:{number}",
            at=ends - 365 * DAY, expires_at=ends,
        )  # fmt: skip

    return earn


def left(customer):
    """What is left, by the days it has still."""
    now = timezone.now()
    return {round((lot.expires_at - now) / DAY): lot.left for lot in lots_of(customer.points_entries.all())}


def pass_days(days):
    """Everything in the ledger is as many days older."""
    for entry in PointsEntry.objects.all():
        entry.at -= days * DAY
        entry.expires_at = entry.expires_at and entry.expires_at - days * DAY
        entry.save()


@pytest.mark.parametrize(
    ("goods", "earned"), [("0", 0), ("99.99", 0), ("100", 1), ("199.99", 1), ("1234.50", 12), ("-5", 0)]
)
def test_a_point_for_every_hundred_rupees_of_goods(goods, earned):
    assert points_for(Decimal(goods)) == earned


def test_a_point_lives_twelve_months_and_through_a_leap_day():
    assert twelve_months_after(datetime(2026, 11, 21, tzinfo=UTC)) == datetime(2027, 11, 21, tzinfo=UTC)
    assert twelve_months_after(datetime(2028, 2, 29, tzinfo=UTC)) == datetime(2029, 3, 1, tzinfo=UTC)


def test_earning_counts_once_an_order(customer):
    for _ in range(2):
        points.earn(customer, 12, reference="ORD-A")
    points.earn(customer, 0, reference="ORD-B")
    assert balance_of(customer) == 12
    assert left(customer) == {365: 12}


def test_the_points_that_end_next_are_used_first(customer, earn):
    earn(10, days=90)
    earn(10, days=30)
    points.redeem(customer, 14, reference="ORD-X")
    assert left(customer) == {90: 6}


def test_more_than_there_are_cannot_be_redeemed(customer, earn):
    earn(10, days=30)
    earn(5, days=-1)
    with pytest.raises(NotEnoughPoints):
        points.redeem(customer, 11, reference="ORD-X")
    assert balance_of(customer) == 10


def test_what_is_given_back_has_the_time_it_had_left(customer, earn):
    earn(10, days=30)
    earn(10, days=90)
    points.redeem(customer, 5, reference="ORD-X")
    pass_days(20)
    for _ in range(2):
        points.restore_points(customer, 5, reference="ORD-X", occasion="ORD-X:cancelled")
    assert left(customer) == {10: 5, 30: 5, 70: 10}


def test_checking_out_again_and_again_keeps_no_point_alive(customer, earn):
    earn(10, days=30)
    for number in range(3):
        points.redeem(customer, 10, reference=f"ORD-{number}X")
        points.restore_points(customer, 10, reference=f"ORD-{number}X", occasion=f"ORD-{number}X:cancelled")
    assert left(customer) == {30: 10}


def test_an_order_that_late_money_revived_gives_back_twice(customer, earn):
    earn(10, days=30)
    for times in (1, 2):
        points.redeem(customer, 10, reference="ORD-X")
        assert balance_of(customer) == 0
        points.restore_points(customer, 10, reference="ORD-X", occasion="ORD-X:cancelled")
        assert balance_of(customer) == 10
        assert PointsEntry.objects.filter(kind="given_back").count() == times


def test_nothing_is_given_back_where_nothing_was_redeemed(customer, earn):
    earn(10, days=30)
    points.restore_points(customer, 5, reference="ORD-X", occasion="ORD-X:cancelled")
    assert balance_of(customer) == 10


def test_points_of_refunded_goods_are_taken_back_even_when_they_were_spent(customer, earn):
    earn(10, days=30)
    points.redeem(customer, 8, reference="ORD-X")
    for _ in range(2):
        points.take_back(customer, 10, reference="ORD-0", occasion="ORD-0:return")
    assert balance_of(customer) == 0
    assert balance_of(customer, returning=9) == 1
    earn(20, days=300)
    assert balance_of(customer) == 12


def test_ended_points_are_worth_nothing_before_the_clock_has_written_it_down(customer, earn):
    earn(10, days=-1)
    earn(5, days=1)
    assert balance_of(customer) == 5


def test_the_clock_writes_each_end_down_once(customer, earn):
    lot = earn(10, days=5)
    earn(7, days=90)
    points.redeem(customer, 4, reference="ORD-X")
    pass_days(6)
    assert (expire_points(), expire_points()) == (1, 0)
    ended = PointsEntry.objects.get(kind="expired")
    assert (ended.points, ended.reference, ended.customer) == (-6, lot.reference, customer)
    assert balance_of(customer) == 7
    assert sum(customer.points_entries.values_list("points", flat=True)) == 7


def test_points_that_were_used_up_do_not_end(customer, earn):
    earn(10, days=5)
    points.redeem(customer, 10, reference="ORD-X")
    pass_days(6)
    assert expire_points() == 0


def test_a_mail_comes_two_weeks_before_points_end_and_once(customer, earn):
    earn(45, days=13)
    earn(20, days=15)
    assert (notify_of_expiring_points(), notify_of_expiring_points()) == (1, 0)
    mail = Message.objects.get(kind="points_end")
    assert (mail.to, mail.subject.split(" on ")[0]) == (customer.email, "45 of your points expire")
    assert "45 of your points expire on" in mail.text
    pass_days(2)
    assert notify_of_expiring_points() == 1
    assert Message.objects.filter(kind="points_end").count() == 2


def test_who_signs_in_by_mobile_is_told_by_sms_and_who_is_gone_is_not(earn, customer):
    phone = Customer.objects.create_user(phone="+919876543210")
    gone = Customer.objects.create_user("gone@example.com", is_active=False)
    earn(1, days=3, of=phone)
    earn(9, days=3, of=gone)
    assert notify_of_expiring_points() == 1
    sms = Message.objects.get(kind="points_end")
    assert (sms.channel, sms.to) == ("sms", "+919876543210")
    assert "1 of your points expires on" in sms.text


def test_used_points_are_not_told_of(customer, earn):
    earn(45, days=13)
    points.redeem(customer, 45, reference="ORD-X")
    assert notify_of_expiring_points() == 0


def test_the_profile_shows_balance_next_end_and_the_ledger_in_words(client, customer, earn):
    client.force_login(customer)
    page = client.get("/en-in/profile/").content.decode()
    assert "0 points" in page and "No points yet." in page
    earn(45, days=30)
    earn(20, days=90)
    points.redeem(customer, 40, reference="ORD-ABCDEFGH1")
    answer = client.get("/en-in/profile/")
    page = answer.content.decode()
    assert '<strong class="points__balance">25 points</strong>' in page
    ends = timezone.localdate(timezone.now() + 30 * DAY)
    assert f"5 of them expire on {ends.day} {ends:%B %Y}." in page
    assert 'Used on order <a href="/en-in/order-detail/ORD-ABCDEFGH1/">ORD-ABCDEFGH1</a>' in page
    assert "-40<span" in page and "+45<span" in page
    assert answer["Cache-Control"] == "private, no-store"


def test_a_long_ledger_has_pages_and_belongs_to_one_person(client, customer, earn):
    other = Customer.objects.create_user("other@example.com")
    earn(7, days=9, of=other)
    for _ in range(21):
        earn(1, days=30)
    client.force_login(customer)
    assert client.get("/en-in/profile/").content.decode().count("ledger__entry") == 20
    assert client.get("/en-in/profile/?page=2").content.decode().count("ledger__entry") == 1
    assert client.get("/en-in/profile/?page=x").status_code == 200
    assert "+7<span" not in client.get("/en-in/profile/?page=2").content.decode()
