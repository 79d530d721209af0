"""Every change by staff is kept: who, when, from which value to which."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from shop.accounts.conftest import prove
from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, ORDER_DESK, OWNER
from shop.backoffice import history
from shop.cart.services import add_to_cart, open_cart
from shop.errors import OutOfStock
from shop.orders.placing.services import confirm_order, place_order
from shop.orders.placing.values import PlaceOrder

from ..support.staff import confirm
from .test_back_office import form_of, save

pytestmark = pytest.mark.django_db


@pytest.fixture
def order(make_variant, customer, address, india):
    """A placed order."""
    cart = open_cart(customer)
    add_to_cart(cart, variant_id=make_variant("50").pk, quantity=2, market=india)
    order = place_order(PlaceOrder(customer=customer, cart=cart, address=address, market=india))
    confirm_order(order, actor="provider")
    return order


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
    save(prove(member(OWNER, "Owner")), url, name="Asha Kapoor", is_active="")
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


def test_saving_what_was_not_changed_says_so_and_leaves_no_entry(member, make_variant):
    client, url = member(CATALOGUE_MANAGER, "Meera"), reverse("admin:catalog_variant_change", args=[make_variant().pk])
    for button in ("_save", "_continue", "_addanother"):
        page = client.post(url, form_of(client.get(url)) | {button: "1"}, follow=True).content.decode()
        assert "Nothing was changed." in page and "changed successfully" not in page
    assert not LogEntry.objects.exists()


def test_what_saving_refuses_is_said_at_the_form_and_nothing_of_it_is_written(member, make_variant, monkeypatch):
    """Units are gone between the form's check and the write."""
    client, variant = member(CATALOGUE_MANAGER, "Meera"), make_variant("100", units=5)
    url = reverse("admin:catalog_variant_change", args=[variant.pk])

    def refuse(*args, **kwargs):
        raise OutOfStock("There aren't that many units on hand.")

    monkeypatch.setattr("shop.catalog.stock.services.receive", refuse)
    answer = client.post(url, form_of(client.get(url)) | {"selling_price": "80", "receive_units": "-5"})
    page = answer.content.decode()
    assert answer.status_code == 200 and "There aren&#x27;t that many units on hand." in page and 'value="80"' in page
    variant.refresh_from_db()
    assert variant.selling_price == 100 and not LogEntry.objects.exists()


# --- Who acted ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["customer", "shop", "System", "The payment provider", "owner", "staff:1"])
def test_no_chosen_name_stands_for_another(member, order, name):
    """A member of staff of any name cancels a paid order: the order's page says staff, with the id."""
    client = member(ORDER_DESK, name.replace(" ", "").replace(":", ""))
    person = Customer.objects.get(is_staff=True)
    Customer.objects.filter(pk=person.pk).update(name=name)
    confirm(client, client.post(reverse("admin:orders_order_step", args=[order.pk, "cancel"])), words="They called")
    order.refresh_from_db()
    assert (order.status, order.events.last().actor) == ("cancelled", f"staff:{person.pk}")
    page = client.get(reverse("admin:orders_order_change", args=[order.pk])).content.decode()
    assert f"{name} (staff {person.pk})" in page
    assert not order.events.filter(actor=name).exists()


def test_a_name_is_no_actor(order):
    for name in ("Meera", "System", "owner", "staff:x", "staff:1 ", "customer:0", ""):
        with pytest.raises(ValueError):
            order.events.create(actor=name, note="x")


def test_what_a_customer_does_is_theirs_by_id(order, browser_client):
    browser_client.force_login(order.customer)
    browser_client.post(reverse("cancel_order", args=[order.number]))
    assert order.events.last().actor == f"customer:{order.customer_id}"


def test_an_export_is_in_the_history(member, order):
    client = member(OWNER, "Meera")
    client.get(
        reverse("admin:orders_order_export"),
        {"first": "2020-01-01", "last": "2020-01-31", "status": "", "format": "csv"},
    )
    client.get("/admin/care/subscription/export")
    products = reverse("admin:catalog_product_changelist")
    chosen = {"action": "export_xlsx", "_selected_action": [order.lines.get().variant.product_id]}
    assert client.post(products, chosen).status_code == 200
    told = [history.read(entry)[0].what for entry in LogEntry.objects.order_by("pk")]
    assert told == ["Exported orders-2020-01-01-2020-01-31.csv", "Exported newsletter.csv", "Exported products.xlsx"]
    page = client.get(reverse("admin:admin_logentry_changelist")).content.decode()
    assert f"Meera (staff {Customer.objects.get(is_staff=True).pk})" in page and "Exported newsletter.csv" in page


def test_a_step_up_keeps_the_role_it_was_made_in(member, customer):
    history.record_step_up(customer, "adding a passkey, by password")
    entry = LogEntry.objects.get()
    customer.is_staff, customer.name = True, "System"
    customer.save(update_fields=["is_staff", "name"])
    entry.refresh_from_db()
    assert history.who(entry) == f"System (customer {customer.pk})"
    assert history.read(entry)[0].what == "Confirmed it was them: adding a passkey, by password"
    page = member(OWNER, "Owner").get(reverse("admin:admin_logentry_changelist")).content.decode()
    assert f"System (customer {customer.pk})" in page
