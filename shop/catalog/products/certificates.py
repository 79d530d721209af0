"""The laboratory's certificate of a product: a PDF that shoppers may open."""

from hashlib import sha256
from typing import Any

from django.core.exceptions import ValidationError
from django.core.files.base import File
from django.utils.translation import gettext

MAX_BYTES = 5 * 1024 * 1024
PDF = b"%PDF-"


def certificate_path(product: Any, name: str) -> str:
    """Named by its content, so that it may be kept for ever."""
    file = product.lab_certificate
    file.seek(0)
    digest = sha256(file.read()).hexdigest()
    file.seek(0)
    return f"certificates/{digest[:32]}.pdf"


def check_certificate(file: "File[bytes]") -> None:
    """Raises ValidationError for what is no PDF, or too large a one."""
    if (file.size or 0) > MAX_BYTES:
        raise ValidationError(gettext("A certificate can be up to %(most)s MB.") % {"most": MAX_BYTES // 1024 // 1024})
    file.seek(0)
    if file.read(len(PDF)) != PDF:
        raise ValidationError(gettext("A certificate is a PDF file."))
    file.seek(0)
