from django.core.exceptions import ValidationError
from django.db import models

from shop.catalog.models import Product

from .text.normalization import MAX_QUERY_LENGTH, plain_words


class Document(models.Model):
    """The words of one product, field by field, cut and folded as text.py does. The database's own
    full-text index follows this table by itself: FTS5 through triggers, PostgreSQL through a generated
    column (migrations 0002 and 0003)."""

    product = models.OneToOneField(Product, models.CASCADE, primary_key=True, related_name="document")
    name = models.TextField()
    brand = models.TextField(blank=True)
    tags = models.TextField(blank=True, help_text="Categories and health concerns.")
    ingredients = models.TextField(blank=True, help_text="Ingredients and composition.")
    body = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.name


class Word(models.Model):
    """A word of products' names, brands, categories, concerns or ingredients, to mend typing errors with."""

    MAX_LENGTH = 40
    word = models.CharField(max_length=MAX_LENGTH, primary_key=True)

    def __str__(self) -> str:
        return self.word


class WordPart(models.Model):
    """Three neighbouring letters of a word."""

    word = models.ForeignKey(Word, models.CASCADE, related_name="parts")
    part = models.CharField(max_length=3, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["word", "part"], name="word_part_once")]

    def __str__(self) -> str:
        return self.part


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
            raise ValidationError({"term": "Write at least one letter."})


class SearchCount(models.Model):
    """How often words were searched for on one day; who searched is not kept (query_log.py)."""

    day = models.DateField()
    words = models.CharField(max_length=MAX_QUERY_LENGTH, help_text="In lower case, without accents or punctuation.")
    searches = models.PositiveIntegerField(default=0)
    results = models.PositiveIntegerField(help_text="Products found by the latest search.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["day", "words"], name="search_count_once_a_day")]
        indexes = [
            models.Index(fields=["-searches"], name="search_count_most"),
            models.Index(fields=["results", "day", "words", "searches"], name="search_count_in_vain"),
        ]
        verbose_name = "search"
        verbose_name_plural = "searches"

    def __str__(self) -> str:
        return self.words


class FacetSnapshot(models.Model):
    """The facet index of a large catalogue, for every process to load; one row (facet_store.py)."""

    version = models.PositiveIntegerField(help_text="Version of the data format.")
    data = models.BinaryField()
    made_at = models.DateTimeField(help_text="Includes everything saved before this time.")
    built_at = models.DateTimeField(help_text="When it was last rebuilt from the whole catalogue.")

    def __str__(self) -> str:
        return f"{len(self.data)} bytes of {self.made_at}"
