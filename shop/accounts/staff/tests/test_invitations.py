"""Staff by invitation: the mail, the link that ends, once; and what recovery codes do."""

import re
from datetime import timedelta
from functools import partial

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from shop.errors import ShopError
from shop.messaging.models import Message
from shop.orders.tests.racing import together

from ...conftest import prove
from ...models import Customer, StaffInvitation
from .. import sessions
from ..invitations import InvitationInvalid, accept_invitation, invitation_of, send_invitation
from ..roles import CONTENT_EDITOR, ORDER_DESK, OWNER
from ..sessions import NOTED_EVERY

NEW = "correct horse battery"
pytestmark = pytest.mark.django_db


def office(role):
    person = Customer.objects.create_user(f"{role[:5].lower()}@example.com", "pw", name=role, is_staff=True)
    person.groups.add(Group.objects.get(name=role))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(person)
    return prove(client)


@pytest.fixture
def visitor():
    return Client(headers={"sec-fetch-site": "same-origin"})


def invite(email="meera@example.com", role=ORDER_DESK):
    invitation = StaffInvitation.objects.create(email=email, name="Meera", role=Group.objects.get(name=role))
    send_invitation(invitation)
    return invitation, link_in(Message.objects.latest("id"))


def link_in(message):
    return re.search(r"/staff/join/([\w-]+)/", message.text)[1]


def test_an_owner_invites_by_mail_and_the_link_makes_staff_with_the_role(visitor):
    role = Group.objects.get(name=ORDER_DESK)
    answer = office(OWNER).post(
        reverse("admin:accounts_staffinvitation_add"), {"email": "Meera@Example.com", "name": "Meera", "role": role.pk}
    )
    assert answer.status_code == 302
    message = Message.objects.get(kind="staff_invitation")
    assert message.to == "meera@example.com" and ORDER_DESK in message.text
    url = f"/staff/join/{link_in(message)}/"
    assert "meera@example.com" in visitor.get(url).content.decode()
    assert not Customer.objects.filter(email="meera@example.com").exists()
    typed = {"new_password": NEW, "password_again": NEW}
    assert visitor.post(url, typed)["Location"].endswith("/signin/")
    person = Customer.objects.get(email="meera@example.com")
    assert person.is_staff and person.check_password(NEW) and list(person.groups.all()) == [role]
    assert visitor.get(url).status_code == visitor.post(url, typed).status_code == 404
    assert StaffInvitation.objects.get().state == "Accepted"


def test_a_wrong_password_is_said_and_uses_nothing_up(visitor):
    _, token = invite()
    url = f"/staff/join/{token}/"
    unequal = visitor.post(url, {"new_password": NEW, "password_again": "another one"})
    short = visitor.post(url, {"new_password": "short", "password_again": "short"})
    assert "Passwords do not match" in unequal.content.decode() and short.status_code == 422
    assert visitor.get(url).status_code == 200


def test_a_link_ends_after_three_days_or_with_a_newer_one(visitor):
    invitation, first = invite()
    send_invitation(invitation)
    second = link_in(Message.objects.latest("id"))
    assert visitor.get(f"/staff/join/{first}/").status_code == 404
    assert visitor.get(f"/staff/join/{second}/").status_code == 200
    StaffInvitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert visitor.get(f"/staff/join/{second}/").status_code == 404
    with pytest.raises(InvitationInvalid):
        accept_invitation(second, password=NEW)


def test_a_customer_who_is_invited_keeps_the_account(customer, visitor):
    _, token = invite(customer.email)
    accept_invitation(token, password=NEW)
    customer.refresh_from_db()
    assert customer.is_staff and customer.check_password(NEW)
    assert Customer.objects.filter(email=customer.email).count() == 1


def test_a_link_that_lost_its_slash_or_stands_under_another_language_keeps_its_capitals(visitor):
    _, token = invite()
    for path in (f"/staff/join/{token}", f"/hi-us/staff/join/{token}/"):
        page = visitor.get(path, follow=True)
        assert page.redirect_chain and "meera@example.com" in page.text, path


def test_the_outbox_forgets_the_link_once_it_is_sent():
    invitation, _ = invite()
    message = Message.objects.get(kind="staff_invitation")
    invitation.refresh_from_db()
    assert message.gone_stale_at == invitation.expires_at


def test_other_links_to_the_same_address_end_with_the_first_that_is_used(visitor):
    _, first = invite()
    _, second = invite(role=OWNER)
    person = accept_invitation(first, password=NEW)
    Customer.objects.filter(pk=person.pk).update(is_staff=False, is_active=False)  # dismissed
    assert visitor.get(f"/staff/join/{second}/").status_code == 404
    with pytest.raises(InvitationInvalid):
        accept_invitation(second, password=NEW)
    assert not Customer.objects.get(pk=person.pk).groups.filter(name=OWNER).exists()


def test_a_link_changes_nothing_of_who_became_staff_meanwhile(customer, visitor):
    _, token = invite(customer.email)
    Customer.objects.filter(pk=customer.pk).update(is_staff=True)
    before = Customer.objects.get(pk=customer.pk).password
    with pytest.raises(InvitationInvalid):
        accept_invitation(token, password=NEW)
    assert Customer.objects.get(pk=customer.pk).password == before


def test_passkeys_of_before_open_no_staff_pages(customer):
    Authenticator.objects.create(user=customer, type=Authenticator.Type.WEBAUTHN, data={})
    _, token = invite(customer.email)
    accept_invitation(token, password=NEW)
    assert not Authenticator.objects.filter(user=customer).exists()


def test_the_address_is_kept_as_accounts_hold_it():
    role = Group.objects.get(name=ORDER_DESK)
    typed = {"email": "Meera@b\u00fccher.example", "name": "Meera", "role": role.pk}
    assert office(OWNER).post(reverse("admin:accounts_staffinvitation_add"), typed).status_code == 302
    assert StaffInvitation.objects.get().email == "meera@xn--bcher-kva.example"


def test_who_is_staff_is_not_invited_and_other_roles_invite_nobody():
    data = {"email": "owner@example.com", "name": "", "role": Group.objects.get(name=OWNER).pk}
    page = office(OWNER).post(reverse("admin:accounts_staffinvitation_add"), data)
    assert "This person is staff already" in page.content.decode()
    assert office(ORDER_DESK).get(reverse("admin:accounts_staffinvitation_changelist")).status_code == 403


def test_the_editor_does_not_open_company_facts():
    assert office(CONTENT_EDITOR).get(reverse("admin:company_company_changelist")).status_code == 403


def test_last_seen_is_noted(monkeypatch):
    monkeypatch.setattr(sessions, "NOTED_EVERY", NOTED_EVERY)
    client = office(OWNER)
    person = Customer.objects.get(email="owner@example.com")
    assert person.last_seen_at is None
    session = client.session
    session["used_at"] = (timezone.now() - timedelta(minutes=5)).timestamp()
    session["began_at"] = session["used_at"]
    session.save()
    client.get("/admin/")
    person.refresh_from_db()
    assert timezone.now() - person.last_seen_at < timedelta(minutes=1)


# --- Two clicks at once ----------------------------------------------------------------------------


def accept_at_once(token):
    return together([partial(accept_invitation, token, password=NEW)] * 4)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_link_is_used_once_however_often_at_once():
    _, token = invite()
    results = accept_at_once(token)
    assert len([one for one in results if isinstance(one, Customer)]) == 1
    assert len([one for one in results if isinstance(one, ShopError)]) == 3


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_two_links_to_one_address_at_once_give_one_role():
    tokens = [invite()[1], invite(role=OWNER)[1]]
    results = together([partial(accept_invitation, token, password=NEW) for token in tokens])
    assert sorted(isinstance(one, Customer) for one in results) == [False, True]
    assert [type(one) for one in results if not isinstance(one, Customer)] == [InvitationInvalid]
    assert Customer.objects.get(email="meera@example.com").groups.count() == 1


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_conditional_update_two_links_to_one_address_give_both_roles(monkeypatch):
    tokens = [invite()[1], invite(role=OWNER)[1]]
    update = QuerySet.update

    def always(rows, **fields):
        done = update(rows, **fields)
        return 1 if rows.model is StaffInvitation else done

    invitations = {token: invitation_of(token) for token in tokens}
    monkeypatch.setattr(QuerySet, "update", always)
    monkeypatch.setattr("shop.accounts.staff.invitations.invitation_of", invitations.__getitem__)
    together([partial(accept_invitation, token, password=NEW) for token in tokens])
    assert Customer.objects.get(email="meera@example.com").groups.count() == 2


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_conditional_update_a_link_is_used_more_often(monkeypatch):
    _, token = invite()
    update = QuerySet.update

    def always(rows, **fields):
        done = update(rows, **fields)
        return 1 if rows.model is StaffInvitation else done

    monkeypatch.setattr(QuerySet, "update", always)
    monkeypatch.setattr("shop.accounts.staff.invitations.invitation_of", lambda token: StaffInvitation.objects.get())
    results = accept_at_once(token)
    assert len([one for one in results if isinstance(one, Customer)]) > 1
