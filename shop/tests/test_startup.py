"""What a process does before its first request (shop/startup.py)."""

import pytest
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import OperationalError, close_old_connections
from django.template import engines
from django.template.base import Template

from shop import startup
from shop.http.middleware import VisitMiddleware


@pytest.fixture
def parsed(monkeypatch):
    """Names of the templates that are read from now on, as in a new process."""
    for loader in engines["django"].engine.template_loaders:
        loader.reset()
    names = []
    compile_nodelist = Template.compile_nodelist

    def note(template):
        names.append(template.name)
        return compile_nodelist(template)

    monkeypatch.setattr(Template, "compile_nodelist", note)
    return names


@pytest.fixture
def application(monkeypatch):
    """Notes paths and statuses of what it is asked."""
    shop = get_wsgi_application()
    asked = []

    def note(environ, start_response):
        response = shop(environ, start_response)
        asked.append((environ["PATH_INFO"], response.status_code))
        return response

    note.asked = asked
    monkeypatch.setattr(startup.connections, "close_all", lambda: None)  # the test's own is used further
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield note
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def test_no_visitor_waits_for_templates_to_be_read(make_variant, client, application, parsed):
    """The negative control: the same page needs many before."""
    variant = make_variant()
    market, path = "/en-in/", variant.product.category.path
    startup.answer_first_pages(application)
    assert application.asked == [
        (market, 200), (f"{market}products/{path}/", 200), (f"{market}product/{variant.product.slug}/", 200),
    ]  # fmt: skip
    assert len(parsed) > 20
    parsed.clear()
    other = make_variant()
    for page in (f"{market}products/{path}/?sort=price", f"{market}product/{other.product.slug}/"):
        assert client.get(page).status_code == 200
    assert parsed == []
    assert not VisitMiddleware.counted


@pytest.mark.django_db
def test_an_empty_shop_starts_with_its_home_page(application):
    startup.answer_first_pages(application)
    assert application.asked == [("/en-in/", 200)]


def test_a_shop_without_a_database_starts_and_says_so(application, monkeypatch, caplog):
    def fail():
        raise OperationalError("no such table")

    monkeypatch.setattr(startup, "market_registry", fail)
    startup.answer_first_pages(application)
    assert application.asked == [] and "the first pages cannot be answered" in caplog.text


def test_while_developing_nothing_is_answered(application, settings):
    settings.DEBUG = True
    startup.answer_first_pages(application)
    assert application.asked == []
