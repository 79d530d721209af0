"""Who gets through the staff's door, what each role may do there, and how many queries a screen takes."""

from decimal import Decimal
from io import BytesIO
from urllib.parse import quote

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Group
from django.forms import FileField
from django.test import Client
from django.urls import reverse
from PIL import Image

from shop.accounts.conftest import prove
from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, CONTENT_EDITOR, ORDER_DESK, OWNER, PHARMACIST
from shop.backoffice.admin import row_number
from shop.cart.models import Coupon
from shop.catalog.models import OldSlug, Picture, Product, StockMovement, Variant, VariantImage, VariantPrice
from shop.content.models import HomeRow
from shop.markets.models import Rate

from ..support.staff import confirm

pytestmark = pytest.mark.django_db

SCREENS = [(m._meta.app_label, m._meta.model_name) for m in site._registry if m.__module__.startswith("shop.")]
# What each role may see of the screens there are, and what it may add.
SEES = {
    CONTENT_EDITOR: {
        "banner", "homerow", "menuentry", "subscription", "page", "messagetext",
        "faq", "faqsection", "post", "postcategory", "picture", "brand", "category", "healthconcern", "product",
        "review", "question", "answer",
    },
    CATALOGUE_MANAGER: {
        "picture", "category", "brand", "healthconcern", "returnreason", "attribute", "attributevalue",
        "hsncode", "product", "variant", "stockmovement", "synonymgroup", "need", "searchcount", "location",
        "currency", "rate", "servicerule", "coupon", "bulkchange", "productimport", "batch",
    },
    ORDER_DESK: {
        "order", "orderdraft", "courier", "invoice", "returnrequest", "returnreason", "payment", "refund",
        "providerevent", "message", "customer", "picture", "category", "brand", "healthconcern", "attribute",
        "attributevalue", "hsncode", "product", "variant", "stockmovement", "bulkchange", "productimport", "enquiry",
        "complaint", "location", "currency", "rate", "servicerule", "coupon", "failedrow", "messagetext",
        "replytemplate", "batch", "recall", "refill",
    },
    PHARMACIST: {"orderprescription", "registerentry", "batch", "recall"},
    OWNER: {name for app, name in SCREENS if app != "pharmacy"} | {"refill"},
}  # fmt: skip
MAKES = SEES[CATALOGUE_MANAGER] - {"stockmovement", "searchcount", "location", "currency", "rate", "bulkchange"}
WRITES = {"banner", "homerow", "faq", "faqsection", "post", "postcategory"}
OWNED = {
    "company",
    "location",
    "currency",
    "rate",
    "courier",
    "staffinvitation",
    "replytemplate",
    "orderdraft",
    "recall",
}
ADDS = {
    CONTENT_EDITOR: WRITES | {"picture"},
    CATALOGUE_MANAGER: MAKES,
    ORDER_DESK: {"courier", "replytemplate", "orderdraft"},
    PHARMACIST: {"batch", "recall"},
    OWNER: MAKES | WRITES | OWNED,
}


@pytest.fixture
def staff():
    """staff(role) -> a client signed in as a member of staff with that role."""

    def staff(role):
        number = Customer.objects.count()
        member = Customer.objects.create_user(f"staff{number}@example.com", "pw", name=f"Staff {number}", is_staff=True)
        member.groups.add(Group.objects.get(name=role))
        client = Client(headers={"sec-fetch-site": "same-origin"})
        client.force_login(member)
        return client

    return staff


def png(colour="green"):
    target = BytesIO()
    Image.new("RGB", (40, 30), colour).save(target, "PNG")
    target.seek(0)
    target.name = "drawn-leaf.png"
    return target


def test_anonymous_visitors_are_asked_to_sign_in(client):
    response = client.get("/admin/")
    assert response.status_code == 302
    followed = client.get("/admin/", follow=True)
    assert followed.redirect_chain[-1][0].startswith("/signin/?next=")


def test_customers_do_not_learn_that_the_pages_exist(client, customer):
    client.force_login(customer)
    for path in (
        "/admin/",
        "/admin/login/",
        "/admin/catalog/product/",
        "/admin/orders/order/1/change/",
        "/admin/jsi18n/",
    ):
        assert client.get(path).status_code == 404, path


def test_staff_change_their_password_where_customers_do(staff):
    assert staff(ORDER_DESK).get("/admin/password_change/")["Location"] == reverse("change_password")


def test_a_disabled_member_of_staff_is_out(staff):
    client = staff(OWNER)
    Customer.objects.filter(is_staff=True).update(is_active=False)
    assert client.get("/admin/").status_code == 302


@pytest.mark.parametrize("role", SEES)
def test_each_role_sees_its_own_screens_only(staff, role):
    client = staff(role)
    assert client.get("/admin/").status_code == 200
    lists = {name: client.get(reverse(f"admin:{app}_{name}_changelist")).status_code for app, name in SCREENS}
    assert {name for name, status in lists.items() if status == 200} == SEES[role]
    assert set(lists.values()) <= {200, 403}


@pytest.mark.parametrize("role", ADDS)
def test_each_role_adds_its_own_things_only(staff, role):
    client = staff(role)
    forms = {name: client.get(reverse(f"admin:{app}_{name}_add")).status_code for app, name in SCREENS}
    assert {name for name, status in forms.items() if status == 200} == ADDS[role]


@pytest.mark.parametrize(("app", "name"), SCREENS)
def test_lists_take_the_same_number_of_queries_however_long(staff, make_variant, order, app, name, count_queries):
    client = staff(OWNER if name in SEES[OWNER] else PHARMACIST)
    url = reverse(f"admin:{app}_{name}_changelist")
    make_variant()
    client.get(url)
    few = count_queries(lambda: client.get(url))
    for _ in range(3):
        make_variant()
    many = count_queries(lambda: client.get(url))
    assert many == few
    assert many <= 15


@pytest.fixture
def count_queries(django_assert_max_num_queries):
    def count(ask):
        ask()  # hears what changed
        with django_assert_max_num_queries(60) as queries:
            assert ask().status_code == 200
        return len(queries)

    return count


@pytest.fixture
def order(make_variant, customer, address, india):
    from shop.orders.models import Order
    from shop.orders.placing.snapshot import copy_address

    order = Order.objects.create(
        number="ORD-ABCDEFGH1", customer=customer, location_id=1, currency="INR", rate=1, sub_total_amt=100,
        shipping_amt=0, total_amount=100, shipping_inr=0, total_inr=100, address_id_then=address.pk,
        address=copy_address(address), status="placed",
    )  # fmt: skip
    order.lines.create(
        variant=make_variant("50"), product_name="Neem Soap", product_slug="neem-soap", brand_name="Vanamitra",
        brand_slug="vanamitra", sku="NEEM", quantity=2, unit_amount=50, unit_actual_amount=50, line_amount=100,
        line_inr=100, list_price_inr=50,
    )  # fmt: skip
    return order


def form_of(response):
    """The posted fields of an admin form as a browser would send them."""
    form = response.context_data["adminform"].form
    formsets = [inline.formset for inline in response.context_data["inline_admin_formsets"]]
    data = {"as_shown": response.context_data["as_shown"]}
    for part in [form, *[f.management_form for f in formsets], *[row for f in formsets for row in f.forms]]:
        for bound in part:
            value = bound.value()
            if value is None or value is False or isinstance(bound.field, FileField) or bound.field.disabled:
                continue
            widget = bound.field.widget
            if hasattr(widget, "decompress"):
                for index, piece in enumerate(widget.decompress(value)):
                    data[f"{bound.html_name}_{index}"] = str(piece)
            elif isinstance(value, dict):  # rows of facts
                data |= {f"{bound.html_name}_name": list(value), f"{bound.html_name}_amount": list(value.values())}
            elif isinstance(value, list):
                data[bound.html_name] = [getattr(item, "pk", item) for item in value]
            else:
                data[bound.html_name] = value
    return data


def save(client, url, **changes):
    data = form_of(client.get(url)) | changes
    response = client.post(url, data)
    assert response.status_code == 302, response.context and response.context.get("errors")
    return response


def test_a_product_form_refreshes_cards_keeps_old_addresses_and_cleans_html(staff, make_variant):
    variant = make_variant("100")
    url = reverse("admin:catalog_product_change", args=[variant.product_id])
    changes = {
        "slug": "new-address",
        "highlight": "<p onclick='x()'>Fine</p><script>x()</script>",
        "variants-0-selling_price": "80",
    }
    save(staff(CATALOGUE_MANAGER), url, **changes)
    product = Product.objects.get(pk=variant.product_id)
    assert (product.slug, product.highlight, product.price_inr, product.discount) == (
        "new-address",
        "<p>Fine</p>",
        80,
        20,
    )
    assert OldSlug.objects.get().product == product


def test_facts_without_a_name_are_refused_in_the_form(staff, make_variant):
    client, variant = staff(CATALOGUE_MANAGER), make_variant("100")
    url = reverse("admin:catalog_variant_change", args=[variant.pk])
    response = client.post(url, form_of(client.get(url)) | {"composition_name": [""], "composition_amount": ["5 g"]})
    assert "Enter a name for" in response.content.decode()


def test_a_price_above_the_mrp_is_refused_in_the_form(staff, make_variant):
    client, variant = staff(CATALOGUE_MANAGER), make_variant("100")
    url = reverse("admin:catalog_variant_change", args=[variant.pk])
    response = client.post(url, form_of(client.get(url)) | {"selling_price": "101"})
    assert "at most the actual price" in response.content.decode()
    variant.refresh_from_db()
    assert variant.selling_price == 100


def test_stock_is_received_through_the_ledger(staff, make_variant):
    client, variant = staff(CATALOGUE_MANAGER), make_variant(units=5)
    url = reverse("admin:catalog_variant_change", args=[variant.pk])
    save(client, url, receive_units="7", receive_note="delivery 12")
    variant.refresh_from_db()
    assert (variant.received, variant.on_hand) == (12, 12)
    assert StockMovement.objects.filter(reference="delivery 12", quantity=7).count() == 1
    response = client.post(url, form_of(client.get(url)) | {"receive_units": "-13"})
    assert "Only 12 are on hand" in response.content.decode()


def test_a_fixed_price_and_an_uploaded_picture_stand_on_the_variants_screen(staff, make_variant):
    client, variant = staff(CATALOGUE_MANAGER), make_variant()
    url = reverse("admin:catalog_variant_change", args=[variant.pk])
    rows = {
        "fixed_prices-TOTAL_FORMS": "1", "fixed_prices-0-location": "22", "fixed_prices-0-selling_price": "4",
        "fixed_prices-0-actual_price": "5", "variant_images-TOTAL_FORMS": "1", "variant_images-0-upload": png(),
        "variant_images-0-position": "0",
    }  # fmt: skip
    save(client, url, **rows)
    assert VariantPrice.objects.get(variant=variant).selling_price == Decimal("4")
    variant.product.refresh_from_db()
    assert variant.product.first_picture == Picture.objects.get()


def test_a_variant_has_a_picture_once(staff, make_variant):
    client, variant = staff(CATALOGUE_MANAGER), make_variant()
    url = reverse("admin:catalog_variant_change", args=[variant.pk])
    save(
        client,
        url,
        **{"variant_images-TOTAL_FORMS": "1", "variant_images-0-upload": png(), "variant_images-0-position": "0"},
    )
    again = {"variant_images-TOTAL_FORMS": "2", "variant_images-1-upload": png(), "variant_images-1-position": "1"}
    page = client.post(url, form_of(client.get(url)) | again)
    assert page.status_code == 200 and "already has this picture" in page.content.decode()
    assert VariantImage.objects.count() == 1


def test_a_picture_is_added_once_and_only_if_it_is_one(staff):
    client = staff(CONTENT_EDITOR)
    url = reverse("admin:catalog_picture_add")
    for _ in range(2):
        assert client.post(url, {"upload": png(), "alt": "A leaf"}).status_code == 302
    svg = BytesIO(b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>")
    svg.name = "leaf.png"
    assert "Use a JPEG, PNG or WebP picture" in client.post(url, {"upload": svg}).content.decode()
    assert list(Picture.objects.values_list("alt", flat=True)) == ["A leaf"]


def test_a_rate_that_jumps_must_be_meant(staff):
    client, url = staff(OWNER), reverse("admin:markets_rate_add")
    refused = client.post(url, {"currency": "USD", "inr": "120", "source": "typed"})
    assert "more than 20%" in refused.content.decode()
    assert client.post(url, {"currency": "USD", "inr": "120", "source": "typed", "force": "on"}).status_code == 302
    assert Rate.objects.filter(currency="USD", inr=120).count() == 1


def test_text_of_a_home_row_is_cleaned(staff):
    data = {"kind": "text", "title": "Hello", "text": "<b>Hi</b><img src=x onerror=x()>", "position": "1"}
    assert staff(CONTENT_EDITOR).post(reverse("admin:content_homerow_add"), data).status_code == 302
    assert HomeRow.objects.get(title="Hello").text == "<b>Hi</b>"


def test_the_order_desk_moves_orders_forward_only(staff, order):
    client, url = staff(ORDER_DESK), reverse("admin:orders_order_changelist")
    client.post(url, {"action": "mark_delivered", "_selected_action": [order.pk]})
    order.refresh_from_db()
    assert order.status == "placed"
    for action in ("start_processing", "ship_everything_left", "mark_delivered", "mark_refused", "cancel"):
        answer = client.post(url, {"action": action, "_selected_action": [order.pk]})
        if answer.status_code == 200:
            confirm(client, answer, words="As it was said on the phone")
    order.refresh_from_db()
    assert order.status == "delivered"
    states = [(event.actor[:6], event.status_to) for event in order.events.all() if event.status_to]
    assert states == [("staff:", "processing"), ("staff:", "shipped"), ("staff:", "delivered")]


def test_orders_and_payments_cannot_be_edited(staff, order):
    client = staff(OWNER)
    url = reverse("admin:orders_order_change", args=[order.pk])
    assert client.get(url).status_code == 200
    assert client.post(url, {"status": "delivered", "total_inr": "0"}).status_code == 403
    order.refresh_from_db()
    assert (order.status, order.total_inr) == ("placed", 100)


def test_an_owner_gives_roles_but_cannot_touch_a_superuser(staff, customer):
    client = prove(staff(OWNER))
    group = Group.objects.get(name=ORDER_DESK)
    save(client, reverse("admin:accounts_customer_change", args=[customer.pk]), is_staff="on", groups=[group.pk])
    assert list(Customer.objects.get(pk=customer.pk).groups.all()) == [group]
    root = Customer.objects.create_superuser("root@example.com", "pw")
    assert client.post(reverse("admin:accounts_customer_change", args=[root.pk]), {"name": "x"}).status_code == 403


def test_no_screen_shows_a_password_hash_or_a_code(staff, customer):
    page = staff(OWNER).get(reverse("admin:accounts_customer_change", args=[customer.pk])).content.decode()
    assert customer.password not in page and "pbkdf2" not in page


def test_every_form_answers_in_a_handful_of_queries(staff, make_variant, count_queries):
    client, variant = staff(OWNER), make_variant()
    url = reverse("admin:catalog_product_change", args=[variant.product_id])
    client.get(url)
    one = count_queries(lambda: client.get(url))
    for _ in range(4):
        make_variant(product=variant.product)
    assert count_queries(lambda: client.get(url)) == one
    assert one <= 30
    assert Variant.objects.filter(product=variant.product).count() == 5


def coupon_form(**fields):
    return {
        "code": "save 10", "description": "10 % off", "kind": "percent", "percent": "10", "minimum_inr": "0",
        "starts_at_0": "2026-11-01", "starts_at_1": "00:00", "customer_limit": "1", "is_active": "on",
    } | fields  # fmt: skip


def test_a_coupon_gets_the_canonical_form_of_its_code(staff):
    client = staff(CATALOGUE_MANAGER)
    assert client.post(reverse("admin:cart_coupon_add"), coupon_form()).status_code == 302
    coupon = Coupon.objects.get()
    assert (coupon.code, coupon.percent, coupon.customer_limit, coupon.total_limit) == ("SAVE10", 10, 1, None)
    again = client.post(reverse("admin:cart_coupon_add"), coupon_form(code="Save10"))
    assert "Coupon with this Code already exists." in again.content.decode()
    assert "0" in client.get(reverse("admin:cart_coupon_changelist")).content.decode()


def test_a_coupon_that_was_used_keeps_its_code(staff, customer):
    client = staff(CATALOGUE_MANAGER)
    client.post(reverse("admin:cart_coupon_add"), coupon_form())
    coupon = Coupon.objects.get()
    coupon.taken.create(customer=customer, reference="ORD-1")
    screen = reverse("admin:cart_coupon_change", args=[coupon.pk])
    assert client.post(screen, coupon_form(code="OTHER", description="changed")).status_code == 302
    coupon.refresh_from_db()
    assert (coupon.code, coupon.description) == ("SAVE10", "changed")


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("code", {"code": "10 % off!"}),
        ("percent", {"percent": ""}),
        ("percent", {"percent": "101"}),
        ("percent", {"percent": "0"}),
        ("amount_inr", {"amount_inr": "50"}),
        ("amount_inr", {"kind": "amount", "percent": "", "amount_inr": ""}),
        ("amount_inr", {"kind": "amount", "percent": "", "amount_inr": "-1"}),
        ("percent", {"kind": "amount", "amount_inr": "50"}),
        ("most_inr", {"kind": "amount", "percent": "", "amount_inr": "50", "most_inr": "9"}),
        ("minimum_inr", {"minimum_inr": "-5"}),
        ("ends_at", {"ends_at_0": "2026-10-01", "ends_at_1": "00:00"}),
    ],
)
def test_a_wrong_coupon_is_refused_at_its_field(staff, field, wrong):
    answer = staff(OWNER).post(reverse("admin:cart_coupon_add"), coupon_form(**wrong))
    assert field in answer.context["adminform"].form.errors
    assert not Coupon.objects.exists()


def test_a_limit_below_what_was_used_is_refused_and_a_used_coupon_is_not_deleted(staff, customer, make_coupon):
    coupon = make_coupon("SAVE10", percent=10, uses=3)
    coupon.taken.create(customer=customer, reference="ORD-A")
    client = staff(OWNER)
    url = reverse("admin:cart_coupon_change", args=[coupon.pk])
    answer = client.post(url, coupon_form(code="SAVE10", total_limit="2"))
    assert "It has been used 3 times already." in answer.content.decode()
    assert client.post(reverse("admin:cart_coupon_delete", args=[coupon.pk]), {"post": "yes"}).status_code == 403
    save(client, url, total_limit="4")
    assert Coupon.objects.get().total_limit == 4


def test_the_order_desk_sees_coupons_and_changes_none(staff, make_coupon):
    coupon = make_coupon("SAVE10", percent=10)
    client = staff(ORDER_DESK)
    url = reverse("admin:cart_coupon_change", args=[coupon.pk])
    assert client.get(url).status_code == 200
    assert client.post(url, coupon_form(percent="90")).status_code == 403
    assert Coupon.objects.get().percent == 10


@pytest.mark.database
@pytest.mark.parametrize("key", ["x", "1.5", "2026-01-01", "9" * 17, "9" * 30, "\x00"])
def test_a_choice_that_can_be_no_key_is_refused_at_its_field(staff, make_variant, key):
    product = make_variant().product
    client, url = staff(OWNER), reverse("admin:catalog_product_change", args=[product.pk])
    typed = form_of(client.get(url)) | dict.fromkeys(("brand", "related_products", "hsn"), key)
    answer = client.post(url, typed)
    assert {"brand", "related_products", "hsn"} <= answer.context["adminform"].form.errors.keys()


@pytest.mark.database
@pytest.mark.parametrize("key", ["x", "1.5", "9" * 30, "\x00"])
def test_a_list_is_shown_whatever_its_filters_are_set_to(staff, key):
    client = staff(OWNER)
    for name in ("brand__id__exact", "category__id__exact", "stock", "is_published__exact", "q", "o", "p"):
        asked = client.get(reverse("admin:catalog_product_changelist"), {name: key}, follow=True)
        assert asked.status_code == 200, name


@pytest.mark.parametrize("number", ["9" * 5000, "²", "1.0", "-1", "\x00"])
def test_a_number_that_no_row_can_have_is_found_nowhere(staff, number):
    assert row_number(number) == 0
    owner, preview = staff(OWNER), reverse("admin:content_post_preview", args=[1]).replace("1", quote(number[:1000]))
    assert owner.get(preview).status_code == 404
    assert owner.get(reverse("admin:cart_coupon_add"), {"like": number}).status_code == 200


@pytest.mark.parametrize(("step", "answered"), [("change", 200), ("delete", 302)])
def test_a_form_that_names_no_field_of_its_row_means_the_row(staff, make_coupon, step, answered):
    address = reverse(f"admin:cart_coupon_{step}", args=[make_coupon("SAVE10", percent=10).pk])
    assert staff(OWNER).get(address, {"_to_field": ""}).status_code == 200
    assert staff(OWNER).post(address, {"_to_field": ""}).status_code == answered
    assert Coupon.objects.exists() == (step == "change")


@pytest.mark.parametrize("key", ["no key", "0", "9" * 30, "\x00", "²"])
def test_an_action_on_what_can_be_no_row_is_refused(staff, key):
    form = {"action": "reset_second_factor", "_selected_action": key}
    assert staff(OWNER).post("/admin/accounts/customer/", form).status_code == 404
