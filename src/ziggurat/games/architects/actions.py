"""The decisions of Architects: questions, actions as structs for display, reasons for refusals, and notation.

Every action is a whole move: ``draw left``, ``extra urbanism central``, ``build 3 with wood stone coin`` (``coin2`` is
a coin that Economy doubles), ``claim gear gear for tactics`` (``for stack``: the unseen token), ``token culture``,
``take rhodes``, ``look left``, ``keep glass``, ``accept``, ``decline``, ``end``, ``wonder giza``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from ziggurat.core.actions import Choice
from ziggurat.core.decision import Refusal
from ziggurat.core.errors import NotationError
from ziggurat.core.pieces import word_at
from ziggurat.core.trace import Phrase
from ziggurat.games.architects import choices, state
from ziggurat.games.architects.choices import SPACE
from ziggurat.games.architects.decks import can_draw, deck_at, in_play, top_of
from ziggurat.games.architects.payments import (
    FIELD,
    MASK,
    SET_NUMBERS,
    grey_cards,
    is_available,
    missing_units,
    purse,
    uses_engineering,
)
from ziggurat.games.architects.rules import must_build
from ziggurat.games.architects.science import has_set, must_claim, tokens_left, usable

COIN_DOUBLED = "coin2"


def known(s: Any, seat: int) -> bool:
    """Whether everybody knows the seat's choices: cards, stages and tokens lie open, and of each deck everybody sees
    whether it is empty."""
    return True


def ask(s: Any, seat: int | None) -> Phrase | None:
    """The question to a seat."""
    if s.finished:
        return Phrase("ask.finished")
    if seat is None or seat != s.turn:
        return None
    if s.phase == state.EFFECT:
        wonder = state.WONDERS[s.wonder[seat]]
        return Phrase(f"ask.effect.{wonder}", {"count": s.looks_at} if wonder == "halicarnassus" else {})
    if s.phase != state.ACT:
        return Phrase({state.PICK: "ask.choose_wonder", state.DRAW: "ask.draw", state.KEEP: "ask.keep"}[s.phase])
    if must_claim(s, seat) or must_build(s, seat):
        return Phrase("ask.act_forced")
    if s.triggered & ~s.used and can_draw(s, seat):
        return Phrase("ask.act_optional" if s.extra_optional else "ask.act_extra")
    return Phrase("ask.act_voluntary")


# --- Actions as structs ------------------------------------------------------------------------------------------


def choice(s: Any, seat: int, action: int) -> Choice:
    """The struct of an action of a seat, with what lies where it leads."""
    return _choice(s, seat, action, None)


def _choice(s: Any, seat: int, action: int, must: bool | None) -> Choice:
    """The struct of an action. `must`: whether the seat must build, if that is known."""
    type, values = _read(action)
    match type:
        case "draw" | "extra" | "look" | "take_any":
            deck = deck_at(s, seat, _SIDES[values["side"]]) if "side" in values else _DECKS[values["deck"]]
            card = _seen_on_top(s, seat, deck) if type != "look" else None
            return _choice_of_deck(action, deck, card, not s.extra_optional)
        case "build":
            stage, payment = values["stage"] - 1, values["payment"]
            return _choice_of_stage(
                action,
                s.cost[stage],
                bool(uses_engineering(s, stage, payment)),
                s.stage_points[s.wonder[seat]][stage],
                bool(must_build(s, seat)) if must is None else must,
            )
        case "claim":
            return _choice_of_claim(action)
        case "accept" | "decline":
            return SPACE.choice(action, wonder=state.WONDERS[s.wonder[seat]])
    return SPACE.choice(action)


@cache
def _read(action: int) -> tuple[str, Mapping[str, Any]]:
    """The type of an action, and the fields of its number."""
    declared = SPACE[action]
    return declared.type, declared.values(action)


_SIDES = {name: side for side, name in enumerate(state.SIDES)}
_DECKS = {name: deck for deck, name in enumerate(state.DECKS)}


# Made once for all that they depend on: a turn has a dozen of them, most of which were there a turn before.
@lru_cache(maxsize=4096)
def _choice_of_deck(action: int, deck: int, card: str | None, forced: bool) -> Choice:
    more: dict[str, Any] = {}
    if not SPACE.is_a(action, "take_any"):
        more["deck"] = state.DECKS[deck]
    if card is not None:
        more["card"] = card
    if SPACE.is_a(action, "extra"):
        more["forced"] = forced
    return SPACE.choice(action, **more)


@cache
def _choice_of_claim(action: int) -> Choice:
    return SPACE.choice(action, forced=True)


@lru_cache(maxsize=4096)
def _choice_of_stage(action: int, cost: int, engineering: bool, points: int, forced: bool) -> Choice:
    values = SPACE[action].values(action)
    payment = values["payment"]
    return SPACE.choice(
        action,
        _write_build(values["stage"], cost, payment),
        cards=[*payment_cards(cost, payment)],
        economy=payment & 1 == 1,
        engineering=engineering,
        points=points,
        forced=forced,
    )


def _seen_on_top(s: Any, seat: int, deck: int) -> str:
    """The top card of a deck as the seat sees it: of the central deck only what the cat has shown."""
    top = top_of(s, deck)
    hidden = deck == state.CENTRAL and not s.knows >> seat & 1
    return state.CARDS[top - 1] if top and not hidden else choices.UNSEEN


@cache
def payment_cards(cost: int, payment: int) -> tuple[str, ...]:
    """The cards of a payment of so many resources, coins last."""
    grey = grey_cards(payment >> 1)
    cards = [state.CARDS[kind] for kind in range(state.RESOURCES) for _ in range(grey >> FIELD * kind & MASK)]
    return (*cards, *["coin"] * (cost - len(cards) - (payment & 1)))


# --- Why not -----------------------------------------------------------------------------------------------------


def refusals(s: Any, seat: int, legal: Sequence[int]) -> list[Refusal]:
    """The refusals: what a player may touch and cannot have now, with the reason."""
    if s.finished or seat != s.turn:
        return []

    must = s.phase != state.PICK and bool(must_build(s, seat))

    def refuse(action: int, key: str, **args: Any) -> Refusal:
        return Refusal(_choice(s, seat, action, must), Phrase(f"refuse.{key}", args))

    if s.phase == state.PICK:
        return [
            refuse(choices.PICK + wonder, _why_not_wonder(s, wonder), wonder=name)
            for wonder, name in enumerate(state.WONDERS)
            if not s.open_wonders >> wonder & 1
        ]
    refused = [refuse(choices.ANY + deck, "out_of_reach") for deck in _far_decks(s, seat, legal)]
    sides = [choices.DRAW + side for side in range(3)]
    stages = [choices.BUILD + stage * choices.PAYMENTS for stage in range(state.STAGES)]
    sets = [choices.CLAIM + green * choices.OFFERED + choices.STACK for green in range(choices.SETS)]
    if s.phase == state.EFFECT:
        wonder = state.WONDERS[s.wonder[seat]]
        return refused + [refuse(action, "effect_first", wonder=wonder) for action in [*sides, *stages, choices.END]]
    if s.phase == state.KEEP:
        return refused + [refuse(action, "keep_first") for action in [*sides, *stages, choices.END]]
    if s.phase == state.DRAW:
        for side, action in enumerate(sides):
            if action not in legal:
                refused.append(refuse(action, "deck_empty", deck=state.DECKS[deck_at(s, seat, side)]))
        return refused + [refuse(action, "draw_first") for action in [*stages, *sets, choices.END]]
    refused += [refuse(action, "drawn") for action in sides]
    payable = {SPACE[action].values(action)["stage"] - 1 for action in legal if SPACE.is_a(action, "build")}
    for stage in range(state.STAGES):
        if stage not in payable:
            key, args = _why_not_build(s, seat, stage)
            refused.append(refuse(stages[stage], key, **args))
    for green in range(choices.SETS):
        if not must_claim(s, seat) or not has_set(s, seat, green):
            key = "no_tokens" if has_set(s, seat, green) and not tokens_left(s) else "no_set"
            refused.append(refuse(sets[green], key))
    refused += _refused_extras(s, seat, legal)
    if choices.END not in legal:
        key = "must_claim" if must_claim(s, seat) else "must_build" if must else "must_draw_extra"
        refused.append(refuse(choices.END, key))
    return refused


def _far_decks(s: Any, seat: int, legal: Sequence[int]) -> list[int]:
    """Decks on the table that lie beside others, unless the player may take from them now."""
    near = [deck_at(s, seat, side) for side in range(3)]
    decks = range(len(state.DECKS))
    return [deck for deck in decks if in_play(s, deck) and deck not in near and choices.ANY + deck not in legal]


def _why_not_wonder(s: Any, wonder: int) -> str:
    return "wonder_taken" if wonder in s.wonder[: s.players] else "wonder_not_open"


def _why_not_build(s: Any, seat: int, stage: int) -> tuple[str, dict[str, Any]]:
    args: dict[str, Any] = {"stage": stage + 1, "wonder": state.WONDERS[s.wonder[seat]]}
    if s.built[seat] >> stage & 1:
        return "stage_built", args
    if not is_available(s, s.wonder[seat], s.built[seat], stage):
        return "stage_locked", args
    economy, engineering = int(usable(s, seat, state.ECONOMY)), usable(s, seat, state.ENGINEERING)
    missing, need = missing_units(s, purse(s, seat), stage, economy, engineering), s.cost[stage]
    if missing == 0:
        return "stage_other_first", {"stage": stage + 1}
    relation = "identical" if s.identical[stage] else "different"
    return "stage_cost", {**args, "have": need - missing, "need": need, "relation": relation}


def _refused_extras(s: Any, seat: int, legal: Sequence[int]) -> list[Refusal]:
    refused: list[Refusal] = []
    for token in range(state.EXTRA_TOKENS):
        if not s.owned[seat] >> token & 1:
            continue
        for side in range(3):
            action = choices.EXTRA + token * 3 + side
            if action in legal:
                continue
            if s.used >> token & 1:
                reason = Phrase("refuse.token_used", {"token": state.TOKENS[token]})
            elif not s.triggered >> token & 1:
                reason = Phrase("refuse.token_not_triggered", {"token": state.TOKENS[token]})
            else:
                reason = Phrase("refuse.deck_empty", {"deck": state.DECKS[deck_at(s, seat, side)]})
            refused.append(Refusal(choice(s, seat, action), reason))
    return refused


# --- Notation ----------------------------------------------------------------------------------------------------


def write_step(s: Any, action: int) -> str:
    """The notation of an action; how many coins a payment has depends on the cost of the stage."""
    if not SPACE.is_a(action, "build"):
        return SPACE.write(action)
    values = SPACE[action].values(action)
    return _write_build(values["stage"], s.cost[values["stage"] - 1], values["payment"])


@cache
def _write_build(stage: int, cost: int, payment: int) -> str:
    cards = payment_cards(cost, payment)
    if payment & 1:
        cards = (*cards[:-1], COIN_DOUBLED) if "coin" in cards else (*cards, COIN_DOUBLED)
    return f"build {stage} with {' '.join(cards)}"


def read_move(s: Any, seat: int, text: str) -> list[int]:
    """The action of a move in notation. Whether it is legal is for the rules to say.

    Raises:
        NotationError: when the text names no action.
    """
    verb, *rest = text.split() or [""]
    if verb == "build":
        return [_read_build(s, rest)]
    if verb == "claim" and "for" in rest:  # symbols in any order
        at = rest.index("for")
        rest = [*sorted(rest[:at]), *rest[at:]]
    return [SPACE.read(" ".join([verb, *rest]))]


def _read_build(s: Any, words: Sequence[str]) -> int:
    number, *cards = words or [""]
    if cards[:1] != ["with"] or len(cards) == 1:
        raise NotationError(f"'build {' '.join(words)}' names no payment; write 'build 1 with wood coin'")
    stage = word_at(number, [str(number) for number in range(1, state.STAGES + 1)])
    kinds = sorted(word_at(card, (*state.CARDS[: state.RESOURCES], "coin", COIN_DOUBLED)) for card in cards[1:])
    grey = tuple(kind for kind in kinds if kind < state.RESOURCES)
    doubled = kinds.count(state.RESOURCES + 1)
    units, cost = len(kinds) + doubled, s.cost[stage]
    if units != cost or doubled > 1 or len(grey) > choices.MOST_GREY:
        relation = "identical" if s.identical[stage] else "different"
        paid = " ".join(cards[1:])
        raise NotationError(f"stage {number} costs {cost} {relation} resources; {paid!r:.80} makes {units}")
    return choices.BUILD + stage * choices.PAYMENTS + SET_NUMBERS[grey] * 2 + doubled
