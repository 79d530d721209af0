"""Articles of the demo's blog: what they tell, and which things of the shop stand in their pictures."""

from dataclasses import dataclass

CATEGORIES = {"herbs": "Herbs and what they do", "care": "Daily care", "shop": "From the shop"}


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
        "Botanical name, part of the plant, amount a dose: three lines tell you more than the front of the pack.",
        """<p>The front of a pack is there to please. What you want to know stands on the back, in small print. It is worth the minute.</p>
<h2>Look for the second name</h2>
<p>Many plants share a name in daily speech, and one plant has several. The botanical name in two words, such as <em>Withania somnifera</em> for ashwagandha, leaves no doubt which one is meant.</p>
<h2>Which part, and how much</h2>
<p>Root, leaf and seed of one plant are different things. A good label names the part and gives the amount in one dose, not only in the whole pack.</p>
<ul>
<li>“Powder” is the dried plant, ground.</li>
<li>“Extract” is stronger; the ratio, such as 5:1, says how much plant went in.</li>
<li>“q.s.” stands for as much as is needed, and is used for what binds or fills.</li>
</ul>
<h2>Maker, batch and date</h2>
<p>Licence number, batch and best-before date are required for Ayurvedic and Unani medicines in India. Keep the pack until it is used up: should anything be wrong, these lines tell where it came from.</p>
<blockquote><p>A label informs and does not replace a doctor. Ask one first if you are ill, expecting a child, nursing or taking other medicines.</p></blockquote>""",
    ),
    PostPlan(
        "oils-for-dry-months", "Three oils for the dry months", ("care",), 12, "#f0e2cf",
        ("baby-massage-oil", "kumkumadi-face-oil", "roghan-badam-shirin"),
        "A light one for the face, a warm one for the shoulders, a plain one for everybody: what each is good at.",
        """<p>When the air is dry, skin loses water faster than soap and habit let it come back. An oil does not add water; it keeps in what is there. So the best moment is just after a bath, on skin that is still a little damp.</p>
<h2>For the face: little and light</h2>
<p>Three or four drops are enough. Warm them between the palms and press rather than rub. If your skin is oily, try it in the evening first.</p>
<h2>For tired shoulders: warm and slow</h2>
<p>Stand the closed bottle in hot water for five minutes. Test a drop on the wrist before it goes on the back. Slow strokes do more than strong ones.</p>
<h2>For everybody: sweet almond</h2>
<p>Almond oil has hardly a scent of its own and suits most people. Who is allergic to nuts leaves it on the shelf.</p>
<p>Whatever you choose, try a little in the crook of the arm and wait a day before you use more.</p>""",
    ),
    PostPlan(
        "tea-without-a-tea-bag", "Tulsi, ginger, honey: tea without a tea bag", ("herbs", "care"), 21, "#e8e3c6",
        ("tulsi-ginger-tea", "wild-forest-honey", "kashmiri-kahwa"),
        "A pot for two in ten minutes, and why the honey goes in last.",
        """<p>A handful of leaves and a thumb of ginger make a pot that no box can match. You need a small pan, a strainer and ten minutes.</p>
<ol>
<li>Bring half a litre of water to the boil with five thin slices of ginger. Let it simmer for four minutes.</li>
<li>Take it off the heat, add two teaspoons of dried tulsi and cover the pan for five minutes.</li>
<li>Strain it into two cups.</li>
<li>Let it cool until you can drink it, and only then stir in the honey: heat takes away what makes it more than sugar.</li>
</ol>
<p>Honey is not for children under one year. If you take medicines that thin the blood, ask your doctor before ginger becomes a daily habit.</p>""",
    ),
    PostPlan(
        "how-a-parcel-leaves-our-shelves", "How a parcel leaves our shelves", ("shop",), 30, "#d9e4ea",
        ("digital-thermometer", "hammered-copper-bottle", "sandalwood-incense"),
        "From your click to the courier's van: who touches your order, and what each of them looks at.",
        """<p>Most orders are with the courier within two days. This is what happens in between.</p>
<h2>Picking</h2>
<p>Somebody walks the shelves with your list. The pack whose date comes first leaves first, but never one that you could not use up in time.</p>
<h2>A second pair of eyes</h2>
<p>A second person compares item, size and count with the order before the box is closed. Most wrong parcels in this world come from a tired first pair of eyes.</p>
<h2>Packing</h2>
<p>Glass stands upright with paper all around, liquids go into a bag of their own. Oils and syrups breathe when it is hot, so a trace around the cap may happen; more than that is damage, and we make it good.</p>
<h2>When something is wrong all the same</h2>
<p>Tell us within [return days: wrong-item] if the item or the size is wrong, within [return days: missing] if something is missing and within [return days: damaged] if it arrived damaged. Pickup is free.</p>""",
    ),
)  # fmt: skip
