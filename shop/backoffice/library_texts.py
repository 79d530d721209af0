"""Texts of Django and its admin that staff read and that their own Hindi lacks; they are looked up by these words."""

from django.utils.translation import gettext_noop, ngettext_lazy

SPANS = [
    ngettext_lazy("%(num)d year", "%(num)d years", "num"),
    ngettext_lazy("%(num)d month", "%(num)d months", "num"),
    ngettext_lazy("%(num)d week", "%(num)d weeks", "num"),
    ngettext_lazy("%(num)d day", "%(num)d days", "num"),
    ngettext_lazy("%(num)d hour", "%(num)d hours", "num"),
    ngettext_lazy("%(num)d minute", "%(num)d minutes", "num"),
]
PAGES = [
    gettext_noop("Dark"),
    gettext_noop("Light"),
    gettext_noop("Run"),
    gettext_noop("Select action"),
    gettext_noop("Select action to run"),
    gettext_noop("Select all objects on this page for an action"),
    gettext_noop("Select all rows"),
    gettext_noop("Select record"),
    gettext_noop("Show counts"),
    gettext_noop("Type to search"),
    gettext_noop("View site"),
]
