from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext

from shop.translated import TranslatedModel, TranslationsField

from .text.normalization import MAX_QUERY_LENGTH, plain_words


class Document(models.Model):
    """What the version before searched. Its processes go on writing it while this version is being started; the table
    goes with the next version."""

    product = models.OneToOneField("catalog.Product", models.CASCADE, primary_key=True, related_name="document")
    name = models.TextField()
    brand = models.TextField(blank=True)
    tags = models.TextField(blank=True, help_text="Categories and health concerns.")
    ingredients = models.TextField(blank=True, help_text="Ingredients and composition.")
    body = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.name


class SynonymGroup(models.Model):
    """Terms that mean the same: who searches for one finds the others too, after it."""

    note = models.CharField(max_length=200, blank=True, help_text="For staff only; shoppers never see it.")

    def __str__(self) -> str:
        return ", ".join(term.term for term in self.terms.all()) or "Empty group"


class SynonymTerm(models.Model):
    ANNOUNCES = "shop"

    group = models.ForeignKey(SynonymGroup, models.CASCADE, related_name="terms")
    term = models.CharField(max_length=100, db_index=True, help_text="One to four words, in any script.")

    class Meta:
        ordering = ("id",)
        constraints = [models.UniqueConstraint(fields=["group", "term"], name="synonym_once_in_group")]

    def __str__(self) -> str:
        return self.term

    def clean(self) -> None:
        self.term = plain_words(self.term)
        if not self.term:
            raise ValidationError({"term": gettext("Write at least one letter.")})


class Need(TranslatedModel):
    """What people ask for in their own words (hair fall, kabz, bp machine), and what is apt for it."""

    ANNOUNCES = "shop"

    name = models.CharField(max_length=80, unique=True, help_text="Shoppers read it: Picked for “Hair fall”.")
    concern = models.SlugField(max_length=80, blank=True, help_text="The page we point shoppers to.")
    phrases = models.TextField(
        "what shoppers type",
        help_text="One per line, in any language. Leave out words such as “medicine” or “for”.",
    )
    kinds = models.TextField(
        "show first",
        blank=True,
        help_text="One per line, best first. A product matches if its name or category contains these words together. "
        "Leave empty to recommend nothing.",
    )
    also = models.TextField("show after those", blank=True, help_text="One per line: less suitable, but still useful.")
    exclusions = models.TextField(
        "never show",
        blank=True,
        help_text="One per line. Products with these words in their name, category or composition are left out.",
    )
    is_active = models.BooleanField("active", default=True)

    translations = TranslationsField("name")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class SearchCount(models.Model):
    """How often words were searched for on one day; who searched is not kept (query_log.py)."""

    day = models.DateField()
    words = models.CharField(max_length=MAX_QUERY_LENGTH, help_text="In lower case, without accents or punctuation.")
    country = models.CharField(max_length=2, blank=True, db_default="", help_text="Delivery country.")
    searches = models.PositiveIntegerField(default=0)
    clicks = models.PositiveIntegerField(db_default=0, help_text="Searches after which a product was opened.")
    results = models.PositiveIntegerField(help_text="Products found by the latest search.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["day", "words", "country"], name="search_count_once_a_day")]
        indexes = [
            models.Index(fields=["-searches"], name="search_count_most"),
            models.Index(fields=["results", "day", "words", "searches"], name="search_count_in_vain"),
        ]
        verbose_name = "search"
        verbose_name_plural = "searches"

    def __str__(self) -> str:
        return self.words


class SearchChange(models.Model):
    """How often on one day shoppers opened nothing of what these words found, and searched for others within minutes:
    perhaps they mean the same, or the first lack a need. Who searched is not kept."""

    day = models.DateField()
    words = models.CharField(max_length=MAX_QUERY_LENGTH)
    changed_to = models.CharField(max_length=MAX_QUERY_LENGTH)
    times = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["day", "words", "changed_to"], name="search_change_once_a_day")]
        verbose_name = "changed search"
        verbose_name_plural = "changed searches"

    def __str__(self) -> str:
        return f"{self.words} → {self.changed_to}"


class IndexSnapshot(models.Model):
    """An index of a large catalogue, for every process to load (snapshots.py)."""

    name = models.CharField(max_length=20, unique=True, help_text="Which index.")
    version = models.PositiveIntegerField(help_text="Version of the data format.")
    data = models.BinaryField()
    made_at = models.DateTimeField(help_text="Includes everything saved before this time.")
    built_at = models.DateTimeField(help_text="When it was last rebuilt from the whole catalogue.")

    def __str__(self) -> str:
        return f"{self.name}: {len(self.data)} bytes of {self.made_at}"
