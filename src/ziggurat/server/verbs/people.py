"""Who somebody is, and what their name may be."""

from __future__ import annotations

import hashlib
import unicodedata

import msgspec

from ziggurat.server.problems import Problem

NAME_LENGTH = 30


class Person(msgspec.Struct, frozen=True):
    """Somebody who came by; `id` is not a secret, the token is."""

    id: str
    name: str
    language: str


HOUSE = Person("house", "", "en")
"""The host of tables that whoever runs the server lays out. Nobody has its token."""


def hashed(secret: str) -> str:
    """Return what the database keeps of a secret. The secrets are random and long, so one plain SHA-256 is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def clean_name(name: str) -> str:
    """Return a name fit to be shown, or refuse it."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if any(unicodedata.category(letter) in ("Cc", "Cf", "Co", "Cs", "Cn") for letter in name):
        raise Problem(400, "bad_name", "A name is made of visible characters.")
    if not 1 <= len(name) <= NAME_LENGTH:
        raise Problem(400, "bad_name", f"A name has 1 to {NAME_LENGTH} characters.", max=NAME_LENGTH)
    return name
