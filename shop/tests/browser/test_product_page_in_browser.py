"""The product page under a shopper's hands: choosing a variant, looking at pictures, what was looked at before."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from shop.catalog.models import Attribute, Category, HealthConcern, Product, VariantImage
from shop.catalog.services import refresh_products
from shop.markets.models import Location

pytestmark = pytest.mark.browser
COLOURS = ("#e7f0ea", "#d7a86e", "#b3261e")
DESKTOP = 1280


@pytest.fixture
def shelf(transactional_db):
    return Category.objects.create(name="Ayurveda", slug="ayurveda")


@pytest.fixture
def soap(shelf, make_product, make_variant, picture):
    """Rose and mint in 50 and 100 g with three pictures each; nobody makes mint in 100 g, rose in 100 g is sold out."""
    pictures = [picture(colour) for colour in COLOURS]
    soap = make_product("Lotus Soap", category=shelf, dosage="Lather and rinse.", licence_number="L-7")
    soap.health_concerns.add(
        HealthConcern.objects.create(name="Skin", slug="skin", image=pictures[0], img_icon=pictures[0])
    )
    size, scent = (Attribute.objects.create(name=name, slug=name.lower()) for name in ("Size", "Scent"))
    small, large = (size.values.create(value=grams, unit="g") for grams in ("50", "100"))
    rose, mint = (scent.values.create(value=name) for name in ("Rose", "Mint"))
    facts = {"ingredients": ", ".join(f"Herb {number}" for number in range(1, 13)), "net_unit": "g"}
    for price, units, grams, values in (
        ("200", 5, 50, (small, rose)),
        ("360", 0, 100, (large, rose)),
        ("220", 5, 50, (small, mint)),
    ):
        variant = make_variant(price=price, actual="400", units=units, product=soap, net_quantity=grams, **facts)
        variant.attribute_values.add(*values)
        for position, image in enumerate(pictures if mint not in values else pictures[1:]):
            VariantImage.objects.create(variant=variant, picture=image, position=position)
    refresh_products([soap.pk])
    return soap


def choice(page: Page, name: str):
    """A value of the attribute chooser: a link, or the island's button."""
    return page.locator(".options").get_by_text(re.compile(f"^{name}"))


def is_chosen(page: Page, name: str) -> None:
    chosen = page.locator(".option:is([aria-current], [aria-pressed='true'])")
    expect(chosen.filter(has_text=name)).to_be_visible()


def is_ready(page: Page) -> None:
    """Use the page, as its islands wait for, until they are there."""
    for at in (1, 2):  # the first position that a browser is given is no movement yet
        page.mouse.move(at, at)
    expect(page.locator(".option[aria-pressed]").first).to_be_visible()


def to_the_end(page: Page) -> None:
    """As far down as a reader gets; a turn of the wheel may come before the page can be scrolled, and be lost."""
    page.get_by_role("contentinfo").scroll_into_view_if_needed()


def see(page: Page, number: int) -> None:
    """Wait until the gallery shows its picture of this number."""
    expect(page.locator(".gallery__thumb").nth(number - 1)).to_have_attribute("aria-current", "true")
    page.wait_for_function(
        "number => { const track = document.querySelector('.gallery__track');"
        " return Math.abs(track.scrollLeft - (number - 1) * track.clientWidth) < 2 }",
        arg=number,
    )


def test_a_chosen_variant_stands_in_the_address_and_comes_back_with_it(soap, open_phone):
    page = open_phone()
    page.goto("/en-in/product/lotus-soap/")
    is_ready(page)
    choice(page, "Mint").click()
    expect(page.locator("output")).to_have_text("₹220.00")
    expect(page).to_have_url(re.compile(r"\?variant=SKU-3$"))
    for again in (page.reload, lambda: page.goto(page.url)):
        again()
        is_chosen(page, "Mint")
        expect(page.locator("output")).to_have_text("₹220.00")
        assert page.locator("link[rel=canonical]").get_attribute("href").endswith("/en-in/product/lotus-soap/")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_combination_that_nobody_makes_leads_to_one_that_is_made(soap, open_phone, scripts):
    page = open_phone(scripts=scripts)
    page.goto("/en-in/product/lotus-soap/?variant=SKU-3")
    if scripts:
        is_ready(page)
    expect(choice(page, "100 g")).to_have_text("100 g (switches to Rose, 100 g)")
    choice(page, "100 g").click()
    expect(page.get_by_text("Out of stock. Choose another option above.")).to_be_visible()
    is_chosen(page, "Rose")
    expect(page.get_by_role("button", name="ADD TO CART")).to_have_count(0)
    expect(page.locator(".facts")).to_contain_text("100 g")
    choice(page, "50 g").click()
    expect(page.locator("#main form").get_by_role("button", name="ADD TO CART")).to_be_visible()
    expect(page.locator("output")).to_have_text("₹200.00")


def test_the_total_follows_the_quantity_and_the_button_the_variant(soap, open_phone):
    page = open_phone(width=DESKTOP)
    page.goto("/en-in/product/lotus-soap/")
    is_ready(page)
    page.get_by_label("Quantity").select_option("3")
    expect(page.locator("output")).to_have_text("₹600.00")
    page.get_by_role("button", name="ADD TO CART").click()
    expect(page.get_by_role("button", name="ADDED TO CART").locator("svg")).to_be_visible()
    expect(page.get_by_text("Product added to cart successfully!")).to_be_visible()
    choice(page, "Mint").click()
    expect(page.get_by_role("button", name="ADD TO CART")).to_be_visible()
    expect(page.locator("output")).to_have_text("₹660.00")


def test_the_open_tab_stays_open_under_another_variant(soap, open_phone):
    page = open_phone(width=DESKTOP)
    page.goto("/en-in/product/lotus-soap/")
    is_ready(page)
    page.get_by_role("radio", name="Ingredients").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("Herb 10")).to_be_visible()
    expect(page.get_by_text("Herb 11")).to_be_hidden()
    page.get_by_text("and 2 more").click()
    expect(page.get_by_text("Herb 12")).to_be_visible()
    with page.expect_response(re.compile("variant=SKU-3")):
        choice(page, "Mint").click()
    expect(page.locator(".facts")).to_contain_text("₹440.00 per 100 g")
    expect(page.get_by_text("Herb 10")).to_be_visible()


def test_pictures_are_reached_by_arrows_thumbnails_and_keys(soap, open_phone):
    page = open_phone(width=DESKTOP)
    page.goto("/en-in/product/lotus-soap/")
    is_ready(page)
    page.get_by_role("button", name="Next picture").click()
    see(page, 2)
    page.get_by_role("button", name="Previous picture").click()
    page.get_by_role("button", name="Previous picture").click()
    see(page, 3)
    page.get_by_role("button", name="Picture 2 of 3").click()
    see(page, 2)
    page.locator(".gallery__track").focus()
    for key, number in (("ArrowRight", 3), ("ArrowRight", 1), ("End", 3), ("ArrowLeft", 2), ("Home", 1)):
        page.keyboard.press(key)
        see(page, number)
    choice(page, "Mint").click()
    expect(page.locator(".gallery__thumb")).to_have_count(2)
    see(page, 1)


def pictures_in(page: Page, place: str) -> list[str]:
    """Folders of the pictures that stand there: each picture has its own, with all its sizes."""
    addresses = page.locator(f"{place} img").evaluate_all("images => images.map(image => image.getAttribute('src'))")
    return [address.rpartition("/")[0] for address in addresses]


@pytest.mark.parametrize("scripts", [True, False])
def test_another_variant_shows_its_own_pictures_here_and_in_the_cart(soap, open_phone, scripts):
    page = open_phone(width=DESKTOP, scripts=scripts)
    page.goto("/en-in/product/lotus-soap/")
    rose = pictures_in(page, ".gallery__slide")
    assert len(set(rose)) == 3
    if scripts:
        is_ready(page)
    choice(page, "Mint").click()
    expect(page.locator(".gallery__slide")).to_have_count(2)
    assert pictures_in(page, ".gallery__slide") == pictures_in(page, ".gallery__thumb") == rose[1:]
    expect(page.locator(".gallery__slide").first).to_be_in_viewport(ratio=0.9)
    page.locator("#main form").get_by_role("button", name="ADD TO CART").click()
    if scripts:
        expect(page.get_by_text("Product added to cart successfully!")).to_be_visible()
    page.goto("/en-in/cart/")
    expect(page.locator(".line__picture img")).to_have_count(1)
    assert pictures_in(page, ".line__picture") == rose[1:2]


def test_a_mouse_enlarges_what_is_under_it(soap, open_phone):
    page = open_phone(width=DESKTOP)
    page.goto("/en-in/product/lotus-soap/")
    is_ready(page)
    expect(page.get_by_role("button", name="Next picture")).to_be_visible()
    slide = page.locator(".gallery__slide").first
    slide.hover(position={"x": 100, "y": 100})
    expect(slide).to_have_class(re.compile("is-zoomed"))
    page.locator("h1").hover()
    expect(slide).not_to_have_class(re.compile("is-zoomed"))


def test_pictures_are_swiped_and_enlarged_by_fingers(soap, open_phone):
    page = open_phone()
    page.goto("/en-in/product/lotus-soap/")
    is_ready(page)
    finger = TouchGestures(page)
    finger.swipe((300, 250), (60, 250))
    see(page, 2)
    finger.pinch((180, 250), 40, 120)
    assert scale(page, 2) == pytest.approx(3, abs=0.2)
    left = corner(page, 2)
    finger.swipe((250, 250), (150, 250))
    assert corner(page, 2) == pytest.approx(left - 100, abs=20)
    see(page, 2)  # what is enlarged moves, the list does not
    finger.pinch((180, 250), 120, 30)
    page.wait_for_timeout(300)  # it settles softly
    assert scale(page, 2) == 1
    finger.double_tap((180, 250))
    assert scale(page, 2) == 2.5
    page.wait_for_timeout(400)
    finger.double_tap((180, 250))
    page.wait_for_timeout(300)
    assert scale(page, 2) == 1
    finger.swipe((60, 250), (300, 250))
    see(page, 1)


def test_the_first_swipe_of_a_visit_is_kept(soap, open_phone):
    page = open_phone()
    page.goto("/en-in/product/lotus-soap/", wait_until="load")
    expect(page.get_by_role("button", name="Next picture")).to_have_count(0)  # the gallery waits for a use
    TouchGestures(page).swipe((300, 250), (60, 250))
    see(page, 2)


def test_the_gallery_waits_for_a_mouse_that_moves(soap, open_phone):
    """Chromium tells a page now and then of a mouse that rests where the page appears."""
    page = open_phone(width=DESKTOP)
    page.goto("/en-in/product/lotus-soap/", wait_until="load")
    page.mouse.move(0, 0)  # where it is from the start
    page.wait_for_timeout(500)
    expect(page.get_by_role("button", name="Next picture")).to_have_count(0)
    page.mouse.move(300, 250)
    page.mouse.move(301, 250)
    expect(page.get_by_role("button", name="Next picture")).to_be_visible()


def test_pictures_are_reached_without_scripts(soap, open_phone):
    page = open_phone(scripts=False)
    page.goto("/en-in/product/lotus-soap/")
    expect(page.locator(".gallery__slide").nth(2)).not_to_be_in_viewport()
    page.get_by_role("link", name="Picture 3 of 3").click()
    expect(page.locator(".gallery__slide").nth(2)).to_be_in_viewport(ratio=0.9)


def test_what_was_looked_at_comes_back_and_logging_out_forgets_it(
    soap, shelf, customer, make_product, make_variant, open_phone
):
    for name in ("Amla Jam", "Bhringraj Oil"):
        make_variant(product=make_product(name, category=shelf))
    page = open_phone()
    row = page.locator("[data-recently-viewed]")
    for slug in ("amla-jam", "bhringraj-oil", "lotus-soap"):
        page.goto(f"/en-in/product/{slug}/")
        page.wait_for_load_state("networkidle")
    to_the_end(page)
    expect(row.get_by_role("heading", name="Recently viewed")).to_be_visible()
    expect(row.locator(".card__name")).to_have_text(["Bhringraj Oil", "Amla Jam"])
    Product.objects.filter(slug="amla-jam").update(is_published=False)
    page.reload()
    to_the_end(page)
    expect(row.locator(".card__name")).to_have_text(["Bhringraj Oil"])
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('form'), {action: '/logout/', method: 'post'}))"
    )
    with page.expect_navigation():
        page.evaluate("document.body.lastChild.requestSubmit()")
    page.goto("/en-in/product/lotus-soap/")
    page.wait_for_load_state("networkidle")
    to_the_end(page)
    expect(row).to_be_hidden()


@pytest.mark.parametrize("width", [360, DESKTOP])
def test_axe_finds_nothing_on_a_product_page_in_any_state(
    soap, shelf, make_product, make_variant, open_phone, barriers, width
):
    cure = make_product("Cure", category=shelf, is_prescription=True)
    barred = make_product("Gel", category=shelf)
    for product in (cure, barred):
        make_variant(product=product, net_quantity=10, net_unit="tablets")
    barred.barred_locations.add(Location.objects.get(code="IN"))
    page = open_phone(width=width)
    found = {}

    def look(state):
        page.wait_for_load_state("networkidle")
        found[state] = barriers(page)

    for path in ("lotus-soap/", "lotus-soap/?variant=SKU-2", "lotus-soap/?variant=SKU-3", "cure/", "gel/"):
        page.goto(f"/en-in/product/{path}")
        to_the_end(page)
        look(path)
    page.goto("/en-in/product/lotus-soap/")
    is_ready(page)
    for tab in ("Ingredients", "How to use"):
        page.locator(".tabset label").filter(has_text=tab).click()
        look(tab)
    page.locator("#main form").get_by_role("button", name="ADD TO CART").click()
    expect(page.get_by_text("Product added to cart successfully!")).to_be_visible()
    look("added")
    choice(page, "100 g").click()
    look("sold out")
    assert {state: what for state, what in found.items() if what} == {}


@pytest.mark.parametrize("width", [360, DESKTOP])
def test_axe_finds_nothing_where_a_product_was_withdrawn(
    soap, shelf, make_product, make_variant, running_shop, chromium, barriers, width
):
    make_variant(product=make_product("Amla Jam", category=shelf))
    Product.objects.filter(pk=soap.pk).update(is_published=False)
    context = chromium.new_context(base_url=running_shop.url, viewport={"width": width, "height": 740})
    page = context.new_page()
    assert page.goto("/en-in/product/lotus-soap/").status == 410
    expect(page.get_by_role("heading", name="No longer available")).to_be_visible()
    expect(page.get_by_role("link", name="Amla Jam").first).to_be_visible()
    assert barriers(page) == []
    context.close()


class TouchGestures:
    """One or two fingers on a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def swipe(self, start, end) -> None:
        steps = [tuple(a + (b - a) * step / 10 for a, b in zip(start, end, strict=True)) for step in range(11)]
        self._move([[step] for step in steps])

    def pinch(self, middle, near: float, far: float) -> None:
        x, y = middle
        spans = [near + (far - near) * step / 10 for step in range(11)]
        self._move([[(x - span, y), (x + span, y)] for span in spans])

    def double_tap(self, where) -> None:
        """A tenth of a second apart by the events' own clock, however long the browser takes to hear of them."""
        now = time.time()
        for at in (now, now + 0.1):
            self._send("touchStart", [where], timestamp=at)
            self._send("touchEnd", [], timestamp=at + 0.02)
        self.page.wait_for_timeout(50)

    def _move(self, frames) -> None:
        for number, points in enumerate(frames):
            self._send("touchMove" if number else "touchStart", points)
            self.page.wait_for_timeout(16)
        self._send("touchEnd", [])
        self.page.wait_for_timeout(50)

    def _send(self, kind: str, points, **more) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches, **more})


def matrix(page: Page, number: int) -> list[float]:
    style = page.locator(".gallery__slide img").nth(number - 1).evaluate("image => getComputedStyle(image).transform")
    return [float(part) for part in style.removeprefix("matrix(").removesuffix(")").split(",")] if "(" in style else []


def scale(page: Page, number: int) -> float:
    return (matrix(page, number) or [1])[0]


def corner(page: Page, number: int) -> float:
    return matrix(page, number)[4]
