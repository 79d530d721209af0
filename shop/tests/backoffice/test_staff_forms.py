"""Forms of staff write what was changed, and nobody's change is lost unsaid."""

import re
from datetime import timedelta

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.staff.roles import OWNER
from shop.backoffice import history
from shop.backoffice.admin import BackOfficeAdmin, ReadOnly
from shop.backoffice.forms import AS_SHOWN, StaffForm
from shop.catalog.models import Category, Product
from shop.content.models import Faq
from shop.markets.models import Location, Slab

from .test_back_office import form_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]

COUNTERS = {"received", "on_hand", "held", "sold", "uses", "popularity", "points", "balance", "captured_paise"}


@pytest.fixture
def member():
    def member(name, role=OWNER):
        made = Customer.objects.create_user(f"{name.lower()}@example.com", "pw", name=name, is_staff=True)
        made.groups.add(Group.objects.get(name=role))
        client = Client(headers={"sec-fetch-site": "same-origin"})
        client.force_login(made)
        client.person = made
        return client

    return member


def change_url(row):
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def open_form(client, row):
    return form_of(client.get(change_url(row)))


def options_of(page, name):
    """The two values that a conflict offers: whose, and what is sent for it."""
    offered = re.findall(rf'name="{name}" value="((?:theirs|mine):\w+)"', page)
    return {value.partition(":")[0]: value for value in offered}


def test_what_two_people_changed_in_one_product_is_kept_both(member, make_variant):
    variant = make_variant("100")
    meera, kiran = member("Meera"), member("Kiran")
    first, second = open_form(meera, variant.product), open_form(kiran, variant.product)
    url = change_url(variant.product)
    assert meera.post(url, first | {"name": "New name", "variants-0-selling_price": "80"}).status_code == 302
    assert kiran.post(url, second | {"maker": "Vanamitra Ltd", "variants-0-max_purchase_qty": "7"}).status_code == 302
    variant.refresh_from_db()
    product = Product.objects.get(pk=variant.product_id)
    assert (product.name, product.maker) == ("New name", "Vanamitra Ltd")
    assert (variant.selling_price, variant.max_purchase_qty, product.price_inr) == (80, 7, 80)
    told = [(history.who(entry), history.read(entry)) for entry in product_history(product)]
    assert [who.partition(" ")[0] for who, _ in told] == ["Meera", "Kiran"]
    assert [row[0] for part in told[1][1] for row in part.fields] == ["Manufacturer", "Most per order"]


def product_history(product):
    from django.contrib.admin.models import LogEntry

    return list(LogEntry.objects.filter(object_id=product.pk, content_type__model="product").order_by("pk"))


@pytest.mark.parametrize(("whose", "name", "by"), [("mine", "Mine", 2), ("theirs", "Theirs", 1)])
def test_one_field_of_two_people_is_asked_about(member, make_variant, whose, name, by):
    product = make_variant("100").product
    meera, kiran = member("Meera"), member("Kiran")
    first, second = open_form(meera, product), open_form(kiran, product)
    meera.post(change_url(product), first | {"name": "Theirs"})
    typed = second | {"name": "Mine", "maker": "Typed too"}
    answer = kiran.post(change_url(product), typed)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert f"Meera (staff {meera.person.pk}) changed this to “Theirs” after you opened this page." in page
    assert 'value="Mine"' in page and 'value="Typed too"' in page
    product.refresh_from_db()
    assert (product.name, product.maker) == ("Theirs", "")
    again = form_of(answer) | {"choice-name": options_of(page, "choice-name")[whose]}
    assert kiran.post(change_url(product), again).status_code == 302
    product.refresh_from_db()
    assert (product.name, product.maker) == (name, "Typed too")
    assert len(product_history(product)) == 2
    changed = [row[0] for part in history.read(product_history(product)[1]) for row in part.fields]
    assert changed == (["Name", "Manufacturer"] if by == 2 else ["Manufacturer"])


def test_a_choice_holds_for_the_value_it_was_offered_for(member, make_variant):
    product = make_variant("100").product
    meera, kiran = member("Meera"), member("Kiran")
    second = open_form(kiran, product) | {"name": "Mine"}
    meera.post(change_url(product), open_form(meera, product) | {"name": "First"})
    page = kiran.post(change_url(product), second).content.decode()
    meera.post(change_url(product), open_form(meera, product) | {"name": "Second"})
    for option in options_of(page, "choice-name").values():
        answer = kiran.post(change_url(product), second | {"choice-name": option})
        assert answer.status_code == 200 and "“Second”" in answer.content.decode()


def test_a_row_in_a_form_is_asked_about_too(member, make_variant):
    variant = make_variant("100")
    meera, kiran = member("Meera"), member("Kiran")
    second = open_form(kiran, variant.product) | {"variants-0-selling_price": "70"}
    assert meera.post(change_url(variant), open_form(meera, variant) | {"selling_price": "80"}).status_code == 302
    answer = kiran.post(change_url(variant.product), second)
    page = answer.content.decode()
    assert answer.status_code == 200 and "changed this to “80.00”" in page and "Meera (staff" in page
    mine = {"variants-0-choice-selling_price": options_of(page, "variants-0-choice-selling_price")["mine"]}
    assert kiran.post(change_url(variant.product), form_of(answer) | mine).status_code == 302
    variant.refresh_from_db()
    assert variant.selling_price == 70


def test_who_is_not_known_is_somebody_else(member, make_variant):
    """Such as an import."""
    product = make_variant("100").product
    kiran = member("Kiran")
    second = open_form(kiran, product) | {"name": "Mine"}
    Product.objects.filter(pk=product.pk).update(name="Imported")
    page = kiran.post(change_url(product), second).content.decode()
    assert "Someone else changed this to “Imported” after you opened this page." in page


def test_two_who_want_the_same_are_not_asked(member, make_variant):
    product = make_variant("100").product
    meera, kiran = member("Meera"), member("Kiran")
    second = open_form(kiran, product) | {"name": "Same"}
    meera.post(change_url(product), open_form(meera, product) | {"name": "Same"})
    assert kiran.post(change_url(product), second | {"maker": "X"}).status_code == 302


def test_prices_that_no_longer_fit_are_refused_in_words(member, make_variant):
    """Each change was good where it was typed; together they break a rule of the database."""
    variant = make_variant("100", actual="120")
    meera, kiran = member("Meera"), member("Kiran")
    second = open_form(kiran, variant) | {"selling_price": "110"}
    meera.post(change_url(variant), open_form(meera, variant) | {"actual_price": "105"})
    answer = kiran.post(change_url(variant), second)
    assert answer.status_code == 200 and "at most the actual price" in answer.content.decode()


@pytest.mark.parametrize("kind", ["location", "coupon", "many"])
def test_other_kinds_of_fields_are_merged(member, make_variant, make_coupon, kind):
    """Rows in a form; dates; choices of many."""
    meera, kiran = member("Meera"), member("Kiran")
    row = {"location": lambda: Location.objects.get(pk=22), "coupon": lambda: make_coupon("SAVE10", percent=10)}.get(
        kind, lambda: make_variant().product
    )()
    first, second = open_form(meera, row), open_form(kiran, row)
    if kind == "location":
        slab = Slab.objects.filter(location=row).order_by("tier_amount").first()
        kiran.post(change_url(row), second | {"transit_days": "9"})
        assert meera.post(change_url(row), first | {"slabs-0-shipping_cost": "77"}).status_code == 302
        row.refresh_from_db()
        slab.refresh_from_db()
        assert (row.transit_days, slab.shipping_cost) == (9, 77)
    if kind == "coupon":
        ends = timezone.localtime() + timedelta(days=9)
        kiran.post(change_url(row), second | {"locations": [22], "description": "For GB"})
        later = {"ends_at_0": f"{ends:%Y-%m-%d}", "ends_at_1": "10:00:00", "percent": "20"}
        assert meera.post(change_url(row), first | later).status_code == 302
        row.refresh_from_db()
        assert (row.percent, row.description, row.ends_at.date()) == (20, "For GB", ends.date())
        assert [place.pk for place in row.locations.all()] == [22]
    if kind == "many":
        other = make_variant().product
        kiran.post(change_url(row), second | {"related_products": [other.pk]})
        assert meera.post(change_url(row), first | {"barred_locations": [22], "is_pinned": "on"}).status_code == 302
        row.refresh_from_db()
        assert list(row.related_products.all()) == [other] and row.is_pinned
        answer = kiran.post(change_url(row), second | {"barred_locations": [1]})
        assert answer.status_code == 200 and "changed this to" in answer.content.decode()


def test_a_list_that_is_changed_in_place_writes_what_was_changed(member):
    faqs = list(Faq.objects.order_by("pk")[:2])
    meera, kiran, url = member("Meera"), member("Kiran"), reverse("admin:content_faq_changelist")

    def sent(client):
        answer = client.get(url)
        formset = answer.context["cl"].formset
        data = {AS_SHOWN: answer.context[AS_SHOWN], "_save": "1"}
        for part in (formset.management_form, *formset.forms):
            shown = {bound.html_name: bound.value() for bound in part}
            data |= {name: value for name, value in shown.items() if value is not None and value is not False}
        return data, {form.instance.pk: form.prefix for form in formset.forms}

    (first, prefix), (second, _) = sent(meera), sent(kiran)
    one, two = (prefix[faq.pk] for faq in faqs)
    answer = meera.post(url, {k: v for k, v in first.items() if k != f"{one}-is_published"})
    assert answer.status_code == 302
    assert kiran.post(url, {k: v for k, v in second.items() if k != f"{two}-is_published"}).status_code == 302
    assert [Faq.objects.get(pk=faq.pk).is_published for faq in faqs] == [False, False]


def test_a_counter_is_in_no_form():
    """Stock, uses and points are changed by their services, under conditions."""
    named = {}
    for model, screen in site._registry.items():
        for part in (screen, *(inline(model, site) for inline in screen.inlines)):
            if isinstance(part, ReadOnly):
                continue
            fields = set(getattr(part.form._meta, "fields", None) or part.fields or ()) | set(
                getattr(part, "list_editable", ())
            )
            named[str(part)] = (fields - set(part.readonly_fields)) & COUNTERS
    assert {part: found for part, found in named.items() if found} == {}


def test_every_form_of_staff_is_one_that_merges():
    screens = [screen for screen in site._registry.values() if isinstance(screen, BackOfficeAdmin)]
    parts = [part for screen in screens for part in (screen, *screen.inlines)]
    own = [part for part in parts if not (isinstance(part, ReadOnly) or _is_read_only(part))]
    assert [part for part in own if not issubclass(part.form, StaffForm)] == []
    assert len(own) > 25


def _is_read_only(part):
    return isinstance(part, type) and issubclass(part, ReadOnly)


def test_saving_a_form_writes_its_changed_columns_alone(member, make_variant):
    variant = make_variant()
    kiran = member("Kiran")
    typed = open_form(kiran, variant) | {"description": "<p>New</p>"}
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert kiran.post(change_url(variant), typed).status_code == 302
    writes = [q["sql"] for q in queries if q["sql"].startswith('UPDATE "catalog_variant"')]
    assert len(writes) == 1 and "description" in writes[0]
    assert not [name for name in COUNTERS | {"selling_price"} if f'"{name}" =' in writes[0]]


def test_a_renamed_category_takes_its_children_along(member):
    parent = Category.objects.create(name="Tonics", slug="tonics")
    child = Category.objects.create(name="Jams", slug="jams", parent=parent)
    kiran = member("Kiran")
    typed = open_form(kiran, parent) | {"slug": "tonics-new"}
    assert kiran.post(change_url(parent), typed).status_code == 302
    assert [Category.objects.get(pk=row.pk).path for row in (parent, child)] == ["tonics-new", "tonics-new/jams"]


@pytest.mark.parametrize("sent", ["", "x", "e30:1:2", '{"rows":[]}', "\x00"])
def test_a_page_that_is_none_of_ours_harms_nothing(member, make_variant, sent):
    variant = make_variant()
    kiran = member("Kiran")
    typed = open_form(kiran, variant) | {"description": "<p>New</p>", AS_SHOWN: sent}
    assert kiran.post(change_url(variant), typed).status_code == 302
    variant.refresh_from_db()
    assert variant.description == "<p>New</p>"
