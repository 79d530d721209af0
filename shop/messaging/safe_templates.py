"""The part of the template language that staff may write: named variables, conditions, lists, and a few filters."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.template import Context, Engine, TemplateSyntaxError
from django.template.base import FilterExpression, Node, NodeList, TextNode, Variable, VariableNode
from django.template.defaulttags import ForNode, IfNode, LoadNode
from django.template.loader_tags import IncludeNode
from django.utils.translation import gettext, gettext_noop

from shop.errors import Invalid

FILTERS = {"capfirst", "clock", "date", "default", "join", "length", "local", "moment", "pluralize", "truncatechars"}
EVERYWHERE = ("shop_name", "shop_url", "shop_email")
LOADED = "{% load times %}"
MAX_SEPARATOR = 20  # characters between the parts that "join" puts together
TOO_DEEP = gettext_noop("This text has too many nested conditions.")


def check_text(source: str, known: Collection[str], *, lists: Collection[str] = (), field: str = "") -> None:
    """Raises Invalid in words (at `field`) for broken syntax, a variable that is not `known`, any other tag, and for
    what could grow without limit: "for" takes `lists` only, and "join" a short separator."""
    try:
        problem = next(problems_of(source, known, lists), "")
    except RecursionError:
        problem = gettext(TOO_DEEP)
    if problem:
        raise Invalid(problem, fields={field: [problem]} if field else None)


def problems_of(source: str, known: Collection[str], lists: Collection[str] = ()) -> Iterator[str]:
    try:
        nodes = Engine.get_default().from_string(LOADED + source).nodelist
    except TemplateSyntaxError as error:
        yield gettext("This text has a mistake: {error}.").format(error=error)
        return
    allowed = {*known, *EVERYWHERE, "forloop.first", "forloop.last", "forloop.counter"}
    for node in nodes_of(NodeList(nodes[1:])):
        if isinstance(node, LoadNode | IncludeNode) or not isinstance(node, TextNode | VariableNode | IfNode | ForNode):
            tag = getattr(node, "token", None)
            name = tag.contents.split()[0] if tag else gettext("this tag")
            yield gettext("“{name}” can't be used here. Use variables, “if” and “for”.").format(name=name)
        for expression in expressions_of(node):
            yield from (
                gettext("There is no variable “{name}” in this message.").format(name=path)
                for path in paths_of(expression)
                if path not in allowed
            )
            names = [function._filter_name for function, _ in expression.filters]
            unknown = gettext("“{name}” can't be used here.")
            yield from (unknown.format(name=f"|{name}") for name in names if name not in FILTERS)
            if not _joins_little(expression):
                words = gettext("“|join” takes a list and up to {most} characters in quotes, once.")
                yield words.format(most=MAX_SEPARATOR)
    yield from _problems_of_loops(NodeList(nodes[1:]), lists)


def shown_in(source: str) -> set[str]:
    """The variables that a text without mistakes shows."""
    nodes = nodes_of(Engine.get_default().from_string(LOADED + source).nodelist)
    shown = (node.filter_expression for node in nodes if isinstance(node, VariableNode))
    return {path for expression in shown for path in paths_of(expression)}


def render_text(source: str, context: Mapping[str, Any], *, autoescape: bool = False) -> str:
    """A text that was checked, with its variables filled in."""
    template = Engine.get_default().from_string(LOADED + source)
    return template.render(Context(dict(context), autoescape=autoescape)).strip()


def nodes_of(nodes: NodeList) -> Iterator[Node]:
    """All nodes, those inside others too."""
    for node in nodes:
        yield node
        for nodelist in _inside(node):
            yield from nodes_of(nodelist)


def _inside(node: Node) -> list[NodeList]:
    if isinstance(node, IfNode):
        return [nodelist for _, nodelist in node.conditions_nodelists]
    return [getattr(node, name) for name in node.child_nodelists if hasattr(node, name)]


def _problems_of_loops(nodes: NodeList, lists: Collection[str], outer: tuple[str, ...] = ()) -> Iterator[str]:
    """Each loop goes over one of the `lists` as it is, one within another over a part of the other's row: so what
    comes out grows with the facts, and not with every loop that is written."""
    for node in nodes:
        names = outer
        if isinstance(node, ForNode):
            sequence: Any = node.sequence  # a FilterExpression
            path = str(sequence.var) if isinstance(sequence.var, Variable) else ""
            if path not in lists or sequence.filters:
                words = gettext("“for” can't loop over “{name}”. Use one of the lists named below the text.")
                yield words.format(name=sequence.token)
            elif outer and path.partition(".")[0] not in outer:
                yield gettext("“for” over “{name}” can't be nested in another “for”.").format(name=path)
            names = (*outer, *node.loopvars)
        for nodelist in _inside(node):
            yield from _problems_of_loops(nodelist, lists, names)


def _joins_little(expression: Any) -> bool:
    joins = [args for function, args in expression.filters if function._filter_name == "join"]
    if not joins:
        return True
    is_path, separator = (joins[0] or [(True, "")])[0]
    is_short = not is_path and len(str(separator)) <= MAX_SEPARATOR
    return len(joins) == 1 and is_short and isinstance(expression.var, Variable) and bool(expression.var.lookups)


def expressions_of(node: Node) -> Iterator[Any]:
    """Its FilterExpressions, those of conditions too."""
    if isinstance(node, VariableNode):
        yield node.filter_expression
    elif isinstance(node, ForNode):
        yield node.sequence
    elif isinstance(node, IfNode):
        for condition, _ in node.conditions_nodelists:
            yield from _of_condition(condition)


def paths_of(expression: Any) -> list[str]:
    """Variables by their dotted path: the one that is shown, and those in the arguments of its filters."""
    variables = [expression.var, *(value for _, args in expression.filters for is_path, value in args if is_path)]
    return [str(one.var) for one in variables if getattr(one, "lookups", None)]


def _of_condition(condition: Any) -> Iterator[Any]:
    if condition is None:  # of "else"
        return
    if isinstance(getattr(condition, "value", None), FilterExpression):
        yield condition.value
    for side in ("first", "second"):
        if getattr(condition, side, None) is not None:
            yield from _of_condition(getattr(condition, side))
