"""What invented buyers wrote of the demo's products, by what kind of thing it is.

They tell of taste, texture, pack and price, never of an illness that went away: a shop must not publish that.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Texts:
    """Sentences of one kind of product: what people like, and what they do not."""

    likes: tuple[str, ...]
    dislikes: tuple[str, ...]


KINDS = {
    "powder": Texts(
        (
            "The powder is fine and has no grit at the bottom of the glass.",
            "I stir half a teaspoon into warm water before breakfast, and it dissolves well.",
            "It smells fresh when you open the jar, not like old dust from the back of a shelf.",
            "A scoop inside would be nice, but a teaspoon does the job.",
            "My mother has used the same powder for thirty years and says this is how it should taste.",
            "It tastes strong and a little bitter, which tells me that nothing was added.",
        ),
        (
            "It clumps as soon as there is any moisture, so keep a dry spoon next to it.",
            "The taste is much more bitter than I expected.",
            "The jar is only three quarters full, although the weight is right.",
            "It is coarser than the last pack I bought.",
        ),
    ),
    "tablets": Texts(
        (
            "Small enough to swallow easily, and no aftertaste.",
            "The pack is well sealed and the batch and expiry date are easy to read.",
            "One pack lasts me a full month.",
            "The ingredients are printed in full, with amounts, so I could show them to my doctor.",
            "I take it after dinner and it sits well in the stomach.",
            "No sugar coating and no colour, just what the label says.",
        ),
        (
            "They are quite large; I find them hard to swallow.",
            "A few were broken when the pack came.",
            "They smell strongly of herbs, which bothers me every morning.",
            "The print on the label is too small to read without glasses.",
        ),
    ),
    "sachets": Texts(
        (
            "One sachet dissolves in a glass of water within seconds.",
            "The flavour is mild, and my children drink it without a fuss.",
            "Each sachet has its own batch and expiry date.",
            "Easy to keep in a travel bag.",
        ),
        (
            "Saltier than I expected.",
            "The sachets are hard to tear without scissors.",
            "Some of the powder was stuck in the corners.",
        ),
    ),
    "liquid": Texts(
        (
            "Pleasant taste, not as sweet as other brands.",
            "The measuring cup fits on the cap, so nothing gets sticky.",
            "My father takes it with an equal amount of water, as the label says, and likes it.",
            "The bottle was wrapped so well that not a drop was lost.",
            "It has the real taste that I know from my grandmother's house.",
        ),
        (
            "It is much too sweet for me.",
            "The cap leaked a little in the parcel.",
            "The measuring cup has no lines below 10 ml.",
            "There is a lot of sediment; you need to shake it well every time.",
        ),
    ),
    "paste": Texts(
        (
            "Thick and sticky, with a taste of cardamom at the end.",
            "My children eat it from the spoon without complaint.",
            "Not too sweet, and you can taste the amla.",
            "The jar has a wide mouth, so you can reach the last spoonful.",
            "We finish a jar every winter and have just ordered the second.",
        ),
        (
            "Too sweet for my taste.",
            "The seal under the lid was hard to remove and the rim was sticky.",
            "It had turned very hard; I had to warm the jar first.",
        ),
    ),
    "oil": Texts(
        (
            "Light, not greasy, and it washes out with one shampoo.",
            "The smell is herbal and goes away after an hour.",
            "A little is enough; a bottle lasts two months.",
            "I warm it in a bowl of hot water before I use it, and it spreads well.",
            "The nozzle gives drops and not a flood.",
        ),
        (
            "It leaves stains on the pillow, so use a towel.",
            "The smell is stronger than I like.",
            "The bottle has no nozzle, and I poured out too much.",
            "Oily for my skin, although my husband likes it.",
        ),
    ),
    "care": Texts(
        (
            "Gentle, and my skin does not feel tight afterwards.",
            "The scent is soft and natural, not like perfume.",
            "I have sensitive skin and tried it on my arm first: no redness.",
            "The pack is small enough to travel with.",
            "It lathers less than ordinary brands but cleans well.",
        ),
        (
            "The scent is too strong for me.",
            "It dried out my skin in winter; it may suit oily skin better.",
            "The pump broke after a week.",
            "I did not notice any difference after a month.",
        ),
    ),
    "food": Texts(
        (
            "Fresh, and the pack can be closed again.",
            "We have it every evening now instead of ordinary tea.",
            "You can taste that it is the real thing.",
            "Good quality for the price, and no added sugar.",
            "It keeps its flavour even after a month in the jar.",
        ),
        (
            "The flavour is weak; I need two spoons for one cup.",
            "The pack could not be closed again.",
            "It is good, but I have had better for this price.",
        ),
    ),
    "protein": Texts(
        (
            "Mixes well in a shaker, without lumps.",
            "Not too sweet, and it goes well with milk.",
            "The label gives the protein per scoop, and the numbers add up.",
            "No bloating, which I had with two other brands.",
            "The scoop is on top and not buried in the powder.",
        ),
        (
            "It foams a lot in the shaker.",
            "The chocolate flavour is too sweet.",
            "A bit chalky with water; use milk.",
        ),
    ),
    "device": Texts(
        (
            "Well made, and better than it looks in the pictures.",
            "The instructions are clear, in English and Hindi.",
            "I compared it with the one at my doctor's, and the readings were close.",
            "I use it every day and it still looks new.",
            "It came well padded, with its bill and warranty card.",
        ),
        (
            "The batteries were not included.",
            "Smaller than I thought, so check the size first.",
            "There was a small scratch on one side.",
            "The instructions are printed very small.",
        ),
    ),
}
GENERAL_LIKES = (
    "It arrived a day earlier than promised.",
    "The expiry date was more than a year away.",
    "Well packed, with nothing spilt.",
    "This is my second order.",
    "I'll buy it again.",
    "The price is fair for the size.",
    "",
    "",
)
GENERAL_DISLIKES = (
    "It took longer to arrive than promised.",
    "The box was dented, although nothing inside was damaged.",
    "I found the same size cheaper at a local shop.",
    "I had expected more for this price.",
    "I won't order it again.",
    "",
)
TITLES = {
    5: ("Just as described", "Very happy with it", "Will order again", "Excellent quality", "The whole family uses it",
        "Worth the price", "As good as my grandmother's"),
    4: ("Good, and fairly priced", "Good product", "Almost perfect", "Does what it says", "Happy with it"),
    3: ("All right", "Good, with a small flaw", "Neither good nor bad", "Decent for the price"),
    2: ("I expected more", "Not for me", "Could be better"),
    1: ("Disappointed", "Would not buy it again"),
}  # fmt: skip
HINDI = (
    (5, "बहुत अच्छा", "पैकिंग बहुत अच्छी थी और सामान समय से पहले मिल गया। क्वालिटी भी बढ़िया है।"),
    (5, "घर में सबको पसंद आया", "स्वाद असली है, ज़्यादा मीठा नहीं। दूसरी बार मँगवाया है।"),
    (4, "अच्छा है", "जैसा लिखा था वैसा ही मिला। दाम भी ठीक है।"),
    (4, "संतुष्ट हूँ", "एक्सपायरी की तारीख एक साल आगे की है। डिब्बा थोड़ा छोटा लगा।"),
    (3, "ठीक-ठाक", "सामान ठीक है, पर पहुँचने में देर हुई।"),
)  # fmt: skip
REFUSED = (
    ("claim", 5, "A miracle", "It cured my uncle's diabetes in three weeks, and he has stopped his insulin."),
    ("personal", 4, "Good", "Call me on 98765 43210 if you want to know more. Ramesh, 12 Lake Road."),
)
QUESTIONS = {
    "sachets": (
        ("How much water do I need for one sachet?", "As much as the sachet says; it is printed on the back."),
        ("How long does it keep once it is mixed?", "Use it within a day, as the label says."),
    ),
    "powder": (
        ("Does it contain any sugar or filler?", "No. It holds only what is listed under Ingredients."),
        ("How many teaspoons are in one pack?", "About 20 for each 100 g: a level teaspoon holds roughly 5 g."),
        ("Can I mix it with milk instead of water?", "Yes, it mixes with warm milk as well."),
    ),
    "tablets": (
        ("Is it vegetarian?", "Yes. The green dot on the pack says so too."),
        ("How long does one pack last?", "With two a day, a pack of sixty lasts a month."),
        ("Is the expiry date at least a year away?", "We send packs with at least a third of their life left."),
    ),
    "liquid": (
        ("Is there a measuring cup in the box?", "Yes, a 30 ml cup sits on the cap."),
        ("Is it free of alcohol?", "Arishtas and asavas ferment, so they hold a little. Syrups and juices hold none."),
    ),
    "paste": (
        ("How much sugar is in one spoon?", "The nutrition table on this page says it for 100 g. A spoon is 10 g."),
        ("Does it have to go in the fridge?", "No. Keep it closed in a dry place and use a dry spoon."),
    ),
    "oil": (
        ("Can I leave it in overnight?", "Many buyers do. Put a towel on the pillow."),
        ("Is it cold pressed?", "The description says how each oil is made. This one is cooked with its herbs."),
    ),
    "care": (
        ("Is it free of parabens and sulphates?", "The full list is under Ingredients. Neither is in it."),
        ("Is it suitable for oily skin?", "Yes, but try a little on your arm first."),
    ),
    "food": (
        ("How long can I keep it after opening?", "About three months, closed and dry."),
        ("Does it contain nuts?", "It holds none, but it is packed where nuts are handled."),
    ),
    "protein": (
        ("How many scoops are in one pack?", "Divide the pack by the scoop on the label: 1 kg gives about 30."),
        ("Is there a sample size?", "Not at the moment. We'll tell the maker that you asked."),
    ),
    "device": (
        ("Are batteries included?", "It depends on the batch, so please keep two AAA batteries ready."),
        ("How long is the warranty?", "One year from the invoice date. Keep the invoice from your account."),
    ),
}  # fmt: skip
BUYER_ANSWERS = (
    "I have used it for two months: yes.",
    "Mine was like that too.",
    "Yes, I think so.",
)
OPEN_QUESTIONS = ("Do you also have it in a larger pack?", "Can my ten-year-old son use it?")


def kind_of(path: str) -> str:
    """Which sentences fit a product of that category path."""
    for part, kind in PLACES:
        if part in path:
            return kind
    return "care"


PLACES = (
    ("churna", "powder"), ("powders", "powder"), ("safoof", "powder"), ("henna", "powder"),
    ("oils-serums", "oil"), ("hair-oils", "oil"), ("taila", "oil"), ("roghan", "oil"), ("essential-oils", "oil"),
    ("rehydration", "sachets"),
    ("kwath", "liquid"), ("arishta", "liquid"), ("syrups", "liquid"), ("unani/liquids", "liquid"), ("juices", "liquid"),
    ("cough-throat", "liquid"),
    ("chyawanprash", "paste"), ("unani/majun", "paste"),
    ("protein", "protein"), ("performance", "protein"),
    ("herbal/", "food"), ("fitness/snacks", "food"),
    ("fitness/", "device"), ("devices/", "device"), ("copper-clay", "device"), ("self-care", "device"),
    ("ayurveda/balms", "care"), ("gels-sprays", "care"), ("first-aid", "device"), ("eye-skin", "care"),
    ("ayurveda/", "tablets"), ("unani/", "tablets"), ("allopathy/", "tablets"), ("baby-health", "liquid"),
)  # fmt: skip
