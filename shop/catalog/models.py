"""The catalogue: what the shop sells, in which variants, at which INR price, with how much stock."""

from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext

from shop.html import clean_html
from shop.markets.models import Location
from shop.translated import Fallback, TranslatedModel, TranslationsField, unless_behind

from .composition.dosage import DosageForm
from .composition.prescriptions import NEVER_PUBLISHED, Schedule
from .products.certificates import certificate_path, check_certificate
from .queries import CategoryQuerySet, ProductQuerySet, VariantQuerySet
from .units import SEVERAL, unit_in_words

MAX_CATEGORY_DEPTH = 3
PRODUCT_TEXTS = ("highlight", "suited_for", "dosage", "cautions", "storage")  # HTML, or plain lines
HEX_COLOUR = RegexValidator(r"^#[0-9a-f]{6}\Z", "Write the colour as #rrggbb.")


class Picture(models.Model):
    """One raster picture. Its renditions (pictures.py) are files beside it, named by content."""

    file = models.ImageField(upload_to="pictures/", width_field="width", height_field="height", max_length=200)
    width = models.PositiveIntegerField(editable=False, default=0)
    height = models.PositiveIntegerField(editable=False, default=0)
    alt = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, unique=True, editable=False, db_column="sha256")
    is_complete = models.BooleanField(
        default=False, editable=False, help_text="All sizes have been made, including AVIF."
    )

    def __str__(self) -> str:
        return self.alt or f"Picture {self.pk}"


class Category(TranslatedModel):
    """A node of the category tree (three levels). `path` is the address: ayurveda/tonics/jams."""

    ANNOUNCES = "shop"

    parent = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="children")
    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=80)
    path = models.CharField(max_length=250, unique=True, editable=False)
    position = models.PositiveSmallIntegerField(default=0)
    color = models.CharField(
        max_length=7, default="#e7f0ea", validators=[HEX_COLOUR], help_text="Background tint, as #rrggbb."
    )
    tagline = models.CharField(max_length=120, blank=True)
    how_to_choose = models.TextField(
        blank=True, help_text="A few sentences below the products that help to choose among them."
    )
    img_icon = models.ForeignKey(Picture, models.SET_NULL, null=True, blank=True, related_name="+")
    img_bg = models.ForeignKey(Picture, models.SET_NULL, null=True, blank=True, related_name="+")
    img_bg_m = models.ForeignKey(Picture, models.SET_NULL, null=True, blank=True, related_name="+")
    img_banner = models.ForeignKey(Picture, models.SET_NULL, null=True, blank=True, related_name="+")
    img_banner_m = models.ForeignKey(Picture, models.SET_NULL, null=True, blank=True, related_name="+")
    meta_title = models.CharField(max_length=120, blank=True)
    meta_desc = models.CharField(max_length=300, blank=True)
    is_featured = models.BooleanField(default=False, help_text="Show a row of its products on the home page.")
    is_hidden = models.BooleanField(
        "hidden",
        default=False,
        help_text="Hide this category and its subcategories from the menu, pages, filters and sitemap. Its products "
        "stay on sale; unpublish any that should not be.",
    )
    is_unseen_while_empty = models.BooleanField(
        default=False, editable=False, help_text="Created by an import; shown once it has a published product."
    )
    return_days = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="Limits the return windows of its products. 0: not returnable. Blank: as in the parent category.",
    )

    translations = TranslationsField("name", "tagline", "how_to_choose", "meta_title", "meta_desc")
    objects = CategoryQuerySet.as_manager()

    class Meta:
        ordering = ["path"]
        verbose_name_plural = "categories"

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.path = f"{self.parent.path}/{self.slug}" if self.parent else self.slug
        if kwargs.get("update_fields") is not None:
            kwargs["update_fields"] = {*kwargs["update_fields"], "path"}
        super().save(*args, **kwargs)
        for child in self.children.order_by("pk"):
            if child.path != f"{self.path}/{child.slug}":
                child.save(update_fields=["path"])

    @property
    def max_return_days(self) -> int | None:
        """What this category, or the nearest one above it that says so, shortens the return windows to, in days."""
        category: Category | None = self
        while category is not None:
            if category.return_days is not None:
                return category.return_days
            category = category.parent
        return None

    @property
    def depth(self) -> int:
        return self.path.count("/") + 1

    @property
    def shown_trail(self) -> list["Category"]:
        """This one and those above it, from the top, without the hidden ones and what is below them."""
        above = self.parent.shown_trail if self.parent else []
        is_below_hidden = self.parent is not None and (not above or above[-1].pk != self.parent.pk)
        return above if self.is_hidden or is_below_hidden else [*above, self]

    @property
    def trail(self) -> list["Category"]:
        """From the top to this one."""
        return [*(self.parent.trail if self.parent else ()), self]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(category.name for category in self.trail)

    def clean(self) -> None:
        parent, depth = self.parent, 1
        while parent is not None:
            depth += 1
            if parent.pk == self.pk or depth > MAX_CATEGORY_DEPTH:
                raise ValidationError(
                    {"parent": gettext("The tree has %(most)s levels and no loops.") % {"most": MAX_CATEGORY_DEPTH}}
                )
            parent = parent.parent


class Brand(TranslatedModel):
    ANNOUNCES = "shop"

    name = models.CharField(max_length=80, unique=True)
    slug = models.SlugField(max_length=80, unique=True)
    brand_image = models.ForeignKey(Picture, models.SET_NULL, null=True, blank=True, related_name="+")
    img_banner = models.ForeignKey(Picture, models.SET_NULL, null=True, blank=True, related_name="+")
    img_banner_m = models.ForeignKey(Picture, models.SET_NULL, null=True, blank=True, related_name="+")
    story = models.TextField(blank=True)
    position = models.PositiveSmallIntegerField(default=0)
    is_spotlight = models.BooleanField(default=False, help_text="Show in the Brand Spotlight row.")
    translations = TranslationsField("name", "story")

    class Meta:
        ordering = ["position", "name"]

    def __str__(self) -> str:
        return self.name


class HealthConcern(TranslatedModel):
    ANNOUNCES = "shop"

    name = models.CharField(max_length=80, unique=True)
    slug = models.SlugField(max_length=80, unique=True)
    image = models.ForeignKey(Picture, models.SET_NULL, null=True, blank=True, related_name="+")
    img_icon = models.ForeignKey(Picture, models.SET_NULL, null=True, blank=True, related_name="+")
    position = models.PositiveSmallIntegerField(default=0)
    translations = TranslationsField("name")

    class Meta:
        ordering = ["position", "name"]

    def __str__(self) -> str:
        return self.name


class Attribute(TranslatedModel):
    """What variants differ in: Size, Flavour, Pack."""

    ANNOUNCES = "shop"

    name = models.CharField(max_length=60, unique=True)
    slug = models.SlugField(max_length=60, unique=True)
    position = models.PositiveSmallIntegerField(default=0)
    translations = TranslationsField("name")

    class Meta:
        ordering = ["position", "name"]

    def __str__(self) -> str:
        return self.name


class AttributeValue(TranslatedModel):
    ANNOUNCES = "shop"

    attribute = models.ForeignKey(Attribute, models.CASCADE, related_name="values")
    value = models.CharField(max_length=80)
    unit = models.CharField(max_length=20, blank=True)
    position = models.PositiveSmallIntegerField(default=0)
    translations = TranslationsField("value", "unit")

    class Meta:
        ordering = ["attribute", "position", "value"]
        constraints = [models.UniqueConstraint(fields=["attribute", "value", "unit"], name="one_value_an_attribute")]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return f"{self.value} {self.unit}".strip()

    @property
    def shown_label(self) -> str:
        """The label in the active language."""
        value, unit = self.translated.value, self.translated.unit
        if isinstance(unit, Fallback):
            unit = unit_in_words(unit, int(value) if value.isdecimal() else SEVERAL)
        return f"{value} {unit}".strip()


class HsnCode(models.Model):
    """A heading of the Indian customs tariff; its GST rate is valid from a date."""

    code = models.CharField(max_length=8, primary_key=True)
    description = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["code"]
        verbose_name = "HSN code"

    def __str__(self) -> str:
        return self.code


class GstRate(models.Model):
    hsn = models.ForeignKey(HsnCode, models.CASCADE, related_name="rates")
    percent = models.DecimalField(max_digits=5, decimal_places=2)
    valid_from = models.DateField()

    class Meta:
        ordering = ["hsn", "-valid_from"]
        constraints = [models.UniqueConstraint(fields=["hsn", "valid_from"], name="one_gst_rate_a_day")]
        verbose_name = "GST rate"

    def __str__(self) -> str:
        return f"{self.percent}% from {self.valid_from}"


class ReturnReason(TranslatedModel):
    """Why a delivered article may come back, and until when. Product page, mails and form read these."""

    ANNOUNCES = "shop"

    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=80)
    days = models.PositiveSmallIntegerField(help_text="Days after delivery.")
    is_our_fault = models.BooleanField(default=True, help_text="Refund the shipping as well.")
    is_sent_back = models.BooleanField(
        default=True, help_text="Untick if there is nothing to pick up, such as a missing item."
    )
    needs_photo = models.BooleanField(default=False)
    is_restockable = models.BooleanField(
        "may be sold again",
        default=True,
        db_default=True,
        help_text="Untick if units tracked by batch are always written off, such as damaged ones.",
    )
    position = models.PositiveSmallIntegerField(default=0)
    is_active = models.BooleanField(default=True)
    translations = TranslationsField("name")

    class Meta:
        ordering = ["position", "id"]

    def __str__(self) -> str:
        return self.name

    @property
    def words(self) -> str:
        """Its name in the reader's language: as staff translated it, else where it is one that the shop began with."""
        name = self.translated.name
        return gettext(name) if isinstance(name, Fallback) else name


class Product(TranslatedModel):
    ANNOUNCES = "product"

    name = models.CharField(max_length=200)
    title = models.CharField(
        max_length=200, blank=True, help_text="Longer name for the product page. Leave blank to use the name."
    )
    slug = models.SlugField(max_length=200, unique=True)
    brand = models.ForeignKey(Brand, models.PROTECT, related_name="products")
    category = models.ForeignKey(Category, models.PROTECT, related_name="products")
    health_concerns = models.ManyToManyField(HealthConcern, blank=True, related_name="products")
    related_products = models.ManyToManyField("self", blank=True, symmetrical=False)
    highlight = models.TextField(blank=True)
    suited_for = models.TextField("who it's for", blank=True)
    dosage = models.TextField("how to use", blank=True)
    cautions = models.TextField(
        blank=True, help_text="Pregnancy, children, conditions and medicines to avoid it with, side effects."
    )
    storage = models.TextField(blank=True, help_text="How to store it, and how long it keeps once opened.")
    lab_certificate = models.FileField(
        upload_to=certificate_path,
        blank=True,
        max_length=100,
        validators=[check_certificate],
        help_text="The laboratory's test report, as a PDF. Shoppers can open it.",
    )
    meta_title = models.CharField(max_length=120, blank=True)
    meta_desc = models.CharField(max_length=300, blank=True)

    # Trade facts
    country_of_origin = models.CharField(
        max_length=2, blank=True, help_text="Two-letter country code. Leave blank if unknown."
    )
    maker = models.CharField("manufacturer", max_length=200, blank=True)
    importer = models.CharField(max_length=200, blank=True)
    licence_number = models.CharField(max_length=80, blank=True)
    hsn = models.ForeignKey(HsnCode, models.PROTECT, null=True, blank=True, related_name="products")
    shelf_life_months = models.PositiveSmallIntegerField(null=True, blank=True)
    is_returnable = models.BooleanField(default=True)
    is_prescription = models.BooleanField(
        default=False,
        help_text="Sold only in India, against a prescription. Without a pharmacy licence it's shown but not sold.",
    )
    schedule = models.CharField(
        max_length=2,
        choices=Schedule,
        blank=True,
        default="",
        db_default="",
        help_text="Of the Drugs Rules. Schedule X medicines and narcotics can't be published.",
    )

    # Of a medicine (composition/services.py)
    active_ingredients = models.JSONField(default=list, blank=True)  # [[name, strength], …] as the label says
    dosage_form = models.PositiveSmallIntegerField(choices=DosageForm, default=DosageForm.UNKNOWN)
    is_composition_confirmed = models.BooleanField(
        "composition is complete",
        default=False,
        help_text="Checked against the label: all active ingredients are listed. Shoppers then see other products with "
        "the same composition.",
    )
    composition_key = models.CharField(max_length=32, blank=True, editable=False, db_index=True)
    components_digest = models.CharField(max_length=32, blank=True, editable=False)

    dispatch_max_day = models.PositiveSmallIntegerField(default=2)
    buffer_delivery_day = models.PositiveSmallIntegerField(default=2)
    barred_locations = models.ManyToManyField(Location, blank=True, related_name="barred_products")

    is_published = models.BooleanField(default=False)
    is_pinned = models.BooleanField(default=False, help_text="Show first in Hot Selling.")
    published_at = models.DateTimeField(default=timezone.now)
    archived_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="Permanently off sale, but kept."
    )
    changed_at = models.DateTimeField(auto_now=True, db_index=True)
    handle = models.CharField(
        max_length=255, blank=True, db_index=True, help_text="Identifies the product in import files."
    )

    # What a card and a sort order need, kept by services.refresh_products.
    first_variant = models.ForeignKey("Variant", models.SET_NULL, null=True, editable=False, related_name="+")
    first_picture = models.ForeignKey(Picture, models.SET_NULL, null=True, editable=False, related_name="+")
    price_inr = models.DecimalField(max_digits=12, decimal_places=2, default=0, editable=False)
    discount = models.PositiveSmallIntegerField(default=0, editable=False)
    variant_count = models.PositiveSmallIntegerField(default=0, editable=False)
    in_stock = models.BooleanField(default=False, editable=False)
    popularity = models.PositiveIntegerField(default=0, editable=False, help_text="Units sold in the last 90 days.")

    # Kept by shop/reviews/ratings.py.
    rating = models.PositiveSmallIntegerField(
        default=0, db_default=0, editable=False, help_text="Average rating in hundredths of a star; 0: no reviews."
    )
    review_count = models.PositiveIntegerField(default=0, db_default=0, editable=False, help_text="Published reviews.")
    question_count = models.PositiveIntegerField(
        default=0, db_default=0, editable=False, help_text="Published questions."
    )

    translations = TranslationsField(
        *("name", "title", *PRODUCT_TEXTS, "meta_title", "meta_desc"),
        cleaned=dict.fromkeys(PRODUCT_TEXTS, clean_html),
    )
    objects = ProductQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        indexes = [
            models.Index(fields=["is_published", "-in_stock", "-popularity", "id"], name="product_popular"),
            models.Index(fields=["is_published", "-in_stock", "-published_at", "id"], name="product_newest"),
            models.Index(fields=["is_published", "-in_stock", "price_inr", "id"], name="product_price"),
            models.Index(fields=["is_published", "-in_stock", "-discount", "id"], name="product_discount"),
            models.Index(fields=["is_published", "-in_stock", "-rating", "-review_count", "id"], name="product_rating"),
            models.Index(fields=["category", "is_published"], name="product_of_category"),
            models.Index(fields=["name"], name="product_name"),
            models.Index(fields=["brand", "is_published"], name="product_of_brand"),
            models.Index(fields=["id"], condition=Q(is_pinned=True), name="product_pinned"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(schedule="") | Q(is_prescription=True), name="a_scheduled_medicine_needs_a_prescription"
            ),
            models.CheckConstraint(
                condition=~Q(schedule__in=NEVER_PUBLISHED) | Q(is_published=False),
                name="no_schedule_x_medicine_is_published",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def may_be_published(self) -> bool:
        """Neither archived nor of a schedule that is not sold."""
        return self.archived_at is None and self.schedule not in NEVER_PUBLISHED

    @property
    def shown_title(self) -> str:
        """Its longer name, or its name, in the active language; a translated name comes before an English title."""
        return unless_behind(self.translated.title, self.translated.name) or self.translated.name

    @property
    def shown_meta_title(self) -> str:
        return unless_behind(self.translated.meta_title, self.translated.name) or self.translated.name

    @property
    def shown_meta_desc(self) -> str:
        """For search engines: its own, else what stands out; empty where neither is in the language of its name."""
        texts = self.translated
        return unless_behind(texts.meta_desc, texts.name) or unless_behind(texts.highlight, texts.name)


class Variant(TranslatedModel):
    """What is bought: one size or flavour of a product, with its own price, stock and pictures.

    The actual price is the MRP. `received` = `on_hand` + `held` + `sold` at every commit; the
    stock columns are changed only by shop/catalog/stock/services.py.
    """

    product = models.ForeignKey(Product, models.CASCADE, related_name="variants")
    sku = models.CharField(max_length=100, unique=True)
    position = models.PositiveSmallIntegerField(default=0)
    is_active = models.BooleanField(default=True)
    selling_price = models.DecimalField("selling price (INR)", max_digits=12, decimal_places=2)
    actual_price = models.DecimalField("actual price, MRP (INR)", max_digits=12, decimal_places=2)
    max_purchase_qty = models.PositiveSmallIntegerField(
        default=4, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    description = models.TextField(blank=True, help_text="HTML; unsafe tags are removed.")
    ingredients = models.TextField(blank=True, help_text="Separate with commas.")
    nutritional_info_json = models.JSONField(default=dict, blank=True)
    composition_json = models.JSONField(default=dict, blank=True)
    attribute_values = models.ManyToManyField(AttributeValue, blank=True, related_name="variants")
    net_quantity = models.DecimalField(max_digits=10, decimal_places=2, null=True, blank=True)
    net_unit = models.CharField(max_length=20, blank=True, help_text="For example ml, g or tablets.")
    weight_actual = models.DecimalField("weight", max_digits=10, decimal_places=3, default=Decimal(0))
    weight_unit = models.CharField(max_length=4, default="g")
    barcode = models.CharField(max_length=40, blank=True)

    received = models.PositiveIntegerField(default=0, editable=False)
    on_hand = models.PositiveIntegerField(default=0, editable=False)
    held = models.PositiveIntegerField(default=0, editable=False)
    sold = models.PositiveIntegerField(default=0, editable=False)
    is_batched = models.BooleanField("tracked by batch", default=False, db_default=False, editable=False)
    unmet = models.PositiveIntegerField(
        default=0, db_default=0, editable=False, help_text="Reserved or sold units that no batch covers."
    )

    translations = TranslationsField("description", "ingredients", cleaned={"description": clean_html})
    objects = VariantQuerySet.as_manager()

    class Meta:
        ordering = ["product", "position", "id"]
        indexes = [models.Index(fields=["is_active", "on_hand"], name="variants_by_stock")]
        constraints = [
            models.CheckConstraint(
                condition=Q(selling_price__lte=F("actual_price"))
                & (Q(selling_price__gt=0) | Q(selling_price=0, is_active=False)),
                name="selling_price_within_mrp",
                violation_error_message="The selling price is at most the actual price (MRP), and more than 0 "
                "(a draft without a price is at 0 and not active).",
            ),
            models.CheckConstraint(condition=Q(received=F("on_hand") + F("held") + F("sold")), name="stock_adds_up"),
            models.CheckConstraint(condition=Q(on_hand__gte=0, held__gte=0, sold__gte=0), name="stock_never_negative"),
            models.CheckConstraint(condition=Q(unmet=0) | Q(on_hand=0), name="nothing_on_sale_while_units_are_unmet"),
        ]

    def __str__(self) -> str:
        return f"{self.product} ({self.sku})"

    @property
    def net_content(self) -> str:
        """Such as 500 g, its unit in the active language; empty where nobody said."""
        if not self.net_quantity:
            return ""
        return f"{self.net_quantity.normalize():f} {unit_in_words(self.net_unit, self.net_quantity)}".strip()


class VariantPrice(models.Model):
    """A fixed price for one location, in that location's own currency."""

    variant = models.ForeignKey(Variant, models.CASCADE, related_name="fixed_prices")
    location = models.ForeignKey(Location, models.CASCADE, related_name="+")
    selling_price = models.DecimalField(max_digits=12, decimal_places=3)
    actual_price = models.DecimalField(max_digits=12, decimal_places=3)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["variant", "location"], name="one_fixed_price_a_location"),
            models.CheckConstraint(
                condition=Q(selling_price__gt=0, selling_price__lte=F("actual_price")),
                name="fixed_price_within_actual",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.variant} in {self.location}"


class VariantImage(models.Model):
    variant = models.ForeignKey(Variant, models.CASCADE, related_name="variant_images")
    picture = models.ForeignKey(Picture, models.CASCADE, related_name="+")
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["variant_id", "position", "id"]
        constraints = [models.UniqueConstraint(fields=["variant", "picture"], name="a_picture_once_a_variant")]

    def __str__(self) -> str:
        return f"{self.variant} {self.position}"


class StockMovement(models.Model):
    """Why the stock of a variant changed; `reference` is an order number or a note."""

    class Kind(models.TextChoices):
        RECEIVED = "received"  # from the maker, or a correction
        HELD = "held", "Reserved"  # by an unpaid order
        RELEASED = "released"  # a hold given up
        SOLD = "sold"  # a hold paid for
        RETURNED = "returned"  # sold, and back on hand
        EARLIER = "earlier", "Sold earlier"  # sold before this shop counted; moves no stock, tells only what is popular

    variant = models.ForeignKey(Variant, models.CASCADE, related_name="movements")
    kind = models.CharField(max_length=8, choices=Kind)
    quantity = models.IntegerField()
    reference = models.CharField(max_length=80, blank=True, db_index=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["at", "kind"], name="stock_movement_at")]

    def __str__(self) -> str:
        return f"{self.kind} {self.quantity} of {self.variant_id}"


class OldSlug(models.Model):
    """A product's former address, redirected for ever."""

    slug = models.SlugField(max_length=200, unique=True)
    product = models.ForeignKey(Product, models.CASCADE, related_name="old_slugs")

    def __str__(self) -> str:
        return self.slug


class StockAlert(models.Model):
    """Somebody who wants one mail when a sold-out variant is back."""

    variant = models.ForeignKey(Variant, models.CASCADE, related_name="stock_alerts")
    email = models.EmailField(help_text="Normalised email address.")
    path = models.CharField(max_length=300, help_text="Path of the product page they were on, including the country.")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["variant", "email"], name="one_alert_a_variant_and_mailbox")]

    def __str__(self) -> str:
        return f"{self.email}: {self.variant_id}"


from .batches.models import Batch, BatchMovement  # noqa: E402, F401 (found by Django here)
from .composition.models import Component, Substance  # noqa: E402, F401 (found by Django here)
from .job_models import BulkChange, BulkChangeRow, ImportedChange, PictureAddress, ProductImport  # noqa: E402, F401 (found by Django here)
