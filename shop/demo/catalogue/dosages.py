"""The forms in which things are sold: pack, sizes, directions, tax, licence."""

from dataclasses import dataclass, field

# Nutrition of foods, per 100 g or 100 ml unless the first entry says otherwise.
TEA = {
    "Serving": "1 cup (2 g infused)",
    "Energy": "2 kcal",
    "Carbohydrate": "0.3 g",
    "Sugars": "0 g",
    "Caffeine": "0 mg",
}
JUICE = {
    "Serving": "30 ml",
    "Energy": "9 kcal",
    "Carbohydrate": "2.1 g",
    "Sugars": "0.8 g",
    "Fibre": "0.3 g",
    "Sodium": "4 mg",
}
LEAF_POWDER = {
    "Serving": "5 g",
    "Energy": "16 kcal",
    "Protein": "1.1 g",
    "Carbohydrate": "2.4 g",
    "Fibre": "1.2 g",
    "Iron": "1.1 mg",
}
JAM = {
    "Serving": "10 g",
    "Energy": "31 kcal",
    "Carbohydrate": "7.2 g",
    "Sugars": "5.6 g",
    "Fat": "0.2 g",
    "Protein": "0.2 g",
}
HONEY = {
    "Per": "100 g",
    "Energy": "320 kcal",
    "Carbohydrate": "79.5 g",
    "Sugars": "76 g",
    "Protein": "0.3 g",
    "Sodium": "5 mg",
}
PLANT_PROTEIN = {
    "Serving": "33 g",
    "Energy": "126 kcal",
    "Protein": "24 g",
    "Carbohydrate": "3.8 g",
    "Fat": "1.9 g",
    "Iron": "5.2 mg",
    "Sodium": "210 mg",
}
WHEY = {
    "Serving": "32 g",
    "Energy": "124 kcal",
    "Protein": "25 g",
    "Carbohydrate": "2.6 g",
    "Fat": "1.6 g",
    "BCAA": "5.6 g",
    "Calcium": "140 mg",
}
SEED = {
    "Per": "100 g",
    "Energy": "486 kcal",
    "Protein": "18 g",
    "Carbohydrate": "38 g",
    "Fibre": "28 g",
    "Fat": "31 g",
    "Omega-3": "14 g",
}
FLOUR = {
    "Per": "100 g",
    "Energy": "372 kcal",
    "Protein": "20 g",
    "Carbohydrate": "61 g",
    "Fibre": "12 g",
    "Fat": "5.4 g",
}
BAR = {
    "Per bar": "40 g",
    "Energy": "168 kcal",
    "Protein": "10 g",
    "Carbohydrate": "17 g",
    "Sugars": "7 g",
    "Fat": "6.4 g",
    "Fibre": "4 g",
}
HUSK = {
    "Serving": "5 g",
    "Energy": "10 kcal",
    "Carbohydrate": "4.2 g",
    "Fibre": "4 g",
    "Protein": "0.1 g",
    "Sodium": "3 mg",
}
SPREAD = {
    "Per": "100 g",
    "Energy": "608 kcal",
    "Protein": "27 g",
    "Carbohydrate": "18 g",
    "Fibre": "8 g",
    "Fat": "48 g",
}


@dataclass(frozen=True, slots=True)
class Form:
    """`sizes` are (quantity, unit, price factor); the first is what the price in the lists is for."""

    shape: str
    body: str  # glass, main, pale, white or a colour
    tint: str
    detail: str
    sizes: tuple[tuple[str, str, float], ...]
    dosage: str
    made: str
    hsn: str
    licence: str  # ayush, unani, drug, food, cosmetic or none
    months: int
    cap: str = "dark"
    category: str = ""
    suffix: str = ""
    nutrition: dict[str, str] = field(default_factory=dict)
    returnable: bool = True


GREEN, ROSE, PEACH, SAND, BLUE, LILAC, MINT, STRAW, STONE = (
    "#e4eee2", "#f6e3dd", "#fae6cf", "#f3e7d2", "#e2ecf4", "#e8e4f0", "#e0eeea", "#f4ecd2", "#ece9e2",
)  # fmt: skip
COUNT = (("60", "capsules", 1.0), ("120", "capsules", 1.85))
TABLETS = (("60", "tablets", 1.0), ("120", "tablets", 1.85))
POWDER = (("100", "g", 1.0), ("250", "g", 2.2), ("500", "g", 3.9))
WATER = "Keep cool and dry, out of direct light and out of the reach of children."

FORMS: dict[str, Form] = {
    # herbs and classical medicines
    "capsules": Form("bottle", "glass", GREEN, "Vegetarian capsules", COUNT, "One capsule twice a day after food, with water, or as your physician advises.", "The extract is filled into plant-based capsules without colour or preservative.", "30049011", "ayush", 36, category="ayurveda/single-herbs/capsules", suffix="Capsules"),
    "tablets": Form("bottle", "white", GREEN, "Herbal tablets", TABLETS, "One or two tablets twice a day after food, with lukewarm water.", "Pressed with gum acacia only; no sugar coating, no colour.", "30049011", "ayush", 36, category="ayurveda/single-herbs/tablets", suffix="Tablets"),
    "powder": Form("pouch", "tinted", GREEN, "Stone-milled powder", POWDER, "Half a teaspoon (3 g) once or twice a day with warm water, milk or honey.", "Cleaned by hand, dried in the shade and milled slowly to keep it cool.", "12119032", "food", 18, category="ayurveda/single-herbs/powders", suffix="Powder", nutrition=LEAF_POWDER),
    "granules": Form("jar", "glass", PEACH, "Granules for milk", (("200", "g", 1.0), ("400", "g", 1.85)), "Two teaspoons in a glass of warm milk, once a day.", "Cooked with jaggery and cardamom until it crumbles.", "30049011", "ayush", 24, category="ayurveda/tonics/chyawanprash", suffix="Granules", nutrition=JAM),
    "drops": Form("dropper", "glass", MINT, "Liquid extract", (("30", "ml", 1.0), ("60", "ml", 1.8)), "Ten drops in a glass of water, tea or juice, once or twice a day.", "Extracted in water and vegetable glycerine. Alcohol-free.", "21069099", "food", 24, category="ayurveda/tonics/syrups", suffix="Drops"),
    "resin": Form("cream", "#1c1a18", STONE, "Purified resin", (("10", "g", 1.0), ("20", "g", 1.85)), "A piece the size of a rice grain dissolved in warm milk or water, once a day.", "Purified in seven steps, with every batch tested for heavy metals.", "30049011", "ayush", 60, cap="accent", category="ayurveda/tonics", suffix="Resin"),
    "threads": Form("tin", "main", ROSE, "Hand-cut threads", (("1", "g", 1.0), ("2", "g", 1.9), ("5", "g", 4.6)), "Soak six threads in warm milk for ten minutes; use in drinks, rice and sweets.", "Graded ISO 3632 category I and packed in Srinagar.", "09102010", "food", 24, category="herbal/foods", suffix="Threads"),
    "candy": Form("jar", "white", PEACH, "Soft sun-dried pieces", (("200", "g", 1.0), ("400", "g", 1.85)), "Three or four pieces after a meal.", "Steeped in unrefined sugar and dried in the sun for three days.", "20060000", "food", 12, category="herbal/foods", suffix="Candy", nutrition=JAM),
    "tea": Form("tin", "main", "#f1ecd9", "Caffeine-free infusion", (("50", "g", 1.0), ("100", "g", 1.8)), "One teaspoon in a cup of boiling water, covered, for five minutes.", "Whole and cut herbs, with nothing added.", "12119099", "food", 18, category="herbal/teas/single-infusions", suffix="Tea", nutrition=TEA),
    "juice": Form("bottle", "glass", "#e6f0da", "Cold-pressed juice", (("500", "ml", 1.0), ("1000", "ml", 1.8)), "30 ml in a glass of water before breakfast. Shake well.", "Pressed within a day of harvest; no added sugar. Refrigerate after opening and use within 30 days.", "20098990", "food", 12, category="herbal/juices", suffix="Juice", nutrition=JUICE),
    "syrup": Form("bottle", "glass", MINT, "Herbal syrup", (("100", "ml", 1.0), ("200", "ml", 1.8)), "Adults: two teaspoons three times a day. Children over five: one teaspoon three times a day.", "A decoction thickened with honey and cane sugar.", "30049011", "ayush", 24, category="ayurveda/tonics/syrups", suffix="Syrup"),
    "churna": Form("jar", "white", GREEN, "Classical churna", (("100", "g", 1.0), ("200", "g", 1.85)), "Half to one teaspoon with warm water at bedtime or after food.", "Each herb is milled and sieved separately before blending.", "30049011", "ayush", 24, category="ayurveda/classical/churna"),
    "vati": Form("bottle", "glass", SAND, "Classical tablets", (("40", "tablets", 1.0), ("80", "tablets", 1.9)), "One or two tablets twice a day after food, with warm water, or as your physician advises.", "Bound in the herb's own decoction and rolled, then dried in shade.", "30049011", "ayush", 60, category="ayurveda/classical/vati-guggulu"),
    "arishta": Form("slim", "glass", SAND, "Self-fermented tonic", (("225", "ml", 1.0), ("450", "ml", 1.75)), "15 to 20 ml with the same amount of water after meals. Contains 5 to 10 % self-generated alcohol.", "Fermented in wooden vats for a month, then rested and filtered.", "30049011", "ayush", 120, category="ayurveda/classical/arishta-asava"),
    "kwath": Form("slim", "glass", SAND, "Concentrated decoction", (("200", "ml", 1.0), ("450", "ml", 2.0)), "10 to 15 ml with three parts of warm water before food, twice a day.", "Reduced to an eighth, as the classical texts require.", "30049011", "ayush", 36, category="ayurveda/classical/kwath"),
    "lehyam": Form("jar", "glass", PEACH, "Slow-cooked jam", (("500", "g", 1.0), ("1000", "g", 1.8), ("250", "g", 0.58)), "One teaspoon in the morning and in the evening, followed by milk or warm water.", "Cooked over a low flame for nine hours, with honey added once it has cooled.", "30049011", "ayush", 36, category="ayurveda/tonics/chyawanprash", nutrition=JAM),
    "ghrita": Form("jar", "glass", STRAW, "Medicated ghee", (("150", "g", 1.0), ("300", "g", 1.9)), "Half a teaspoon with warm milk before breakfast, under a physician's guidance.", "Cow's ghee cooked with the herbs until it stops crackling.", "30049011", "ayush", 24, category="ayurveda/classical/ghrita-taila"),
    "taila": Form("slim", "glass", STRAW, "Medicated oil, for the skin", (("100", "ml", 1.0), ("200", "ml", 1.85), ("450", "ml", 3.6)), "Warm a little oil and massage for ten minutes; wash off after half an hour. For external use only.", "Herbs, milk and sesame oil cooked together in a bronze pan.", "30049011", "ayush", 36, category="ayurveda/classical/ghrita-taila"),
    "cream-balm": Form("tube", "pale", MINT, "Massage cream", (("50", "g", 1.0), ("100", "g", 1.8)), "Massage a little into the sore area two or three times a day. For external use only.", "A light, non-greasy base.", "30049011", "ayush", 36, cap="main", category="ayurveda/balms", suffix="Cream"),
    "balm": Form("tin", "main", MINT, "Warming balm", (("25", "g", 1.0), ("50", "g", 1.8)), "Rub a little on the forehead, chest or back. Not for children under two. For external use only.", "Beeswax and oils, poured warm.", "30049011", "ayush", 36, category="ayurveda/balms"),
    "gel": Form("cream", "pale", MINT, "Skin gel", (("100", "g", 1.0), ("200", "g", 1.8)), "Smooth a thin layer over clean skin. For external use only.", "Clear and cooling, with no added colour.", "33049990", "cosmetic", 24, cap="main", category="personal-care/face/creams", suffix="Gel"),
    "roll-on": Form("roll", "main", MINT, "Roll-on", (("10", "ml", 1.0), ("2 x 10", "ml", 1.9)), "Roll onto temples and neck. Keep away from eyes. For external use only.", "A glass bottle with a steel ball that stays cool.", "30049011", "ayush", 36, cap="white", category="ayurveda/balms", suffix="Roll-on"),
    # unani
    "majun": Form("jar", "glass", SAND, "Unani classical jam", (("125", "g", 1.0), ("250", "g", 1.9)), "5 to 10 g (one to two teaspoons) with milk or water, in the morning.", "Powdered herbs blended into honey syrup.", "30049012", "unani", 36, category="unani/majun/majun-itrifal"),
    "khamira": Form("cream", "glass", SAND, "Whipped Unani jam", (("60", "g", 1.0), ("125", "g", 1.95)), "3 to 5 g with milk, in the morning before food.", "Whipped by hand while warm, until pale and airy.", "30049012", "unani", 36, cap="accent", category="unani/majun/khamira"),
    "jawarish": Form("carton", "main", SAND, "Digestive jam", (("125", "g", 1.0), ("250", "g", 1.9)), "5 g after each meal.", "Coarsely ground spices in honey.", "30049012", "unani", 36, category="unani/majun/jawarish"),
    "sharbat": Form("slim", "glass", PEACH, "Unani sharbat", (("200", "ml", 1.0), ("500", "ml", 2.2)), "Two tablespoons in a glass of water, once or twice a day.", "A decoction boiled with sugar to one thread, then filtered through muslin.", "30049012", "unani", 24, cap="accent", category="unani/liquids/sharbat"),
    "arq": Form("bottle", "#d8e4e0", MINT, "Steam distillate", (("200", "ml", 1.0), ("500", "ml", 2.1)), "50 ml once or twice a day, alone or with sharbat.", "Distilled in a copper still; only the first two thirds are kept.", "30049012", "unani", 24, category="unani/liquids/arq"),
    "roghan": Form("slim", "glass", STRAW, "Unani oil", (("50", "ml", 1.0), ("100", "ml", 1.85)), "A few drops massaged in at night.", "Pressed cold or infused in sesame oil, then rested for a week.", "30049012", "unani", 24, cap="accent", category="unani/roghan"),
    "habb": Form("bottle", "glass", SAND, "Unani pills", (("50", "pills", 1.0), ("100", "pills", 1.85)), "Two pills twice a day with water after food.", "Rolled small and dried in shade.", "30049012", "unani", 60, category="unani/tablets"),
    "safoof": Form("carton", "main", SAND, "Unani powder", (("50", "g", 1.0), ("100", "g", 1.85)), "3 to 5 g with water after food.", "Each ingredient is sieved through cloth.", "30049012", "unani", 24, category="unani/safoof"),
    "laooq": Form("jar", "glass", SAND, "Linctus to lick slowly", (("125", "g", 1.0), ("250", "g", 1.85)), "One teaspoon, taken slowly, three times a day.", "Thick and soothing.", "30049012", "unani", 36, category="unani/safoof"),
    # allopathy
    "otc-tablets": Form("blister", "#f6f4f0", BLUE, "Tablets", (("10", "tablets", 1.0), ("15", "tablets", 1.45), ("30", "tablets", 2.8)), "Read the leaflet and don't exceed the dose. See a doctor if you aren't better in three days.", "Batch number and expiry date printed on every pocket of the strip.", "30049099", "drug", 36, returnable=False),
    "otc-capsules": Form("blister", "#e8a24a", BLUE, "Capsules", (("10", "capsules", 1.0), ("30", "capsules", 2.8)), "One capsule a day after a meal, or as your doctor advises.", "Blister-sealed against light and moisture.", "30049099", "drug", 30, returnable=False),
    "otc-syrup": Form("bottle", "glass", BLUE, "Oral liquid, with measuring cup", (("60", "ml", 1.0), ("100", "ml", 1.5)), "Measure with the cup. Shake well. Read the leaflet for the dose by age and weight.", "With a child-resistant cap.", "30049099", "drug", 24, cap="white", returnable=False),
    "otc-gel": Form("tube", "white", BLUE, "For external use", (("30", "g", 1.0), ("50", "g", 1.55)), "Apply a thin layer to unbroken skin up to three times a day. Wash your hands afterwards.", "Absorbs quickly and doesn't stain clothes.", "30049099", "drug", 24, cap="main", returnable=False),
    "otc-drops": Form("dropper", "white", BLUE, "Sterile drops", (("10", "ml", 1.0), ("2 x 10", "ml", 1.9)), "One or two drops as needed. Discard four weeks after opening.", "Filled under sterile conditions.", "30049099", "drug", 24, cap="main", returnable=False),
    "otc-spray": Form("roll", "white", BLUE, "Spray", (("55", "ml", 1.0), ("110", "ml", 1.8)), "Spray from 15 cm, two or three times a day. Keep away from eyes and flame.", "Works upside down too.", "30049099", "drug", 36, cap="main", returnable=False),
    "ors": Form("sachets", "accent", PEACH, "Powder for solution", (("5", "sachets", 1.0), ("10", "sachets", 1.9), ("25", "sachets", 4.5)), "Dissolve one sachet in one litre of boiled and cooled water; drink in small sips over the day.", "One sachet makes one litre.", "30049099", "drug", 24, returnable=False),
    "effervescent": Form("roll", "accent", STRAW, "Effervescent tablets", (("20", "tablets", 1.0), ("40", "tablets", 1.85)), "Drop one tablet into a glass of water and drink once it has dissolved.", "The cap contains a drying agent. Close it tightly.", "21069099", "food", 24, cap="white"),
    "vitamin": Form("bottle", "white", STRAW, "Dietary supplement", (("30", "tablets", 1.0), ("60", "tablets", 1.85), ("90", "tablets", 2.6)), "One tablet a day after a meal.", "Tested to stay at full strength until its expiry date.", "21069099", "food", 24),
    "dressing": Form("carton", "white", "#f6e2e0", "Sterile, single use", (("10", "pieces", 1.0), ("20", "pieces", 1.85), ("100", "pieces", 7.5)), "Clean and dry the skin, apply without touching the pad, change daily.", "Individually wrapped.", "30059040", "none", 48, returnable=False),
    "antiseptic": Form("bottle", "glass", "#f6e2e0", "For external use", (("100", "ml", 1.0), ("250", "ml", 2.1), ("500", "ml", 3.8)), "Dilute as the label says, or dab on with cotton. For external use only.", "With a slow-pour cap to avoid waste.", "30049099", "drug", 36, cap="white", returnable=False),
    # personal care
    "face-wash": Form("tube", "pale", "#e3ecf1", "Soap-free gel", (("100", "ml", 1.0), ("150", "ml", 1.4)), "Work into a lather on wet skin, rinse and pat dry. Morning and night.", "No soap, no parabens, pH 5.5.", "34013090", "cosmetic", 24, cap="main", category="personal-care/face/cleansers"),
    "toner": Form("slim", "#f0d9d6", ROSE, "Alcohol-free mist", (("100", "ml", 1.0), ("200", "ml", 1.8)), "Mist over a clean face or sweep on with cotton.", "Steam-distilled, with no added fragrance.", "33049990", "cosmetic", 24, cap="accent", category="personal-care/face/cleansers"),
    "face-oil": Form("dropper", "glass", ROSE, "Night oil for the face", (("30", "ml", 1.0), ("10", "ml", 0.42), ("50", "ml", 1.55)), "Warm three drops between your palms and press into damp skin at night.", "Infused slowly at low heat and filtered twice.", "33049990", "cosmetic", 24, category="personal-care/face/oils-serums"),
    "serum": Form("dropper", "#f4efe6", ROSE, "Water-light serum", (("30", "ml", 1.0), ("15", "ml", 0.58)), "Two to three drops on a clean face before cream. Use sunscreen by day.", "The percentages on the front are for the finished serum.", "33049990", "cosmetic", 18, cap="main", category="personal-care/face/oils-serums"),
    "cream": Form("cream", "#f7f1e6", ROSE, "Face cream", (("50", "g", 1.0), ("100", "g", 1.8)), "Smooth over face and neck after cleansing.", "Sinks in within a minute and sits well under sunscreen.", "33049910", "cosmetic", 24, cap="accent", category="personal-care/face/creams"),
    "mask": Form("pouch", "tinted", "#f1e6d8", "Dry mask powder", (("100", "g", 1.0), ("200", "g", 1.8)), "Mix with rose water or curd, leave for ten minutes, rinse off before it dries completely.", "Sieved fine; mix fresh each time.", "33049990", "cosmetic", 24, category="personal-care/face/masks"),
    "hair-oil": Form("slim", "glass", "#ece4d8", "Scalp and hair oil", (("100", "ml", 1.0), ("200", "ml", 1.8), ("400", "ml", 3.3)), "Massage into the scalp with your fingertips, leave for an hour or overnight, wash out.", "Herbs cooked in oil for two days, strained through cotton.", "33059011", "cosmetic", 36, category="personal-care/hair/hair-oils"),
    "shampoo": Form("pump", "#f4efe6", "#e9e3ec", "Sulphate-free", (("300", "ml", 1.0), ("200", "ml", 0.72), ("500", "ml", 1.5)), "Lather in wet hair, rinse, repeat if oiled.", "Mild coconut-based cleansers that don't strip natural oils.", "33051090", "cosmetic", 24, cap="main", category="personal-care/hair/shampoos"),
    "conditioner": Form("tube", "pale", "#e9e3ec", "Rinse-off", (("200", "ml", 1.0), ("100", "ml", 0.58)), "Comb through the lengths after washing, leave for two minutes and rinse.", "Silicone-free.", "33059090", "cosmetic", 24, cap="accent", category="personal-care/hair/shampoos"),
    "henna": Form("pouch", "tinted", "#e8e6d4", "Triple-sifted powder", (("100", "g", 1.0), ("200", "g", 1.85), ("500", "g", 4.2)), "Mix to a paste with warm tea, leave for a few hours, apply with gloves, rinse after two hours. Do a patch test first.", "Harvested in Sojat and packed within the season.", "33059040", "cosmetic", 24, category="personal-care/hair/henna"),
    "soap": Form("soap", "tinted-bar", "#efe9dc", "Cold-processed bar", (("125", "g", 1.0), ("3 x 125", "g", 2.7), ("6 x 125", "g", 5.1)), "Lather with wet hands; let the bar dry between uses.", "Cured for six weeks, so it lasts.", "34011190", "cosmetic", 24, category="personal-care/body/soaps"),
    "body-wash": Form("pump", "pale", "#efe9dc", "Gentle body wash", (("250", "ml", 1.0), ("500", "ml", 1.8)), "Pour onto a wet cloth or sponge, lather and rinse.", "Rinses off clean in hard water too.", "34013090", "cosmetic", 24, cap="main", category="personal-care/body/soaps"),
    "lotion": Form("pump", "#f7f1e6", "#f3e8de", "Body lotion", (("200", "ml", 1.0), ("400", "ml", 1.75)), "Smooth over damp skin after a bath.", "A light milk of plant oils and water.", "33049990", "cosmetic", 24, cap="accent", category="personal-care/body/lotions"),
    "body-oil": Form("slim", "glass", "#f3e8de", "Massage oil", (("100", "ml", 1.0), ("200", "ml", 1.8)), "Warm, massage towards the heart, bathe after half an hour.", "A blend of cold-pressed oils, infused for a month.", "33049990", "cosmetic", 24, cap="accent", category="personal-care/body/lotions"),
    "deo": Form("roll", "pale", "#e9e6ee", "Aluminium-free", (("50", "ml", 1.0), ("2 x 50", "ml", 1.85)), "Roll on clean dry skin.", "Zinc ricinoleate neutralises odour without blocking pores.", "33072000", "cosmetic", 24, cap="main", category="personal-care/body/lotions"),
    "lip": Form("tin", "main", ROSE, "Lip balm", (("8", "g", 1.0), ("2 x 8", "g", 1.85)), "Smooth on as often as you like.", "Beeswax and ghee, with no menthol.", "33041000", "cosmetic", 24, category="personal-care/face/creams"),
    "toothpaste": Form("tube", "white", "#e0efec", "Fluoride-free paste", (("100", "g", 1.0), ("150", "g", 1.4), ("2 x 150", "g", 2.7)), "Brush for two minutes, morning and night.", "Calcium carbonate to polish, herbs to freshen.", "33061020", "cosmetic", 24, cap="main", category="personal-care/oral"),
    "mouthwash": Form("slim", "#bfe3d9", "#e0efec", "Alcohol-free rinse", (("250", "ml", 1.0), ("500", "ml", 1.8)), "Rinse with 10 ml for thirty seconds; do not swallow.", "Fresh taste, no sting.", "33069000", "cosmetic", 24, cap="main", category="personal-care/oral"),
    "tooth-powder": Form("tin", "white", "#e0efec", "Tooth powder", (("100", "g", 1.0), ("200", "g", 1.8)), "Dip a wet brush or fingertip and clean gently.", "Finely milled so that it won't scratch.", "33061010", "cosmetic", 36, category="personal-care/oral"),
    # herbal foods
    "blend-tea": Form("tin", "main", "#f1ecd9", "Whole-leaf blend", (("100", "g", 1.0), ("50", "g", 0.58), ("250", "g", 2.2)), "One teaspoon in a cup of boiling water, covered, for five minutes. Good with honey.", "Blended by hand in small batches.", "12119099", "food", 18, category="herbal/teas/everyday-teas", nutrition=TEA),
    "tea-bags": Form("sachets", "main", "#f1ecd9", "Plastic-free bags", (("25", "bags", 1.0), ("50", "bags", 1.85)), "One bag in a cup of boiling water for five minutes.", "Compostable corn-fibre bags tied with cotton.", "12119099", "food", 18, category="herbal/teas/everyday-teas", nutrition=TEA),
    "honey": Form("jar", "#c9821e", "#f8ecd0", "Raw and unheated", (("500", "g", 1.0), ("250", "g", 0.58), ("1000", "g", 1.85)), "A spoonful in lukewarm water, on bread or in tea. Not for infants under one year.", "Strained once through cloth. It may crystallise, which is natural.", "04090000", "food", 24, category="herbal/foods/honey", nutrition=HONEY),
    "seeds": Form("pouch", "tinted", "#f1ead8", "Cleaned and ready", (("250", "g", 1.0), ("500", "g", 1.85), ("1000", "g", 3.4)), "A tablespoon over breakfast, salad or curd.", "Machine-sorted, then checked by eye.", "12079990", "food", 12, category="herbal/foods/seeds-flours", nutrition=SEED),
    "flour": Form("pouch", "pale", "#f1ead8", "Stone-ground", (("500", "g", 1.0), ("1000", "g", 1.85)), "Two tablespoons in cold water or buttermilk, or knead into dough.", "Roasted in sand and ground the same day.", "11063090", "food", 8, category="herbal/foods/seeds-flours", nutrition=FLOUR),
    "husk": Form("carton", "white", "#f1ead8", "Fibre, 99 % pure", (("100", "g", 1.0), ("200", "g", 1.85)), "Stir two teaspoons into a full glass of water, drink at once, and follow with another glass.", "Sieved until white; contains nothing else.", "12119032", "food", 24, category="allopathy/stomach/antacids", suffix="Husk", nutrition=HUSK),
    "husk-orange": Form("carton", "main", PEACH, "Sugar-free, orange", (("100", "g", 1.0), ("200", "g", 1.85)), "Stir two teaspoons into a full glass of water, drink at once, and follow with another glass.", "Flavoured with orange peel oil; no sugar.", "21069099", "food", 24, category="allopathy/stomach/antacids", suffix="Husk Orange", nutrition=HUSK),
    "essential": Form("dropper", "glass", LILAC, "Pure essential oil", (("10", "ml", 1.0), ("30", "ml", 2.6)), "Three drops in a diffuser, or dilute to 2 % in a carrier oil. Not for internal use.", "Steam-distilled and tested by batch.", "33012990", "none", 36, category="herbal/essential-oils", suffix="Essential Oil"),
    "food-oil": Form("slim", "glass", STRAW, "Cold-pressed oil", (("100", "ml", 1.0), ("200", "ml", 1.85)), "One teaspoon a day, plain, over salad or with honey.", "Pressed below 40 °C and bottled unfiltered.", "15159099", "food", 12, category="herbal/foods", suffix="Oil"),
    "vinegar": Form("slim", "glass", STRAW, "With the mother", (("500", "ml", 1.0), ("750", "ml", 1.4)), "One tablespoon in a tall glass of water before a meal.", "Fermented twice, unfiltered.", "22090010", "food", 24, category="herbal/foods"),
    # fitness
    "plant-protein": Form("tub", "main", LILAC, "24 g protein a scoop", (("500", "g", 1.0), ("1", "kg", 1.8)), "One scoop (33 g) in 250 ml of water or milk; shake for twenty seconds.", "Every batch tested for heavy metals. Scan the pack for the report.", "21061000", "food", 18, cap="accent", category="fitness/protein/plant", nutrition=PLANT_PROTEIN),
    "whey": Form("tub", "main", LILAC, "25 g protein a scoop", (("1", "kg", 1.0), ("2", "kg", 1.85)), "One scoop (32 g) in 200 ml of cold water after training.", "Cold-filtered, with all amino acids listed.", "21061000", "food", 18, cap="accent", category="fitness/protein/whey", nutrition=WHEY),
    "performance": Form("tub", "main", "#e2e6f2", "Sports supplement", (("250", "g", 1.0), ("500", "g", 1.85)), "One scoop in water, as the label says, on training days. Not for minors or in pregnancy.", "No proprietary blends: every amount is listed.", "21069099", "food", 24, cap="accent", category="fitness/performance"),
    "bar": Form("carton", "main", "#f3e9dc", "Box of bars", (("6", "bars", 1.0), ("12", "bars", 1.9)), "One bar between meals or after training.", "Bound with dates and nuts, with no syrup.", "21069099", "food", 9, category="fitness/snacks", nutrition=BAR),
    "spread": Form("jar", "white", "#f3e9dc", "Nut butter", (("350", "g", 1.0), ("1000", "g", 2.4)), "Stir if the oil has separated. Enjoy on toast, in shakes or straight from the spoon.", "One roast, one grind, no palm oil.", "20081100", "food", 9, category="fitness/snacks", nutrition=SPREAD),
    # things
    "mat": Form("mat", "choice", "#ece4ec", "", (("1", "piece", 1.0),), "Wipe with a damp cloth; dry in shade.", "Unroll it face down for a day to help it lie flat.", "40169100", "none", 0, category="fitness/yoga"),
    "block": Form("block", "choice", "#ece4ec", "", (("1", "pair", 1.0),), "Wipe with a dry cloth.", "Rounded edges for a comfortable grip.", "95069990", "none", 0, category="fitness/yoga"),
    "bands": Form("bands", "choice", "#ebe9e4", "", (("1", "set", 1.0),), "Check for tears before each use. Keep out of the sun.", "The resistance is printed on each loop.", "95069190", "none", 0, category="fitness/gear"),
    "dumbbell": Form("dumbbell", "#2b3238", "#ebe9e4", "", (("2", "kg", 1.0), ("5", "kg", 2.2), ("10", "kg", 4.2)), "Start light. Store on the floor.", "Coated cast iron that won't mark the floor.", "95069190", "none", 0, category="fitness/gear"),
    "shaker": Form("shaker", "choice", "#ebe9e4", "", (("600", "ml", 1.0),), "Hand-wash before first use; top rack of the dishwasher.", "A steel ball does the mixing.", "39241090", "none", 0, category="fitness/gear"),
    "flask": Form("flask", "#b8683a", "#f3e7d8", "", (("950", "ml", 1.0), ("600", "ml", 0.8)), "Rinse with lemon and salt once a week. For water only.", "Hammered by hand; no two are quite alike.", "74181021", "none", 0, cap="body", category="home-devices/copper-clay"),
    "pot": Form("pot", "choice", "#f3e7d8", "", (("1", "piece", 1.0),), "Rinse before first use and let it dry in the air.", "Thrown on a wheel, fired once.", "69120010", "none", 0, category="home-devices/copper-clay"),
    "thermometer": Form("thermometer", "choice", "#e6eaf2", "", (("1", "piece", 1.0),), "Wipe with spirit before and after use.", "Beeps when the reading is ready.", "90251910", "none", 0, category="home-devices/devices/thermometers"),
    "monitor": Form("monitor", "main", "#e6eaf2", "", (("1", "piece", 1.0),), "Sit still for five minutes before measuring. A reading is not a diagnosis. Speak to your doctor.", "Large digits, memory for two people, batteries in the box.", "90181990", "none", 0, category="home-devices/devices/monitors"),
    "comb": Form("comb", "choice", "#ece8de", "", (("1", "piece", 1.0),), "Clean with a dry brush; oil the wood twice a year.", "Cut and polished by hand.", "96151100", "none", 0, category="home-devices/self-care"),
    "incense": Form("carton", "main", "#f1e6ea", "Hand-rolled sticks", (("40", "sticks", 1.0), ("100", "sticks", 2.2)), "Light, blow out the flame and leave in a holder in a ventilated room.", "Rolled on bamboo with resin and flowers; no charcoal dust.", "33074100", "none", 36, category="home-devices/incense"),
    "mist": Form("slim", "pale", "#f1e6ea", "Room and pillow mist", (("100", "ml", 1.0), ("200", "ml", 1.8)), "Two sprays in the room or on linen. Keep away from flame.", "Hydrosols with a little essential oil.", "33074900", "none", 24, cap="accent", category="home-devices/incense"),
    "cleaner": Form("pump", "pale", "#e4efea", "Plant-based cleaner", (("500", "ml", 1.0), ("1000", "ml", 1.75)), "Dilute as the label says; rinse surfaces that touch food.", "Breaks down in four weeks.", "34025000", "none", 24, cap="main", category="home-devices/hygiene"),
    # baby and mother
    "baby-oil": Form("slim", "#f3e6d2", "#fbe9e4", "Massage oil", (("100", "ml", 1.0), ("200", "ml", 1.85)), "Warm in your hands and massage gently before the bath.", "Three cold-pressed oils and nothing else.", "33049990", "cosmetic", 24, cap="accent", category="baby-mother/baby-skin"),
    "baby-wash": Form("pump", "#fdf6f0", "#fbe9e4", "Tear-free wash", (("200", "ml", 1.0), ("400", "ml", 1.75)), "A small pump on a wet cloth, for hair and body. Rinse.", "pH 5.5, with no fragrance allergens.", "34013090", "cosmetic", 24, cap="main", category="baby-mother/baby-bath"),
    "baby-cream": Form("tube", "pale", "#fbe9e4", "For delicate skin", (("50", "g", 1.0), ("100", "g", 1.8)), "Smooth on clean dry skin, as often as needed.", "Shea and oat, fragrance-free.", "33049910", "cosmetic", 24, cap="accent", category="baby-mother/baby-skin"),
    "baby-soap": Form("soap", "#f6e7cf", "#fbe9e4", "Mild bar", (("75", "g", 1.0), ("3 x 75", "g", 2.7)), "Lather in your hands first, then smooth over wet skin.", "Superfatted with ghee and coconut.", "34011190", "cosmetic", 24, category="baby-mother/baby-bath"),
}  # fmt: skip
