import pytest

from shop.return_path import safe_path

HOSTILE = [
    None, "", "checkout", "https://evil.example/", "http:evil.example", "//evil.example", "///evil.example",
    "////evil.example/x", "/\\evil.example", "\\/evil.example", "\\\\evil.example", "/\\/evil.example",
    "/%2f/evil.example", "/%2Fevil.example", "/%5cevil.example", "/%5C%5Cevil.example", "/%252fevil.example",
    "/%25252fevil.example", "/\tevil.example", "/\t/evil.example", "/\n/evil.example", "/\r\nLocation: //evil.example",
    "/%0a/evil.example", "/%0d%0aSet-Cookie:x=y", "/%09/evil.example", "/%00", "\x00/", " //evil.example",
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "/x//evil.example", "/en-in//evil.example",
    "/en-in/%2f%2fevil.example", "/.//evil.example", "/\u2028/evil.example", "/\x85/evil.example", "@evil.example",
    "/cart/?x=1\r\nX: y", "?next=//evil.example", "#//evil.example", "mailto:a@evil.example", "/" + "a" * 2000,
]  # fmt: skip


@pytest.mark.parametrize("wanted", HOSTILE)
def test_anything_but_a_path_of_this_site_leads_home(wanted):
    assert safe_path(wanted) == "/"


@pytest.mark.parametrize(
    "wanted",
    [
        "/",
        "/checkout/",
        "/en-in/checkout/",
        "/search/a%20b/?sort=new&page=2",
        "/cart/?next=//x",
        "/a/#top",
        "/%E0%A4%86/",
    ],
)
def test_a_path_of_this_site_is_kept(wanted):
    assert safe_path(wanted) == wanted
