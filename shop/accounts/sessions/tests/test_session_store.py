"""The tables hold no session key that a browser could bring."""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import pytest
from allauth.usersessions.models import UserSession
from asgiref.sync import async_to_sync
from django.apps import apps
from django.contrib.sessions.backends import db as plain
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client

from ...conftest import PASSWORD
from ..store import SessionStore, stored_key

pytestmark = [pytest.mark.django_db, pytest.mark.database]
migration = import_module("shop.accounts.migrations.0006_hashed_session_keys")


def sign_in(email="asha@example.com"):
    browser = Client(headers={"sec-fetch-site": "same-origin"})
    assert browser.post("/signin/", {"email": email, "password": PASSWORD}).status_code == 302
    return browser


def with_cookie(key):
    browser = Client(headers={"sec-fetch-site": "same-origin"})
    browser.cookies["session"] = key
    return browser


def is_signed_in(browser):
    return browser.get("/en-in/profile/").status_code == 200


def run_async(method, *args):
    """In a thread: the driver of a browser runs a loop of its own in the main one."""

    def run():
        try:
            return async_to_sync(method)(*args)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


def every_text_in_the_database():
    """Each value of each table, as one text."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            yield from (str(row) for row in cursor.fetchall())


def test_no_table_holds_the_key_of_a_cookie(customer):
    browser = sign_in()
    key = browser.cookies["session"].value
    assert is_signed_in(browser)
    assert [row for row in every_text_in_the_database() if key in row] == []
    assert Session.objects.get().session_key == UserSession.objects.get().session_key == stored_key(key)


@pytest.mark.django_db(transaction=True)
def test_what_the_table_holds_signs_nobody_in(customer):
    sign_in()
    thief = with_cookie(Session.objects.get().session_key)
    assert not is_signed_in(thief)
    assert run_async(SessionStore(Session.objects.get().session_key).aload) == {}


def test_the_own_browser_is_known_in_the_list_of_sign_ins(customer):
    here, _ = sign_in(), sign_in()
    assert [row.is_here for row in here.get("/en-in/profile/").context["sign_ins"]] == [True, False]


def test_sign_out_deletes_the_row(customer):
    browser = sign_in()
    browser.post("/logout/")
    assert not Session.objects.exists()


def test_sessions_from_before_stay_open(customer):
    store = plain.SessionStore()
    store.update(sign_in().session.items())
    Session.objects.all().delete()
    UserSession.objects.all().delete()
    store.save()
    UserSession.objects.create(user=customer, session_key=store.session_key, ip="203.0.113.9")
    assert not is_signed_in(with_cookie(store.session_key))
    for _ in range(2):  # a second run changes nothing
        migration.hash_keys(apps, None)
        assert is_signed_in(with_cookie(store.session_key))
    assert [row.is_here for row in with_cookie(store.session_key).get("/en-in/profile/").context["sign_ins"]] == [True]
    assert Session.objects.get().session_key == migration.stored_key(store.session_key)


@pytest.mark.django_db(transaction=True)
def test_async_code_reads_and_ends_the_same_session(customer):
    key = sign_in().cookies["session"].value
    store = SessionStore(key)
    assert run_async(store.aexists, key)
    assert run_async(store.aget, "_auth_user_id") == str(customer.pk)
    run_async(store.asave)
    run_async(store.adelete)
    assert not SessionStore().exists(key)


def test_kept_as_they_are_the_table_would_sign_somebody_in(customer, settings):
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.db"
    sign_in()
    assert is_signed_in(with_cookie(Session.objects.get().session_key))
