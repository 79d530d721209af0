"""An account is written to in the language of the page it was made on, until its customer picks another."""

import pytest
from django.utils import translation

from shop.messaging.models import Message

from ...models import Customer
from ...notices import notify

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def languages(settings):
    settings.SHOP_LANGUAGES = ("en", "hi")


@pytest.mark.parametrize("language", ["en", "hi"])
def test_a_new_account_has_the_language_of_the_page(language):
    with translation.override(language):
        assert Customer.objects.create_user("a@example.com").language == language


def test_picking_a_language_keeps_it_for_the_account(client):
    asha, other = Customer.objects.create_user("a@example.com"), Customer.objects.create_user("b@example.com")
    client.post("/en-in/language/", {"language": "hi", "next": "/"})
    client.force_login(asha)
    client.post("/en-in/language/", {"language": "xx", "next": "/"})
    assert set(Customer.objects.values_list("language", flat=True)) == {"en"}
    client.post("/en-in/language/", {"language": "hi", "next": "/"})
    asha.refresh_from_db()
    other.refresh_from_db()
    assert (asha.language, other.language) == ("hi", "en")


def test_what_happens_to_an_account_is_told_in_its_language():
    asha = Customer.objects.create_user("a@example.com", name="Asha", language="hi")
    notify(asha, "password_changed", translation.gettext_lazy("Your password at {shop_name} was changed"), name="Asha")
    mail = Message.objects.get()
    assert (mail.subject, mail.language) == ("Aushadhi पर आपका पासवर्ड बदल गया है", "hi")
    assert mail.text.startswith("नमस्ते Asha,")
