"""Actions as numbers, as structs for a board, and as notation.

Every action is a whole move: ``draw left``, ``extra urbanism central``, ``build 3 with wood stone coin`` (``coin2`` is
a coin that Economy doubles), ``claim gear gear for tactics`` (``for stack``: the unseen token), ``token culture``,
``take rhodes``, ``look left``, ``keep glass``, ``accept``, ``decline``, ``end``, ``wonder giza``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ziggurat.core.actions import Choice
from ziggurat.core.decision import Preview, Refusal
from ziggurat.core.errors import NotationError
from ziggurat.core.trace import Phrase
from ziggurat.games.architects import state
from ziggurat.games.architects.decks import deck_at
from ziggurat.games.architects.events import GREEN, set_cards
from ziggurat.games.architects.payments import (
    COINS,
    FIELD,
    MASK,
    grey_cards,
    is_available,
    multisets,
    purse,
    smaller_sets,
    uses_engineering,
)
from ziggurat.games.architects.rules import must_build
from ziggurat.games.architects.science import has_set, must_claim, tokens_left, usable


class WonderChoice(Choice, frozen=True, kw_only=True):
    wonder: str


class DrawChoice(Choice, frozen=True, kw_only=True):
    side: str
    deck: str


class ExtraChoice(Choice, frozen=True, kw_only=True):
    token: str
    side: str
    deck: str


class BuildChoice(Choice, frozen=True, kw_only=True):
    """A stage and its payment, coins last."""

    stage: int
    cards: list[str]
    economy: bool
    engineering: bool


class ClaimChoice(Choice, frozen=True, kw_only=True):
    cards: list[str]
    token: str


class TokenChoice(Choice, frozen=True, kw_only=True):
    token: str


class DeckChoice(Choice, frozen=True, kw_only=True):
    deck: str


class KeepChoice(Choice, frozen=True, kw_only=True):
    card: str


TOKEN_CHOICES = (*state.TOKENS, "stack")
COIN_DOUBLED = "coin2"


def payment_cards(s: Any, stage: int, payment: int) -> list[str]:
    """The cards of a payment, coins last."""
    grey = grey_cards(payment >> 1)
    cards = [state.CARDS[kind] for kind in range(state.RESOURCES) for _ in range(grey >> FIELD * kind & MASK)]
    return cards + ["coin"] * (s.cost[stage] - len(cards) - (payment & 1))


def choice(s: Any, seat: int, action: int) -> Choice:
    base: dict[str, Any] = {"action": action, "notation": write_step(s, action)}

    def from_side(side: int) -> dict[str, Any]:
        return {"side": state.SIDES[side], "deck": state.DECKS[deck_at(s, seat, side)]}

    if action < state.A_EXTRA:
        return DrawChoice(type="draw", **base, **from_side(action - state.A_DRAW))
    if action < state.A_BUILD:
        token, side = divmod(action - state.A_EXTRA, 3)
        return ExtraChoice(type="extra", token=state.TOKENS[token], **base, **from_side(side))
    if action < state.A_CLAIM:
        stage, payment = divmod(action - state.A_BUILD, state.PAYMENTS)
        engineering = bool(uses_engineering(s, stage, payment))
        cards = payment_cards(s, stage, payment)
        return BuildChoice(
            type="build", stage=stage + 1, cards=cards, economy=payment & 1 == 1, engineering=engineering, **base
        )
    if action < state.A_TOKEN:
        green, token = divmod(action - state.A_CLAIM, 15)
        return ClaimChoice(type="claim", cards=set_cards(green), token=TOKEN_CHOICES[token], **base)
    if action < state.A_ANY:
        return TokenChoice(type="take_token", token=TOKEN_CHOICES[action - state.A_TOKEN], **base)
    if action < state.A_LOOK:
        return DeckChoice(type="take_any", deck=state.DECKS[action - state.A_ANY], **base)
    if action < state.A_KEEP:
        return DrawChoice(type="look", **base, **from_side(action - state.A_LOOK))
    if action < state.A_KEEP + state.KINDS:
        return KeepChoice(type="keep", card=state.CARDS[action - state.A_KEEP - 1], **base)
    if action >= state.A_PICK:
        return WonderChoice(type="choose_wonder", wonder=state.WONDERS[action - state.A_PICK], **base)
    return Choice(type={state.A_ACCEPT: "accept", state.A_DECLINE: "decline", state.A_END: "end"}[action], **base)


def ask(s: Any, seat: int | None) -> Phrase | None:
    """What is asked of a seat."""
    return Phrase("ask.finished") if s.finished else None


def describe(s: Any, seat: int, steps: Sequence[int]) -> Phrase:
    """A move in words."""
    return choice(s, seat, steps[0]).words


# --- Why not -----------------------------------------------------------------------------------------------------


def refusals(s: Any, seat: int, legal: Sequence[int]) -> list[Refusal]:
    """What a player may touch and cannot have now, with the reason."""
    if s.finished or seat != s.turn:
        return []

    def refuse(action: int, key: str, **args: Any) -> Refusal:
        return Refusal(choice(s, seat, action), Phrase(f"refuse.{key}", args))

    if s.phase == state.PICK:
        return [
            refuse(state.A_PICK + wonder, _why_not_wonder(s, wonder), wonder=name)
            for wonder, name in enumerate(state.WONDERS)
            if not s.open_wonders >> wonder & 1
        ]
    if s.phase not in (state.DRAW, state.ACT):
        reason = (
            ("effect_first", {"wonder": state.WONDERS[s.wonder[seat]]})
            if s.phase == state.EFFECT
            else ("keep_first", {})
        )
        touched = [state.A_DRAW + side for side in range(3)] + [
            state.A_BUILD + stage * state.PAYMENTS for stage in range(state.STAGES)
        ]
        return [refuse(action, reason[0], **reason[1]) for action in [*touched, state.A_END]]
    if s.phase == state.DRAW:
        refused = [
            refuse(state.A_DRAW + side, "deck_empty", deck=state.DECKS[deck_at(s, seat, side)])
            for side in range(3)
            if state.A_DRAW + side not in legal
        ]
        later = [state.A_BUILD + stage * state.PAYMENTS for stage in range(state.STAGES)]
        later += [state.A_CLAIM + green * 15 + state.STACK for green in range(state.SETS)] + [state.A_END]
        return refused + [refuse(action, "draw_first") for action in later]
    refused = [refuse(state.A_DRAW + side, "drawn") for side in range(3)]
    payable = {
        (action - state.A_BUILD) // state.PAYMENTS for action in legal if state.A_BUILD <= action < state.A_CLAIM
    }
    for stage in range(state.STAGES):
        if stage not in payable:
            key, args = _why_not_build(s, seat, stage)
            refused.append(refuse(state.A_BUILD + stage * state.PAYMENTS, key, **args))
    for green in range(state.SETS):
        if not any(state.A_CLAIM + green * 15 <= action < state.A_CLAIM + green * 15 + 15 for action in legal):
            key = "no_tokens" if has_set(s, seat, green) and not tokens_left(s) else "no_set"
            refused.append(refuse(state.A_CLAIM + green * 15 + state.STACK, key))
    refused += _refused_extras(s, seat, legal)
    if state.A_END not in legal:
        key = "must_claim" if must_claim(s, seat) else "must_build" if must_build(s, seat) else "must_draw_extra"
        refused.append(refuse(state.A_END, key))
    return refused


def _why_not_wonder(s: Any, wonder: int) -> str:
    return "wonder_taken" if wonder in s.wonder[: s.players] else "wonder_not_open"


def _why_not_build(s: Any, seat: int, stage: int) -> tuple[str, dict[str, Any]]:
    args: dict[str, Any] = {"stage": stage + 1, "wonder": state.WONDERS[s.wonder[seat]]}
    if s.built[seat] >> stage & 1:
        return "stage_built", args
    if not is_available(s, s.wonder[seat], s.built[seat], stage):
        return "stage_locked", args
    have, need = payable_units(s, seat, stage), s.cost[stage]
    if have >= need:
        return "stage_other_first", {"stage": stage + 1}
    relation = "identical" if s.identical[stage] else "different"
    return "stage_cost", {**args, "have": have, "need": need, "relation": relation}


def payable_units(s: Any, seat: int, stage: int) -> int:
    """How many units towards a stage's cost the cards of a seat make."""
    packed = purse(s, seat)
    counts = [packed >> FIELD * kind & MASK for kind in range(state.RESOURCES)]
    coins = packed >> COINS
    if usable(s, seat, state.ENGINEERING):
        grey = sum(counts)
    else:
        grey = max(counts) if s.identical[stage] else sum(1 for count in counts if count)
    return min(grey, s.cost[stage]) + coins + (1 if coins and usable(s, seat, state.ECONOMY) else 0)


def _refused_extras(s: Any, seat: int, legal: Sequence[int]) -> list[Refusal]:
    refused: list[Refusal] = []
    for token in range(state.EXTRA_TOKENS):
        if not s.owned[seat] >> token & 1:
            continue
        for side in range(3):
            action = state.A_EXTRA + token * 3 + side
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


# --- Moves of one step -------------------------------------------------------------------------------------------


def in_move(s: Any) -> bool:
    """Every action is a whole move."""
    return False


def arrange(steps: Sequence[int]) -> list[int]:
    return list(steps)


def preview(s: Any, seat: int, steps: Sequence[int]) -> Preview:
    """Raises NotationError: no move of this game is ever unfinished."""
    raise NotationError("every move of this game is a single step; there is nothing to preview")


# --- Notation ----------------------------------------------------------------------------------------------------


def write_step(s: Any, action: int) -> str:
    if action < state.A_EXTRA:
        return f"draw {state.SIDES[action - state.A_DRAW]}"
    if action < state.A_BUILD:
        token, side = divmod(action - state.A_EXTRA, 3)
        return f"extra {state.TOKENS[token]} {state.SIDES[side]}"
    if action < state.A_CLAIM:
        stage, payment = divmod(action - state.A_BUILD, state.PAYMENTS)
        cards = payment_cards(s, stage, payment)
        if payment & 1:
            cards = [*cards[:-1], COIN_DOUBLED] if "coin" in cards else [*cards, COIN_DOUBLED]
        return f"build {stage + 1} with {' '.join(cards)}"
    if action < state.A_TOKEN:
        green, token = divmod(action - state.A_CLAIM, 15)
        return f"claim {' '.join(set_cards(green))} for {TOKEN_CHOICES[token]}"
    if action < state.A_ANY:
        return f"token {TOKEN_CHOICES[action - state.A_TOKEN]}"
    if action < state.A_LOOK:
        return f"take {state.DECKS[action - state.A_ANY]}"
    if action < state.A_KEEP:
        return f"look {state.SIDES[action - state.A_LOOK]}"
    if action < state.A_KEEP + state.KINDS:
        return f"keep {state.CARDS[action - state.A_KEEP - 1]}"
    if action >= state.A_PICK:
        return f"wonder {state.WONDERS[action - state.A_PICK]}"
    return {state.A_ACCEPT: "accept", state.A_DECLINE: "decline", state.A_END: "end"}[action]


def write_move(s: Any, steps: Sequence[int]) -> str:
    return " ".join(write_step(s, action) for action in steps)


_ONE_WORD = {"accept": state.A_ACCEPT, "decline": state.A_DECLINE, "end": state.A_END}
_TWO_WORDS: dict[str, tuple[int, tuple[str, ...]]] = {
    "draw": (state.A_DRAW, state.SIDES),
    "token": (state.A_TOKEN, TOKEN_CHOICES),
    "take": (state.A_ANY, state.DECKS),
    "look": (state.A_LOOK, state.SIDES[:2]),
    "keep": (state.A_KEEP + 1, state.CARDS),
    "wonder": (state.A_PICK, state.WONDERS),
}


def read_move(s: Any, seat: int, text: str) -> list[int]:
    """The action of a move in notation. Whether it is legal is for the rules to say.

    Raises:
        NotationError: when the text names no action.
    """
    words = text.split()
    verb, rest = (words[0], words[1:]) if words else ("", [])
    if verb in _ONE_WORD and not rest:
        return [_ONE_WORD[verb]]
    if verb in _TWO_WORDS and len(rest) == 1:
        base, names = _TWO_WORDS[verb]
        return [base + _index(names, rest[0])]
    if verb == "extra" and len(rest) == 2:
        return [state.A_EXTRA + _index(state.TOKENS[: state.EXTRA_TOKENS], rest[0]) * 3 + _index(state.SIDES, rest[1])]
    if verb == "build" and len(rest) > 2 and rest[1] == "with":
        return [_read_build(s, rest[0], rest[2:])]
    if verb == "claim" and "for" in rest:
        at = rest.index("for")
        return [_read_claim(rest[:at], rest[at + 1 :])]
    raise NotationError(
        f"{text!r:.80} is no move; write 'draw left', 'build 1 with wood coin', 'claim gear gear for tactics', "
        "'extra science central' or 'end'"
    )


def _index(names: Sequence[str], name: str) -> int:
    if name not in names:
        raise NotationError(f"{name!r:.40} is none of {', '.join(names)}")
    return names.index(name)


def _read_build(s: Any, stage: str, cards: Sequence[str]) -> int:
    number = _index(tuple(str(number) for number in range(1, state.STAGES + 1)), stage)
    kinds = sorted(_index((*state.CARDS[: state.RESOURCES], "coin", COIN_DOUBLED), card) for card in cards)
    grey = [kind for kind in kinds if kind < state.RESOURCES]
    doubled = kinds.count(state.RESOURCES + 1)
    units, cost = len(kinds) + doubled, s.cost[number]
    if units != cost or doubled > 1 or len(grey) > state.MOST_GREY:
        relation = "identical" if s.identical[number] else "different"
        raise NotationError(f"stage {stage} costs {cost} {relation} resources; {' '.join(cards)!r:.80} makes {units}")
    multiset = smaller_sets(len(grey)) + sum(multisets(kind, place) for place, kind in enumerate(grey, start=1))
    return state.A_BUILD + number * state.PAYMENTS + multiset * 2 + doubled


def _read_claim(cards: Sequence[str], token: Sequence[str]) -> int:
    found = [green for green in range(state.SETS) if sorted(set_cards(green)) == sorted(cards)]
    if not found or len(token) != 1:
        raise NotationError(
            f"a claim names two equal or three different symbols ({', '.join(GREEN)}) and a token: "
            "'claim gear gear for tactics'"
        )
    return state.A_CLAIM + found[0] * 15 + _index(TOKEN_CHOICES, token[0])
