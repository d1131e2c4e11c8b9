"""Passkeys (WebAuthn, level 2): the options sent to browsers, and the verification of their answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec

from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.domain.people import Person
from ziggurat.server.problems import Problem

# `webauthn` is imported where it is needed: it brings all of cryptography, and most visitors need none of it.

T = TypeVar("T")
Base64Url = Annotated[str, msgspec.Meta(max_length=8000)]
"""Bytes in base64url. We ask for no attestation: what is longer is none of ours."""


class Response(msgspec.Struct, omit_defaults=True):
    """An authenticator's response; the second field comes at the creation, the others at a sign-in."""

    clientDataJSON: Base64Url
    attestationObject: Base64Url | None = None
    authenticatorData: Base64Url | None = None
    signature: Base64Url | None = None


class CredentialResponse(msgspec.Struct):
    """A public-key credential, as browsers write it."""

    id: Annotated[str, msgspec.Meta(max_length=1400)]
    rawId: Annotated[str, msgspec.Meta(max_length=1400)]
    type: str
    response: Response


class _Credential(msgspec.Struct):
    """The client data of a credential, of which the challenge is read."""

    challenge: Annotated[str, msgspec.Meta(max_length=100)]


class NewPasskey(NamedTuple):
    """A new passkey: its id in base64url, its public key, and its signature counter."""

    id: str
    public_key: bytes
    signed: int


def refused() -> Problem:
    """Return the refusal of an invalid answer, whatever is wrong with it."""
    return Problem(403, "bad_passkey", "This passkey's answer does not hold; begin again.")


def _relying_party(request: AnyRequest) -> tuple[str, str]:
    """Return our relying party id and origin, as the browser sees them. `SecurityMiddleware` has checked both."""
    host = request.headers.get("host", "")
    name = urlsplit(f"//{host}").hostname or ""
    return name, f"{request.url.scheme}://{host}"


def creation_options(request: AnyRequest, person: Person, challenge: bytes, known: list[str]) -> dict[str, Any]:
    """Return the options for a new passkey; a device that has one of these already creates none."""
    from webauthn import base64url_to_bytes, generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    name, _ = _relying_party(request)
    options = generate_registration_options(
        rp_id=name,
        rp_name="Ziggurat",
        user_id=person.id.encode(),
        user_name=person.name or name,
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(id)) for id in known],
    )
    found: dict[str, Any] = json.loads(options_to_json(options))
    return found


def request_options(request: AnyRequest, challenge: bytes) -> dict[str, Any]:
    """Return the options for signing in by any passkey of ours."""
    from webauthn import generate_authentication_options, options_to_json

    name, _ = _relying_party(request)
    found: dict[str, Any] = json.loads(
        options_to_json(generate_authentication_options(rp_id=name, challenge=challenge))
    )
    return found


def challenge_of(credential: CredentialResponse) -> bytes:
    """Return the challenge that an answer claims to answer. Raises Problem."""
    from webauthn import base64url_to_bytes

    try:
        told = msgspec.json.decode(base64url_to_bytes(credential.response.clientDataJSON), type=_Credential)
        return base64url_to_bytes(told.challenge)
    except (ValueError, RecursionError, msgspec.DecodeError):
        raise refused() from None


def verify_creation(request: AnyRequest, credential: CredentialResponse, challenge: bytes) -> NewPasskey:
    """Return the passkey that a browser has created. Raises Problem for an invalid answer."""
    from webauthn import verify_registration_response
    from webauthn.helpers import bytes_to_base64url

    found = _verified(verify_registration_response, request, credential, challenge)
    return NewPasskey(bytes_to_base64url(found.credential_id), found.credential_public_key, found.sign_count)


def verify_answer(
    request: AnyRequest, credential: CredentialResponse, challenge: bytes, public_key: bytes, signed: int
) -> int:
    """Return a passkey's new signature counter. Raises Problem for an invalid answer."""
    from webauthn import verify_authentication_response

    known: dict[str, Any] = {"credential_public_key": public_key, "credential_current_sign_count": signed}
    return _verified(partial(verify_authentication_response, **known), request, credential, challenge).new_sign_count


def _verified(verify: Callable[..., T], request: AnyRequest, credential: CredentialResponse, challenge: bytes) -> T:
    name, origin = _relying_party(request)
    answer = msgspec.to_builtins(credential)
    try:
        return verify(credential=answer, expected_challenge=challenge, expected_rp_id=name, expected_origin=origin)
    except Exception:  # it reads what a stranger wrote, and raises whatever it stumbles over
        raise refused() from None
