"""How to choose, in a few sentences, by top category."""

HOW_TO_CHOOSE = {
    "ayurveda": "New to it? Begin with one herb as capsules or powder, and give it four weeks.\n"
    "Classical medicines follow a recipe of the texts: take them as a physician advises.\n"
    "Powders act soonest, tablets travel best, and decoctions are the strongest.",
    "unani": "Majun and khamira are jams to take in the morning, sharbat and arq are for drinking, roghan is for the "
    "skin and the scalp.\nAsk a Unani physician which one suits your temperament.",
    "allopathy": "Look for the active substance first, then for its strength: names differ, the medicine may be the "
    "same.\nCompare the price of one tablet, and read the leaflet. See a doctor if it is no better after three days.",
    "personal-care": "Choose by your skin or scalp, not by the season: gel for oily, cream for dry, and nothing scented "
    "for sensitive skin.\nTry anything new on the inside of your arm for a day.",
    "herbal": "Teas for every day, juices for a month's course, powders for the kitchen.\n"
    "Compare the price per 100 g: the larger pack is not always the cheaper one.",
    "fitness": "Count the protein of a serving, not of 100 g. Whey is quick, plant protein is gentle on the stomach.\n"
    "Check the figures against the lab certificate on the product page.",
    "baby-mother": "The shorter the list of ingredients, the better for new skin.\n"
    "In pregnancy ask your doctor before anything that is swallowed.",
    "home-devices": "Look for the range of measurement and the batteries, and for spare cuffs and strips.",
}
