"""The checker finds every leak that is planted in a game which is right otherwise, and nothing in that game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace as changed
from tests import runs
from tests.testing.burrow import choices, events, game, rules
from tests.testing.burrow.game import GAME
from tests.testing.planting import Change, checked, planted

from ziggurat.core.decision import About, Preview
from ziggurat.core.errors import NotationError
from ziggurat.core.trace import Phrase, note
from ziggurat.testing import Leak, check_game, world

pytestmark = pytest.mark.slow

RABBIT = rules.RABBIT
RULES = dict(GAME.rules)
ASKED, DRAW, ROLL, TAKE, TURN = rules.asked, rules.draw, rules.roll, rules.take, rules.next_turn


def check(change: Change, patch: pytest.MonkeyPatch, **how: Any) -> None:
    checked(planted(GAME, rules, change, __name__, patch), **how)


# --- Rules that tell too much ---


def asked_who_hide_a_rabbit(s: Any) -> int:
    return sum(1 << seat for seat in range(s.players) if s.hand[seat][RABBIT])


def asked_all_if_the_roller_hides_a_rabbit(s: Any) -> int:
    return (1 << s.players) - 1 if s.hand[s.turn][RABBIT] else 0


def next_turn_sooner_with_a_mole(s: Any, trace: Any) -> None:
    if s.turns_left > 1 and s.hand[s.turn][2]:
        s.turns_left -= 1
    TURN(s, trace)


def draw_and_tell(s: Any, seat: int, trace: Any) -> None:
    kind = TAKE(s, seat)
    if kind >= 0:
        note(trace, events.DREW, seat, kind + 1)
        note(trace, events.TOLD, seat, kind + 1)


def play_with_events_in_an_order(s: Any, seat: int, action: int, trace: Any) -> None:
    hides = s.hand[seat][RABBIT] > 0
    if action == choices.ROLL and hides:
        note(trace, events.STARTED)
    RULES["play"](s, seat, action, trace)
    if action == choices.ROLL and not hides:
        note(trace, events.STARTED)


def play_with_an_event_a_rabbit(s: Any, seat: int, action: int, trace: Any) -> None:
    for _ in range(s.hand[seat][RABBIT]):
        note(trace, events.STARTED)
    RULES["play"](s, seat, action, trace)


def play_and_tell_a_neighbour(s: Any, seat: int, action: int, trace: Any) -> None:
    RULES["play"](s, seat, action, trace)
    if action == choices.PEEK:
        note(trace, events.SAW, (seat + 1) % s.players, s.deck[0])


def play_and_tell_the_whole_deck(s: Any, seat: int, action: int, trace: Any) -> None:
    RULES["play"](s, seat, action, trace)
    for card in s.deck[: s.deck_left]:
        note(trace, events.TOLD, seat, card)


def legal_peek_with_a_rabbit(s: Any, seat: int, out: Any) -> int:
    n: int = RULES["legal"](s, seat, out)
    if s.hand[seat][RABBIT]:
        return n
    found = [action for action in out.values[:n] if action != choices.PEEK]
    out.values[: len(found)] = found
    return len(found)


def legal_bury_rabbits_first(s: Any, seat: int, out: Any) -> int:
    """Whoever hides a rabbit must bury it."""
    n: int = RULES["legal"](s, seat, out)
    if s.waiting and n and s.hand[seat][RABBIT]:
        out.values[0] = choices.BURY + RABBIT
        return 1
    return n


def roll_with_points_for_rabbits(s: Any, seat: int, trace: Any) -> None:
    points = s.hand[seat][RABBIT] + 0
    s.score[seat] += points
    note(trace, events.COUNTED, seat, 0, points)
    ROLL(s, seat, trace)


def roll_with_points_in_private(s: Any, seat: int, trace: Any) -> None:
    """Only the seat is told why, but everybody sees how many points it has."""
    s.score[seat] += s.hand[seat][RABBIT]
    note(trace, events.GAINED, seat, s.hand[seat][RABBIT])
    ROLL(s, seat, trace)


def observe_the_bottom(s: Any, seat: int, out: Any) -> int:
    n: int = RULES["observe"](s, seat, out)
    out.values[1] = s.deck[0]
    return n


# --- Beliefs that are wrong ---


def redeal_but_for_a_neighbour(s: Any, seat: int, rng: Any) -> None:
    """It knows what the seat to the left hides."""
    kept, hand = (seat + 1) % s.players, list(s.hand[(seat + 1) % s.players])
    s.hand[kept] = [0] * rules.KINDS
    RULES["redeal"](s, seat, rng)
    s.hand[kept] = hand


def redeal_without_rabbits_in_pairs(s: Any, seat: int, rng: Any) -> None:
    """Nobody is believed to hide two rabbits, which anybody may."""
    RULES["redeal"](s, seat, rng)
    for other in range(s.players):
        if other != seat and s.hand[other][RABBIT] == 2:
            for place in range(1, s.deck_left):
                if s.deck[place] != RABBIT + 1 and s.hand[other][RABBIT] == 2:
                    s.hand[other][RABBIT] -= 1
                    s.hand[other][s.deck[place] - 1] += 1
                    s.deck[place] = RABBIT + 1


def redeal_that_forgets_the_bottom(s: Any, seat: int, rng: Any) -> None:
    knows = s.knows
    s.knows = 0
    RULES["redeal"](s, seat, rng)
    s.knows = knows


def redeal_that_forgets_what_it_buried(s: Any, seat: int, rng: Any) -> None:
    if seat < 0:
        RULES["redeal"](s, seat, rng)
        return
    count, size = sum(s.buried[seat]), s.deck_left
    for kind in range(rules.KINDS):
        for _ in range(s.buried[seat][kind]):
            s.deck[s.deck_left] = kind + 1
            s.deck_left += 1
    s.buried[seat] = [0] * rules.KINDS
    RULES["redeal"](s, seat, rng)
    while s.deck_left > size and count:
        s.deck_left -= 1
        s.buried[seat][s.deck[s.deck_left] - 1] += 1
        s.deck[s.deck_left] = 0


def own_without_the_bottom(s: Any, seat: int | None, public: Any, everything: bool = False) -> Any:
    found = game.own(s, seat, public, everything)
    return changed(found, seats=[changed(player, bottom=None) for player in found.seats])


def own_without_graves(s: Any, seat: int | None, public: Any, everything: bool = False) -> Any:
    found = game.own(s, seat, public, everything)
    return found if everything else changed(found, seats=[changed(player, grave=None) for player in found.seats])


# --- Readers that tell too much ---


def public_with(notes: Callable[[Any], list[Any]]) -> Change:
    return Change("the view of", parts={"public": lambda s, values: changed(game.public(s, values), notes=notes(s))})


def ask_by_the_bottom(s: Any, seat: int | None) -> Phrase | None:
    return Phrase("ask.bury") if s.deck[0] == RABBIT + 1 else game.ask(s, seat) or Phrase("ask.turn")


def ask_onlookers_by_the_bottom(s: Any, seat: int | None) -> Phrase | None:
    return ask_by_the_bottom(s, seat) if seat is None else game.ask(s, seat)


def read_move_that_explains(s: Any, seat: int, text: str) -> list[int]:
    found = game.read_move(s, seat, text)
    if found[0] >= choices.BURY and not s.waiting:
        raise NotationError(f"nobody buries anything while a {choices.ANIMALS[s.deck[0] - 1]} lies at the bottom")
    return found


def preview_that_explains(s: Any, seat: int, steps: Any) -> Preview:
    raise NotationError(f"not with a {choices.ANIMALS[s.deck[0] - 1]} at the bottom")


def write_move_loudly(s: Any, steps: Any) -> str:
    text = game.write_move(s, steps)
    return f"{text}!" if text == "roll" and s.hand[s.turn][RABBIT] else text


def read_move_loudly(s: Any, seat: int, text: str) -> list[int]:
    return game.read_move(s, seat, text.removesuffix("!"))


def describe_by_what_is_hidden(s: Any, seat: int, steps: Any) -> Phrase:
    return Phrase("move.peek") if s.deck[0] == RABBIT + 1 else game.describe(s, seat, steps)


def about_the_bottom(s: Any, values: Any, seat: int | None, piece: str) -> About:
    found = game.about(s, values, seat, piece)
    return found if seat is None else changed(found, worth=[Phrase("what.held", {"count": s.deck[0]})])


LEAKS = {
    "who is asked": Change(
        "since (who must decide|the view.(turn|actors))|the belief of", inner={"asked": asked_who_hide_a_rabbit}
    ),
    "whether anybody is asked": Change(
        "since (who must decide|the view.turn|the events.length)",
        inner={"asked": asked_all_if_the_roller_hides_a_rabbit},
    ),
    "how long the game goes on": Change("the observation", inner={"next_turn": next_turn_sooner_with_a_mole}),
    "an event for all": Change("the events", inner={"draw": draw_and_tell}),
    "an event for all that tells very much": Change("the events", rules={"play": play_and_tell_the_whole_deck}),
    "the order of events": Change("the events", rules={"play": play_with_events_in_an_order}),
    "the number of events": Change("the events", rules={"play": play_with_an_event_a_rabbit}),
    "a private event for another": Change("the events", rules={"play": play_and_tell_a_neighbour}),
    "what another may do openly": Change("whether the move is legal", rules={"legal": legal_peek_with_a_rabbit}),
    "what another may do in secret": Change("tells", rules={"legal": legal_bury_rabbits_first}),
    "points": Change("tells", inner={"roll": roll_with_points_for_rabbits}),
    "the score": Change("the view.seats", inner={"roll": roll_with_points_in_private}),
    "an observation": Change("observe tells", rules={"observe": observe_the_bottom}),
    "a belief that knows": Change("the belief of", rules={"redeal": redeal_but_for_a_neighbour}),
    "a belief that leaves out": Change("leaves out what could be", rules={"redeal": redeal_without_rabbits_in_pairs}),
    "a belief that forgets what was seen": Change(
        "the events", rules={"redeal": redeal_that_forgets_the_bottom}, parts={"own": own_without_the_bottom}
    ),
    "a belief that forgets what was done": Change(
        "tells", rules={"redeal": redeal_that_forgets_what_it_buried}, parts={"own": own_without_graves}
    ),
    "a field of the view": public_with(lambda s: [s.deck[0]]),
    "the length of a list": public_with(lambda s: [0] * s.hand[0][RABBIT]),
    "the order of a list": public_with(lambda s: list(dict.fromkeys(s.deck))),
    "chance ahead": public_with(lambda s: [s.rng.key[0] % 6]),
    "a question": Change("the decision of", parts={"ask": ask_by_the_bottom}),
    "a question that onlookers read": Change("the decision of a spectator", parts={"ask": ask_onlookers_by_the_bottom}),
    "the text of an error": Change("is written or read", parts={"read_move": read_move_that_explains}),
    "the text of another error": Change("the preview of", parts={"preview": preview_that_explains}),
    "the notation of a move": Change(
        "the move.notation", parts={"write_move": write_move_loudly, "read_move": read_move_loudly}
    ),
    "the words for a move": Change("the words for", parts={"describe": describe_by_what_is_hidden}),
    "what a piece is worth": Change("what is said of pieces", parts={"about": about_the_bottom}),
}


OFTEN = (
    *("an event for all", "the order of events", "points", "an observation", "a belief that knows"),
    *("a field of the view", "a question", "the text of an error", "the words for a move"),
)
"""One of each kind, quickly found."""


@pytest.mark.parametrize("name", runs.each(LEAKS, OFTEN))
def test_a_planted_leak_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Leak, match=LEAKS[name].said) as found:
        check(LEAKS[name], monkeypatch, games=20, seed=1, closely=3)
    assert found.match(r"^burrow, \d players, default options, seed \d+, after \d+ actions: ")


@pytest.mark.usefixtures("few_worlds")
@pytest.mark.parametrize("games", runs.each([6, 24], [6]))
def test_nothing_that_lies_open_is_a_leak(monkeypatch: pytest.MonkeyPatch, games: int) -> None:
    """Dice that no view shows, animals that are shown, and everybody asked after a double."""
    check(Change(), monkeypatch, games=games, seed=1000, closely=games // 3)


def bury_openly(s: Any, seat: int, action: int, trace: Any) -> None:
    if action >= choices.BURY:
        note(trace, events.TOLD, seat, action - choices.BURY + 1)
    RULES["play"](s, seat, action, trace)


def redeal_but_for_graves(s: Any, seat: int, rng: Any) -> None:
    graves = [list(pile) for pile in s.buried]
    for pile in s.buried:
        pile[:] = [0] * rules.KINDS
    RULES["redeal"](s, seat, rng)
    for pile, known in zip(s.buried, graves, strict=True):
        pile[:] = known


def secrets_without_graves(s: Any) -> dict[str, Any]:
    return {name: value for name, value in game.secrets(s).items() if name != "buried"}


@runs.whole
def test_what_was_told_and_is_shown_nowhere_may_be_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """An animal is buried before all eyes. No view keeps that, and every belief does."""
    change = Change(
        rules={"play": bury_openly, "redeal": redeal_but_for_graves}, parts={"secrets": secrets_without_graves}
    )
    check(change, monkeypatch, games=6, seed=1, closely=4)


@runs.whole
def test_what_is_told_must_be_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, and the beliefs have not heard it."""
    with pytest.raises(Leak, match=r"the events\[\d\]|the events.length"):
        check(Change(rules={"play": bury_openly}), monkeypatch, games=20, seed=1, closely=3)


def test_a_leak_can_be_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Leak) as found:
        check(LEAKS["an event for all"], monkeypatch, games=20, seed=1, closely=3)
    leak, said = found.value, str(found.value)
    before, after = leak.worlds["the world before"], leak.worlds["the true world"]
    texts = dict(line.strip().split(": ", 1) for line in said.splitlines() if ": " in line)
    assert world(before.game, before.players, before.options, texts["the world before"]) == before
    steps = before.read_move(said.split("'")[1])
    before.play_all(before.actors[0], steps)
    assert before == after, "the chance with which the move was tried is in the world before"
    believed = leak.worlds["a believed world"]
    assert believed.view(leak.seat) == after.view(leak.seat)
    assert believed.secrets() != after.secrets()


def test_a_game_that_goes_on_says_how_many_decisions_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ziggurat.testing.secrecy.LONGEST", 3)
    with pytest.raises(AssertionError, match="a redealt game does not end within 3 decisions"):
        check_game(GAME, games=1, seed=1, compiled=False)
