"""The HTML that texts may hold: structure, in what editors write links too; no pictures, scripts or styles."""

import nh3

ALLOWED_TAGS = {
    "b", "blockquote", "br", "caption", "dd", "div", "dl", "dt", "em", "h2", "h3", "h4", "h5", "i", "li", "ol", "p",
    "span", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul",
}  # fmt: skip


def clean_html(text: str) -> str:
    """`text` without anything but plain structure; cleaning twice changes nothing."""
    return nh3.clean(text, tags=ALLOWED_TAGS, attributes={}, link_rel=None).strip()


def clean_linked_html(text: str) -> str:
    """Like clean_html, and with links to pages of the shop, other sites, mail and phone."""
    return nh3.clean(
        text,
        tags=ALLOWED_TAGS | {"a"},
        attributes={"a": {"href"}},
        url_schemes={"https", "http", "mailto", "tel"},
        link_rel="noopener",
    ).strip()
