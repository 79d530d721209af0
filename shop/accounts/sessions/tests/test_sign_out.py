import pytest
from django.conf import settings

pytestmark = pytest.mark.django_db
HEADER = "Clear-Site-Data"
SIGN_OUTS = [("/en-in/logout/", None), ("/user-logout/", "application/json")]


def sign_out(client, path, content_type):
    return client.post(path, {}, **({"content_type": content_type} if content_type else {}))


@pytest.mark.parametrize(("path", "content_type"), SIGN_OUTS)
def test_signing_out_tells_the_browser_to_forget(signed_in, path, content_type):
    answer = sign_out(signed_in, path, content_type)
    assert answer[HEADER] == '"cache", "storage"'
    assert answer.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == 0
    assert "no-store" in answer["Cache-Control"]


def test_words_that_nobody_read_go_with_it(signed_in):
    signed_in.post("/en-in/profile/", {"name": "Asha Iyer"})
    assert signed_in.cookies["messages"].value
    answer = signed_in.post("/en-in/logout/")
    assert (answer.cookies["messages"].value, answer.cookies["messages"]["max-age"]) == ("", 0)


def test_the_picked_country_stays(signed_in):
    assert "deliver_to" not in signed_in.post("/en-in/logout/").cookies


def test_nothing_else_asks_a_browser_to_forget(signed_in, visitor):
    assert HEADER not in signed_in.get("/en-in/profile/")
    assert HEADER not in signed_in.post("/en-in/profile/", {"name": "Asha Iyer"})


@pytest.mark.parametrize("page", ["/en-in/profile/", "/en-in/cart/"])
def test_a_page_says_that_it_was_made_for_a_customer(signed_in, client, page):
    marker = '<meta name="customer"'
    assert marker in signed_in.get(page).content.decode()
    assert marker not in client.get(page, follow=True).content.decode()
