"""The HTML that texts of the catalogue may hold: structure, no links, pictures, scripts or styles."""

import nh3

ALLOWED_TAGS = {
    "b", "blockquote", "br", "caption", "dd", "div", "dl", "dt", "em", "h2", "h3", "h4", "h5", "i", "li", "ol", "p",
    "span", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul",
}  # fmt: skip


def clean_html(text: str) -> str:
    """`text` without anything but plain structure; cleaning twice changes nothing."""
    return nh3.clean(text, tags=ALLOWED_TAGS, attributes={}, link_rel=None).strip()
