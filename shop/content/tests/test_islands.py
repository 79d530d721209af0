import json
import re
from decimal import Decimal

import pytest
from django.template import Context, Template, TemplateSyntaxError

SOURCE = '{% load islands %}{% island "buy-box" props when="visible" %}<p>{{ name }}</p>{% endisland %}'


def props_in(html: str) -> dict:
    match = re.search(r'<script type="application/json">(.*?)</script>', html, re.S)
    assert match
    return json.loads(match[1])


def test_island_wraps_working_markup_with_its_props():
    html = Template(SOURCE).render(Context({"props": {"price": Decimal("1.50")}, "name": "Tonic"}))
    assert html.startswith('<shop-island name="buy-box" when="visible">')
    assert html.endswith("<p>Tonic</p></shop-island>")
    assert props_in(html) == {"price": "1.50"}


@pytest.mark.parametrize(
    "text", ["</script><b>", "<!--<script>", "a & b", "line\u2028end\u2029", "₹ \"quoted\" 'single'"]
)
def test_props_hold_any_text_without_becoming_markup(text):
    html = Template(SOURCE).render(Context({"props": {"text": text}, "name": "x"}))
    written = html.partition('json">')[2].partition("</script>")[0]
    assert not set("<>&\u2028\u2029") & set(written)
    assert props_in(html) == {"text": text}


def test_markup_inside_stays_escaped():
    assert "<p>&lt;b&gt;</p>" in Template(SOURCE).render(Context({"props": {}, "name": "<b>"}))


def test_unknown_moment_is_refused():
    with pytest.raises(TemplateSyntaxError):
        Template('{% load islands %}{% island "cart" when="someday" %}{% endisland %}').render(Context())
