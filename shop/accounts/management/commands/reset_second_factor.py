from typing import Any

from django.core.management.base import CommandError, CommandParser

from shop.commands import ShopCommand
from shop.errors import Invalid

from ...contact_points import canonical_email
from ...models import Customer
from ...second_factor.services import reset_second_factor


class Command(ShopCommand):
    help = "Remove the app and passkeys of someone who lost them. They set up new ones at the next sign-in."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            customer = Customer.objects.filter(email=canonical_email(options["email"])).first()
        except Invalid as error:
            raise CommandError(error.message) from error
        if customer is None:
            raise CommandError("No account has this email address.")
        reset_second_factor(customer)
        self.stdout.write(f"{customer.email} will be asked to set up two-step verification at the next sign-in.")
