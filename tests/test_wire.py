"""The page's types, written from the structs that travel to it."""

from __future__ import annotations

import sys
import typing
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from tests.core.lotus import GAME

from ziggurat.core.actions import Choice

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
import web
import wire

Mood = Literal["calm", "wild"]


class Inner(msgspec.Struct, tag="inner"):
    """Something within, or None.

    Attributes:
        mood: how it is.
    """

    mood: Mood | None
    pair: tuple[int, str] = (1, "")
    many: list[int | None] = []


class Outer(Inner, tag="outer"):
    from_: int = msgspec.field(name="from", default=0)
    """Where it begins."""
    stored: Annotated[dict[str, Any], Inner] = {}
    known: bool | msgspec.UnsetType = msgspec.UNSET
    counts: dict[Mood, int] = {}


class Short(msgspec.Struct):
    from_: Mood = msgspec.field(name="from")
    to: int | msgspec.UnsetType = msgspec.UNSET


class Shorter(msgspec.Struct, tag="shorter"):
    to: int


class Asked(msgspec.Struct):
    legal: list[Choice]


class Jump(Choice, frozen=True, kw_only=True):
    type: Literal["jump"] = "jump"
    far: Annotated[int, ["what else is said of a field is no business of the page"]]


def written(*structs: wire.Struct, asked: tuple[wire.Struct, ...] = ()) -> str:
    return wire.Types(wire.named(structs, {}), asked).body(structs)


def test_a_struct_becomes_an_interface_or_a_type_on_one_line() -> None:
    assert (
        written(Inner, Outer, Short, Shorter)
        == """\
export type Mood = 'calm' | 'wild'

/** Something within, or null. */
export interface Inner {
  type: 'inner'
  /** How it is. */
  mood: Mood | null
  pair: [number, string]
  many: (number | null)[]
}

export interface Outer extends Inner {
  type: 'outer'
  /** Where it begins. */
  from: number
  stored: Inner
  known?: boolean
  counts: Record<Mood, number>
}

export type Short = { from: Mood; to?: number }
export type Shorter = { type: 'shorter'; to: number }
"""
    )


def test_what_the_page_makes_may_leave_out_what_has_a_default() -> None:
    assert "  pair?: [number, string]\n" in written(Inner, asked=(Inner,))


def test_what_names_legal_actions_takes_those_of_one_game() -> None:
    text = written(Choice, Asked, Jump)
    assert "export type Asked<C extends Choice = Choice> = { legal: C[] }\n" in text
    assert "export interface Jump extends Choice {\n  type: 'jump'\n  far: number\n}" in text


def test_a_view_that_was_made_of_declared_fields_has_a_type() -> None:
    view = typing.get_type_hints(GAME.public)["return"]
    text = written(*wire.reachable([view]))
    assert "/** The seats that must decide now. */\n  actors: number[]" in text
    assert "/** How many cards hand holds. */\n  hand_left: number" in text
    assert "export type Card = 'red 1' | 'red 2' | 'blue 1'\n" in text
    assert "  hand: Record<Card, number> | null\n" in text
    assert "  charm: Charm | null\n" in text
    assert "  seats: LotusSeat[]\n}" in text
    assert "deck:" not in text


def test_two_structs_of_one_name_are_refused() -> None:
    other = msgspec.defstruct("Inner", [("x", int)])
    with pytest.raises(TypeError, match="rename one"):
        wire.named([Inner, other], {})


def test_what_has_no_type_on_the_page_is_refused() -> None:
    class Odd(msgspec.Struct):
        x: complex

    with pytest.raises(TypeError, match="complex"):
        written(Odd)


def test_the_pages_types_are_those_of_the_structs() -> None:
    written = {file: file.read_text(encoding="utf-8") if file.is_file() else "" for file in wire.files()}
    assert written == wire.files(), "write them anew: python scripts/web.py types"


def test_the_page_is_built_anew_when_any_of_its_words_change() -> None:
    root = Path(__file__).parents[1]
    package = root / "src/ziggurat"
    words = {file for file in package.rglob("*.json") if file.parent.match("text") or file.parent.parent.match("text")}
    assert words
    assert words <= set(web.Web(root).files())
