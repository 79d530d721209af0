"""Every change by staff is kept: who, when, from which value to which."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from shop import history
from shop.accounts.models import Customer
from shop.accounts.roles import CATALOGUE_MANAGER, ORDER_DESK, OWNER

from .test_back_office import form_of, save

pytestmark = pytest.mark.django_db


@pytest.fixture
def member():
    def member(role, name):
        made = Customer.objects.create_user(f"{name.lower()}@example.com", "pw", name=name, is_staff=True)
        made.groups.add(Group.objects.get(name=role))
        client = Client(headers={"sec-fetch-site": "same-origin"})
        client.force_login(made)
        return client

    return member


def test_a_form_keeps_the_values_before_and_after(member, make_variant, make_product):
    variant = make_variant("100")
    other = make_product("Tulsi Tea", brand=variant.product.brand)
    url = reverse("admin:catalog_product_change", args=[variant.product_id])
    changes = {
        "name": "New name", "is_returnable": "", "related_products": [other.pk], "variants-0-selling_price": "80",
    }  # fmt: skip
    save(member(CATALOGUE_MANAGER, "Meera"), url, **changes)
    product, row = history.read(LogEntry.objects.get())
    assert {(label, before, after) for label, before, after in product.fields} == {
        ("Name", "Product 1", "New name"),
        ("Is returnable", "yes", "no"),
        ("Related products", "", "Tulsi Tea"),
    }
    assert row.what.startswith("Changed variant")
    assert row.fields == [("Selling price (INR)", "100.00", "80")]


def test_a_choice_is_told_by_its_name(member, make_variant):
    from shop.catalog.models import Brand

    variant = make_variant()
    brand = Brand.objects.create(name="Himadri", slug="himadri")
    save(
        member(CATALOGUE_MANAGER, "Meera"),
        reverse("admin:catalog_product_change", args=[variant.product_id]),
        brand=brand.pk,
    )
    assert history.read(LogEntry.objects.get())[0].fields == [("Brand", "Vanamitra", "Himadri")]


def test_the_history_of_a_thing_and_of_the_shop_show_the_values(member, make_variant):
    variant = make_variant("100")
    url = reverse("admin:catalog_product_change", args=[variant.product_id])
    save(member(CATALOGUE_MANAGER, "Meera"), url, name="<b>Bold</b> name")
    own = member(CATALOGUE_MANAGER, "Kiran").get(reverse("admin:catalog_product_history", args=[variant.product_id]))
    shop = member(OWNER, "Owner").get(reverse("admin:admin_logentry_changelist"))
    for page in (own.content.decode(), shop.content.decode()):
        assert "Meera" in page
        assert "<del>Product 1</del> → <ins>&lt;b&gt;Bold&lt;/b&gt; name</ins>" in page
        assert "<b>Bold</b>" not in page


def test_the_owner_searches_by_thing_and_person(member, make_variant):
    for person in ("Meera", "Kiran"):
        variant = make_variant("100")
        url = reverse("admin:catalog_product_change", args=[variant.product_id])
        save(member(CATALOGUE_MANAGER, person), url, name=f"By {person}")
    owner, url = member(OWNER, "Owner"), reverse("admin:admin_logentry_changelist")
    for words in ("By Meera", "meera@example.com"):
        page = owner.get(url, {"q": words}).content.decode()
        assert "By Meera" in page and "By Kiran" not in page
    assert owner.get(url, {"action_time__gte": "2100-01-01 00:00:00+00:00"}).context["cl"].result_count == 0


@pytest.mark.parametrize("role", [CATALOGUE_MANAGER, ORDER_DESK])
def test_nobody_but_the_owner_sees_it_and_nobody_changes_it(member, make_variant, role):
    url = reverse("admin:admin_logentry_changelist")
    assert member(role, "Meera").get(url).status_code == 403
    variant = make_variant()
    owner = member(OWNER, "Owner")
    save(owner, reverse("admin:catalog_product_change", args=[variant.product_id]), name="New")
    entry = reverse("admin:admin_logentry_change", args=[LogEntry.objects.get().pk])
    assert owner.get(entry).status_code == 200
    assert owner.post(entry, {"object_repr": "x"}).status_code == 403
    assert owner.post(reverse("admin:admin_logentry_delete", args=[LogEntry.objects.get().pk])).status_code == 403


def test_personal_data_and_secrets_are_named_and_not_copied(member, customer):
    url = reverse("admin:accounts_customer_change", args=[customer.pk])
    save(member(OWNER, "Owner"), url, name="Asha Kapoor", is_active="")
    kept = LogEntry.objects.get().change_message
    assert "Asha Kapoor" not in kept.replace(LogEntry.objects.get().object_repr, "")
    told = history.read(LogEntry.objects.get())[0].fields
    assert ("Name", "", "") in told
    assert [row for row in told if row[0] != "Name"] == [("Is active", "yes", "no")]


def test_rows_added_and_removed_are_kept(member, make_variant):
    client, variant = member(CATALOGUE_MANAGER, "Meera"), make_variant()
    url = reverse("admin:catalog_variant_change", args=[variant.pk])
    data = form_of(client.get(url)) | {
        "fixed_prices-TOTAL_FORMS": "1", "fixed_prices-0-location": "22", "fixed_prices-0-selling_price": "4",
        "fixed_prices-0-actual_price": "5",
    }  # fmt: skip
    assert client.post(url, data).status_code == 302
    told = history.read(LogEntry.objects.get())[-1]
    assert told.what.startswith("Added variant price")
    assert ("Selling price", "", "4") in told.fields


def test_entries_of_many_things_take_few_statements(customer, make_variant, django_assert_max_num_queries):
    variants = [make_variant() for _ in range(3)]
    with django_assert_max_num_queries(4):
        history.note_many(customer, [(v, {"Price": ("100", "90")}) for v in variants], why="Sale")
    told = history.read(LogEntry.objects.first())[0]
    assert (told.what, told.fields) == ("Sale", [("Price", "100", "90")])
