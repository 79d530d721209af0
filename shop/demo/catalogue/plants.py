"""Which plant is printed on a pack: the first word found in its name or ingredients decides."""

PLANTS = (
    ("saffron", "saffron", "#a3457e"), ("kumkumadi", "saffron", "#a3457e"), ("rose", "flower", "#c2557a"),
    ("hibiscus", "flower", "#b2335a"), ("jasmine", "flower", "#c9a24a"), ("mogra", "flower", "#c9a24a"),
    ("lotus", "flower", "#c2709a"), ("lavender", "sprig", "#7a6ab0"), ("violet", "flower", "#6a5ab0"),
    ("chamomile", "flower", "#d9b43a"), ("borage", "flower", "#4a6ab0"), ("calendula", "flower", "#e0952e"),
    ("turmeric", "rhizome", "#d39a24"), ("ginger", "rhizome", "#c9a05a"), ("neem", "sprig", "#4d9a52"),
    ("tulsi", "sprig", "#4d8a3c"), ("mint", "sprig", "#3f9a7a"), ("aloe", "aloe", "#4d9a6a"),
    ("amla", "berries", "#6f9a2e"), ("triphala", "berries", "#7a8a2e"), ("haritaki", "berries", "#8a7a2e"),
    ("jamun", "berries", "#5a2f6b"), ("grape", "berries", "#6b2f5a"), ("mulberry", "berries", "#4a2340"),
    ("pomegranate", "berries", "#b3324a"), ("kokum", "berries", "#8a2440"), ("sea buckthorn", "berries", "#e08a1f"),
    ("beet", "root", "#9a2a50"), ("onion", "root", "#9a4a6b"), ("jujube", "berries", "#9a4a2e"),
    ("orange", "citrus", "#e58a1f"), ("lemon", "citrus", "#d9b82e"), ("citrus", "citrus", "#e0a02e"),
    ("papaya", "citrus", "#e08a4a"), ("apple", "berries", "#b3423a"), ("honey", "honey", "#d9962a"),
    ("ashwagandha", "root", "#8a6a3c"), ("shatavari", "root", "#b0936a"), ("dashamoola", "root", "#8a6a4a"),
    ("bilva", "root", "#8a6a4a"), ("manjistha", "root", "#b3423a"), ("vetiver", "root", "#8a7a4a"),
    ("brahmi", "sprig", "#3f8a6a"), ("bhringraj", "flower", "#4d7a5a"), ("henna", "sprig", "#8a5a2e"),
    ("indigo", "sprig", "#3a4a8a"), ("moringa", "sprig", "#4d8a3c"), ("guggulu", "oil", "#b8742e"),
    ("sandal", "seeds", "#b8864a"), ("charcoal", "spark", "#4a5050"), ("cumin", "seeds", "#8a7a3a"),
    ("coriander", "seeds", "#8a8a3a"), ("fennel", "seeds", "#7a9a4a"), ("ajwain", "seeds", "#8a8a4a"),
    ("cardamom", "seeds", "#6b9a4a"), ("clove", "seeds", "#6b3a2a"), ("almond", "seeds", "#a8722c"),
    ("date", "seeds", "#8a4a2a"), ("sesame", "seeds", "#b89a5a"), ("seed", "seeds", "#7a8a3c"),
    ("chia", "seeds", "#5a5a64"), ("cocoa", "seeds", "#5a3a26"), ("cacao", "seeds", "#5a3a26"),
    ("coconut", "oil", "#b8a07a"), ("castor", "oil", "#8a7a3a"), ("ghee", "oil", "#d9a93a"), ("milk", "oil", "#b8a88a"),
    ("oat", "grain", "#c9a05a"), ("wheat", "grain", "#c9963a"), ("millet", "grain", "#a87a3a"),
    ("gram", "grain", "#b8863a"), ("rice", "grain", "#8a7a5a"), ("pea protein", "grain", "#6b9a4a"),
    ("whey", "spark", "#b89a6a"), ("menthol", "spark", "#3f9ab0"), ("camphor", "spark", "#6a9ab0"),
    ("clay", "spark", "#b8866a"), ("vitamin", "spark", "#e0a02e"), ("eucalyptus", "sprig", "#5a9a8a"),
    (" ip", "pill", "#4a7ab8"), ("oil", "oil", "#b8923a"), ("leaf", "sprig", "#5a9a4a"), ("root", "root", "#9a7a4a"),
)  # fmt: skip
FLAVOURS = {
    "Cacao": "#5a3a26", "Chocolate": "#5a3a26", "Cacao Almond": "#6b4a30", "Coffee": "#4a342a", "Vanilla": "#d9b86a",
    "Kesar Pista": "#9aa83a", "Kesar": "#d9902f", "Mango": "#e8a02a", "Strawberry": "#c9506a", "Banana": "#d9b83a",
    "Plain": "#b8a88a", "Jaggery": "#a86a2e", "Salted Cumin": "#8a7a3a", "Orange": "#e58a1f", "Lemon": "#d9b82e",
    "Berry": "#7a3a7a", "Mixed Berry": "#7a3a7a", "Green Apple": "#7aa83a", "Watermelon": "#d94a5a",
    "Kala Khatta": "#4a2a5a", "Peanut": "#b8863a", "Coconut": "#b8a88a", "Mint": "#3f9a7a", "Fennel": "#7a9a4a",
    "Honey Lemon": "#d9a62a", "Ginger": "#c9a05a",
}  # fmt: skip
COLOURS = {
    "Indigo": "#46578f", "Terracotta": "#b8623f", "Forest": "#3f6b54", "Charcoal": "#3c4246", "Teal": "#2f8a9a",
    "Coral": "#d9705a", "Cream": "#d9cbb0", "Wood": "#b98a52", "Rosewood": "#7a4632",
}  # fmt: skip


def plant_of(words: str, fallback: tuple[str, str]) -> tuple[str, str]:
    """(motif, colour) for a product's name and ingredients."""
    words = f" {words.lower()}"
    return next(((motif, colour) for word, motif, colour in PLANTS if word in words), fallback)
