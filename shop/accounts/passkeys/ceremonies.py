"""The two ceremonies of WebAuthn, making a passkey and signing with it, by python-fido2.

The state of a ceremony lies in the session; whoever finishes takes it out first, so that it is good for one answer.
Finishing raises one of services.MALFORMED where the answer does not prove true.
"""

from typing import Any

from allauth.account.utils import url_str_to_user_pk
from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from fido2.server import Fido2Server
from fido2.utils import websafe_decode
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticatorData,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    RegistrationResponse,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from ..models import Customer

STATE = "mfa.webauthn.state"  # key in the session


def start_registration(customer: Customer) -> dict[str, Any]:
    options, state = _server().register_begin(
        user=PublicKeyCredentialUserEntity(**get_adapter().get_public_key_credential_user_entity(customer)),
        credentials=[_key_of(passkey) for passkey in _passkeys(customer.pk)],
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=UserVerificationRequirement.REQUIRED,
        extensions={"credProps": True},
    )
    context.request.session[STATE] = state
    return dict(options)


def finish_registration(credential: dict[str, Any]) -> AuthenticatorData:
    return _server().register_complete(_take_state(), credential)


def start_authentication() -> dict[str, Any]:
    """For everybody: the passkey itself tells whose it is."""
    options, state = _server().authenticate_begin(user_verification=UserVerificationRequirement.REQUIRED)
    context.request.session[STATE] = state
    return dict(options)


def finish_authentication(credential: dict[str, Any]) -> Authenticator:
    """The passkey that signed."""
    state = _take_state()
    owner = url_str_to_user_pk(websafe_decode(credential["response"]["userHandle"]).decode())
    passkeys = _passkeys(owner)
    keys = [_key_of(passkey) for passkey in passkeys]
    return passkeys[keys.index(_server().authenticate_complete(state, keys, credential))]


def _server() -> Fido2Server:
    return Fido2Server(PublicKeyCredentialRpEntity(**get_adapter().get_public_key_credential_rp_entity()))


def _take_state() -> Any:
    state = context.request.session.pop(STATE, None)
    if not state:
        raise ValueError("No ceremony was begun.")
    return state


def _passkeys(customer_id: int) -> list[Authenticator]:
    return list(Authenticator.objects.filter(user_id=customer_id, type=Authenticator.Type.WEBAUTHN))


def _key_of(passkey: Authenticator) -> AttestedCredentialData:
    kept = RegistrationResponse.from_dict(passkey.data["credential"])
    key = kept.response.attestation_object.auth_data.credential_data
    if key is None:
        raise ValueError("A passkey without a key.")
    return key
