"""What buyers say of products: reviews with photos and votes, questions with answers.

States are changed by services.py and moderation/services.py alone; ratings.py keeps the product's figures in step.
"""

from django.core.files.storage import Storage, storages
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy

from shop.accounts.models import Customer
from shop.backoffice.actors import SHOP, ActorField
from shop.catalog.models import Product
from shop.messaging.languages import language_now
from shop.orders.models import Order, OrderLine

from .queries import ModeratedQuerySet

MIN_STARS, MAX_STARS = 1, 5
MAX_PHOTOS = 3


def private_files() -> Storage:
    return storages["private"]


class Moderated(models.Model):
    """A text by a customer that everybody reads once staff have let it pass."""

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("Waiting for approval")
        PUBLISHED = "published", gettext_lazy("Published")
        REFUSED = "refused", gettext_lazy("Not published")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")

    class Reason(models.TextChoices):
        """The only reasons for which staff may refuse; the author reads them."""

        ABUSE = "abuse", gettext_lazy("It contains abusive language.")
        PERSONAL = "personal", gettext_lazy("It contains personal data, such as a name, phone number or address.")
        OFF_TOPIC = "off_topic", gettext_lazy("It isn't about this product.")
        CLAIM = (
            "claim",
            gettext_lazy("It says that the product prevents or cures a disease for which the law forbids such claims."),
        )

    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    reason = models.CharField("reason for rejection", max_length=9, choices=Reason, blank=True)
    author_name = models.CharField(
        max_length=60, blank=True, help_text="As shoppers read it; blank: a deleted account."
    )
    language = models.CharField(max_length=8, default=language_now, db_default="en", editable=False)
    created_at = models.DateTimeField("written", default=timezone.now)
    submitted_at = models.DateTimeField(default=timezone.now, help_text="When it last came in to be approved.")
    revision = models.PositiveIntegerField(
        default=0, help_text="Change counter: detects edits made since a form was opened."
    )
    published_at = models.DateTimeField(
        "first published",
        null=True,
        blank=True,
        editable=False,
        help_text="After this the author can only withdraw it.",
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = ActorField(default=SHOP)

    objects = ModeratedQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def is_published(self) -> bool:
        return self.state == self.State.PUBLISHED

    @property
    def is_taken_down(self) -> bool:
        """Whether it was refused after everybody could read it."""
        return self.state == self.State.REFUSED and self.published_at is not None


class Review(Moderated):
    """By the buyer of a delivered order line, one a line, so each of them is verified."""

    product = models.ForeignKey(Product, models.CASCADE, related_name="reviews")
    line = models.OneToOneField(OrderLine, models.CASCADE, related_name="review")
    author = models.ForeignKey(Customer, models.SET_NULL, null=True, blank=True, related_name="reviews")
    stars = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=120)
    text = models.TextField(max_length=4000)
    helpful = models.PositiveIntegerField(default=0, help_text="Customers who found it helpful.")

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["product", "state", "-helpful", "-created_at"], name="reviews_most_helpful"),
            models.Index(fields=["product", "state", "stars", "-created_at"], name="reviews_by_stars"),
            models.Index(fields=["submitted_at"], condition=Q(state="waiting"), name="reviews_waiting"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(stars__gte=MIN_STARS, stars__lte=MAX_STARS), name="a_review_has_one_to_five_stars"
            ),
            models.CheckConstraint(
                condition=Q(state="refused", reason__gt="") | (~Q(state="refused") & Q(reason="")),
                name="a_refused_review_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stars} of {MAX_STARS}: {self.title}"

    @property
    def is_open(self) -> bool:
        """Whether its author may still change it: never again once it was published."""
        return self.state in (self.State.WAITING, self.State.REFUSED) and self.published_at is None

    @property
    def rating(self) -> int:
        """Its stars in hundredths, as a product's average is counted."""
        return self.stars * 100


class ReviewPhoto(models.Model):
    """Encoded anew, and private like the review until that is published."""

    review = models.ForeignKey(Review, models.CASCADE, related_name="photos")
    file = models.FileField(storage=private_files, upload_to="reviews/", max_length=100)
    thumbnail = models.FileField(storage=private_files, upload_to="reviews/", max_length=100)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"Photo {self.pk}"


class HelpfulVote(models.Model):
    review = models.ForeignKey(Review, models.CASCADE, related_name="votes")
    customer = models.ForeignKey(Customer, models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["review", "customer"], name="one_vote_a_customer")]

    def __str__(self) -> str:
        return f"{self.customer_id} for {self.review_id}"


class Question(Moderated):
    """About a product, by somebody who was signed in."""

    product = models.ForeignKey(Product, models.CASCADE, related_name="questions")
    author = models.ForeignKey(Customer, models.SET_NULL, null=True, blank=True, related_name="questions")
    text = models.TextField(max_length=600)

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["product", "state", "-created_at"], name="questions_of_product"),
            models.Index(fields=["submitted_at"], condition=Q(state="waiting"), name="questions_waiting"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="refused", reason__gt="") | (~Q(state="refused") & Q(reason="")),
                name="a_refused_question_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Answer(Moderated):
    """To a question, by a buyer of the product or by staff."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="answers")
    author = models.ForeignKey(Customer, models.SET_NULL, null=True, blank=True, related_name="answers")
    is_staff = models.BooleanField("by staff", default=False)
    text = models.TextField(max_length=2000)

    class Meta:
        ordering = ["-is_staff", "created_at", "id"]
        indexes = [models.Index(fields=["submitted_at"], condition=Q(state="waiting"), name="answers_waiting")]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="refused", reason__gt="") | (~Q(state="refused") & Q(reason="")),
                name="a_refused_answer_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]

    @property
    def product(self) -> Product:
        return self.question.product

    @property
    def product_id(self) -> int:
        return self.question.product_id


class ReviewInvitation(models.Model):
    """An order whose buyer was asked for reviews: once."""

    order = models.OneToOneField(Order, models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"Invitation for {self.order_id}"


class InvitationRefusal(models.Model):
    """A customer who wants no more invitations to review."""

    customer = models.OneToOneField(Customer, models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"No invitations for {self.customer_id}"
