import pytest

from ...models import Consent, Customer

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_the_name_is_changed(signed_in, customer):
    answer = signed_in.post("/en-in/profile/", {"name": "  Asha   Iyer "}, follow=True)
    customer.refresh_from_db()
    assert customer.name == "Asha Iyer"
    assert "Profile updated" in answer.content.decode()
    assert signed_in.get("/api/me/").json()["name"] == "ASHA IYER"


@pytest.mark.parametrize("name", ["", "   ", "x" * 101, "a\x00b"])
def test_a_name_that_is_none_is_refused_at_its_field(signed_in, customer, name):
    answer = signed_in.post("/en-in/profile/", {"name": name})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["name"]
    customer.refresh_from_db()
    assert customer.name == "Asha Rao"


def test_markup_in_a_name_is_text(signed_in, customer):
    signed_in.post("/en-in/profile/", {"name": "<script>alert(1)</script>"})
    page = signed_in.get("/en-in/profile/").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_fields_of_others_change_nothing(signed_in, customer):
    before = Customer.objects.values().get()
    extra = {"email": "evil@example.com", "is_staff": "on", "is_superuser": "on", "phone": "+919876543210", "id": "1"}
    signed_in.post("/en-in/profile/", {"name": "Asha Iyer", **extra})
    assert Customer.objects.values().get() == before | {"name": "Asha Iyer"}


def test_a_visitor_is_asked_to_sign_in(visitor, customer):
    for path in ("/en-in/profile/", "/en-in/profile/address/", "/en-in/profile/address/confirm/"):
        for answer in (visitor.get(path), visitor.post(path, {"name": "x"})):
            assert answer.status_code == 302
            assert answer["Location"].startswith("/en-in/signin/?next=")


def consents():
    return [(consent.kind, consent.withdrawn_at is None) for consent in Consent.objects.order_by("id")]


def test_marketing_emails_are_switched_on_and_off(signed_in):
    is_ticked = 'name="marketing" id="id_marketing" checked'
    assert is_ticked not in signed_in.get("/en-in/profile/").content.decode()
    for _ in range(2):
        signed_in.post("/en-in/profile/", {"name": "Asha", "marketing": "on"})
        assert consents() == [("marketing", True)]
    assert is_ticked in signed_in.get("/en-in/profile/").content.decode()
    for _ in range(2):
        signed_in.post("/en-in/profile/", {"name": "Asha"})
        assert consents() == [("marketing", False)]
    signed_in.post("/en-in/profile/", {"name": "Asha", "marketing": "on"})
    assert consents() == [("marketing", False), ("marketing", True)]


def test_the_switch_for_marketing_emails_leaves_the_privacy_notice_alone(signed_in, customer):
    Consent.objects.create(customer=customer, kind=Consent.Kind.PRIVACY, version="1")
    signed_in.post("/en-in/profile/", {"name": "Asha"})
    assert consents() == [("privacy", True)]
