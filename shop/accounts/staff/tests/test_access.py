"""Who gives or takes access to the back office: after reauthentication, and the owners are notified."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from shop.messaging.models import Message
from shop.tests.backoffice.test_back_office import form_of

from ...conftest import PASSWORD, prove
from ...models import Customer, KnownBrowser, StaffInvitation
from ..invitations import accept_invitation, send_invitation
from ..roles import ORDER_DESK, OWNER
from .test_invitations import link_in

pytestmark = pytest.mark.django_db
ADD = "/admin/accounts/staffinvitation/add/"


@pytest.fixture
def owner():
    person = Customer.objects.create_user("owner@example.com", PASSWORD, name="Owner", is_staff=True)
    person.groups.add(Group.objects.get(name=OWNER))
    return person


@pytest.fixture
def office(owner):
    """The owner's browser, some hours after the sign-in."""
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(owner)
    return client


def page_of(customer):
    return reverse("admin:accounts_customer_change", args=[customer.pk])


def role(name):
    return Group.objects.get(name=name)


def typed(client, customer, **changes):
    """What the form of a customer's page sends; what is None is not ticked."""
    sent = form_of(client.get(page_of(customer))) | changes
    return {name: value for name, value in sent.items() if value is not None}


def access(*roles):
    return {"is_staff": "on", "groups": [role(name).pk for name in roles]}


def confirm(client, answer):
    """Follow to the reauthentication, give the password, and come back."""
    assert answer.status_code == 302 and "/proof/" in answer["Location"], answer["Location"]
    client.get(answer["Location"])
    back = client.post(answer["Location"], {"password": PASSWORD})
    assert back.status_code == 302
    return client.get(back["Location"])


def test_an_invitation_is_sent_after_reauthentication_with_what_was_typed(office):
    invited = {"email": "meera@example.com", "name": "Meera", "role": str(role(ORDER_DESK).pk)}
    page = confirm(office, office.post(ADD, invited))
    assert not StaffInvitation.objects.exists() and not Message.objects.exists()
    sent = form_of(page)
    assert "Nothing is saved yet. Please check and save again." in page.text
    assert invited.items() <= sent.items()
    assert office.post(ADD, sent).status_code == 302
    assert Message.objects.get(kind="staff_invitation").to == "meera@example.com"


def test_an_invitation_is_sent_again_after_reauthentication(office):
    invitation = StaffInvitation.objects.create(email="meera@example.com", role=role(OWNER))
    send_invitation(invitation)
    again = {"action": "send_again", "_selected_action": [invitation.pk]}
    answer = office.post("/admin/accounts/staffinvitation/", again)
    assert Message.objects.count() == 1
    confirm(office, answer)
    office.post("/admin/accounts/staffinvitation/", again)
    assert Message.objects.count() == 2


def test_a_role_is_given_after_reauthentication_with_what_was_typed(office, customer):
    given = typed(office, customer, name="Asha K", **access(ORDER_DESK, OWNER))
    page = confirm(office, office.post(page_of(customer), given))
    customer.refresh_from_db()
    assert not customer.is_staff and not customer.groups.exists() and customer.name == "Asha Rao"
    sent = form_of(page)
    assert (sent["name"], sorted(map(int, sent["groups"]))) == ("Asha K", sorted(given["groups"]))
    assert office.post(page_of(customer), sent).status_code == 302
    customer.refresh_from_db()
    assert customer.is_staff and customer.groups.count() == 2


def test_the_form_after_reauthentication_overwrites_nothing_that_somebody_else_changed(office, customer):
    answer = office.post(page_of(customer), typed(office, customer, is_active=None))
    Customer.objects.filter(pk=customer.pk).update(name="Asha Iyer")
    page = confirm(office, answer)
    assert office.post(page_of(customer), form_of(page)).status_code == 302
    customer.refresh_from_db()
    assert (customer.name, customer.is_active) == ("Asha Iyer", False)


@pytest.mark.parametrize("taken", [{"is_active": None}, {"groups": None}, {"groups": None, "is_staff": None}], ids=str)
def test_access_is_taken_after_reauthentication(office, taken):
    person = Customer.objects.create_user("meera@example.com", PASSWORD, is_staff=True)
    person.groups.add(role(ORDER_DESK))
    assert "/proof/" in office.post(page_of(person), typed(office, person, **taken))["Location"]
    person.refresh_from_db()
    assert person.is_active and person.is_staff and person.groups.exists()


def test_a_name_is_changed_without_reauthentication(office, customer):
    answer = office.post(page_of(customer), typed(office, customer, name="Asha K"))
    assert answer["Location"] == "/admin/accounts/customer/"
    customer.refresh_from_db()
    assert customer.name == "Asha K"


def with_ways_in(customer):
    Authenticator.objects.create(user=customer, type=Authenticator.Type.WEBAUTHN, data={})
    SocialAccount.objects.create(user=customer, provider="google", uid="1055")
    KnownBrowser.objects.create(customer=customer, secret_hash="0" * 64)
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(customer)
    return client


def ways_in_of(customer):
    models = {Authenticator: "user", SocialAccount: "user", KnownBrowser: "customer"}
    return [model.__name__ for model, owner in models.items() if model.objects.filter(**{owner: customer}).exists()]


def test_who_is_made_staff_keeps_no_way_in_of_before_but_the_password(office, customer):
    own = with_ways_in(customer)
    given = typed(office, customer, **access(ORDER_DESK))
    assert prove(office).post(page_of(customer), given).status_code == 302
    customer.refresh_from_db()
    assert customer.is_staff and customer.check_password(PASSWORD)
    assert ways_in_of(customer) == [] and own.get("/en-in/profile/").status_code == 302


def test_who_accepts_an_invitation_keeps_no_way_in_of_before(customer):
    own = with_ways_in(customer)
    invitation = StaffInvitation.objects.create(email=customer.email, role=role(ORDER_DESK))
    send_invitation(invitation)
    accept_invitation(link_in(Message.objects.latest("id")), password="amla and honey 7")
    assert ways_in_of(customer) == [] and own.get("/en-in/profile/").status_code == 302


def test_another_role_of_staff_takes_no_passkey_away(office):
    person = Customer.objects.create_user("meera@example.com", PASSWORD, is_staff=True)
    with_ways_in(person)
    given = typed(office, person, **access(ORDER_DESK))
    assert prove(office).post(page_of(person), given).status_code == 302
    assert {"Authenticator", "SocialAccount"} <= set(ways_in_of(person))


# --- Owners are notified -------------------------------------------------------------------------------


def notices():
    return {message.to: message.text for message in Message.objects.filter(kind="staff_access")}


def test_the_owners_are_told_of_a_role_that_is_given_and_taken(office, customer):
    other = Customer.objects.create_user("second@example.com", PASSWORD, is_staff=True)
    other.groups.add(role(OWNER))
    given = typed(office, customer, **access(ORDER_DESK, OWNER))
    prove(office).post(page_of(customer), given)
    sent = notices()
    assert sent.keys() == {"owner@example.com", "second@example.com"}
    for text in sent.values():
        assert "asha@example.com can now open the back office" in text and "as Order desk, Owner." in text
        assert "Changed by owner@example.com" in text and page_of(customer) in text
    Message.objects.all().delete()
    office.post(page_of(customer), typed(office, customer, is_active=None))
    assert "asha@example.com can no longer open the back office" in notices()["second@example.com"]


def test_the_owners_are_told_of_an_invitation_that_is_accepted(owner):
    invitation = StaffInvitation.objects.create(email="meera@example.com", role=role(OWNER))
    send_invitation(invitation)
    accept_invitation(link_in(Message.objects.latest("id")), password="amla and honey 7")
    assert notices().keys() == {"owner@example.com"}
    assert "meera@example.com can now open" in notices()["owner@example.com"]
    assert "They accepted an invitation." in notices()["owner@example.com"]


def test_nobody_is_told_of_a_name_or_of_a_customer_who_is_deactivated(office, customer):
    prove(office).post(page_of(customer), typed(office, customer, name="Asha K"))
    office.post(page_of(customer), typed(office, customer, is_active=None))
    customer.refresh_from_db()
    assert not customer.is_active and notices() == {}
