"""Descriptions of pieces, in words: what a piece is and what it is worth to a seat now; the answer to a long press on
it.

Pieces are named by their sort: ``card wood``, ``token decor``, ``wonder giza``; a place by the name that the board
gives it: ``deck central``, ``offer 0``, ``stage 1 3`` (of seat 1, the third). Nothing is said that the seat does not
see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ziggurat.core import pieces
from ziggurat.core.decision import About
from ziggurat.core.pieces import nothing, number, one_of, with_changed
from ziggurat.core.trace import Phrase
from ziggurat.games.architects import choices, state
from ziggurat.games.architects.decks import deck_at, left_neighbour, right_neighbour, top_of
from ziggurat.games.architects.payments import FIELD, is_available, missing_units, purse
from ziggurat.games.architects.rules import stages_of, victories
from ziggurat.games.architects.science import final_points, must_claim, tokens_of, usable
from ziggurat.games.architects.view import card_name, tokens, wonders

COLOURS = tuple(state.COLOURS)
FINAL = range(state.DECOR, state.CULTURE + 1)
"""The tokens that count at the end."""


def named(s: Any, values: Any) -> list[str]:
    """Every card, token and wonder, and every place of the table."""
    seats = range(s.players)
    laid_out = s.phase != state.PICK
    return [
        *(f"{sort} {card}" for sort in ("card", "cards", "keep") for card in state.CARDS),
        *(f"token {name}" for name in (*state.TOKENS, "stack")),
        *(f"wonder {name}" for name in state.WONDERS),
        *(f"deck {state.DECKS[deck]}" for deck in _decks(s)),
        *(f"offer {place}" for place in range(s.face_up)),
        *("stack", "cat", "conflict", "discard"),
        *(f"{sort} {seat}" for sort in ("seat", "military", "shields", "tokens") for seat in seats),
        *(f"stage {seat} {stage + 1}" for seat in seats if laid_out for stage in range(state.STAGES)),
    ]


def _decks(s: Any) -> list[int]:
    """The decks on the table; while wonders are chosen only the central one."""
    return [*(s.wonder[seat] for seat in range(s.players) if s.phase != state.PICK), state.CENTRAL]


# --- Cards -------------------------------------------------------------------------------------------------------


def _card(s: Any, values: Any, seat: int | None, name: str) -> About:
    return _card_of(s, seat, one_of(name, state.CARDS) + 1, [])


def _card_of(s: Any, seat: int | None, kind: int, before: list[Phrase]) -> About:
    name = card_name(kind)
    colour = next(colour for colour in COLOURS if name in state.COLOURS[colour])
    what = [*before, Phrase(f"what.card.{colour}", {"points": s.card_points[kind], "horns": max(kind - state.RED0, 0)})]
    if kind == state.VP2CAT:
        what.append(Phrase("what.card.cat", {"points": s.cat_points}))
    worth: list[Phrase] = []
    if seat is not None and s.phase != state.PICK:
        tell = {"grey": _pays, "yellow": _pays, "blue": _points, "green": _symbol, "red": _shield}[colour]
        held = Phrase("what.have", {"count": s.cards[seat][kind]})
        worth = [held, *tell(s, seat, kind), *_calls(s, seat, kind)]
    rules = {"grey": "building", "yellow": "building", "green": "science", "red": "war-and-peace"}
    rule = "the-cat" if kind == state.VP2CAT else rules.get(colour, "end-of-the-game")
    return About(f"card {name}", Phrase("what.card.name", {"card": name}), what, worth, rule)


def _pays(s: Any, seat: int, kind: int) -> Iterator[Phrase]:
    """Yield what one more resource of a kind does for every stage that can be built next."""
    wonder, built = s.wonder[seat], s.built[seat]
    economy, engineering = int(usable(s, seat, state.ECONOMY)), usable(s, seat, state.ENGINEERING)
    have = purse(s, seat)
    more = have + (1 << FIELD * (kind - 1))
    for stage in range(state.STAGES):
        if is_available(s, wonder, built, stage):
            lacks, would = (missing_units(s, one, stage, economy, engineering) for one in (have, more))
            said = "now" if lacks == 0 else "can" if would == 0 else "nearer" if would < lacks else "same"
            args: dict[str, Any] = {
                "stage": stage + 1,
                "cost": _cost(s, stage),
                "points": s.stage_points[wonder][stage],
                "missing": would,
            }
            yield Phrase(f"what.stage.{said}", args)


def _cost(s: Any, stage: int) -> Phrase:
    return Phrase(
        "label.cost", {"count": s.cost[stage], "relation": "identical" if s.identical[stage] else "different"}
    )


def _points(s: Any, seat: int, kind: int) -> Iterator[Phrase]:
    points = s.card_points[kind]
    if kind == state.VP2CAT:
        points += s.cat_points if s.cat != seat else 0
        points += s.politics if s.owned[seat] >> state.POLITICS & 1 else 0
    yield Phrase("what.gives", {"points": points})


def _symbol(s: Any, seat: int, kind: int) -> Iterator[Phrase]:
    """Yield whether one more symbol makes a set."""
    before, after = with_changed(lambda: must_claim(s, seat), (s.cards[seat], kind, 1))
    yield _symbols(s, seat)
    yield Phrase("what.set.now" if before else "what.set.can" if after else "what.set.not")


def _symbols(s: Any, seat: int) -> Phrase:
    kinds = range(state.COMPASS, state.TABLET + 1)
    held = [card_name(symbol) for symbol in kinds for _ in range(s.cards[seat][symbol])]
    return Phrase("what.symbols", {"cards": held}) if held else Phrase("what.symbols.none")


def _shield(s: Any, seat: int, kind: int) -> Iterator[Phrase]:
    """Yield what a battle would give with one more shield, and how near it brings one."""
    yield from _strength(s, seat)
    yield _battle_with(s, seat, 1)
    if horns := kind - state.RED0:
        turned = min(s.turned + horns, s.conflict)
        yield Phrase(
            "what.horns.battle" if turned >= s.conflict else "what.horns", {"turned": turned, "tokens": s.conflict}
        )


def _battle_with(s: Any, seat: int, shields: int) -> Phrase:
    """Return what a battle gives now, and what it would give with more shields."""
    before, after = with_changed(lambda: victories(s, seat), (s.shields, seat, shields))
    return Phrase("what.battle.with", {"before": before * s.military_points, "points": after * s.military_points})


def _strength(s: Any, seat: int) -> Iterator[Phrase]:
    """Yield the seat's shields next to those of the neighbours."""
    for other in sorted({left_neighbour(s, seat), right_neighbour(s, seat)}):
        yield Phrase("what.shields.beside", {"mine": s.shields[seat], "seat": other, "theirs": s.shields[other]})


def _calls(s: Any, seat: int, kind: int) -> Iterator[Phrase]:
    """Yield the seat's progress tokens that taking a card triggers."""
    for token in range(state.EXTRA_TOKENS):
        if s.triggers[kind] & s.owned[seat] >> token & 1:
            yield Phrase("what.calls", {"token": state.TOKENS[token]})


# --- Progress tokens ---------------------------------------------------------------------------------------------


def _token(s: Any, values: Any, seat: int | None, name: str) -> About:
    return _token_of(s, values, seat, one_of(name, choices.ON_OFFER))


def _token_of(s: Any, values: Any, seat: int | None, token: int) -> About:
    name = choices.ON_OFFER[token]
    what = [_token_effect(values, name)]
    worth: list[Phrase] = []
    if name == "stack":
        what.append(Phrase("label.stack_left", {"count": s.stack_left}))
    elif seat is not None:
        owns = s.owned[seat] >> token & 1 and (token != state.CULTURE or s.culture[seat] > 1)
        worth = [Phrase("what.token.yours")] if owns else []
        if token in FINAL:
            worth.append(_at_the_end(s, seat, token, bool(owns)))
        elif token == state.TACTICS and not owns:
            worth.append(_battle_with(s, seat, s.tactics_shields))
        elif token < state.EXTRA_TOKENS and owns:
            worth.append(Phrase("what.token.used" if s.turn == seat and s.used >> token & 1 else "what.token.ready"))
        if not owns:
            worth += [_symbols(s, seat), Phrase("what.set.now" if must_claim(s, seat) else "what.set.not")]
    return About(f"token {name}", Phrase("what.token.name", {"token": name}), what, worth, "the-progress-tokens")


def _token_effect(values: Any, name: str) -> Phrase:
    return tokens(values)[name].effect


def _all_final(s: Any, seat: int) -> int:
    return sum(final_points(s, seat, token) for token in FINAL if s.owned[seat] >> token & 1)


def _at_the_end(s: Any, seat: int, token: int, owns: bool) -> Phrase:
    """Return what a token gives at the end, as things stand: the total with it, less the total without it."""
    if owns:
        return Phrase("what.token.gives", {"points": final_points(s, seat, token)})
    more = 0 if s.owned[seat] >> token & 1 else 1 << token
    before, after = with_changed(
        lambda: _all_final(s, seat), (s.owned, seat, more), (s.culture, seat, int(token == state.CULTURE))
    )
    return Phrase("what.token.would", {"points": after - before})


def _offer(s: Any, values: Any, seat: int | None, place: str) -> About:
    token = s.offer[number(place, s.face_up)]
    if token:
        return _token_of(s, values, seat, token - 1)
    return About("token stack", Phrase("what.gap.name"), [Phrase("what.gap")], [], "science")


def _stack(s: Any, values: Any, seat: int | None, rest: str) -> About:
    nothing(rest)
    return _token(s, values, seat, "stack")


def _tokens_of(s: Any, values: Any, seat: int | None, word: str) -> About:
    owner = number(word, s.players)
    count = tokens_of(s, owner)
    what = [Phrase("what.tokens", {"seat": owner, "count": count})]
    return About("token stack", Phrase("label.progress"), what, [], "the-progress-tokens")


# --- Wonders -----------------------------------------------------------------------------------------------------


def _wonder(s: Any, values: Any, seat: int | None, name: str) -> About:
    wonder = one_of(name, state.WONDERS)
    owner = next((one for one in range(s.players) if s.wonder[one] == wonder), None)
    what = [_wonder_effect(values, name), Phrase("what.wonder", {"points": sum(s.stage_points[wonder])})]
    worth: list[Phrase] = []
    if seat is not None and owner is not None:
        points = sum(s.stage_points[wonder][stage] for stage in range(state.STAGES) if s.built[owner] >> stage & 1)
        args: dict[str, Any] = {
            "seat": owner,
            "count": stages_of(s, owner),
            "points": points,
            "left": sum(s.stage_points[wonder]) - points,
        }
        worth = [Phrase("what.wonder.built", args)]
    return About(f"wonder {name}", Phrase("what.wonder.name", {"wonder": name}), what, worth, "the-seven-wonders")


def _wonder_effect(values: Any, name: str) -> Phrase:
    return next(one.effect for one in wonders(values) if one.wonder == name)


def _stage(s: Any, values: Any, seat: int | None, rest: str) -> About:
    word, _, level = rest.partition(" ")
    owner, stage = number(word, s.players), number(level, state.STAGES + 1, 1) - 1
    wonder = s.wonder[owner]
    if wonder == state.NO_WONDER:
        raise ValueError(rest)
    args: dict[str, Any] = {"stage": stage + 1, "cost": _cost(s, stage), "points": s.stage_points[wonder][stage]}
    what = [Phrase("what.stage", args)]
    if s.effects[wonder] >> stage & 1:
        what.append(_wonder_effect(values, state.WONDERS[wonder]))
    worth = [] if seat is None or s.phase == state.PICK else [_stage_now(s, seat, owner, stage)]
    name = Phrase("what.stage.name", {"stage": stage + 1, "wonder": state.WONDERS[wonder]})
    return About(f"wonder {state.WONDERS[wonder]}", name, what, worth, "building")


def _stage_now(s: Any, seat: int, owner: int, stage: int) -> Phrase:
    """Whether a stage stands, can be built, or what it lacks."""
    if s.built[owner] >> stage & 1:
        return Phrase("what.stage.stands", {"seat": owner, "points": s.stage_points[s.wonder[owner]][stage]})
    if not is_available(s, s.wonder[owner], s.built[owner], stage):
        return Phrase("refuse.stage_locked")
    economy, engineering = int(usable(s, owner, state.ECONOMY)), usable(s, owner, state.ENGINEERING)
    missing = missing_units(s, purse(s, owner), stage, economy, engineering)
    args: dict[str, Any] = {"seat": owner, "stage": stage + 1, "cost": _cost(s, stage), "missing": missing}
    return Phrase("what.stage.missing" if missing else "what.stage.payable", args)


# --- Decks, war, the cat, players --------------------------------------------------------------------------------


def _deck(s: Any, values: Any, seat: int | None, name: str) -> About:
    deck = one_of(name, state.DECKS)
    if deck not in _decks(s):
        raise ValueError(name)
    before = [Phrase("what.deck", {"deck": name, "count": s.deck_left[deck]})]
    if deck == state.CENTRAL:
        before.append(Phrase("what.deck.central"))
    else:
        owner = s.wonder[: s.players].index(deck)
        before.append(Phrase("what.deck.shared", {"seats": [owner, left_neighbour(s, owner)]}))
    reach = (
        seat is None or deck == state.CENTRAL or deck in (deck_at(s, seat, side) for side in (state.LEFT, state.RIGHT))
    )
    if not reach:
        before.append(Phrase("refuse.out_of_reach"))
    top = top_of(s, deck)
    seen = deck != state.CENTRAL or (seat is not None and s.phase != state.PICK and s.knows >> seat & 1)
    if top and seen:
        card = _card_of(s, seat, top, [*before, Phrase("what.deck.top", {"card": card_name(top)})])
        worth = card.worth if reach else []
        return About(card.piece, Phrase(f"deck.{name}.title"), card.what, worth, "your-three-decks")
    return About(f"deck {name}", Phrase(f"deck.{name}.title"), before, [], "your-three-decks")


def _cat(s: Any, values: Any, seat: int | None, rest: str) -> About:
    nothing(rest)
    what = [Phrase("what.cat", {"points": s.cat_points})]
    what.append(Phrase("label.cat_of", {"seat": s.cat}) if s.cat >= 0 else Phrase("label.cat_free"))
    key = "what.cat.yours" if s.cat == seat else "what.cat.could"
    worth = [] if seat is None else [Phrase(key, {"points": s.cat_points})]
    return About("cat", Phrase("label.cat"), what, worth, "the-cat")


def _conflict(s: Any, values: Any, seat: int | None, rest: str) -> About:
    nothing(rest)
    what = [Phrase("what.conflict"), Phrase("label.conflict_tokens", {"turned": s.turned, "tokens": s.conflict})]
    return About("conflict", Phrase("what.conflict.name"), what, _if_battle(s, seat), "war-and-peace")


def _if_battle(s: Any, seat: int | None) -> list[Phrase]:
    if seat is None:
        return []
    return [*_strength(s, seat), Phrase("what.battle.now", {"points": victories(s, seat) * s.military_points})]


def _shields(s: Any, values: Any, seat: int | None, word: str) -> About:
    owner = number(word, s.players)
    what = [Phrase("what.shields", {"seat": owner, "count": s.shields[owner]})]
    return About(f"shields {owner}", Phrase("label.shields.title"), what, _if_battle(s, seat), "war-and-peace")


def _military(s: Any, values: Any, seat: int | None, word: str) -> About:
    owner = number(word, s.players)
    args = {"seat": owner, "count": s.military[owner], "each": s.military_points}
    what = [Phrase("what.military", {**args, "points": s.military[owner] * s.military_points})]
    return About(f"military {owner}", Phrase("label.military"), what, _if_battle(s, seat), "war-and-peace")


def _discard(s: Any, values: Any, seat: int | None, rest: str) -> About:
    nothing(rest)
    what = [Phrase("what.discard", {"count": sum(s.discard)})]
    return About("discard", Phrase("label.discard"), what, [], "your-three-decks")


def _seat(s: Any, values: Any, seat: int | None, word: str) -> About:
    owner = number(word, s.players)
    what = [Phrase("what.seat", {"points": s.score[owner], "count": stages_of(s, owner), "shields": s.shields[owner]})]
    return About(f"seat {owner}", Phrase("what.seat.name", {"seat": owner}), what, [], "end-of-the-game")


about = pieces.about(
    {
        "card": _card,
        "cards": _card,
        "keep": _card,
        "cat": _cat,
        "conflict": _conflict,
        "deck": _deck,
        "discard": _discard,
        "military": _military,
        "offer": _offer,
        "seat": _seat,
        "shields": _shields,
        "stack": _stack,
        "stage": _stage,
        "token": _token,
        "tokens": _tokens_of,
        "wonder": _wonder,
    },
    "'card wood', 'token decor', 'stage 0 3'",
)
