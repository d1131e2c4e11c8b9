"""Extensible answers: each feature may add a section, such as the groups on the first page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_type_hints

import msgspec

from ziggurat.server.domain.people import Person
from ziggurat.server.feature import Section, features
from ziggurat.server.services.rate_limits import LoopShare
from ziggurat.server.services.table_service import TableService

F = TypeVar("F", bound=Callable[..., Any])


def sections_of(answer: str) -> list[Section]:
    """Return the sections of an answer, in the order of their features."""
    return [feature.sections[answer] for feature in features() if answer in feature.sections]


def with_sections(answer: str, base: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """Return a struct extended by the sections of an answer as fields. For a newcomer they are empty."""
    own = list(get_type_hints(base, include_extras=True).items())
    more = [(section.name, section.type) for section in sections_of(answer)]
    return msgspec.defstruct(base.__name__, [*own, *more], namespace={"__doc__": base.__doc__}, module=base.__module__)


def answers(form: type[msgspec.Struct]) -> Callable[[F], F]:
    """Declare the answer of a handler whose form depends on the installed features."""

    def declare(handler: F) -> F:
        handler.__annotations__["return"] = form
        return handler

    return declare


async def read_sections(
    answer: str, table_service: TableService, person: Person | None, share: LoopShare
) -> Mapping[str, Any]:
    """Return the sections of an answer for a person, by the names of their fields; None: for a newcomer."""
    return {
        section.name: await section.read(table_service, person, share) if person is not None else []
        for section in sections_of(answer)
    }
