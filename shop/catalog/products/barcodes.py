"""Which barcodes are trade item numbers known everywhere (GTIN)."""

LENGTHS = (8, 12, 13, 14)


def gtin_of(barcode: str) -> str:
    """The barcode where it is a GTIN with a right check digit, else an empty string."""
    digits = barcode.strip()
    if len(digits) not in LENGTHS or not (digits.isascii() and digits.isdigit()):
        return ""
    weighted = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(reversed(digits)))
    return "" if weighted % 10 or not int(digits) else digits
