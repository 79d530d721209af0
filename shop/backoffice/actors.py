"""Who did something: a role and the id of the person, as one key such as `staff:12`.

Names are chosen by people and change; they are looked up when a key is shown, and stand beside the role.
"""

import re
from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models
from django.utils.translation import gettext, gettext_lazy, gettext_noop

SHOP, PROVIDER = "shop", "provider"  # the shop by itself, such as its jobs; the payment provider
STAFF, CUSTOMER = "staff", "customer"
KEY = re.compile(rf"{SHOP}|{PROVIDER}|(?:{STAFF}|{CUSTOMER})(?::[1-9][0-9]{{0,18}})?")
WORDS = {
    SHOP: gettext_lazy("The shop, automatically"),
    PROVIDER: gettext_lazy("The payment provider"),
    STAFF: gettext_lazy("A member of staff"),  # from before ids were kept
    CUSTOMER: gettext_lazy("The customer"),
}

NUMBERED = {STAFF: gettext_noop("{person} (staff {number})"), CUSTOMER: gettext_noop("{person} (customer {number})")}


def staff_actor(person: Any) -> str:
    return f"{STAFF}:{person.pk}"


def customer_actor(customer_id: int) -> str:
    return f"{CUSTOMER}:{customer_id}"


def actor_of(person: Any) -> str:
    """Of a person who acts in the role that they have now."""
    return staff_actor(person) if person.is_staff else customer_actor(person.pk)


def role_of(actor: str) -> str:
    return actor.partition(":")[0]


def shown_person(person: Any, role: str) -> str:
    """ "Meera (staff 12)": whatever name is chosen, the role is the shop's word."""
    return gettext(NUMBERED[role]).format(person=person, number=person.pk)


def shown_actors(actors: Iterable[str]) -> dict[str, str]:
    """What each key is called for staff: one query."""
    keys = set(actors)
    ids = {key: int(number) for key in keys if (number := key.partition(":")[2])}
    accounts: Any = apps.get_model(settings.AUTH_USER_MODEL)
    people = accounts.objects.in_bulk(set(ids.values()))
    return {
        key: shown_person(people[ids[key]], role_of(key)) if ids.get(key) in people else _unnamed(key) for key in keys
    }


def _unnamed(actor: str) -> str:
    return str(WORDS.get(role_of(actor), actor))


def shown_actor(actor: str) -> str:
    return shown_actors([actor])[actor]


class ActorField(models.CharField):  # type: ignore[type-arg]  # takes none while it runs
    """Holds a key and refuses anything else, such as a name."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("max_length", 100)
        super().__init__(*args, **options)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        prepared = super().get_db_prep_save(value, connection)
        if isinstance(prepared, str) and not KEY.fullmatch(prepared):
            raise ValueError(f"{prepared!r} is no actor: a role with an id is, such as staff:12.")
        return prepared


def name_keys(rows: models.QuerySet[Any], field: str, people: models.QuerySet[Any]) -> None:
    """For migrations: give texts that were names of staff the key of the one person who has that name; where
    several or none have it, nobody is named. Roles stay as they are."""
    for name in rows.exclude(**{f"{field}__in": (SHOP, PROVIDER, CUSTOMER)}).values_list(field, flat=True).distinct():
        called = models.Q(name=name) | models.Q(name="", email=name) | models.Q(name="", phone=name)
        ids = list(people.filter(called, is_staff=True).values_list("pk", flat=True)[:2])
        rows.filter(**{field: name}).update(**{field: f"{STAFF}:{ids[0]}" if len(ids) == 1 else STAFF})
