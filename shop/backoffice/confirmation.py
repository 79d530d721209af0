"""Rows that staff move by named steps. What cannot be taken back, such as paying money back, is shown on a page of
its own and asked for once.

The page says what would happen to each row; its button sends that back (`seen_<id>`). Where it is no longer what
would happen, nothing is done and the page asks again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy
from unfold.widgets import UnfoldAdminTextInputWidget

from shop.errors import ShopError
from shop.money import INR, display

from .actors import staff_actor
from .admin import ReadOnlyAdmin, WordsField

MAX_ROWS = 100
TOO_MANY = format_lazy(gettext_lazy("Choose at most {count} at a time."), count=MAX_ROWS)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a step would do to one row: money that goes back to the customer, and what else is to be known."""

    inr: Decimal = Decimal(0)
    words: str = ""

    @property
    def seen(self) -> str:
        return f"{self.inr:.2f}"

    @property
    def amount(self) -> str:
        return display(self.inr, INR) if self.inr else ""


class NotConfirmed(ShopError):
    """Nobody has agreed to `effect` yet."""

    code = "not_confirmed"

    def __init__(self, effect: Effect) -> None:
        words = gettext("{amount} would be refunded now. Please check and confirm again.")
        nothing = gettext("Nothing would be refunded now. Please check and confirm again.")
        super().__init__(words.format(amount=effect.amount) if effect.amount else nothing)
        self.effect = effect


def require_seen(effect: Effect | None, seen: str | None) -> None:
    """Raises NotConfirmed unless this effect was shown before; to be called under the lock of what it depends on."""
    if effect is not None and seen != effect.seen:
        raise NotConfirmed(effect)


def seen_of(sent: Mapping[str, Any], row: Model) -> str | None:
    return sent.get(f"seen_{row.pk}")


def ask(
    request: HttpRequest,
    context: Mapping[str, Any],
    rows: Sequence[tuple[Model, Effect | None]],
    *,
    title: str,
    button: str,
    back: str,
    form: forms.Form | None = None,
) -> TemplateResponse:
    """The page that shows what would happen to these rows; whatever else was sent comes with its answer."""
    fields = {*(form.fields if form else ()), "csrfmiddlewaretoken"}
    kept = [
        (name, value)
        for name, values in request.POST.lists()
        if name not in fields and not name.startswith("seen_")
        for value in values
    ]
    shown = [(row, effect, f"seen_{row.pk}") for row, effect in rows]
    context = dict(context) | {
        "title": title,
        "summary": _summary(rows),
        "rows": shown,
        "kept": kept,
        "form": form,
        "button": button,
        "back": back,
        "address": request.get_full_path(),
    }
    status = 422 if form is not None and form.errors else 200
    return TemplateResponse(request, "backoffice/confirm.html", context, status=status)


def _summary(rows: Sequence[tuple[Model, Effect | None]]) -> str:
    """How much goes back, and for how many of these rows."""
    paid = [effect.inr for _, effect in rows if effect and effect.inr]
    count = _count(len(rows), rows[0][0])
    if not paid:
        return gettext("Nothing will be refunded now ({count}).").format(count=count)
    total = display(sum(paid, Decimal(0)), INR)
    if len(paid) == len(rows):
        return gettext("{total} will be refunded: {count}.").format(total=total, count=count)
    return gettext("{total} will be refunded: {part} of {count}.").format(total=total, part=len(paid), count=count)


def _count(number: int, row: Model) -> str:
    meta = row._meta
    return f"{number} {meta.verbose_name if number == 1 else meta.verbose_name_plural}"


class ReasonForm(forms.Form):
    """Why something is done that cannot be taken back."""

    words = WordsField(
        label=gettext_lazy("Reason"),
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy("Saved in the order's history. The customer can read it."),
        error_messages={"required": gettext_lazy("Enter a reason. The customer can read it.")},
    )


@dataclass(frozen=True, slots=True)
class RowStep:
    """`effect` says of a row, locked, what is asked before the step is taken (None: nothing), and `form` what is
    asked for beside it."""

    label: Any  # of its action, lazy or not in the list
    act: Callable[[Any, QueryDict, str], object]  # the row, what was sent with the step, and who takes it
    effect: Callable[[Any, QueryDict], Effect | None] = lambda row, sent: None
    form: type[forms.Form] = ReasonForm


class SteppedAdmin(ReadOnlyAdmin):
    """Rows that staff move by named steps, and in no other way: all that are chosen in the list, or one from the
    page that shows it."""

    steps: Mapping[str, RowStep] = {}
    step_permission = ""

    def page_of(self, row: Any) -> str:
        """The address of the page that shows the row with its steps."""
        raise NotImplementedError

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.actions = [_step_action(name, step) for name, step in self.steps.items()]

    def has_step_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(self.step_permission)

    def take_steps(self, request: HttpRequest, rows: QuerySet[Any], name: str, back: str) -> HttpResponse | None:
        """Each for itself: one that is refused does not stop the others. Where one of them needs it, the page that
        asks first."""
        step = self.steps[name]
        chosen = list(rows[: MAX_ROWS + 1])
        if len(chosen) > MAX_ROWS:
            self.message_user(request, TOO_MANY, messages.ERROR)
            return None
        if question := self._question(request, chosen, step, back):
            return question
        for row in chosen:
            try:
                with transaction.atomic():
                    require_seen(step.effect(row, request.POST), seen_of(request.POST, row))
                    step.act(row, request.POST, staff_actor(request.user))
                self.message_user(request, gettext("{row}: done.").format(row=row), messages.SUCCESS)
            except ShopError as refusal:
                self.message_user(request, f"{row}: {refusal.message}", messages.WARNING)
        return None

    def _question(self, request: HttpRequest, rows: Sequence[Model], step: RowStep, back: str) -> HttpResponse | None:
        """None where nothing is to be asked, or it was answered."""
        with transaction.atomic():
            effects = [(row, step.effect(row, request.POST)) for row in rows]
        affected = [row for row, effect in effects if effect]
        if not affected:
            return None
        is_first = any(seen_of(request.POST, row) is None for row in affected)
        has_typed = not is_first or any(request.POST.get(field, "").strip() for field in step.form.base_fields)
        form = step.form(request.POST if has_typed else None)
        if not is_first and form.is_valid():
            return None
        context = self.admin_site.each_context(request) | {"opts": self.opts}
        return ask(request, context, effects, title=f"{step.label}?", button=str(step.label), back=back, form=form)

    def take_one_step(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        if not self.has_step_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        row = get_object_or_404(self.model, pk=pk)
        if name not in self.steps:
            raise Http404
        question = self.take_steps(request, self.model.objects.filter(pk=pk), name, self.page_of(row))
        return question or redirect(self.page_of(row))

    def get_urls(self) -> list[URLPattern]:
        names = f"{self.opts.app_label}_{self.opts.model_name}_step"
        view = self.admin_site.admin_view(self.take_one_step)
        return [path("<int:pk>/step/<slug:name>/", view, name=names), *super().get_urls()]


def _step_action(name: str, step: RowStep) -> Callable[[SteppedAdmin, HttpRequest, QuerySet[Any]], HttpResponse | None]:
    @admin.action(description=step.label, permissions=["step"])
    def take(model_admin: SteppedAdmin, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
        return model_admin.take_steps(request, rows, name, request.get_full_path())

    take.__name__ = name
    return take
