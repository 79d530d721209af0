"""What this app adds to a customer's timeline: points and notes."""

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, gettext_lazy

from ..models import CustomerNote, PointsEntry
from .registry import Shown, TimelineSource, register


def _show_points(entry: PointsEntry) -> Shown:
    until = date_format(localtime(entry.expires_at), "j M Y") if entry.expires_at else ""
    words = gettext("%(points)s points %(kind)s, %(reference)s") % {
        "points": f"{entry.points:+}",
        "kind": str(entry.get_kind_display()).lower(),
        "reference": entry.reference,
    }
    return Shown(words, detail=gettext("Until %(until)s") % {"until": until} if until else "")


def _show_note(note: CustomerNote) -> Shown:
    return Shown(note.text, actor=note.author)


def register_sources() -> None:
    register(
        TimelineSource(
            "points", gettext_lazy("Points"), gettext_lazy("Points"), "accounts.view_customer",
            lambda customer: customer.points_entries.all(), _show_points, "at",
        )
    )  # fmt: skip
    register(
        TimelineSource(
            "note", gettext_lazy("Note"), gettext_lazy("Notes"), "accounts.view_customernote",
            lambda customer: customer.notes.all(), _show_note, "at",
        )
    )  # fmt: skip
