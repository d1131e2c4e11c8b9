"""What a result was made with."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest

import ziggurat
from ziggurat.core.actions import Choice, IntRange, Names, Space
from ziggurat.core.errors import UnknownGame


class Pay(Choice, frozen=True, kw_only=True):
    type: Literal["pay"] = "pay"
    value: Annotated[int, IntRange(3)]


class Lay(Choice, frozen=True, kw_only=True):
    type: Literal["lay"] = "lay"
    what: Annotated[str, Names(("coin", "card"))]


class Lent(Choice, frozen=True, kw_only=True):
    type: Literal["lay"] = "lay"
    what: Annotated[str, Names(("card", "coin"))]


def digest(*structs: type[Choice]) -> str:
    space = Space("'pay 1'")
    for struct in structs:
        space.add(struct)
    return space.digest


def test_actions_that_mean_something_else_have_another_digest() -> None:
    found = [digest(Pay, Lay), digest(Lay, Pay), digest(Pay, Lent), digest(Pay)]
    assert len({*found}) == 4
    assert digest(Pay, Lay) == found[0]


@pytest.mark.parametrize("game", ziggurat.registered_games())
def test_a_game_says_all_of_them(game: str) -> None:
    chosen = ziggurat.game(game)
    made_with = ziggurat.versions(game)
    assert made_with == ziggurat.versions(chosen, chosen.components)
    assert all(made_with.values())
    assert (made_with["game"], made_with["rules"]) == (game, chosen.version)


def test_other_games_have_other_versions() -> None:
    names = list(ziggurat.registered_games())
    for key in ("components", "actions", "observations"):
        assert len({ziggurat.versions(name)[key] for name in names}) == len(names)


def test_an_unknown_game_has_none() -> None:
    with pytest.raises(UnknownGame):
        ziggurat.versions("chess")
