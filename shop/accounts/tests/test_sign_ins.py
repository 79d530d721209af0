from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from shop.accounts.sign_ins import forget_ended

pytestmark = pytest.mark.django_db


def open_session(customer, lasts=timedelta(days=1)):
    session = SessionStore()
    session.save()
    Session.objects.filter(pk=session.session_key).update(expire_date=timezone.now() + lasts)
    return UserSession.objects.create(user=customer, session_key=session.session_key, ip="203.0.113.9")


def test_sessions_that_expired_are_deleted_with_what_was_kept_of_them(customer):
    still_open = open_session(customer)
    open_session(customer, lasts=-timedelta(seconds=1))
    signed_out = open_session(customer)
    Session.objects.filter(session_key=signed_out.session_key).delete()
    assert forget_ended() == 3
    assert UserSession.objects.get() == still_open
    assert Session.objects.get().session_key == still_open.session_key


def test_the_session_of_a_visitor_stays_until_it_expires(db):
    session = SessionStore()
    session.save()
    assert forget_ended() == 0
    assert session.exists(session.session_key)
