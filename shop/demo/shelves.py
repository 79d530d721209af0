"""Brands, concerns, categories, tax, home page, blog: everything but the products."""

from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from shop.catalog.models import Attribute, Brand, Category, GstRate, HealthConcern, HsnCode, Picture, ReturnReason
from shop.content.models import Banner, Faq, FaqSection, HomeRow, Page, Post, PostCategory
from shop.content.services import translate_page
from shop.search.models import Need
from shop.translated import with_changes

from .catalogue import blog, home, reading, translating
from .catalogue.choosing import HOW_TO_CHOOSE
from .catalogue.plans import CategoryPlan, ProductPlan
from .drawing import art
from .drawing.ink import mix
from .drawing.scene import Packshot
from .painting import Painting

Size = tuple[int, int]
BANNER, BANNER_M = (1800, 510), (800, 1070)
HEAD, HEAD_M = (1800, 400), (800, 400)
MENU, MENU_M = (640, 720), (800, 480)
POST = (1200, 1090)
LARGE = frozenset({"banner", "head"})
SEEN_FIRST = ("banner", "banner_m", "concern", "logo", "menu", "head", "head_m")
FIRST_RATES, NEW_RATES = date(2017, 7, 1), date(2025, 9, 22)


class ShelfArt:
    """The paintings of the shelves, by what they are for. `pictures` is filled once they are painted."""

    def __init__(self, products: list[ProductPlan]) -> None:
        self.pictures: dict[str, Picture] = {}
        self.paintings: dict[tuple[str, str], Painting] = {}
        shots = {plan.slug: next(iter(plan.looks.values())) for plan in products}
        for banner in home.BANNERS:
            self._still_life("banner", banner.title, [shots[s] for s in banner.things], banner.colour, BANNER, BANNER_M)
        tints = {plan.path: plan.tint for plan in reading.categories()}
        for path, things in home.SHELVES.items():
            shelf = [shots[slug] for slug in things]
            self._still_life("head", path, shelf, tints[path], HEAD, HEAD_M)
            self._still_life("menu", path, shelf, tints[path], MENU, MENU_M)
        for post in blog.POSTS:
            scene = art.still_life([shots[slug] for slug in post.things], post.colour, *POST)
            self.paintings["post", post.slug] = Painting(scene, post.title)
        for category in reading.categories():
            shot = self._shot_for(category, products, shots)
            self.paintings["icon", category.path] = Painting(art.icon(shot, category.tint), category.name)
        for concern in reading.concerns():
            self.paintings["concern", concern.slug] = Painting(art.concern(concern.sign, concern.tint), concern.name)
            self.paintings["sign", concern.slug] = Painting(art.concern_icon(concern.sign, concern.tint), concern.name)
        for brand in reading.brands().values():
            logo = art.logo(brand.name, brand.mark, brand.main, brand.accent)
            self.paintings["logo", brand.slug] = Painting(logo, brand.name)
            made = [shots[plan.slug] for plan in products if plan.brand == brand][:3]
            self._still_life("brand", brand.slug, made, mix(brand.main, brand.paper, 0.82), HEAD, HEAD_M)

    def picture(self, kind: str, key: str) -> Picture | None:
        painting = self.paintings.get((kind, key))
        return self.pictures.get(painting.digest) if painting else None

    def seen_first(self) -> list[Painting]:
        """What the home page and the menu show, and the head of each category."""
        tops = [self.paintings["icon", path] for path in home.SHELVES]
        return tops + [painting for kind in SEEN_FIRST for (of, _), painting in self.paintings.items() if of == kind]

    def _still_life(self, kind: str, key: str, shots: list[Packshot], colour: str, wide: Size, tall: Size) -> None:
        at_once = kind in LARGE
        self.paintings[kind, key] = Painting(art.still_life(shots, colour, *wide), "", at_once)
        self.paintings[f"{kind}_m", key] = Painting(art.still_life(shots, colour, *tall), "")

    def _shot_for(self, category: CategoryPlan, products: list[ProductPlan], shots: dict[str, Packshot]) -> Packshot:
        """The middle thing of a top category, else the most wanted product of the shelf."""
        if category.path in home.SHELVES:
            return shots[home.SHELVES[category.path][1]]
        inside = [p for p in products if p.category == category.path or p.category.startswith(f"{category.path}/")]
        return shots[max(inside or products, key=lambda plan: plan.popularity).slug]


def load_shelves(shelf_art: ShelfArt) -> None:
    _load_tax()
    for position, name in enumerate(("Size", "Flavour", "Colour", "Style")):
        own = {"name": name, "position": position, "translations": translating.translations(name=name)}
        Attribute.objects.get_or_create(slug=name.lower(), defaults=own)
    Brand.objects.bulk_create(
        Brand(
            name=plan.name, slug=plan.slug, story=plan.story, position=position,
            is_spotlight=plan.name in home.SPOTLIGHT,
            translations=translating.translations(name=plan.name, story=plan.story),
            brand_image=shelf_art.picture("logo", plan.slug),
            img_banner=shelf_art.picture("brand", plan.slug), img_banner_m=shelf_art.picture("brand_m", plan.slug),
        )
        for position, plan in enumerate(reading.brands().values())
    )  # fmt: skip
    HealthConcern.objects.bulk_create(
        HealthConcern(
            name=plan.name, slug=plan.slug, position=position, translations=translating.translations(name=plan.name),
            image=shelf_art.picture("concern", plan.slug), img_icon=shelf_art.picture("sign", plan.slug),
        )
        for position, plan in enumerate(reading.concerns())
    )  # fmt: skip
    _load_categories(shelf_art)


def load_home(shelf_art: ShelfArt) -> None:
    Banner.objects.bulk_create(
        Banner(
            eyebrow=plan.eyebrow, title=plan.title, text=plan.text, button=plan.button, link=plan.link,
            background=plan.colour, position=position, translations=translating.translations(
                eyebrow=plan.eyebrow, title=plan.title, text=plan.text, button=plan.button
            ),
            image=shelf_art.picture("banner", plan.title), mobile_image=shelf_art.picture("banner_m", plan.title),
        )
        for position, plan in enumerate(home.BANNERS)
    )  # fmt: skip
    kinds = HomeRow.Kind
    rows = [
        (kinds.CONCERNS, "", ""),
        (kinds.BANNERS, "", ""),
        (kinds.HOT_SELLING, "Hot Selling", ""),
        (kinds.BRANDS, "Shop by brand", ""),
        (kinds.CATEGORIES, "", ""),
        (kinds.SPOTLIGHT, "Brand Spotlight", ""),
        (kinds.TEXT, "Points on every order", home.LOYALTY),
        (kinds.TEXT, "Shipping, returns and cancellation", home.SERVICE),
    ]
    HomeRow.objects.bulk_create(
        HomeRow(kind=kind, title=title, text=text, position=position, translations=_of_row(title))
        for position, (kind, title, text) in enumerate(rows)
    )


def load_blog(shelf_art: ShelfArt) -> None:
    categories = {
        slug: PostCategory.objects.create(
            slug=slug, name=name, position=position, translations=translating.translations(name=name)
        )
        for position, (slug, name) in enumerate(blog.CATEGORIES.items())
    }
    for plan in blog.POSTS:
        post = Post.objects.create(
            slug=plan.slug, title=plan.title, excerpt=plan.excerpt, text=plan.text,
            picture=shelf_art.picture("post", plan.slug),
            is_published=True, published_at=timezone.now() - timedelta(days=plan.days_old),
            translations=translating.of_block(plan.slug, "title", "excerpt", "text"),
        )  # fmt: skip
        post.categories.set([categories[slug] for slug in plan.categories])


def translate_pages() -> None:
    """Pages, questions, needs and reasons of returns came with the shop."""
    for page in Page.objects.all():
        for language, words in translating.of_page(page.slug).items():
            translate_page(page.pk, language, words, author_id=None)
    for model, name in ((FaqSection, "name"), (ReturnReason, "name"), (Need, "name")):
        rows: list[Any] = list(model.objects.all())
        for row in rows:
            row.translations = translating.translations(**{name: getattr(row, name)})
        model.objects.bulk_update(rows, ["translations"])
    asked = list(Faq.objects.filter(slug__in=translating.questions()))
    for faq in asked:
        faq.translations = translating.questions()[faq.slug]
    Faq.objects.bulk_update(asked, ["translations"])


def _of_row(title: str) -> translating.Texts:
    return with_changes(translating.translations(title=title), translating.of_block(title, "text"))


def _load_tax() -> None:
    HsnCode.objects.bulk_create(
        (HsnCode(code=code, description=text) for code, (text, _, _) in home.TAX.items()), ignore_conflicts=True
    )
    GstRate.objects.bulk_create(
        (
            GstRate(hsn_id=code, percent=percent, valid_from=since)
            for code, (_, before, now) in home.TAX.items()
            for percent, since in ((before, FIRST_RATES), (now, NEW_RATES))
        ),
        ignore_conflicts=True,
    )


def _load_categories(shelf_art: ShelfArt) -> None:
    """Parents stand before their children in the list."""
    made: dict[str, Category] = {}
    for position, plan in enumerate(reading.categories()):
        parent, _, slug = plan.path.rpartition("/")
        root = plan.path.partition("/")[0]
        made[plan.path] = Category.objects.create(
            parent=made.get(parent), name=plan.name, slug=slug, position=position,
            color=plan.tint, tagline=plan.tagline, how_to_choose=HOW_TO_CHOOSE.get(plan.path, ""),
            is_featured=plan.path in home.FEATURED,
            translations=translating.of_category(plan.path, name=plan.name, tagline=plan.tagline),
            meta_title=plan.name,
            meta_desc=plan.tagline or f"{plan.name}: {made[root].tagline}",
            img_icon=shelf_art.picture("icon", plan.path),
            img_bg=shelf_art.picture("menu", plan.path), img_bg_m=shelf_art.picture("menu_m", plan.path),
            img_banner=shelf_art.picture("head", root), img_banner_m=shelf_art.picture("head_m", root),
        )  # fmt: skip
