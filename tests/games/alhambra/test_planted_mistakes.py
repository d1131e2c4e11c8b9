"""The checker finds what it is there for: each mistake is planted in a game that is right otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from tests import runs
from tests.games.alhambra.table import with_forgotten_hands

import ziggurat
from ziggurat.core.decision import About, Preview
from ziggurat.core.events import Events
from ziggurat.core.game import Game
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.runtime import Runtime
from ziggurat.core.trace import Event, Phrase
from ziggurat.testing import check_game

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("few_worlds")]

GAME = ziggurat.game("alhambra")
RULES = GAME.rules
MONEY_LEFT = next(k for k, feature in enumerate(GAME.features(2)) if feature.name == "deck.money")


def with_rule(**rules: Callable[..., Any]) -> Game:
    for rule in rules.values():
        rule.__ziggurat_kernel__ = True  # type: ignore[attr-defined]
    return replace(GAME, rules={**RULES, **rules}, kernel_modules=(*GAME.kernel_modules, __name__))


def no_redeal(s: Any, seat: int, rng: Any) -> None:
    """Leaves everything as it is."""


def redeal_without_buildings(s: Any, seat: int, rng: Any) -> None:
    kept = list(s.building_deck)
    RULES["redeal"](s, seat, rng)
    s.building_deck[:] = kept


def redeal_with_the_words(s: Any, seat: int, rng: Any) -> None:
    kept = list(s.rng.block)
    RULES["redeal"](s, seat, rng)
    s.rng.block[:] = kept


def redeal_with_a_card_too_few(s: Any, seat: int, rng: Any) -> None:
    RULES["redeal"](s, seat, rng)
    s.money_deck[0] = 11 if s.money_deck[0] != 11 else 12


def observe_the_next_card(s: Any, seat: int, out: Any) -> int:
    n: int = RULES["observe"](s, seat, out)
    out.values[MONEY_LEFT] = s.building_deck[s.building_left - 1]  # within the bounds of that column
    return n


def legal_by_the_deck(s: Any, seat: int, out: Any) -> int:
    n: int = RULES["legal"](s, seat, out)
    return n - 1 if n > 1 and s.money_deck[0] % 2 else n


def play_that_loses_a_card(s: Any, seat: int, action: int, trace: Any) -> None:
    RULES["play"](s, seat, action, trace)
    s.discard[0] = [0] * 10


def play_by_the_trace(s: Any, seat: int, action: int, trace: Any) -> None:
    RULES["play"](s, seat, action, trace)
    s.start = 1 if trace.on else 0


def play_with_free_points(s: Any, seat: int, action: int, trace: Any) -> None:
    RULES["play"](s, seat, action, trace)
    s.score[seat] += 1


def all_hands_open(s: Any, seat: int | None, public: Any, everything: bool) -> Any:
    return GAME.own(s, seat, public, True)


def view_with_a_fourth_round(s: Any, values: Any) -> Any:
    return msgspec.structs.replace(GAME.public(s, values), rounds_scored=["D"])


def view_without_the_orange_discards(s: Any, values: Any) -> Any:
    found = GAME.public(s, values)
    return msgspec.structs.replace(found, discards={name: found.discards[name] for name in list(found.discards)[:3]})


def preview_of_the_next_card(s: Any, seat: int, steps: Any) -> Preview:
    found = GAME.preview(s, seat, steps)
    say = [Phrase("confirm.keep", {"next": s.building_deck[s.building_left - 1]})]
    return msgspec.structs.replace(found, say=say)


def about_with_the_next_card(s: Any, values: Any, seat: int | None, piece: str) -> About:
    found = GAME.about(s, values, seat, piece)
    worth = [] if seat is None else [Phrase("what.neutral", {"next": s.building_deck[s.building_left - 1]})]
    return msgspec.structs.replace(found, worth=worth)


def about_for_spectators(s: Any, values: Any, seat: int | None, piece: str) -> About:
    return GAME.about(s, values, seat or 0, "kind garden" if seat is None else piece)


def ask_by_the_next_card(s: Any, seat: int | None) -> Phrase | None:
    return Phrase("ask.choose" if s.building_deck[s.building_left - 1] % 2 else "ask.take_only")


def with_words(**changed: str | None) -> Game:
    """With other texts, or without them: None."""
    game = replace(GAME)
    texts = {language: {**GAME.text(language), **changed} for language in LANGUAGES}
    said = {language: {key: text for key, text in texts[language].items() if text} for language in LANGUAGES}
    vars(game)["text"] = lambda language, part="": GAME.text(language, part) if part else said[language]
    return game


class With(Events):
    """The events of the game under other names."""

    def __init__(self, types: tuple[str, ...]) -> None:
        super().__init__()
        self._types = types

    @property
    def types(self) -> tuple[str, ...]:
        return self._types

    def read(self, rows: Iterable[Sequence[int]]) -> list[Event]:
        return GAME.events.read(rows)


MISTAKES: dict[str, tuple[Game, str]] = {
    "weight without a value": (
        replace(GAME, weight_names=(*GAME.weight_names, "luck")),
        "the weight 'luck' is missing",
    ),
    "weights in another order": (replace(GAME, weight_names=GAME.weight_names[::-1]), "'rival' has place 0"),
    "identity redeal": (with_rule(redeal=no_redeal), "keeps the key"),
    # Found when all games are over, so they are small ones.
    "forgotten secret": (
        replace(with_rule(redeal=redeal_without_buildings), max_players=2),
        "ever changed 'building_deck'",
    ),
    "words of the generator": (with_rule(redeal=redeal_with_the_words), "keeps words of the true generator"),
    "redeal makes pieces": (with_rule(redeal=redeal_with_a_card_too_few), "lost or made pieces"),
    "observe leaks": (with_rule(observe=observe_the_next_card), "observe tells"),
    "legal leaks": (with_rule(legal=legal_by_the_deck), "depend"),
    "pieces lost": (with_rule(play=play_that_loses_a_card), "pieces were lost or made"),
    "events change the game": (with_rule(play=play_by_the_trace), "keeps the events"),
    "points from nowhere": (with_rule(play=play_with_free_points), "are not the scores"),
    "rule without a mark": (replace(GAME, rules={**RULES, "legal": lambda s, seat, out: 0}), "not marked with @kernel"),
    "kernel file forgotten": (replace(GAME, kernel_modules=GAME.kernel_modules[:2]), "kernel_modules leaves out"),
    "constants forgotten": (
        replace(GAME, kernel_modules=tuple(name for name in GAME.kernel_modules if not name.endswith("choices"))),
        "constants are taken from ziggurat.games.alhambra.choices",
    ),
    "hands shown": (replace(with_forgotten_hands(GAME), own=all_hands_open), "the view of"),
    "view of another type": (replace(GAME, public=view_with_a_fourth_round), r"rounds_scored\[0\] is .D."),
    "view with a key too few": (replace(GAME, public=view_without_the_orange_discards), "discards lacks orange"),
    "forced to choose": (replace(GAME, forced=lambda s, seat, legal: legal[0]), "is forced, and could play"),
    "preview leaks": (replace(GAME, preview=preview_of_the_next_card), "the preview of"),
    "a piece leaks": (replace(GAME, about=about_with_the_next_card), "what is said of pieces tells"),
    "a piece is worth something to nobody": (replace(GAME, about=about_for_spectators), "a spectator is told what"),
    "question leaks": (replace(GAME, ask=ask_by_the_next_card), "the decision of"),
    "question without words": (replace(GAME, ask=lambda s, seat: Phrase("ask.why")), "no text 'ask.why'"),
    "event not declared": (replace(GAME, events=With(GAME.event_types[1:])), "nothing says 'log.building_revealed'"),
    "event without words": (replace(GAME, events=With((*GAME.event_types, "sneezed"))), "no 'log.sneezed'"),
    "ambiguous notation": (replace(GAME, write_step=lambda s, action: "take"), "cannot be read"),
    "unreadable move": (replace(GAME, write_move=lambda s, steps: "keep"), "reads as another move"),
    "phrase without words": (
        replace(GAME, refusals=lambda s, seat, legal: GAME.refusals(s, seat, [*legal]) + wordless(s)),
        "no text 'refuse.because'",
    ),
    "move without words": (with_words(**{"move.take": None}), "no text 'move.take'"),
    "whole move without words": (with_words(**{"move.purchase": None}), "no text 'move.purchase'"),
    "words of the mover that want more": (
        with_words(**{"move.take.own": "take {cards} with {hand}"}),
        r"move.take.own in 'en' is left unfilled: .* with \{hand\}'",
    ),
    "a sentence inside another": (with_words(**{"move.take": "take {cards}.."}), "has odd stops or blanks"),
    "piece without a name": (with_words(**{"building.arcades.acc": None}), "has no name 'building.arcades.acc'"),
    "no winner": (replace(GAME, winners=lambda s: []), "winners exactly at the end"),
}


DEAR = {"forgotten secret", "no winner", "unreadable move", "whole move without words", "pieces lost"}
"""Those that are found late in a game."""


def wordless(s: Any) -> list[Any]:
    from ziggurat.core.decision import Refusal
    from ziggurat.games.alhambra.actions import choice

    return [Refusal(choice(s, 0, 29), Phrase("refuse.because"))]


@pytest.mark.parametrize("mistake", runs.each(MISTAKES, often=MISTAKES.keys() - DEAR))
def test_a_planted_mistake_is_found(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ziggurat.core.position.runtime", Runtime)
    game, said = MISTAKES[mistake]
    with pytest.raises((AssertionError, ziggurat.ZigguratError), match=said):
        check_game(game, games=1, seed=3, compiled=False, closely=400)


def test_a_failure_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ziggurat.core.position.runtime", Runtime)
    with pytest.raises(AssertionError, match=r"^alhambra, 2 players, default options, seed 3, after \d+ actions: "):
        check_game(MISTAKES["points from nowhere"][0], games=1, seed=3, compiled=False, closely=400)
