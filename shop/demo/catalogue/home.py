"""The home page and the art of shelves: which things stand in which picture."""

from dataclasses import dataclass

from shop.accounts.points.services import RUPEES_A_POINT


@dataclass(frozen=True, slots=True)
class BannerPlan:
    eyebrow: str
    title: str
    text: str
    button: str
    link: str
    colour: str
    things: tuple[str, str, str]


BANNERS = (
    BannerPlan("The monsoon edit", "Rooted in Ayurveda. Ready for Monday.",
               "Immunity, digestion and rest, from manufacturers who list every ingredient.", "Shop the edit",
               "/products/ayurveda/", "#1a4a36", ("chyawanprash-classic", "ashwagandha-capsules", "kumkumadi-face-oil")),
    BannerPlan("Slow mornings", "Leaves, not dust, in every cup.",
               "Infusions and raw honey from small growers, blended in small batches.", "Shop teas",
               "/products/herbal/teas/", "#5a3a1c", ("kashmiri-kahwa", "slow-evening-tea", "wild-forest-honey")),
    BannerPlan("Face, first", "Herbs you can pronounce.",
               "Cleansers, oils and creams with short ingredient lists and clear percentages.", "Shop face care",
               "/products/personal-care/face/", "#6b2f2a", ("neem-tulsi-face-wash", "rose-water-toner", "saffron-day-cream")),
    BannerPlan("Train well", "Protein with nothing to hide.",
               "Plant and dairy protein, with every amino acid listed and every batch tested.", "Shop fitness",
               "/products/fitness/", "#2b2552", ("plant-protein", "creatine-monohydrate", "protein-shaker")),
)  # fmt: skip

# What stands for a top category in its menu, page head and icon.
SHELVES = {
    "ayurveda": ("chyawanprash-classic", "ashwagandha-capsules", "mahanarayan-taila"),
    "unani": ("majun-falasfa", "roghan-badam-shirin", "khamira-gaozaban"),
    "allopathy": ("paracetamol-tablets-ip-500-mg", "antiseptic-liquid", "diclofenac-gel-116"),
    "personal-care": ("neem-tulsi-face-wash", "hibiscus-amla-shampoo", "saffron-day-cream"),
    "herbal": ("tulsi-ginger-tea", "amla-juice", "wild-forest-honey"),
    "fitness": ("plant-protein", "natural-rubber-yoga-mat", "protein-shaker"),
    "baby-mother": ("baby-lotion", "baby-massage-oil", "nappy-rash-cream"),
    "home-devices": ("hammered-copper-bottle", "digital-thermometer", "sandalwood-incense"),
}
FEATURED = ("personal-care", "ayurveda", "unani", "herbal", "fitness", "allopathy")
SPOTLIGHT = ("Vanamitra", "Kesar & Co", "Unani Dawakhana")

LOYALTY = f"""<h3>Earn points on every order</h3>
<p>You earn 1 point for every ₹{RUPEES_A_POINT} of items delivered. Each point takes ₹1 off a later order, up to 10% of the
cart. Points are valid for 12 months, and you can see them in your profile. There's nothing to join:
just sign in and shop.</p>"""
SERVICE = """<h3>Shipping</h3>
<p>Most orders ship within two days. In India, shipping is free on orders of ₹999 or more. For other countries, the cost is
shown in your own currency before you pay, along with the expected delivery date.</p>
<h3>Returns</h3>
<p>You can return a wrong item within 7 days of delivery. Tell us about anything missing, damaged or expired within 2
days. Pickup is free. Choose a refund or a replacement, and you'll have it within 30 days of our receiving the item.</p>
<h3>Cancellation</h3>
<p>You can cancel until your order ships. We'll refund the card or account you paid with.</p>"""

# HSN heading: description, GST before and since 22 September 2025
TAX = {
    "04090000": ("Natural honey", "5", "5"),
    "09102010": ("Saffron", "5", "5"),
    "11063090": ("Flour and meal of pulses and fruits", "5", "5"),
    "12079990": ("Oil seeds", "5", "5"),
    "12119032": ("Plants and parts for medicine, psyllium husk", "5", "5"),
    "12119099": ("Plants and parts for infusions", "5", "5"),
    "15159099": ("Vegetable oils, cold-pressed", "5", "5"),
    "20060000": ("Fruit preserved by sugar", "12", "5"),
    "20081100": ("Nut butters", "12", "5"),
    "20098990": ("Fruit and vegetable juices", "12", "5"),
    "21061000": ("Protein concentrates", "18", "5"),
    "21069099": ("Food preparations and supplements", "18", "5"),
    "22090010": ("Vinegar", "18", "5"),
    "30049011": ("Ayurvedic medicaments", "12", "5"),
    "30049012": ("Unani medicaments", "12", "5"),
    "30049099": ("Medicaments for retail sale", "12", "5"),
    "30059040": ("Dressings and bandages", "12", "5"),
    "33012990": ("Essential oils", "18", "18"),
    "33041000": ("Lip care", "18", "18"),
    "33049910": ("Face creams", "18", "18"),
    "33049990": ("Other skin care", "18", "18"),
    "33051090": ("Shampoo", "18", "5"),
    "33059011": ("Hair oil", "18", "5"),
    "33059040": ("Hair colour and henna", "18", "18"),
    "33059090": ("Other hair care", "18", "18"),
    "33061010": ("Tooth powder", "12", "5"),
    "33061020": ("Toothpaste", "18", "5"),
    "33069000": ("Mouthwash", "18", "18"),
    "33072000": ("Deodorants", "18", "18"),
    "33074100": ("Agarbatti", "5", "5"),
    "33074900": ("Room fragrance", "18", "18"),
    "34011190": ("Toilet soap", "18", "5"),
    "34013090": ("Skin wash", "18", "18"),
    "34025000": ("Washing preparations", "18", "18"),
    "39241090": ("Household plastics", "18", "18"),
    "40169100": ("Rubber mats", "18", "18"),
    "69120010": ("Clay and ceramic ware", "12", "5"),
    "74181021": ("Copper ware", "12", "5"),
    "90181990": ("Medical instruments", "12", "5"),
    "90251910": ("Clinical thermometers", "18", "5"),
    "95069190": ("Exercise equipment", "18", "18"),
    "95069990": ("Other sports goods", "12", "5"),
    "96151100": ("Combs", "12", "5"),
}
