"""Nothing stands in anyone's way: axe on every page and in its states, on a phone and on a desktop.

A page's own tests (product, listing, header) look at states that only they know.
"""

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import expect

from shop.catalog.models import Attribute, Category, HealthConcern, Product, VariantImage
from shop.catalog.pictures.services import add_picture
from shop.catalog.services import refresh_products
from shop.content.models import Banner, HomeRow, Post, PostCategory
from shop.content.pages.initial import STARTING_PAGES

pytestmark = pytest.mark.browser
WIDTHS = (360, 1280)
VISITORS_PAGES = (
    *("/en-in/", "/en-in/products/ayurveda/", "/en-in/products/ayurveda/immunity/", "/en-in/products/ayurveda/?page=2"),
    *("/en-in/product/neem-soap-1/", "/en-in/product/neem-soap-0/", "/en-in/brands/", "/en-in/brand/vanamitra/"),
    *(
        "/en-in/categories/",
        "/en-in/health-concerns/immunity/",
        "/en-in/search/soap/",
        "/en-in/search/nothing%20matches/",
    ),
    *("/en-in/faq/", "/en-in/faq/?q=refund", "/en-in/faq/?q=zzz", "/en-in/faq/#return-time"),
    *("/en-in/blog/", "/en-in/blog/neem/", "/en-in/blog/category/herbs/", "/en-in/blog/category/empty/"),
    *("/en-in/contactus/", "/en-in/complaint/", "/en-in/complaint/state/", "/en-in/offers_discounts/"),
    *(f"/en-in/{slug}/" for slug in STARTING_PAGES),
    *("/cart/", "/signin/", "/signup/", "/deliver-to/"),
    *("/currency/", "/en-de/"),
)
# What does not fit: what makes the page wider than the screen, and what of the header cannot be pressed.
MISFITS = """() => {
    const width = document.documentElement.clientWidth;
    const found = [];
    if (document.documentElement.scrollWidth > width) found.push(`${document.documentElement.scrollWidth} px wide`);
    const isThere = (element) => element && element.getBoundingClientRect().width > 1;
    const parts = { cart: ".top__cart", account: ".top__account", search: ".search__input" };
    for (const [name, selector] of Object.entries(parts)) {
        const part = [...document.querySelectorAll(selector)].find(isThere);
        const { left, right, top, bottom } = part ? part.getBoundingClientRect() : { left: -1 };
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        if (left < 0 || right > width || !part.contains(hit)) found.push(`no ${name}`);
    }
    return found;
}"""
# The words of each banner that run over what it shows: the right half of wide art, the lower half of the phones' cut.
OVERRUNS = """() => [...document.querySelectorAll(".banner, .page-head--wide")].flatMap((banner) => {
    const art = banner.querySelector("img");
    const box = art.getBoundingClientRect();
    if (!box.width) return [];
    const scale = Math.max(box.width / art.naturalWidth, box.height / art.naturalHeight);
    const [width, height] = [art.naturalWidth * scale, art.naturalHeight * scale];
    const isWide = width > height;
    const left = isWide ? Math.max(box.left, box.right - width / 2) : box.left;
    const top = isWide ? box.top : Math.max(box.top, box.bottom - height / 2);
    const words = document.createRange();
    words.selectNodeContents(banner.querySelector(".banner__text, .page-head__text"));
    const isOver = ({ width, ...line }) => width && line.right > left + 1 && line.bottom > top + 1
        && line.left < box.right && line.top < box.bottom;
    const over = [...words.getClientRects()].map((line) => line.toJSON()).filter(isOver);
    return over.map((line) => `${banner.className}: ${line.right}, ${line.bottom} beyond ${left}, ${top}`);
})"""


@pytest.fixture
def shelves(make_product, make_variant, picture):
    """Two categories with a concern, a sold-out, a reduced and a many-sized product, and a home page with rows."""
    leaf, honey = picture("#e7f0ea"), picture("#d7a86e")
    top = Category.objects.create(name="Ayurveda", slug="ayurveda", is_featured=True, img_icon=leaf, img_banner=honey)
    below = Category.objects.create(name="Tonics", slug="tonics", parent=top)
    concern = HealthConcern.objects.create(name="Immunity", slug="immunity", image=leaf, img_icon=leaf)
    size = Attribute.objects.create(name="Size", slug="size")
    small, large = (size.values.create(value=grams, unit="g") for grams in ("250", "500"))
    for number in range(14):
        product = make_product(f"Neem Soap {number}", category=below, is_pinned=number < 3)
        product.health_concerns.add(concern)
        variant = make_variant(price=str(100 + number), actual="150", product=product, units=number % 5)
        VariantImage.objects.create(variant=variant, picture=leaf)
        variant.attribute_values.add(small)
        if number == 1:
            make_variant(price="400", actual="450", product=product).attribute_values.add(large)
    refresh_products(Product.objects.values_list("pk", flat=True))
    Banner.objects.create(title="Monsoon care", image=honey, mobile_image=leaf, link="/products/ayurveda/")
    herbs, _ = (PostCategory.objects.create(name=slug.title(), slug=slug) for slug in ("herbs", "empty"))
    for title, shown in (("Neem", honey), ("Amla", None)):
        words = {"excerpt": "A leaf.", "text": "<h2>Use</h2><p>Bitter.</p>", "is_published": True}
        Post.objects.create(title=title, slug=title.lower(), picture=shown, **words).categories.add(herbs)
    HomeRow.objects.bulk_create(
        HomeRow(kind=kind, title=kind.label, position=at) for at, kind in enumerate(HomeRow.Kind)
    )


@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_on_the_pages_of_a_visitor(shelves, open_phone, barriers, width):
    page = open_phone(width=width)
    found = {}
    for path in VISITORS_PAGES:
        page.goto(path)
        page.wait_for_load_state("networkidle")
        found[path] = barriers(page)
    assert {path: what for path, what in found.items() if what} == {}


@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_where_something_is_said(shelves, open_phone, barriers, width):
    page = open_phone(width=width)
    page.goto("/en-in/product/neem-soap-1/")
    page.locator("#main").get_by_role("button", name="ADD TO CART").first.click()
    expect(page.get_by_text("Product added to cart successfully!")).to_be_visible()
    assert barriers(page) == []
    page.goto("/cart/")
    page.wait_for_load_state("networkidle")
    assert barriers(page) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_where_the_shop_is_written_to(shelves, open_phone, barriers, width):
    page = open_phone(width=width, refusals={422})
    found = {}
    for path in ("/en-in/contactus/", "/en-in/complaint/", "/en-in/complaint/state/"):
        page.goto(path)
        page.locator("main form").get_by_role("button").last.click()
        expect(page.locator("[aria-invalid=true]").first).to_be_visible()
        found[path] = barriers(page)
    page.goto("/en-in/contactus/")
    letter = {
        "username": "Asha Rao",
        "mobile": "9876543210",
        "email": "asha@example.com",
        "quote": "Is Neem Soap vegan?",
    }
    for name, words in letter.items():
        page.locator(f"main [name={name}]").fill(words)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Thank you, we've received your message.")).to_be_visible()
    found["sent"] = barriers(page)
    assert {path: what for path, what in found.items() if what} == {}


@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_where_something_is_refused(shelves, running_shop, chromium, barriers, width):
    context = chromium.new_context(base_url=running_shop.url, viewport={"width": width, "height": 740})
    page = context.new_page()
    assert page.goto("/en-in/no/such/page/").status == 404
    expect(page.get_by_role("heading", name="Page Not Found 404 ....")).to_be_visible()
    assert barriers(page) == []
    page.goto("/signin/")
    page.get_by_role("textbox").first.fill("nobody@example.com")
    page.locator("input[type=password]").first.fill("not the password")
    page.get_by_role("button", name="Login", exact=True).click()
    expect(page.get_by_role("alert").first).to_be_visible()
    assert barriers(page) == []
    context.close()


@pytest.fixture
def art(shelves, picture):
    """A banner and a category's head with art of the forms that they are cut to."""
    wide, narrow = (add_picture(_drawing(size), alt="Art") for size in ((1800, 510), (800, 1070)))
    Banner.objects.update(
        image=wide, mobile_image=narrow, eyebrow="The monsoon edit", title="Rooted in Ayurveda.\nReady for Monday.",
        text="Immunity, digestion and rest, from manufacturers who list every ingredient.",
        button="Shop the edit",
    )  # fmt: skip
    Category.objects.filter(slug="ayurveda").update(img_banner=wide, img_banner_m=narrow, tagline="Classical recipes.")


def _drawing(size: tuple[int, int]) -> bytes:
    file = BytesIO()
    Image.new("RGB", size, "#143d2c").save(file, "PNG")
    return file.getvalue()


def test_enlarged_text_fits_every_screen(art, open_phone):
    page = open_phone(width=1280)
    settings = page.context.new_cdp_session(page)
    wrong = {}
    for path in VISITORS_PAGES:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(path, wait_until="load")
        for size in (16, 18, 24, 32):
            settings.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
            for width in (320, 360, 768, 1024, 1280):
                page.set_viewport_size({"width": width, "height": 800})
                assert page.evaluate("() => getComputedStyle(document.documentElement).fontSize") == f"{size}px"
                if found := [*page.evaluate(MISFITS), *page.evaluate(OVERRUNS)]:
                    wrong[path, width, size] = found
    assert wrong == {}
