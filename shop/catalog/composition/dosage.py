"""Dosage forms, and what the label of a pack says of them: "strip of 10 tablet sr", "tube of 15 gm Cream"."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from django.db.models import IntegerChoices
from django.utils.translation import gettext_lazy as _


class DosageForm(IntegerChoices):
    """The facet index and products keep the numbers: new ones go to the end. What lets go of its substance in another
    way is another form."""

    UNKNOWN = 0, _("Not stated")
    TABLET = 1, _("Tablet")
    TABLET_MODIFIED = 2, _("Modified-release tablet")
    TABLET_DISPERSIBLE = 3, _("Dispersible tablet")
    TABLET_DELAYED = 4, _("Gastro-resistant tablet")
    CAPSULE = 5, _("Capsule")
    CAPSULE_MODIFIED = 6, _("Modified-release capsule")
    SOFTGEL = 7, _("Softgel")
    LOZENGE = 8, _("Lozenge")
    SYRUP = 9, _("Syrup")
    SUSPENSION = 10, _("Oral suspension")
    SOLUTION = 11, _("Oral solution")
    ORAL_DROPS = 12, _("Oral drops")
    POWDER = 13, _("Powder or granules")
    INJECTION = 14, _("Injection")
    INFUSION = 15, _("Infusion")
    CREAM = 16, _("Cream")
    OINTMENT = 17, _("Ointment")
    GEL = 18, _("Gel")
    LOTION = 19, _("Lotion")
    EYE_DROPS = 20, _("Eye drops")
    EAR_DROPS = 21, _("Ear drops")
    NASAL_DROPS = 22, _("Nasal drops")
    NASAL_SPRAY = 23, _("Nasal spray")
    SPRAY = 24, _("Spray")
    INHALER = 25, _("Inhaler")
    NEBULISER = 26, _("Nebuliser solution")
    SUPPOSITORY = 27, _("Suppository")
    PATCH = 28, _("Patch")
    EFFERVESCENT = 29, _("Effervescent tablet")
    CAPSULE_DELAYED = 30, _("Gastro-resistant capsule")
    EYE_OINTMENT = 31, _("Eye ointment")
    CHEWABLE = 32, _("Chewable tablet")

    @property
    def slug(self) -> str:
        return self.name.lower().replace("_", "-")


# Of these one is counted: a strength without a measure is that of one. A bottle says nothing so.
COUNTED = {
    DosageForm.TABLET, DosageForm.TABLET_MODIFIED, DosageForm.TABLET_DISPERSIBLE, DosageForm.TABLET_DELAYED,
    DosageForm.CAPSULE, DosageForm.CAPSULE_MODIFIED, DosageForm.CAPSULE_DELAYED, DosageForm.SOFTGEL,
    DosageForm.LOZENGE, DosageForm.SUPPOSITORY, DosageForm.EFFERVESCENT, DosageForm.CHEWABLE,
}  # fmt: skip
_WORDS = {
    "tablet": DosageForm.TABLET, "tablet ir": DosageForm.TABLET, "film coated tablet": DosageForm.TABLET,
    **dict.fromkeys(
        ("tablet sr", "tablet pr", "tablet er", "tablet xr", "tablet mr", "tablet cr", "tablet la", "tablet xl",
         "tablet od"),
        DosageForm.TABLET_MODIFIED,
    ),
    "tablet dt": DosageForm.TABLET_DISPERSIBLE, "tablet md": DosageForm.TABLET_DISPERSIBLE,
    "dispersible tablet": DosageForm.TABLET_DISPERSIBLE, "tablet dr": DosageForm.TABLET_DELAYED,
    "tablet ec": DosageForm.TABLET_DELAYED, "capsule": DosageForm.CAPSULE, "instacap": DosageForm.CAPSULE,
    **dict.fromkeys(
        ("capsule sr", "capsule pr", "capsule er", "capsule xr", "capsule mr", "capsule cr", "capsule tr"),
        DosageForm.CAPSULE_MODIFIED,
    ),
    "capsule dr": DosageForm.CAPSULE_DELAYED,
    "soft gelatin capsule": DosageForm.SOFTGEL, "softgel": DosageForm.SOFTGEL, "lozenge": DosageForm.LOZENGE,
    "syrup": DosageForm.SYRUP, "dry syrup": DosageForm.SYRUP, "expectorant": DosageForm.SYRUP,
    "oral suspension": DosageForm.SUSPENSION, "suspension": DosageForm.SUSPENSION,
    "powder for oral suspension": DosageForm.SUSPENSION, "oral solution": DosageForm.SOLUTION,
    "oral liquid": DosageForm.SOLUTION, "oral drop": DosageForm.ORAL_DROPS, "granule": DosageForm.POWDER,
    "powder": DosageForm.POWDER, "injection": DosageForm.INJECTION, "solution for injection": DosageForm.INJECTION,
    "powder for injection": DosageForm.INJECTION, "suspension for injection": DosageForm.INJECTION,
    "infusion": DosageForm.INFUSION, "solution for infusion": DosageForm.INFUSION, "cream": DosageForm.CREAM,
    "ointment": DosageForm.OINTMENT, "gel": DosageForm.GEL, "lotion": DosageForm.LOTION,
    "eye drop": DosageForm.EYE_DROPS, "ophthalmic solution": DosageForm.EYE_DROPS,
    "ophthalmic suspension": DosageForm.EYE_DROPS, "eye ointment": DosageForm.EYE_OINTMENT,
    "ear drop": DosageForm.EAR_DROPS, "nasal drop": DosageForm.NASAL_DROPS, "nasal spray": DosageForm.NASAL_SPRAY,
    "spray": DosageForm.SPRAY, "inhaler": DosageForm.INHALER, "rotacap": DosageForm.INHALER,
    "respule": DosageForm.NEBULISER, "solution for inhalation": DosageForm.NEBULISER,
    "suppositorie": DosageForm.SUPPOSITORY, "suppository": DosageForm.SUPPOSITORY, "patch": DosageForm.PATCH,
    "effervescent tablet": DosageForm.EFFERVESCENT, "chewable tablet": DosageForm.CHEWABLE,
    "tablet chewable": DosageForm.CHEWABLE,
}  # fmt: skip
_PACK = re.compile(r"\A(?:[a-z-]{1,30} ){1,3}?of (\d{1,5}(?:\.\d{1,2})?) ?(ml|gm|g|mdi)?\b ?([a-z ]*+)", re.IGNORECASE)
_COUNTED_UNITS = {
    DosageForm.TABLET: "tablets", DosageForm.TABLET_MODIFIED: "tablets", DosageForm.TABLET_DISPERSIBLE: "tablets",
    DosageForm.TABLET_DELAYED: "tablets", DosageForm.EFFERVESCENT: "tablets", DosageForm.CHEWABLE: "tablets",
    DosageForm.CAPSULE: "capsules", DosageForm.CAPSULE_MODIFIED: "capsules", DosageForm.CAPSULE_DELAYED: "capsules",
    DosageForm.SOFTGEL: "softgels",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pack:
    quantity: Decimal
    unit: str  # as staff type it; empty where the label's is none that is known
    form: DosageForm


def read_pack(label: str) -> Pack | None:
    found = _PACK.fullmatch(" ".join(label.split()))
    if not found:
        return None
    form = form_named(found[3])
    measure = (found[2] or "").lower()
    unit = {"ml": "ml", "gm": "g", "g": "g"}.get(measure, "" if measure else _COUNTED_UNITS.get(form, ""))
    return Pack(Decimal(found[1]), unit, form)


def form_named(words: str) -> DosageForm:
    """By its name on labels, its slug or its English name; UNKNOWN for any other."""
    plain = " ".join(words.lower().split())
    return _by_name().get(plain) or _by_name().get(plain.removesuffix("s")) or DosageForm.UNKNOWN


@cache
def _by_name() -> dict[str, DosageForm]:
    return _WORDS | {form.slug: form for form in DosageForm}
