"""What a shop that takes real orders must be configured with before web, worker or clock start."""

import logging
import os
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from stdnum.gb import vat

from shop.commands import ShopCommand
from shop.invalidation.cdn.registry import current_cdn
from shop.payments.providers.registry import PROVIDERS

logger = logging.getLogger("shop.startup")
MAIL_SERVER = "shop.messaging.channels.mail.SmtpBackend"


class ServingCommand(ShopCommand):
    """A command that serves customers: it says what is missing and ends, outside demo and debug."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            assert_configured()
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
        return super().execute(*args, **options)


def assert_configured() -> None:
    """Asks the settings alone, not the database. Outside demo and debug it raises ImproperlyConfigured with
    everything that is missing, and names in the log what is allowed to be missing."""
    if settings.DEMO or settings.DEBUG or settings.TESTING:
        return
    if missing := [*_missing_identity(), *_wrong_tax_numbers(), *_missing_payment(), *_missing_mail(), *_missing_cdn()]:
        raise ImproperlyConfigured(f"Set {', '.join(missing)} before serving, or use `make serve` for the demo shop.")
    for warning in _warnings():
        logger.warning(warning)


def _missing_identity() -> Iterator[str]:
    if not os.environ.get("SECRET_KEY", "").strip():
        yield "SECRET_KEY"
    if not os.environ.get("SHOP_URL", "").strip() or not settings.SHOP_HOST:
        yield "SHOP_URL"
    elif not (settings.HTTPS or settings.ALLOW_HTTP):
        yield "SHOP_URL to an https address (ALLOW_HTTP=1 allows http)"


def _wrong_tax_numbers() -> Iterator[str]:
    if settings.UK_VAT_NUMBER and not vat.is_valid(settings.UK_VAT_NUMBER):
        yield "UK_VAT_NUMBER to a valid UK VAT number (or remove it)"


def _missing_payment() -> Iterator[str]:
    """A shop whose every provider needs no keys, such as cash on delivery, needs none."""
    for provider in PROVIDERS:
        if provider.is_enabled:
            yield from provider.missing_settings()


def _missing_mail() -> Iterator[str]:
    has_server = settings.EMAIL_BACKEND == MAIL_SERVER and settings.EMAIL_HOST
    if not (has_server or settings.ALLOW_NO_MAIL):
        yield "EMAIL_URL to a mail server (ALLOW_NO_MAIL=1 keeps emails as files)"
    if settings.CONSOLE_CHANNEL in settings.MESSAGE_CHANNELS.values():
        yield "MESSAGE_CHANNELS to channels that do not print one-time codes"


def _missing_cdn() -> Iterator[str]:
    if cdn := current_cdn():
        yield from cdn.missing_settings()


def _warnings() -> Iterator[str]:
    if settings.ALLOW_HTTP:
        yield "ALLOW_HTTP is set: the shop may be served without https, so cookies can be read in transit."
    if settings.ALLOW_NO_MAIL:
        yield "ALLOW_NO_MAIL is set: without EMAIL_URL no email is sent, including codes."
    for provider in PROVIDERS:
        yield from provider.setting_warnings()
