"""A passkey in software, for tests without a browser."""

import json
from dataclasses import dataclass, field
from hashlib import sha256
from os import urandom

from allauth.mfa.models import Authenticator
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

ORIGIN = "http://localhost"
PRESENT, VERIFIED, WITH_KEY = 0x01, 0x04, 0x40


@dataclass
class Passkey:
    """What a device holds for one account: `make` and `sign` answer the options of the two ceremonies."""

    origin: str = ORIGIN
    verifies: bool = True  # asks for a fingerprint or a PIN
    id: bytes = field(default_factory=lambda: urandom(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    owner: str = ""

    def make(self, options):
        self.owner = options["user"]["id"]
        public = AttestedCredentialData.create(b"\0" * 16, self.id, ES256.from_cryptography_key(self.key.public_key()))
        seen = self._seen(options["rp"]["id"], WITH_KEY, public)
        return self._credential(
            clientDataJSON=self._client_data("webauthn.create", options),
            attestationObject=bytes(AttestationObject.create("none", seen, {})),
        )

    def sign(self, options):
        seen, client_data = self._seen(options["rpId"]), self._client_data("webauthn.get", options)
        signature = self.key.sign(bytes(seen) + sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return self._credential(
            clientDataJSON=client_data,
            authenticatorData=bytes(seen),
            signature=signature,
            userHandle=websafe_decode(self.owner),
        )

    def _seen(self, host, flags=0, key=b""):
        flags |= PRESENT | (VERIFIED if self.verifies else 0)
        return AuthenticatorData.create(sha256(host.encode()).digest(), flags, 0, key)

    def _client_data(self, kind, options):
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin}).encode()

    def _credential(self, **response):
        name = websafe_encode(self.id)
        encoded = {part: websafe_encode(value) for part, value in response.items()}
        return {"id": name, "rawId": name, "type": "public-key", "response": encoded}


def kept_passkey(customer, name="My phone"):
    """A passkey of a customer, as the shop keeps it."""
    asked = {"rp": {"id": "localhost"}, "user": {"id": "1"}, "challenge": "AAAA"}
    kept = {"name": name, "credential": Passkey().make(asked)}
    return Authenticator.objects.create(user=customer, type=Authenticator.Type.WEBAUTHN, data=kept)
