"""Scenarios of Architects: a fresh game, rearranged until it is the position that a file describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ziggurat.core.box import Seat, box_of, by_seat, fill, pile, place_among, seat_of
from ziggurat.core.errors import ScenarioError
from ziggurat.core.pieces import by_name
from ziggurat.games.architects import state
from ziggurat.games.architects.decks import can_draw
from ziggurat.games.architects.payments import renew_costs
from ziggurat.games.architects.rules import is_asked
from ziggurat.games.architects.state import Card

Stage = Annotated[int, Meta(ge=1, le=state.STAGES)]
Count = Annotated[int, Meta(ge=0, le=state.DECK_CAPACITY)]


class Arrangement(msgspec.Struct, forbid_unknown_fields=True):
    """The schema of a position in a scenario file. Tables go by seat, counted from 1, or by deck, its top card first.

    ``phase`` is ``draw`` (before the main draw) or ``act`` (after it). ``triggered`` and ``used`` name the tokens whose
    extra card may still be taken this turn, and those used this turn. ``knows``: who has seen the top central card.
    """

    wonders: list[str] | None = None
    turn: Seat | None = None
    phase: Literal["draw", "act"] = "draw"
    built: dict[str, list[Stage]] = {}
    cards: dict[str, dict[Card, Count]] = {}
    tokens: dict[str, list[str]] = {}
    military: dict[str, Count] = {}
    cat: Seat | None = None
    conflict_turned: Annotated[int, Meta(ge=0, le=20)] = 0
    discard: dict[Card, Count] = {}
    offer: list[str] | None = None
    stack: list[str] = []
    stack_left: Count | None = None
    decks: dict[str, list[Card]] = {}
    deck_left: dict[str, Count] = {}
    triggered: list[str] = []
    used: list[str] = []
    gained: list[str] = []
    knows: list[Seat] = []


def arrange_scenario(s: Any, given: Mapping[str, Any], template: Any) -> None:
    """Rearrange ``s``, a game just set up from ``template``, to what ``given`` says; the rest keeps its random cards.

    Raises:
        msgspec.ValidationError: for what does not look like an ``Arrangement``.
        ScenarioError: for a card or token that does not exist or is used too often, or a seat that is not there.
    """
    wanted = msgspec.convert(given, Arrangement)
    _deal_wonders(s, wanted, template)
    if wanted.turn is not None:
        s.turn = seat_of(s.players, wanted.turn, "turn")
    s.phase = state.DRAW if wanted.phase == "draw" else state.ACT
    _arrange_stages(s, wanted)
    _arrange_cards(s, wanted)
    _arrange_tokens(s, wanted, template)
    for seat, count in by_seat(s.players, wanted.military, "military").items():
        s.military[seat] = count
        s.supply -= count if s.supply >= 0 else 0
    s.cat = seat_of(s.players, wanted.cat, "cat") if wanted.cat is not None else -1
    if wanted.conflict_turned >= s.conflict:
        message = f"of {s.conflict} conflict tokens at most {s.conflict - 1} are turned between turns"
        raise ScenarioError(message, where="conflict_turned")
    s.turned = wanted.conflict_turned
    s.knows = sum({1 << seat_of(s.players, seat, "knows") for seat in wanted.knows})
    _count(s)
    if s.phase == state.DRAW and not can_draw(s, s.turn):
        message = f"the decks of seat {s.turn + 1} are empty; let another seat draw, or this one act"
        raise ScenarioError(message, where="phase" if "phase" in given else "turn" if "turn" in given else "deck_left")
    if s.phase == state.ACT and not is_asked(s, s.turn):
        raise ScenarioError("after the draw nothing is left to do in this turn; it would be over", where="phase")


# --- Wonders -----------------------------------------------------------------------------------------------------


def _deal_wonders(s: Any, wanted: Arrangement, template: Any) -> None:
    """Give the seats their wonders. Decks that come into play are laid out as they lie in the box."""
    if wanted.wonders is None:
        if s.picks:
            raise ScenarioError("say which wonders there are, since the option lets them be chosen", where="wonders")
        return
    wonders = [place_among(state.WONDERS, name, "wonders") for name in wanted.wonders]
    if len(wonders) != s.players or len(set(wonders)) != s.players:
        raise ScenarioError(f"wonders names {s.players} different wonders, one for each seat", where="wonders")
    if s.picks:
        s.picks = s.open_wonders = 0
        s.turn = s.start
        while s.offer[: s.face_up].count(0):
            place = s.offer.index(0)
            s.stack_left -= 1
            s.offer[place], s.stack[s.stack_left] = s.stack[s.stack_left], 0
    for deck in range(len(state.WONDERS)):
        if deck not in s.wonder[: s.players]:
            s.deck[deck], s.deck_left[deck] = list(template.deck[deck]), template.deck_left[deck]
    s.wonder[: s.players] = wonders


def _arrange_stages(s: Any, wanted: Arrangement) -> None:
    for seat, stages in by_seat(s.players, wanted.built, "built").items():
        built = sum({1 << stage - 1 for stage in stages})
        wonder = s.wonder[seat]
        for stage in range(state.STAGES):
            below = s.requires[wonder][stage]
            if built >> stage & 1 and built & below != below:
                message = f"stage {stage + 1} of {state.WONDERS[wonder]} stands on stages that are not built"
                raise ScenarioError(message, where=f"built.{seat + 1}")
        if built == state.ALL_BUILT and s.turn != seat:
            raise ScenarioError("a wonder that is complete would have ended the game", where=f"built.{seat + 1}")
        s.built[seat] = built


# --- Cards -------------------------------------------------------------------------------------------------------


def _arrange_cards(s: Any, wanted: Arrangement) -> None:
    """Cards that are named in front of players, as discarded or on a deck come out of the deck with most of them."""
    in_play = [*s.wonder[: s.players], state.CENTRAL]
    decks = {deck: list(s.deck[deck][: s.deck_left[deck]]) for deck in in_play}
    named: dict[int, list[int]] = {}
    for name, cards in wanted.decks.items():
        deck = _deck(name, in_play, "decks")
        named[deck] = [_take(decks, state.CARDS.index(card) + 1, f"decks.{name}", deck) for card in cards]
    for seat, counts in by_seat(s.players, wanted.cards, "cards").items():
        s.cards[seat] = _take_all(decks, counts, f"cards.{seat + 1}")
    s.discard = _take_all(decks, wanted.discard, "discard")
    sizes = {_deck(name, in_play, "deck_left"): size for name, size in wanted.deck_left.items()}
    for deck, rest in decks.items():
        name = state.DECKS[deck]
        laid = pile(rest, named.get(deck, []), sizes.get(deck), f"deck of {name}", f"deck_left.{name}")
        if len(laid) > state.DECK_CAPACITY:
            raise ScenarioError(f"a deck has at most {state.DECK_CAPACITY} cards", where=f"decks.{name}")
        s.deck_left[deck] = fill(s.deck[deck], laid)


def _deck(name: str, in_play: Sequence[int], where: str) -> int:
    deck = place_among(state.DECKS, name, f"{where}.{name}")
    if deck not in in_play:
        raise ScenarioError(f"the deck of {name} is not on the table", where=f"{where}.{name}")
    return deck


def _take(decks: dict[int, list[int]], card: int, where: str, deck: int | None = None) -> int:
    """Take a card out of a deck: the one that is named if it has one, else the one that has most."""
    source = deck if deck is not None and card in decks[deck] else max(decks, key=lambda d: decks[d].count(card))
    if card not in decks[source]:
        raise ScenarioError(f"the table holds no further {state.CARDS[card - 1]}", where=where)
    decks[source].remove(card)
    return card


def _take_all(decks: dict[int, list[int]], counts: Mapping[Card, int], where: str) -> list[int]:
    found = [0] * state.KINDS
    for name, count in counts.items():
        for _ in range(count):
            found[_take(decks, state.CARDS.index(name) + 1, where)] += 1
    return found


# --- Progress tokens ---------------------------------------------------------------------------------------------


def _arrange_tokens(s: Any, wanted: Arrangement, template: Any) -> None:
    box = box_of(template.stack[: template.stack_left], state.TOKENS)
    for seat, owned in box.in_front(s.players, wanted.tokens, "tokens").items():
        s.owned[seat] = sum({1 << token - 1 for token in owned})
        s.culture[seat] = owned.count(state.CULTURE + 1)
    old_offer, old_stack = list(s.offer), list(s.stack[: s.stack_left])
    top = box.several(wanted.stack, "stack")
    if wanted.offer is None:
        offer = [box.again(token, old_stack, 0) for token in old_offer[: s.face_up]]
    elif len(wanted.offer) == s.face_up:
        offer = [box.named(name, "offer") if name else 0 for name in wanted.offer]
    else:
        raise ScenarioError(f"offer has {s.face_up} places; an empty one is ''", where="offer")
    rest = sorted(box.left.elements(), key=lambda token: (old_stack.index(token) if token in old_stack else 99, token))
    stack = pile(rest, top, wanted.stack_left, "stack", "stack_left", "tokens")
    fill(s.offer, offer)
    s.stack_left = fill(s.stack, stack)
    for name in ("triggered", "used", "gained"):
        mask = sum({1 << place_among(state.TOKENS, token, name) for token in getattr(wanted, name)})
        if mask & ~s.owned[s.turn]:
            raise ScenarioError("only tokens that the player on turn owns", where=name)
        setattr(s, name, mask)
    if s.triggered >> state.EXTRA_TOKENS:
        raise ScenarioError(
            f"only {', '.join(state.TOKENS[: state.EXTRA_TOKENS])} give an extra card", where="triggered"
        )


def _count(s: Any) -> None:
    """Set shields and points, as they follow from what lies on the table."""
    for seat in range(s.players):
        renew_costs(s, seat)
        wonder, built = s.wonder[seat], s.built[seat]
        s.shields[seat] = sum(s.cards[seat][state.RED0 :])
        if wonder == state.RHODES:
            s.shields[seat] += s.rhodes_shields * (built & s.effects[wonder]).bit_count()
        if s.owned[seat] >> state.TACTICS & 1:
            s.shields[seat] += s.tactics_shields
        s.score[seat] = sum(s.stage_points[wonder][stage] for stage in range(state.STAGES) if built >> stage & 1)
        s.score[seat] += sum(s.card_points[kind] * count for kind, count in enumerate(s.cards[seat]))
        s.score[seat] += s.military[seat] * s.military_points + (s.cat_points if s.cat == seat else 0)


def count_pieces(s: Any) -> dict[str, int]:
    """Cards and progress tokens by name, wherever they are, with those of unused wonders: always the same."""
    cards = by_name(("", *state.CARDS), s.discard, *s.cards)
    for deck in range(len(state.DECKS)):
        cards.update(state.CARDS[kind - 1] for kind in s.deck[deck][: s.deck_left[deck]])
    tokens = Counter(state.TOKENS[token - 1] for token in (*s.offer, *s.stack[: s.stack_left]) if token)
    for seat in range(s.players):
        tokens.update(state.TOKENS[token] for token in range(len(state.TOKENS)) if s.owned[seat] >> token & 1)
        if s.culture[seat] > 1:
            tokens[state.TOKENS[state.CULTURE]] += 1
    return {**+cards, **tokens}
