"""One-time codes in tests, however many digits they have."""

import re

from shop.accounts.otp.services import OTP_DIGITS

SOME_CODE = "0" * OTP_DIGITS
IN_TEXT = re.compile(rf"\b\d{{{OTP_DIGITS}}}\b")


def code_in(text: str) -> str:
    """The code that a message tells."""
    return IN_TEXT.findall(text)[0]


def other_code(*codes: str, turn: int = 1) -> str:
    """A code that is none of these: the `turn`th after the first."""
    for step in range(turn, turn + len(codes) + 1):
        guess = f"{(int(codes[0]) + step) % 10**OTP_DIGITS:0{OTP_DIGITS}}"
        if guess not in codes:
            return guess
    raise AssertionError("no code is left")
