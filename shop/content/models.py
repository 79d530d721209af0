from django.conf import settings
from django.db import models
from django.utils import timezone

from shop.catalog.models import Picture
from shop.company.models import check_links  # noqa: F401 (named by a migration of this room)


class Banner(models.Model):
    """A slide at the top of the home page, with its own cut for phones."""

    ANNOUNCES = "shop"

    title = models.CharField(max_length=80)
    eyebrow = models.CharField(max_length=40, blank=True)
    text = models.CharField(max_length=160, blank=True)
    button = models.CharField(max_length=30, default="Shop now")
    image = models.ForeignKey(Picture, models.PROTECT, related_name="+")
    mobile_image = models.ForeignKey(Picture, models.PROTECT, related_name="+")
    link = models.CharField(max_length=200, default="/products/ayurveda/", help_text="A path on this site.")
    background = models.CharField(max_length=7, default="#143d2c")
    position = models.PositiveSmallIntegerField(default=0)
    is_published = models.BooleanField(default=True)

    class Meta:
        ordering = ["position", "id"]

    def __str__(self) -> str:
        return self.title

    @property
    def is_light(self) -> bool:
        """Whether dark words are read better on its background than white ones."""
        red, green, blue = (int(self.background[at : at + 2], 16) for at in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue > 150


class HomeRow(models.Model):
    """One row of the home page, in the order that the editor gave."""

    ANNOUNCES = "shop"

    class Kind(models.TextChoices):
        CONCERNS = "concerns", "Health concerns"
        BANNERS = "banners", "Banners"
        HOT_SELLING = "hot_selling", "Hot Selling"
        BRANDS = "brands", "Brand logos"
        CATEGORIES = "categories", "One row per featured category"
        SPOTLIGHT = "spotlight", "Brand Spotlight"
        TEXT = "text", "Text"

    kind = models.CharField(max_length=12, choices=Kind)
    title = models.CharField(max_length=80, blank=True)
    text = models.TextField(blank=True, help_text="Sanitised HTML, for a row of text.")
    position = models.PositiveSmallIntegerField(default=0)
    is_published = models.BooleanField(default=True)

    class Meta:
        ordering = ["position", "id"]

    def __str__(self) -> str:
        return self.title or self.get_kind_display()


class Page(models.Model):
    """A policy, or what the shop tells about itself: the current text. Changed by services.change_page."""

    ANNOUNCES = "shop"

    slug = models.SlugField(max_length=40, unique=True, editable=False)
    title = models.CharField(max_length=80)
    summary = models.CharField(max_length=200, help_text="One sentence under the title; search engines show it too.")
    text = models.TextField(help_text="HTML: headings, paragraphs, lists and tables. Anything else is taken out.")
    position = models.PositiveSmallIntegerField(default=0, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

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

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"{self.title}, {timezone.localtime(self.created_at):%d %b %Y %H:%M}"
