"""Articles of the demo's blog: their texts, and the products shown in their pictures."""

from dataclasses import dataclass

CATEGORIES = {"herbs": "Herbs explained", "care": "Daily care", "shop": "From the shop"}


@dataclass(frozen=True, slots=True)
class PostPlan:
    slug: str
    title: str
    categories: tuple[str, ...]
    days_old: int
    colour: str
    things: tuple[str, str, str]
    excerpt: str
    text: str


POSTS = (
    PostPlan(
        "how-to-read-a-herbal-label", "How to read a herbal label", ("herbs", "shop"), 4, "#dfe9dd",
        ("ashwagandha-capsules", "chyawanprash-classic", "mahanarayan-taila"),
        "Botanical name, plant part and amount per dose: three lines that tell you more than the front of the pack.",
        """<p>The front of a pack is there to sell it. The facts are on the back, in small print, and they're worth a minute of your time.</p>
<h2>Look for the second name</h2>
<p>Different plants often share an everyday name, and one plant can have several. The two-word botanical name, such as <em>Withania somnifera</em> for ashwagandha, tells you exactly which plant it is.</p>
<h2>Which part, and how much</h2>
<p>The root, leaf and seed of a plant can work differently. A good label names the part and gives the amount per dose, not just per pack.</p>
<ul>
<li>“Powder” is the dried plant, ground.</li>
<li>“Extract” is more concentrated. The ratio, such as 5:1, shows how much plant went into it.</li>
<li>“q.s.” means “as much as needed”, and is used for binders and fillers.</li>
</ul>
<h2>Manufacturer, batch and date</h2>
<p>In India, Ayurvedic and Unani medicines must show a licence number, batch number and expiry date. Keep the pack until you've finished it: if anything is wrong, these details show where it came from.</p>
<blockquote><p>A label is no substitute for a doctor's advice. Ask your doctor first if you're ill, pregnant, breastfeeding or taking other medicines.</p></blockquote>""",
    ),
    PostPlan(
        "oils-for-dry-months", "Three oils for the dry months", ("care",), 12, "#f0e2cf",
        ("baby-massage-oil", "kumkumadi-face-oil", "roghan-badam-shirin"),
        "A light one for the face, a warm one for the shoulders and a simple one for everyone.",
        """<p>In dry weather, skin loses moisture quickly, and soap makes it worse. An oil doesn't add moisture, but it helps to keep it in. The best time to use one is just after a bath, while your skin is still a little damp.</p>
<h2>For the face: little and light</h2>
<p>Three or four drops are enough. Warm them between your palms and press them in rather than rubbing. If your skin is oily, try it in the evening first.</p>
<h2>For tired shoulders: warm and slow</h2>
<p>Stand the closed bottle in hot water for five minutes. Test a drop on your wrist first. Slow strokes work better than strong ones.</p>
<h2>For everyone: sweet almond</h2>
<p>Almond oil has very little scent and suits most people. Avoid it if you're allergic to nuts.</p>
<p>Whichever you choose, try a little on the inside of your elbow and wait a day before using more.</p>""",
    ),
    PostPlan(
        "tea-without-a-tea-bag", "Tulsi, ginger, honey: tea without a tea bag", ("herbs", "care"), 21, "#e8e3c6",
        ("tulsi-ginger-tea", "wild-forest-honey", "kashmiri-kahwa"),
        "A pot for two in fifteen minutes, and why the honey goes in last.",
        """<p>Tulsi and fresh ginger make a better pot than any tea bag. You need a small pan, a strainer and fifteen minutes.</p>
<ol>
<li>Bring half a litre of water to the boil with five thin slices of ginger. Let it simmer for four minutes.</li>
<li>Take it off the heat, add two teaspoons of dried tulsi and cover the pan for five minutes.</li>
<li>Strain it into two cups.</li>
<li>Let it cool until you can drink it, and only then stir in the honey. High heat spoils its flavour.</li>
</ol>
<p>Don't give honey to children under one. If you take blood thinners, ask your doctor before having ginger every day.</p>""",
    ),
    PostPlan(
        "how-a-parcel-leaves-our-shelves", "How we pack your order", ("shop",), 30, "#d9e4ea",
        ("digital-thermometer", "hammered-copper-bottle", "sandalwood-incense"),
        "From your click to the courier's van: how we pick, check and pack every order.",
        """<p>Most orders are with the courier within two days. Here's how we get them there.</p>
<h2>Picking</h2>
<p>We collect the items on your list from our shelves. Packs with the earliest expiry date go first, but never one you couldn't finish in time.</p>
<h2>A second check</h2>
<p>A second person checks the items, sizes and quantities against your order before the box is closed.</p>
<h2>Packing</h2>
<p>Glass is packed upright and wrapped in paper, and liquids get their own bag. Oils and syrups expand in the heat, so you may see a little around the cap. Anything more is damage, and we'll replace or refund it.</p>
<h2>If something is wrong</h2>
<p>Tell us within [return days: wrong-item] if you got the wrong item or size, within [return days: missing] if something is missing, and within [return days: damaged] if it arrived damaged. Pickup is free.</p>""",
    ),
)  # fmt: skip
