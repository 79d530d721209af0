from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from shop.catalog.models import HEX_COLOUR, Category, Picture, Product
from shop.company.models import check_links  # noqa: F401 (named by a migration of this app)
from shop.html import clean_html, clean_linked_html
from shop.translated import TranslatedModel, TranslationsField

from .home.schedule import Scheduled
from .queries import PostQuerySet

OWN_PATH = RegexValidator(r"^/(?![/\\])\S*\Z", "Write a path on this site, such as /products/ayurveda/.")


class Banner(Scheduled, TranslatedModel):
    """A slide at the top of the home page, with its own cut for phones."""

    title = models.CharField(max_length=80)
    eyebrow = models.CharField(max_length=40, blank=True)
    text = models.CharField(max_length=160, blank=True)
    button = models.CharField(max_length=30, default="Shop now")
    image = models.ForeignKey(Picture, models.PROTECT, related_name="+")
    mobile_image = models.ForeignKey(Picture, models.PROTECT, related_name="+")
    link = models.CharField(
        max_length=200,
        default="/products/ayurveda/",
        validators=[OWN_PATH],
        help_text="Path on this site, such as /products/ayurveda/.",
    )
    background = models.CharField(
        max_length=7,
        default="#143d2c",
        validators=[HEX_COLOUR],
        help_text="Background colour behind the text, as #rrggbb.",
    )
    translations = TranslationsField("title", "eyebrow", "text", "button")

    def __str__(self) -> str:
        return self.title

    @property
    def is_light(self) -> bool:
        """Whether dark words are read better on its background than white ones."""
        red, green, blue = (int(self.background[at : at + 2], 16) for at in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue > 150


class HomeRow(Scheduled, TranslatedModel):
    """One row of the home page, in the order that the editor gave."""

    class Kind(models.TextChoices):
        CONCERNS = "concerns", "Health concerns"
        BANNERS = "banners", "Banners"
        HOT_SELLING = "hot_selling", "Hot Selling"
        BRANDS = "brands", "Brand logos"
        CATEGORIES = "categories", "One row per featured category"
        SPOTLIGHT = "spotlight", "Brand Spotlight"
        PRODUCTS = "products", "Hand-picked products"
        TEXT = "text", "Text"

    kind = models.CharField(max_length=12, choices=Kind)
    title = models.CharField(max_length=80, blank=True)
    text = models.TextField(blank=True, help_text="For a row of text. HTML; unsafe tags are removed.")
    products = models.ManyToManyField(
        Product, blank=True, related_name="+", help_text="For a hand-picked row, in the order chosen."
    )
    translations = TranslationsField("title", "text", cleaned={"text": clean_html})

    def __str__(self) -> str:
        return self.title or self.get_kind_display()

    def clean(self) -> None:
        super().clean()
        if self.kind == self.Kind.PRODUCTS and not self.title:
            raise ValidationError({"title": gettext("Enter a title for a hand-picked row.")})


class MenuEntry(Category):
    """A top category as the menu shows it: its place, its pictures, and whether the home page has a row of it."""

    class Meta:
        proxy = True
        ordering = ["position", "name"]
        verbose_name_plural = "menu"


class Page(TranslatedModel):
    """A policy, or what the shop tells about itself: the current text. Changed by services.change_page."""

    ANNOUNCES = "shop"

    slug = models.SlugField(max_length=40, unique=True, editable=False)
    title = models.CharField(max_length=80)
    summary = models.CharField(max_length=200, help_text="One sentence below the title, also shown by search engines.")
    text = models.TextField(help_text="HTML: headings, paragraphs, lists and tables. Anything else is removed.")
    position = models.PositiveSmallIntegerField(default=0, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)
    translations = TranslationsField("title", "summary", "text", cleaned={"text": clean_linked_html})

    class Meta:
        ordering = ["position", "id"]

    def __str__(self) -> str:
        return self.title


class PageVersion(models.Model):
    """What a page said from a moment on. Rows are added and never changed."""

    page = models.ForeignKey(Page, models.CASCADE, related_name="versions")
    title = models.CharField(max_length=80)
    summary = models.CharField(max_length=200)
    text = models.TextField()
    author = models.ForeignKey(  # nobody: the text that the shop came with
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    language = models.CharField(
        max_length=7, default="en", help_text="Language of this text. The English version prevails."
    )

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"{self.title}, {date_format(timezone.localtime(self.created_at), 'j M Y, H:i')}"


class FaqSection(TranslatedModel):
    """A heading of the questions, in the editors' order."""

    ANNOUNCES = "shop"

    name = models.CharField(max_length=80, unique=True)
    position = models.PositiveSmallIntegerField(default=0)
    translations = TranslationsField("name")

    class Meta:
        ordering = ["position", "id"]
        verbose_name = "FAQ section"
        verbose_name_plural = "FAQ sections"

    def __str__(self) -> str:
        return self.name


class Faq(TranslatedModel):
    """A question that visitors ask, and its answer."""

    ANNOUNCES = "shop"

    section = models.ForeignKey(FaqSection, models.PROTECT, related_name="faqs")
    question = models.CharField(max_length=160)
    slug = models.SlugField(max_length=60, unique=True, help_text="Used in links to the answer: /faq/#slug.")
    answer = models.TextField()
    position = models.PositiveSmallIntegerField(default=0)
    is_published = models.BooleanField(default=True)
    translations = TranslationsField("question", "answer", cleaned={"answer": clean_linked_html})

    class Meta:
        ordering = ["section__position", "section_id", "position", "id"]
        verbose_name = "question"

    def __str__(self) -> str:
        return self.question


class PostCategory(TranslatedModel):
    ANNOUNCES = "shop"

    name = models.CharField(max_length=60)
    slug = models.SlugField(max_length=60, unique=True)
    position = models.PositiveSmallIntegerField(default=0)
    translations = TranslationsField("name")

    class Meta:
        ordering = ["position", "id"]
        verbose_name = "blog category"
        verbose_name_plural = "blog categories"

    def __str__(self) -> str:
        return self.name


class Post(TranslatedModel):
    """An article of the blog: a draft until it is published, and shown from its day on."""

    ANNOUNCES = "shop"

    title = models.CharField(max_length=120)
    slug = models.SlugField(max_length=80, unique=True)
    author = models.CharField(max_length=80, blank=True, help_text="Leave blank for the editorial team.")
    excerpt = models.CharField(max_length=300, help_text="One or two sentences for lists, feeds and search engines.")
    text = models.TextField()
    picture = models.ForeignKey(Picture, models.PROTECT, null=True, blank=True, related_name="+")
    categories = models.ManyToManyField(PostCategory, blank=True, related_name="posts")
    is_published = models.BooleanField(default=False, help_text="Drafts are visible to staff only.")
    published_at = models.DateTimeField(
        "shown from", default=timezone.now, db_index=True, help_text="Set a future time to publish it then."
    )
    changed_at = models.DateTimeField(auto_now=True)
    translations = TranslationsField("title", "excerpt", "text", cleaned={"text": clean_linked_html})

    objects = PostQuerySet.as_manager()

    class Meta:
        ordering = ["-published_at", "-id"]
        verbose_name = "blog article"

    def __str__(self) -> str:
        return self.title

    @property
    def by(self) -> str:
        """The author as readers see it."""
        return self.author or gettext("%(shop)s editorial desk") % {"shop": settings.SHOP_NAME}
