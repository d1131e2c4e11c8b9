"""Forty leaks and forgettings, planted in the game that ``new-game`` lays and in one with an open row and a die: the
checker finds each of them with its usual settings, and nothing in the two games as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace as changed
from tests import runs
from tests.testing import bazaar, laid
from tests.testing.bazaar import choices as wares
from tests.testing.bazaar import rules as trade
from tests.testing.bazaar.state import COPIES, LIMIT, ROW, SIDES, WARES
from tests.testing.planting import Change, checked, planted

from ziggurat.core.errors import NotationError
from ziggurat.core.events import Events
from ziggurat.core.game import Game
from ziggurat.core.random import below
from ziggurat.core.trace import NO_SEAT, Phrase, note
from ziggurat.testing import Leak
from ziggurat.testing.sample import choices, rules
from ziggurat.testing.sample.state import CARDS, HAND

pytestmark = pytest.mark.slow

Rule = Callable[..., Any]


def laid_events(*, private: bool = True) -> Events:
    """Those of the laid game, in the same order, and two more that tell."""
    events = Events()
    events.add("drew", "who draws", private=private, card=int)
    events.add("laid", "who lays it", card=int)
    events.add("won", "whose card was the highest", points=int)
    events.add("finished", "-")
    events.add("said", "whose", number=int)
    events.add("whispered", "to whom", private=True, number=int)
    return events


DREW, LAID, WON, FINISHED, SAID, WHISPERED = range(6)
TELLING = {"events": laid_events()}
LAID_RULES = dict(laid.GAME.rules)
WIN, DEAL = rules.end_round, rules.draw


def telling(said: str = "", **rules: Rule) -> Change:
    """A change of the laid game's rules that notes one of the two events."""
    inner = {name: rule for name, rule in rules.items() if name not in LAID_RULES}
    return Change(said, {name: rule for name, rule in rules.items() if name in LAID_RULES}, inner, TELLING)


def cards_of(hand: Any) -> list[int]:
    return [card + 1 for card in range(CARDS) if hand[card]]


# --- The laid game ---


def setup_and(tell: Callable[[Any, int], int], event: int = SAID) -> Change:
    """Everybody hears a number about each hand when the cards are dealt."""

    def setup(s: Any, trace: Any) -> None:
        LAID_RULES["setup"](s, trace)
        for seat in range(s.players):
            note(trace, event, seat, tell(s, seat))

    return telling(setup=setup)


def win_and(tell: Callable[[Any, int], int]) -> Change:
    """Everybody hears a number about the hand of whoever has won the second card."""

    def end_round(s: Any, trace: Any) -> None:
        WIN(s, trace)
        if s.rounds == 2:
            note(trace, SAID, s.turn, tell(s, s.turn))

    return telling(end_round=end_round)


def play_by_time(s: Any, seat: int, action: int, trace: Any) -> None:
    """When the next card is told depends on the hand of its player."""
    early = any(card % 2 for card in cards_of(s.hand[seat])[:1])
    if early:
        note(trace, SAID, seat, 0)
    LAID_RULES["play"](s, seat, action, trace)
    if not early:
        note(trace, SAID, seat, 0)


def play_twice(s: Any, seat: int, action: int, trace: Any) -> None:
    """So many events as the neighbour hides high cards."""
    LAID_RULES["play"](s, seat, action, trace)
    for card in cards_of(s.hand[(seat + 1) % s.players]):
        if card > CARDS // 2:
            note(trace, SAID, seat, 0)


def end_round_for_the_highest_hand(s: Any, trace: Any) -> None:
    """Who begins the next round is who hides the highest card."""
    WIN(s, trace)
    best = 0
    for seat in range(s.players):
        if cards_of(s.hand[seat])[-1:] > cards_of(s.hand[best])[-1:]:
            best = seat
    s.turn = best


def end_round_with_a_point_for_the_deck(s: Any, trace: Any) -> None:
    WIN(s, trace)
    if s.deck[0] % 2:
        s.score[s.turn] += 1
        note(trace, WON, s.turn, 1)


def legal_low_first(s: Any, seat: int, out: Any) -> int:
    """Whoever hides a card below 6 must lay their lowest."""
    n: int = LAID_RULES["legal"](s, seat, out)
    return 1 if n and s.hand[seat][out.values[0] - choices.LAY - 1] and out.values[0] - choices.LAY < 6 else n


def observe_the_top(s: Any, seat: int, out: Any) -> int:
    n: int = LAID_RULES["observe"](s, seat, out)
    out.values[0] = s.deck[0] % 3
    return n


def redeal_but_for_the_neighbour(s: Any, seat: int, rng: Any) -> None:
    kept = (seat + 1) % s.players
    hand = list(s.hand[kept])
    s.hand[kept][:] = [0] * CARDS
    LAID_RULES["redeal"](s, seat, rng)
    s.hand[kept][:] = hand


def redeal_but_for_the_top(s: Any, seat: int, rng: Any) -> None:
    """What would be drawn next is known."""
    top = s.deck[s.deck_left - 1]
    s.deck_left -= 1
    LAID_RULES["redeal"](s, seat, rng)
    s.deck[s.deck_left] = top
    s.deck_left += 1


def redeal_without_the_highest(s: Any, seat: int, rng: Any) -> None:
    """Nobody is believed to hide the highest card."""
    LAID_RULES["redeal"](s, seat, rng)
    for other in range(s.players):
        if other != seat and s.hand[other][CARDS - 1]:
            card = s.deck[0]
            s.hand[other][CARDS - 1] -= 1
            s.hand[other][card - 1] += 1
            s.deck[0] = CARDS


def redeal_low_cards_to_the_left(s: Any, seat: int, rng: Any) -> None:
    """The hand to the left is believed to begin with an even card, always."""
    LAID_RULES["redeal"](s, seat, rng)
    other = (seat + 1) % s.players
    for place in range(s.deck_left):
        low = cards_of(s.hand[other])[:1]
        if low and low[0] % 2 and s.deck[place] % 2 == 0 and s.deck[place] < low[0]:
            s.hand[other][low[0] - 1] -= 1
            s.hand[other][s.deck[place] - 1] += 1
            s.deck[place] = low[0]


def play_and_whisper(s: Any, seat: int, action: int, trace: Any) -> None:
    """Whoever lays a card hears the top of the deck, and does not remember it."""
    LAID_RULES["play"](s, seat, action, trace)
    note(trace, WHISPERED, seat, s.deck[s.deck_left - 1])


def end_round_and_show_the_bottom(s: Any, trace: Any) -> None:
    """The bottom of the deck is shown once, and no belief remembers it."""
    WIN(s, trace)
    if s.rounds == 1:
        note(trace, SAID, s.turn, s.deck[0])


def end_round_and_draw_openly(s: Any, trace: Any) -> None:
    """Whoever wins the first card is given another before all eyes; nobody remembers it."""
    WIN(s, trace)
    if s.rounds == 1:
        s.deck_left -= 1
        card = s.deck[s.deck_left]
        s.deck[s.deck_left] = 0
        s.hand[s.turn][card - 1] += 1
        note(trace, SAID, s.turn, card)


def ask_by_the_deck(s: Any, seat: int | None) -> Phrase | None:
    found = laid.GAME.ask(s, seat)
    return Phrase("say", {"text": str(s.deck[0])}) if found is not None and s.deck[0] % 2 else found


def describe_by_the_deck(s: Any, seat: int, steps: Any) -> Phrase:
    found = laid.GAME.describe(s, seat, steps)
    return changed(found, args={**found.args, "card": s.deck[0]})


def read_and_explain(s: Any, seat: int, text: str) -> list[int]:
    found = laid.GAME.read_move(s, seat, text)
    if not s.hand[seat][found[0] - choices.LAY - 1]:
        raise NotationError(f"you do not hold it; {'somebody' if s.deck[0] % 2 else 'nobody'} knows")
    return found


LAID_LEAKS = {
    "a private event for all": Change(parts={"events": laid_events(private=False)}),
    "whether a hand's sum is even": setup_and(lambda s, seat: sum(cards_of(s.hand[seat])) % 2),
    "how many high cards there are": setup_and(lambda s, seat: sum(card > 10 for card in cards_of(s.hand[seat]))),
    "whether the deck begins low": setup_and(lambda s, seat: int(s.deck[0] < s.deck[s.deck_left - 1])),
    "the lowest card of the neighbour": setup_and(
        lambda s, seat: cards_of(s.hand[(seat + 1) % s.players])[0], WHISPERED
    ),
    "a card late in the game": win_and(lambda s, seat: cards_of(s.hand[seat])[-1]),
    "whether a card is even late in the game": win_and(lambda s, seat: cards_of(s.hand[seat])[-1] % 2),
    "when something is told": telling(play=play_by_time),
    "how often something is told": telling(play=play_twice),
    "who is asked next": telling(end_round=end_round_for_the_highest_hand),
    "points for what is hidden": telling(end_round=end_round_with_a_point_for_the_deck),
    "what somebody may do": telling(legal=legal_low_first),
    "a column": telling(observe=observe_the_top),
    "a belief that knows a hand": telling(redeal=redeal_but_for_the_neighbour),
    "a belief that knows the next card": telling(redeal=redeal_but_for_the_top),
    "a belief without a card": telling(redeal=redeal_without_the_highest),
    "a belief of even cards": telling(redeal=redeal_low_cards_to_the_left),
    "a card that was whispered is forgotten": telling(play=play_and_whisper),
    "a card that was shown is forgotten": telling(end_round=end_round_and_show_the_bottom),
    "a card that was drawn openly is forgotten": telling(end_round=end_round_and_draw_openly),
    "a question": Change(parts={"ask": ask_by_the_deck}),
    "the words of a move": Change(parts={"describe": describe_by_the_deck}),
    "the text of an error": Change(parts={"read_move": read_and_explain}),
}


# --- A row, a die and secret hands ---

TRADE = dict(bazaar.GAME.rules)
TAKE, SELL, FILL, ROLL, DRAW, NEXT = trade.take, trade.sell, trade.fill, trade.roll, trade.draw, trade.next_turn


def bazaar_events() -> Events:
    events = Events()
    events.add("drew", "who draws", private=False, ware=wares.ware)
    events.add("took", "who takes it", ware=wares.ware)
    events.add("sold", "who sells it", ware=wares.ware, points=int)
    events.add("filled", "-", ware=wares.ware)
    events.add("rolled", "-", die=int)
    events.add("finished", "-")
    events.add("told", "whose", ware=wares.ware)
    events.add("said", "whose", number=int)
    return events


def trading(**rules: Rule) -> Change:
    inner = {name: rule for name, rule in rules.items() if name not in TRADE}
    return Change("", {name: rule for name, rule in rules.items() if name in TRADE}, inner)


def take_and_forget(s: Any, seat: int, place: int, trace: Any) -> None:
    TAKE(s, seat, place, trace)
    s.hand_known[seat][:] = [0] * WARES


def roll_and_forget(s: Any, trace: Any) -> None:
    """After a six all forget what was taken."""
    ROLL(s, trace)
    if s.die == SIDES:
        for seat in range(s.players):
            s.hand_known[seat][:] = [0] * WARES


def redeal_what_is_known(s: Any, seat: int, rng: Any) -> None:
    known = [list(hand) for hand in s.hand_known]
    for hand in s.hand_known:
        hand[:] = [0] * WARES
    TRADE["redeal"](s, seat, rng)
    for hand, given in zip(s.hand_known, known, strict=True):
        hand[:] = given


def roll_by_the_deck(s: Any, trace: Any) -> None:
    s.die = s.deck[max(s.deck_left - 1, 0)] % SIDES + 1
    note(trace, wares.ROLLED, NO_SEAT, s.die)


def roll_by_a_hand(s: Any, trace: Any) -> None:
    """It is even exactly if whoever has the turn hides silk or salt."""
    s.die = 2 * below(s.rng, 3) + (2 if s.hand[s.turn][0] or s.hand[s.turn][1] else 1)
    note(trace, wares.ROLLED, NO_SEAT, s.die)


def roll_ahead(s: Any, trace: Any) -> None:
    s.die = s.ahead + 1
    s.ahead = below(s.rng, SIDES)
    note(trace, wares.ROLLED, NO_SEAT, s.die)


def draw_and_say(tell: Callable[[Any, int, int], int]) -> Change:
    def draw(s: Any, seat: int, trace: Any) -> None:
        card = s.deck[s.deck_left - 1] if s.deck_left else 0
        DRAW(s, seat, trace)
        note(trace, wares.SAID, seat, tell(s, seat, card))

    return trading(draw=draw)


def fill_and_say(tell: Callable[[Any], int]) -> Change:
    def fill(s: Any, trace: Any) -> None:
        FILL(s, trace)
        note(trace, wares.SAID, NO_SEAT, tell(s))

    return trading(fill=fill)


def fill_with_the_higher(s: Any, trace: Any) -> None:
    """Of the two uppermost the higher one fills the row: so the next one is lower, which nobody remembers."""
    if s.deck_left > 1 and s.deck[s.deck_left - 2] > s.deck[s.deck_left - 1]:
        top = s.deck[s.deck_left - 1]
        s.deck[s.deck_left - 1] = s.deck[s.deck_left - 2]
        s.deck[s.deck_left - 2] = top
    FILL(s, trace)


def sell_with_luck(s: Any, seat: int, kind: int, trace: Any) -> None:
    die = s.die
    s.die += 1 if s.deck_left and s.deck[0] % 2 else 0
    SELL(s, seat, kind, trace)
    s.die = die


def draw_and_tell_later(s: Any, seat: int, trace: Any) -> None:
    """What is drawn is told with the next draw."""
    if s.ahead:
        note(trace, wares.TOLD, seat, s.ahead)
    s.ahead = s.deck[s.deck_left - 1] if s.deck_left else 0
    DRAW(s, seat, trace)


def roll_twice(s: Any, trace: Any) -> None:
    ROLL(s, trace)
    if s.deck_left and s.deck[0] > WARES // 2:
        ROLL(s, trace)


def next_turn_by_a_hand(s: Any, trace: Any) -> None:
    """Whoever hides two of a kind is left out."""
    NEXT(s, trace)
    if not s.finished and max(s.hand[s.turn]) == COPIES and s.players > 2:
        s.turn = (s.turn + 1) % s.players


def legal_the_lowest(s: Any, seat: int, out: Any) -> int:
    """Of what somebody hides only the lowest may be sold."""
    n: int = TRADE["legal"](s, seat, out)
    sells = [action for action in out.values[:n] if action >= wares.SELL]
    kept = [action for action in out.values[:n] if action < wares.SELL] + sells[:1]
    out.values[: len(kept)] = kept
    return len(kept)


def legal_by_the_deck(s: Any, seat: int, out: Any) -> int:
    n: int = TRADE["legal"](s, seat, out)
    if n and out.values[0] == wares.DRAW and s.deck[s.deck_left - 1] == 1:
        out.values[: n - 1] = out.values[1:n]
        n -= 1
    return n


def redeal_but_for_a_rival(s: Any, seat: int, rng: Any) -> None:
    kept = (seat + 1) % s.players
    known, hand = list(s.hand_known[kept]), list(s.hand[kept])
    s.hand_known[kept][:] = hand
    TRADE["redeal"](s, seat, rng)
    s.hand_known[kept][:] = known


def redeal_without_pairs(s: Any, seat: int, rng: Any) -> None:
    """Nobody is believed to hide two of a kind."""
    TRADE["redeal"](s, seat, rng)
    for other in range(s.players):
        for kind in range(WARES):
            if other != seat and s.hand[other][kind] == COPIES and s.hand_known[other][kind] == 0:
                for place in range(s.deck_left):
                    card = s.deck[place] - 1
                    if s.hand[other][kind] == COPIES and s.hand[other][card] == 0:
                        s.hand[other][kind] -= 1
                        s.hand[other][card] += 1
                        s.deck[place] = kind + 1


def observe_the_deck(s: Any, seat: int, out: Any) -> int:
    n: int = TRADE["observe"](s, seat, out)
    out.values[0] = s.deck[0] % 2
    return n


def ask_the_deck(s: Any, seat: int | None) -> Phrase | None:
    found = bazaar.GAME.ask(s, seat)
    return Phrase("say", {"text": "quick"}) if found is not None and s.deck[0] == 1 else found


BAZAAR_LEAKS = {
    "a private event for all": Change(parts={"events": bazaar_events()}),
    "what was taken openly is forgotten": trading(take=take_and_forget),
    "what was taken openly is forgotten later": trading(roll=roll_and_forget),
    "known cards are dealt again": trading(redeal=redeal_what_is_known),
    "a die that follows from the deck": trading(roll=roll_by_the_deck),
    "a die that follows from a hand": trading(roll=roll_by_a_hand),
    "a roll that is kept ahead": trading(roll=roll_ahead),
    "whether what is drawn is even": draw_and_say(lambda s, seat, card: card % 2),
    "whether what is drawn is high": draw_and_say(lambda s, seat, card: int(card > WARES // 2)),
    "whether what is drawn makes a pair": draw_and_say(lambda s, seat, card: int(max(s.hand[seat]) == COPIES)),
    "how many there are in the deck": fill_and_say(lambda s: sum(card == 1 for card in s.deck[: s.deck_left])),
    "the order of the deck": fill_and_say(lambda s: int(s.deck[0] < s.deck[max(s.deck_left - 1, 0)])),
    "whether the next card is even": fill_and_say(lambda s: int(s.deck[max(s.deck_left - 1, 0)] % 2)),
    "the higher of two fills the row": trading(fill=fill_with_the_higher),
    "points for what is hidden": trading(sell=sell_with_luck),
    "what was drawn is told later": trading(draw=draw_and_tell_later),
    "how often something is told": trading(roll=roll_twice),
    "who is asked next": trading(next_turn=next_turn_by_a_hand),
    "what somebody may sell": trading(legal=legal_the_lowest),
    "what somebody may draw": trading(legal=legal_by_the_deck),
    "a belief that knows a hand": trading(redeal=redeal_but_for_a_rival),
    "a belief without pairs": trading(redeal=redeal_without_pairs),
    "a column": trading(observe=observe_the_deck),
    "a question": Change(parts={"ask": ask_the_deck}),
}

LEAKS: dict[str, tuple[Game, Any, Change]] = {
    **{f"laid: {name}": (laid.GAME, rules, change) for name, change in LAID_LEAKS.items()},
    **{f"bazaar: {name}": (bazaar.GAME, trade, change) for name, change in BAZAAR_LEAKS.items()},
}
OFTEN = (
    "laid: a private event for all",
    "laid: whether a card is even late in the game",
    "bazaar: a roll that is kept ahead",
)


@pytest.mark.parametrize("name", runs.each(LEAKS, OFTEN))
def test_a_planted_leak_is_found_by_the_usual_check(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, home, change = LEAKS[name]
    with pytest.raises(Leak):
        checked(planted(game, home, change, __name__, monkeypatch))


@runs.whole
@pytest.mark.parametrize("game", [laid.GAME, bazaar.GAME], ids=["laid", "bazaar"])
def test_nothing_is_found_where_nothing_is_planted(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    rules_of = {"sample": rules, "bazaar": trade}[game.id]
    for seed in (1, 2, 3):
        checked(planted(game, rules_of, Change(), __name__, monkeypatch), seed=seed)


def test_there_are_forty() -> None:
    assert len(LEAKS) >= 40
    assert set(OFTEN) <= set(LEAKS)
    assert HAND
    assert ROW
    assert LIMIT
