"""Positions as pictures: what a seat sees and nothing else, in letters that there are, within the picture."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import ImageFont
from tests import runs
from tests.core.lotus import GAME as LOTUS
from tests.example import EXAMPLE, GAME, LARGEST, TABLES

import ziggurat
from ziggurat.core import picture
from ziggurat.core.errors import NotYourTurn
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.picture import CELL, SIZE, NoPictures, rgb
from ziggurat.core.position import Position

GAMES = tuple(ziggurat.registered_games())
SVG = "{http://www.w3.org/2000/svg}"


def moments(game: str, players: int, every: int) -> Iterator[Position]:
    """Positions of a random game, and its last one."""
    position, chance, number = ziggurat.new(game, players, seed=players), random.Random(players), 0
    while position.actors:
        if number % every == 0:
            yield position
        seat = position.actors[0]
        position.play(seat, chance.choice(position.legal(seat)))
        number += 1
    yield position


def letters(svg: str) -> str:
    return "".join(text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text"))


@pytest.mark.parametrize(("game", "players"), runs.each(TABLES, often=LARGEST))
def test_a_picture_shows_what_a_seat_sees_and_no_more(game: str, players: int) -> None:
    rng, differ, said = ziggurat.generator(1), 0, set[str]()
    for number, position in enumerate(moments(game, players, every=43)):
        for seat in (None, number % players):
            other, language = position.redeal(seat, rng), LANGUAGES[(number + bool(seat)) % len(LANGUAGES)]
            shown = position.svg(seat, language)
            assert other.svg(seat, language) == shown
            differ += other.to_bytes() != position.to_bytes()
            is_within(ElementTree.fromstring(shown))
            said |= set(letters(shown))
    assert differ
    for path in picture._fonts():
        font = ImageFont.truetype(path, 20)
        missing = bytes(font.getmask("\uffff"))
        assert [one for one in sorted(said - {" "}) if bytes(font.getmask(one)) == missing] == []
        assert abs(font.getlength("m") / 20 * picture.TEXT - CELL) < 0.3


def is_within(tree: ElementTree.Element) -> None:
    """Nothing is cut off, and letters can be read."""
    [group] = tree.iter(f"{SVG}g")
    found = re.fullmatch(r"translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)", group.attrib["transform"])
    assert found
    across, down, scale = map(float, found.groups())
    assert scale > 0.6, "letters of less than 9 pixels"
    for one in group:
        right = float(one.get("x", one.get("x2", 0))) + float(one.get("width", one.get("textLength", 0)))
        below = float(one.get("y", one.get("y2", 0))) + float(one.get("height", 0))
        assert 0 <= across + right * scale <= SIZE[0] + 1
        assert 0 <= down + below * scale <= SIZE[1] + 1


@pytest.mark.parametrize("game", runs.each(GAMES, often=[EXAMPLE]))
def test_pixels_are_always_as_many(game: str) -> None:
    first, *_, last = moments(game, ziggurat.game(game).min_players, every=1000)
    for position in (first, last):
        pixels = rgb(position, 0)
        assert pixels.shape == (SIZE[1], SIZE[0], 3)
        assert pixels.dtype == np.uint8
        assert len({tuple(pixel) for pixel in pixels[::9, ::9].reshape(-1, 3).tolist()}) > 20
        assert (rgb(position.redeal(0, ziggurat.generator(2)), 0) == pixels).all()


def test_a_notebook_shows_what_a_spectator_sees() -> None:
    position = ziggurat.new(EXAMPLE, GAME.min_players, seed=1)
    assert position._repr_svg_() == position.svg() == position.svg(None, "en")
    assert position.svg(0) != position.svg()


def test_names_are_only_names() -> None:
    names = ['<script x="1">', "A & B", "bell\x07", "Őz", "Ж", "é" * 30][: GAME.min_players]
    said = letters(ziggurat.new(EXAMPLE, len(names), seed=1).svg(None, "en", names))
    assert "<script" in said
    assert "A & B" in said
    with pytest.raises(NotYourTurn):
        ziggurat.new(EXAMPLE, len(names), seed=1).svg(99)


def test_a_game_without_a_board_has_pictures_too() -> None:
    position = ziggurat.new(LOTUS, 2, seed=1)
    assert "hand" in letters(position.svg(0))
    assert position.redeal(0, ziggurat.generator(3)).svg(0) == position.svg(0)
    assert rgb(position, 0).any()


def test_without_the_packages_it_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "find_spec", lambda name: None)
    with pytest.raises(NoPictures, match=re.escape("pip install 'ziggurat-games[pictures]'")):
        rgb(ziggurat.new(EXAMPLE, GAME.min_players, seed=1), None)
