"""What browsers answer to a ceremony with a passkey, with the field names of WebAuthn; bytes travel as base64url."""

from typing import Annotated, Any, Literal

from ninja import Schema

from shop.http.api import Body, text

Id = Annotated[str, text(1400, min_length=1)]
Bytes = Annotated[str, text(4000, min_length=1)]


class Begin(Body):
    """A ceremony begins with nothing but the wish for it."""


class Signature(Body):
    clientDataJSON: Bytes  # noqa: N815
    authenticatorData: Bytes  # noqa: N815
    signature: Bytes
    userHandle: Id  # noqa: N815


class NewKey(Body):
    clientDataJSON: Bytes  # noqa: N815
    attestationObject: Annotated[str, text(40_000, min_length=1)]  # noqa: N815


class SignedChallenge(Body):
    id: Id
    rawId: Id  # noqa: N815
    type: Literal["public-key"]
    response: Signature


class MadeKey(Body):
    id: Id
    rawId: Id  # noqa: N815
    type: Literal["public-key"]
    response: NewKey


class PasskeySignIn(Body):
    credential: SignedChallenge


class AddPasskey(Body):
    name: Annotated[str, text(200)]
    credential: MadeKey


class PasskeyOptions(Schema):
    """What navigator.credentials takes."""

    publicKey: dict[str, Any]  # noqa: N815


class PasskeySignedIn(Schema):
    next: str
