"""The texts of mails and SMS: those the shop comes with, and what staff wrote in their place."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.template import Engine
from django.template.base import Lexer, NodeList, Token, TokenType
from django.template.defaulttags import ForNode
from django.template.loader_tags import BlockNode, ExtendsNode, IncludeNode
from django.templatetags.i18n import BlockTranslateNode
from django.utils import timezone, translation
from django.utils.translation import gettext, ngettext

from shop.invalidation.subscriptions import remembered

from .languages import ENGLISH, FOR_STAFF
from .models import MessageText
from .safe_templates import LOADED, expressions_of, nodes_of, paths_of, render_text
from .sms_length import sms_parts

logger = logging.getLogger(__name__)
FOLDER = Path(settings.BASE_DIR) / "templates" / "emails"
# Notices that warn of somebody else in the account, and texts for staff, not for customers. (Texts with codes stay as
# well: without its code nobody could sign in. And the link of an invitation opens the back office: who writes texts
# must not lead it elsewhere.)
SECURITY = ("account_", "address_changed", "no_account", "passkey_", "password_", "second_factor_")
KEPT = (*FOR_STAFF, *SECURITY)
# Characters of a subject, a text and an SMS with their variables filled in. A long order takes a tenth of a text, and
# what is longer than an SMS of seven parts is paid for and may not arrive.
MAX_FILLED = (1_000, 50_000, 1_000)
MAX_SMS_PARTS = 7
# What a message is there for, and no other text of it says: without it nobody learns the answer, or can confirm.
NEEDED = {
    "complaint_acknowledged": "words",
    "complaint_resolved": "words",
    "enquiry_answer": "answer",
    "newsletter_confirm": "confirm",
    "order_letter": "text",
}
MANY = 100  # a number with the plural form that suits most
COUNT = "count"  # among the filters of a variable: it has to be a number
SUFFIXES = (".txt", ".sms.txt", ".html")


@dataclass(frozen=True, slots=True)
class Shipped:
    """What the shop comes with for one message. `variables` are dotted paths with the filters that they go through;
    `loops` names the variables that stand for one row each of a list."""

    text: str
    sms: str
    variables: dict[str, set[str]] = field(default_factory=dict)
    loops: dict[str, str] = field(default_factory=dict)  # loop variables, as written: the list

    @property
    def known(self) -> list[str]:
        return sorted({*self.variables, *(name for names in self.loops for name in names.split(", "))})


def editable_templates() -> list[str]:
    names = {path.name.split(".")[0] for path in FOLDER.glob("*.txt")}
    return sorted(
        name for name in names if not name.startswith(("_", *KEPT)) and not name.endswith(("_code", "_codes"))
    )


@cache
def shipped(template: str, language: str = ENGLISH) -> Shipped:
    """The shipped texts of a message in a language, as staff would write them, with the variables that they use."""
    files = [FOLDER / f"{template}{suffix}" for suffix in SUFFIXES]
    with translation.override(language):
        text, sms = (written_out(file.read_text()).strip() if file.exists() else "" for file in files[:2])
    found = Shipped(text, sms)
    for file in files:
        if file.exists():
            _collect(Engine.get_default().get_template(f"emails/{file.name}").nodelist, found)
    return found


def _collect(nodes: NodeList, found: Shipped) -> None:
    for node in nodes_of(nodes):
        if isinstance(node, ExtendsNode):
            _collect(node.nodelist, found)
        if isinstance(node, BlockNode):
            _collect(node.nodelist, found)
        if isinstance(node, IncludeNode) and str(node.template.var).startswith("emails/_"):
            _collect(Engine.get_default().get_template(str(node.template.var)).nodelist, found)
        if isinstance(node, ForNode):
            sequence: Any = node.sequence
            found.loops[", ".join(node.loopvars)] = str(sequence.var)
        if isinstance(node, BlockTranslateNode):
            _collect_translated(node, found)
        for expression in expressions_of(node):
            _add(expression, found)


def _collect_translated(node: Any, found: Shipped) -> None:
    named = dict(node.extra_context) | ({node.countervar: node.counter} if node.counter else {})
    for expression in named.values():
        _add(expression, found)
    for path in paths_of(node.counter) if node.counter else []:
        found.variables[path].add(COUNT)
    for token in [*node.singular, *(node.plural or [])]:
        if token.token_type == TokenType.VAR and token.contents not in named:
            found.variables.setdefault(token.contents, set())


def _add(expression: Any, found: Shipped) -> None:
    for path in paths_of(expression):
        filters = found.variables.setdefault(path, set())
        filters |= {function._filter_name for function, _ in expression.filters} - {"strong", "mail_link"}


def written_out(source: str) -> str:
    """A shipped text in the language of now, without the tags that translate it and with what it includes: as much
    of it as can be stands in the part of the template language that staff may write."""
    tokens = iter(Lexer(source).tokenize())
    return "".join(_written_out(token, tokens) for token in tokens)


def _written_out(token: Token, rest: Iterator[Token]) -> str:
    words = token.split_contents() if token.token_type == TokenType.BLOCK else [""]
    if words[0] == "load":
        return ""
    if words[0] == "translate":
        return gettext(words[1].strip(words[1][0]))
    if words[0] == "include":
        return written_out((FOLDER.parent / words[1].strip('"')).read_text())
    if words[0] == "blocktranslate":
        inside = [token]
        while inside[-1].contents != "endblocktranslate":
            inside.append(next(rest))
        return _translated("".join(map(_as_written, inside)))
    return _as_written(token)


def _as_written(token: Token) -> str:
    frames = {TokenType.TEXT: "{}", TokenType.VAR: "{{{{ {} }}}}", TokenType.BLOCK: "{{% {} %}}"}
    return frames[token.token_type].format(token.contents) if token.token_type in frames else ""


def _translated(block: str) -> str:
    """Its translation with the variables in their places; of several plural forms that of many."""
    node: Any = Engine.get_default().from_string(f"{LOADED}{{% load i18n mails %}}{block}").nodelist[-1]
    singular, names = node.render_token_list(node.singular)
    text = gettext(singular)
    if node.plural:
        plural, more = node.render_token_list(node.plural)
        text, names = ngettext(singular, plural, MANY), [*names, *more]
    variables = {name: _plain(node.extra_context.get(name, name)) for name in names}
    if node.plural:
        variables[node.countervar] = _plain(node.counter)
    return str(text % variables)


def _plain(expression: Any) -> str:
    """As staff write it: without the filters that make HTML of it."""
    source = str(getattr(expression, "token", expression))
    return f"{{{{ {source.removesuffix('|strong').removesuffix('|mail_link')} }}}}"


# --- What staff wrote in their place --------------------------------------------------------------


@remembered("shop")
def _written() -> dict[tuple[str, str], tuple[str, str, str]]:
    """(subject, text, SMS) by the name of the message and language; only those that differ from the shipped ones."""
    rows = MessageText.objects.filter(template__in=editable_templates())
    rows = rows.exclude(subject="", text="", sms="")
    return {(row.template, row.language): (row.subject, row.text, row.sms) for row in rows}


@dataclass(frozen=True, slots=True)
class Written:
    """A message as staff worded it; a part that they left empty, or that cannot be filled in, is None."""

    subject: str | None = None
    text: str | None = None
    sms: str | None = None


def written(template: str, context: Mapping[str, Any], language: str) -> Written:
    """What staff wrote for a message in a language, filled in; the language is active already."""
    parts = _written().get((template, language))
    if parts is None:
        return Written()
    limits = zip(parts, MAX_FILLED, strict=True)
    subject, text, sms = (_filled(template, part, context, limit) if part else None for part, limit in limits)
    if sms and sms_parts(sms) > MAX_SMS_PARTS:
        logger.error("the SMS of %s has %s parts once it is filled in", template, sms_parts(sms))
        sms = None
    return Written(subject, text, sms)


def _filled(template: str, source: str, context: Mapping[str, Any], limit: int) -> str | None:
    """None for a text that fails with this context, or grows too long: the shipped one is sent then."""
    try:
        text = render_text(source, context)
    except Exception:  # a message must leave, whatever somebody wrote
        logger.exception("the text of %s cannot be filled in", template)
        return None
    if len(text) > limit:
        logger.error("the text of %s has %s characters once it is filled in", template, len(text))
        return None
    return text or None


def sample_of(template: str) -> dict[str, Any]:
    """Made-up values for every variable of a message, for its preview."""
    found = shipped(template)
    sample: dict[str, Any] = {}
    loop_names = {name for names in found.loops for name in names.split(", ")}
    for path, filters in found.variables.items():
        root, *rest = path.split(".")
        if root not in loop_names:
            _place(sample, [root, *rest], _value_of(path, filters))
    for names, listed in found.loops.items():
        if listed.split(".")[0] not in loop_names:
            _place(sample, listed.split("."), _rows(names, found))
    return sample


def _rows(names: str, found: Shipped) -> list[Any]:
    row: Any = [_row_value(name, found) for name in names.split(", ")]
    return [row[0] if len(row) == 1 else tuple(row)] * 2


def _row_value(name: str, found: Shipped) -> Any:
    """One row of a list, with the lists within it."""
    inner = {listed: names for names, listed in found.loops.items() if listed.startswith(f"{name}.")}
    below: dict[str, set[str]] = {path: set() for path in inner} | found.variables
    below = {path: filters for path, filters in below.items() if path.startswith(f"{name}.")}
    if not below:
        return _value_of(name, set())
    row: dict[str, Any] = {}
    for path, filters in below.items():
        _place(row, path.split(".")[1:], _rows(inner[path], found) if path in inner else _value_of(path, filters))
    return row


def _place(tree: dict[str, Any], path: list[str], value: Any) -> None:
    for name in path[:-1]:
        known = tree.get(name)
        tree[name] = known if isinstance(known, dict) else {}
        tree = tree[name]
    if not isinstance(tree.get(path[-1]), dict):
        tree[path[-1]] = value


SAMPLES = {
    "name": "Asha Rao", "full_name": "Asha Rao", "number": "ORD-SAMPLE123", "amount": "₹250.00", "total": "₹1,250.00",
    "code": "123456", "city": "Bengaluru", "pincode": "560001", "country": "India", "address": "12 Temple Road",
    "quantity": 2, "units": 2, "points": 20, "item": "Neem Soap", "article": "Neem Soap", "reason": "Damaged",
    "where": "It goes back to the card or account it came from.", "money_words": "We'll refund ₹250.00.",
}  # fmt: skip
DATES = {"date", "clock", "moment", "local"}


def _value_of(path: str, filters: set[str]) -> Any:
    name = path.rpartition(".")[2]
    if COUNT in filters:
        return SAMPLES.get(name, 2)
    if filters & DATES:
        return timezone.now()
    if name.endswith("url") or name == "link":
        return f"{settings.SHOP_URL}/…"
    return SAMPLES.get(name, f"‹{path}›")
