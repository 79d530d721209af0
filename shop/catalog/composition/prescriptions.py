"""Prescription medicines: their schedule under the Drugs Rules 1945, and where they are sold."""

from typing import TYPE_CHECKING, Any

from django.db import models
from django.utils.translation import gettext, gettext_lazy, gettext_noop

if TYPE_CHECKING:
    from shop.markets.market import Market

SOLD_IN = "IN"


class Schedule(models.TextChoices):
    H = "H", gettext_lazy("Schedule H")
    H1 = "H1", gettext_lazy("Schedule H1")
    X = "X", gettext_lazy("Schedule X")
    NARCOTIC = "N", gettext_lazy("Narcotic or psychotropic")


# In the words of rule 97 (1) of the Drugs Rules, 1945, which are not translated.
WARNINGS: dict[str, tuple[str, ...]] = {
    Schedule.H1: (
        "SCHEDULE H1 DRUG – WARNING:",
        "It is dangerous to take this preparation except in accordance with the medical advice.",
        "Not to be sold by retail without the prescription of a Registered Medical Practitioner.",
    ),
}
NEVER_PUBLISHED = (Schedule.X, Schedule.NARCOTIC)
NOT_PUBLISHED = gettext_noop("Schedule X medicines and narcotics can't be published.")


def sells_prescriptions(market: "Market") -> bool:
    """The one switch: in India, once the company has named its pharmacy licence and its pharmacist."""
    from shop.company.facts import company_facts  # its model is of an app that is loaded by now

    return market.country_code == SOLD_IN and company_facts().is_pharmacy


def prescription_refusal(product: Any, market: "Market") -> str:
    """Why a product that needs a prescription is not sold there, in words; empty where it is, against one."""
    if sells_prescriptions(market) and product.schedule not in NEVER_PUBLISHED:
        return ""
    return gettext("This is a prescription medicine, so we don't sell it online.")


def is_sold_in(product: Any, market: "Market") -> bool:
    """Whether a product needs no prescription, or is sold there against one; no query."""
    return not product.is_prescription or not prescription_refusal(product, market)
