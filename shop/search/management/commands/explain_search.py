"""Tell how a search was understood: each step, what it looked for, how many products it found, and their scores."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from shop.catalog.models import Product
from shop.commands import ShopCommand

from ...engines.services import explain
from ...text.matching import Step
from ...text.ranking import Group

MAX_ALTERNATIVES = 8
TIERS = ("in this order", "typed", "same meaning", "elsewhere", "begins so", "begins so, elsewhere")


class Command(ShopCommand):
    help = "Show how the search understands some words, and why products stand where they do."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("words")
        parser.add_argument("--products", type=int, default=10, help="How many products to show.")

    def handle(self, *args: Any, **options: Any) -> None:
        explanation = explain(options["words"])
        found, scored = explanation.found, explanation.scores
        if found.is_makeshift:
            raise CommandError("There is no word index yet; the clock makes it within a minute.")
        for number, step in enumerate(found.steps, 1):
            self._show(number, step)
        for label, text in (("meant", found.meant), ("left out", ", ".join(found.left_out)), ("absent", found.absent)):
            if text:
                self.stdout.write(f"{label}: {text}")
        if found.need:
            self.stdout.write(f"need: {found.need.name}")
        if found.close is not None:
            self.stdout.write(f"the first {found.close} match as asked for, the others less")
        self.stdout.write(f"{len(found.ids)} products")
        products = Product.objects.in_bulk(found.ids[: options["products"]])
        for pk in found.ids[: options["products"]]:
            tier, score = scored.get(pk, (None, None))
            how = f"{TIERS[tier]:<22}{score:8.3f}" if tier is not None else f"{'from a wider step':<30}"
            self.stdout.write(f"  {how}  {products[pk].name}")

    def _show(self, number: int, step: Step) -> None:
        self.stdout.write(f"{number}. {step.what}: {step.found} products")
        for group in step.groups:
            self.stdout.write(f"     {' '.join(group.typed)}{' (a substance)' if group.is_substance else ''}")
            self.stdout.write(f"       {_alternatives(group)}")


def _alternatives(group: Group) -> str:
    texts = [
        f"{' + '.join('/'.join(forms[:3]) for forms in one.words)} x{one.factor:.2f}" for one in group.alternatives
    ]
    more = len(texts) - MAX_ALTERNATIVES
    return ", ".join(texts[:MAX_ALTERNATIVES]) + (f", and {more} more" if more > 0 else "")
