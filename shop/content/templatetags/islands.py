"""{% island %}: markup that a React island takes over (islands/island.ts)."""

import json
from collections.abc import Mapping
from typing import Any

from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

WHEN = ("load", "idle", "visible", "interaction")
# Inside a script block "</script>" and "<!--" end it or change how it is read; U+2028 and U+2029 are
# line ends to older parsers.
INERT = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def inert_json(value: Any) -> SafeString:
    """JSON that can stand inside a script block: nothing in it is markup. Decimals become strings."""
    written = json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))
    return SafeString(written.translate(INERT))  # nosec B703


@register.simple_block_tag
def island(content: SafeString, name: str, props: Mapping[str, Any] | None = None, *, when: str = "idle") -> SafeString:
    """`{% island "buy-box" buy_box when="visible" %}working markup{% endisland %}`

    The markup works by itself; when the island is wanted (WHEN) it is shown in its place with
    `props`, of the same size. `data-replay="key"` on a button keeps a first click for the island.
    """
    if when not in WHEN:
        raise template.TemplateSyntaxError(f"when={when!r}: an island starts on {', '.join(WHEN)}.")
    return format_html(
        '<shop-island name="{}" when="{}"><script type="application/json">{}</script>{}</shop-island>',
        name,
        when,
        inert_json(props or {}),
        content,
    )
