"""An authenticator app in software."""

import time
from base64 import b32decode

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

STEP = 30


def digits_of(secret: str, *, later: int = 0) -> str:
    """What the app shows now, or `later` steps of 30 seconds from now."""
    return TOTP(b32decode(secret), 6, SHA1(), STEP).generate(time.time() + later * STEP).decode()
