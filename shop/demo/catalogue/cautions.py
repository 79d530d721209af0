"""Who a demo product is for, and what to be careful about: by how it is sold and what it holds."""

from .dosages import Form

FOR_THE_SKIN = "For adults. Try a little on the inside of the arm first."
SUITED = {
    "ayush": "Adults. For children, ask an Ayurvedic physician first.",
    "unani": "Adults. For children, ask a Unani physician first.",
    "food": "Adults and children over twelve, as part of a balanced diet.",
    "drug": "Adults and children as the leaflet says. Ask a doctor if you are not sure.",
    "cosmetic": FOR_THE_SKIN,
}
SWALLOWED = (
    "Pregnant or breastfeeding? Ask your doctor before you take it.",
    "Tell your doctor about it if you take other medicines, or before an operation.",
)
GENERAL = {
    "ayush": SWALLOWED,
    "unani": SWALLOWED,
    "food": SWALLOWED,
    "drug": ("Do not take more than the leaflet says.", *SWALLOWED),
    "cosmetic": ("For external use only. Keep away from the eyes. Stop if the skin reddens or itches.",),
}
OF_INGREDIENTS = {
    "ashwagandha": "Not with thyroid medicines or sedatives unless your doctor agrees.",
    "giloy": "Not with an autoimmune or liver illness unless your doctor agrees.",
    "guduchi": "Not with an autoimmune or liver illness unless your doctor agrees.",
    "liquorice": "Not with high blood pressure or low potassium.",
    "licorice": "Not with high blood pressure or low potassium.",
    "turmeric": "May add to the effect of blood thinners.",
    "curcumin": "May add to the effect of blood thinners.",
    "guggul": "Not with thyroid medicines unless your doctor agrees.",
    "senna": "Not for more than a week, and not for children under twelve.",
    "paracetamol": "Not with other medicines that contain paracetamol.",
    "ibuprofen": "Not with a stomach ulcer, asthma set off by painkillers, or late in pregnancy.",
    "whey": "Contains milk.",
    "sugar": "Contains sugar. Take care if you have diabetes.",
    "jaggery": "Contains jaggery. Take care if you have diabetes.",
    "honey": "Not for babies under one year.",
}


def suited_for(form: Form) -> str:
    return SUITED.get(form.licence, "")


def cautions_of(form: Form, ingredients: str) -> str:
    """One caution a line: those of what it holds first."""
    if form.licence == "cosmetic":
        return "\n".join(GENERAL["cosmetic"])
    held = ingredients.lower()
    own = dict.fromkeys(words for name, words in OF_INGREDIENTS.items() if name in held)
    return "\n".join([*own, *GENERAL.get(form.licence, ())])
