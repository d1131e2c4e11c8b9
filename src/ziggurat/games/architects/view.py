"""The view of one seat, an allow-list: a fact that is not written here is not shown (section 14)."""

from __future__ import annotations

from operator import mul
from typing import Any

import msgspec
from msgspec.structs import replace

from ziggurat.core.events import seats
from ziggurat.core.once import printed
from ziggurat.core.trace import Phrase
from ziggurat.games.architects import choices, state
from ziggurat.games.architects.decks import deck_at, left_neighbour, top_of
from ziggurat.games.architects.payments import is_available
from ziggurat.games.architects.rules import winners
from ziggurat.games.architects.science import final_points
from ziggurat.games.architects.state import Phase, Relation


class WonderKind(msgspec.Struct, frozen=True):
    """A wonder as printed: stages by level from bottom to top, their points, the stages with its effect, and which."""

    wonder: str
    levels: list[list[int]]
    points: list[int]
    effects: list[int]
    effect: Phrase


class TokenKind(msgspec.Struct, frozen=True):
    """A progress token as printed: what it does, and its numbers."""

    effect: Phrase
    numbers: list[int]


class StageCost(msgspec.Struct, frozen=True):
    count: int
    relation: Relation


class WonderDeck(msgspec.Struct, frozen=True):
    wonder: str
    seat: int
    left: int
    top: str | None


class CentralDeck(msgspec.Struct, frozen=True):
    """The central deck. ``seen`` is the top card for those whom the cat has shown it, ``known_by`` their seats."""

    left: int
    seen: str | None
    known_by: list[int]


class ConflictTrack(msgspec.Struct, frozen=True):
    """The conflict track. ``battle``: there is one at the end of this turn. ``pairs``: the seats that compare their
    shields in it."""

    tokens: int
    turned: int
    battle: bool
    pairs: list[tuple[int, int]]


class Looked(msgspec.Struct, frozen=True):
    deck: str
    cards: list[str]


class Tally(msgspec.Struct, frozen=True):
    """The points by where they come from; those of tokens as if the game ended now."""

    stages: int
    cards: int
    military: int
    cat: int
    tokens: int
    total: int


class Builder(msgspec.Struct, frozen=True):
    """A player. ``decks``: the wonders whose decks lie on the left and on the right; none before they are laid out."""

    seat: int
    wonder: str | None
    decks: list[str]
    built: list[int]
    available: list[int]
    cards: dict[str, int]
    tokens: list[str]
    military: int
    shields: int
    score: int
    tally: Tally


class ArchitectsView(msgspec.Struct, frozen=True):
    game: str
    players: int
    seat: int | None
    actors: list[int]
    turn: int
    start: int
    finished: bool
    winners: list[int]
    phase: Phase
    wonders: list[WonderKind]
    costs: list[StageCost]
    open_wonders: list[str]
    decks: list[WonderDeck]
    central: CentralDeck
    discard: dict[str, int]
    conflict: ConflictTrack
    offer: list[str | None]
    stack: int
    cat: int | None
    military_left: int | None
    extras: list[str]
    used: list[str]
    looked: Looked | None
    card_points: dict[str, int]
    tokens: dict[str, TokenKind]
    military_points: int
    builders: list[Builder]
    ranking: list[int]


def card_name(kind: int) -> str:
    return state.CARDS[kind - 1]


def public(s: Any, values: Any) -> ArchitectsView:
    """The public view: the table as everybody sees it."""
    laid_out = s.phase != state.PICK
    builders = [_builder(s, owner) for owner in range(s.players)]
    return ArchitectsView(
        game="architects",
        players=s.players,
        seat=None,
        actors=[] if s.finished else [s.turn],
        turn=s.turn,
        start=s.start,
        finished=bool(s.finished),
        winners=winner_seats(s),
        phase=state.PHASES[s.phase],
        wonders=wonders(values),
        costs=_costs(values),
        open_wonders=[name for wonder, name in enumerate(state.WONDERS) if s.open_wonders >> wonder & 1],
        decks=[_deck(s, owner) for owner in range(s.players)] if laid_out else [],
        central=_central(s, None),
        discard=_by_name(s.discard),
        conflict=ConflictTrack(s.conflict, s.turned, bool(s.turned >= s.conflict), _pairs(s)),
        offer=[state.TOKENS[token - 1] if token else None for token in s.offer[: s.face_up]],
        stack=s.stack_left,
        cat=s.cat if s.cat >= 0 else None,
        military_left=s.supply if s.supply >= 0 else None,
        extras=_tokens_in(s.triggered & ~s.used, state.EXTRA_TOKENS),
        used=_tokens_in(s.used, len(state.TOKENS)),
        looked=_looked(s, None),
        card_points=_by_name(s.card_points),
        tokens=tokens(values),
        military_points=s.military_points,
        builders=builders,
        ranking=sorted(range(s.players), key=lambda owner: _rank(builders[owner]), reverse=True),
    )


def own(s: Any, seat: int | None, public: ArchitectsView, everything: bool = False) -> ArchitectsView:
    """The view of ``seat``: the public one, the card that the cat shows, those that it looks at. ``everything`` is for
    the umpire."""
    central, looked = _central(s, seat, everything), _looked(s, seat, everything)
    return replace(public, seat=seat, central=central, looked=looked)


def winner_seats(s: Any) -> list[int]:
    """The winners once the game is over."""
    return seats(winners(s)) if s.finished else []


def _rank(builder: Builder) -> tuple[int, int]:
    """Section 13: most points first; tied, most stages."""
    return builder.tally.total, len(builder.built)


def _pairs(s: Any) -> list[tuple[int, int]]:
    """Section 10: neighbours compare their shields; two players do so once."""
    return [(seat, left_neighbour(s, seat)) for seat in range(s.players if s.players > 2 else 1)]


@printed
def _costs(values: Any) -> list[StageCost]:
    return [StageCost(cost.count, cost.relation) for cost in values.costs]


@printed
def wonders(values: Any) -> list[WonderKind]:
    return [_wonder(name, values) for name in state.WONDERS]


def _wonder(name: str, values: Any) -> WonderKind:
    wonder = values.wonder(name)
    numbers = {"halicarnassus": {"count": values.halicarnassus.looks_at}, "rhodes": {"count": values.rhodes.shields}}
    effect = Phrase(f"wonder.{name}.effect", numbers.get(name, {}))
    return WonderKind(name, wonder.levels, wonder.points, wonder.effects, effect)


@printed
def tokens(values: Any) -> dict[str, TokenKind]:
    """What each progress token does, and the unseen one of the stack."""
    tokens = values.tokens
    numbers = {
        "tactics": {"count": tokens.tactics_shields},
        "decor": {"points": tokens.decor[0], "complete": tokens.decor[1]},
        "politics": {"points": tokens.politics},
        "strategy": {"points": tokens.strategy},
        "education": {"points": tokens.education},
        "culture": {"points": tokens.culture[0], "both": tokens.culture[1]},
    }
    found = {}
    for name in choices.ON_OFFER:
        args = numbers.get(name, {})
        found[name] = TokenKind(Phrase(f"token.{name}.effect", args), list(args.values()))
    return found


def _by_name(counts: list[int]) -> dict[str, int]:
    return dict(zip(state.CARDS, counts[1:], strict=True))


def _tokens_in(mask: int, among: int) -> list[str]:
    return [state.TOKENS[token] for token in range(among) if mask >> token & 1] if mask else []


def _deck(s: Any, seat: int) -> WonderDeck:
    deck = s.wonder[seat]
    top = top_of(s, deck)
    return WonderDeck(state.WONDERS[deck], seat, s.deck_left[deck], card_name(top) if top else None)


def _central(s: Any, seat: int | None, everything: bool = False) -> CentralDeck:
    known_by = seats(s.knows)
    top = top_of(s, state.CENTRAL)
    seen = card_name(top) if top and s.phase != state.PICK and (everything or seat in known_by) else None
    return CentralDeck(s.deck_left[state.CENTRAL], seen, known_by)


def looked_at(s: Any) -> list[int]:
    """The cards that Halicarnassus looks at, the top one first."""
    left = s.deck_left[s.looking]
    return [s.deck[s.looking][place] for place in range(left - 1, max(left - s.looks_at, 0) - 1, -1)]


def _looked(s: Any, seat: int | None, everything: bool = False) -> Looked | None:
    if s.phase != state.KEEP or s.looking == state.NO_DECK:
        return None
    if not (everything or s.reveal_public or seat == s.turn):
        return None
    return Looked(state.DECKS[s.looking], [card_name(kind) for kind in looked_at(s)])


def owned_tokens(s: Any, seat: int) -> list[str]:
    """The progress tokens of a seat, Culture twice if it has both."""
    tokens = _tokens_in(s.owned[seat], len(state.TOKENS))
    return [*tokens, state.TOKENS[state.CULTURE]] if s.culture[seat] > 1 else tokens


def _builder(s: Any, seat: int) -> Builder:
    wonder, built = s.wonder[seat], s.built[seat]
    known = wonder != state.NO_WONDER
    sides = (state.LEFT, state.RIGHT) if s.phase != state.PICK else ()
    tally = _tally(s, seat)
    cards = _by_name(s.cards[seat])
    stages = [stage for stage in range(state.STAGES) if built >> stage & 1]
    return Builder(
        seat=seat,
        wonder=state.WONDERS[wonder] if known else None,
        decks=[state.DECKS[deck_at(s, seat, side)] for side in sides],
        built=[stage + 1 for stage in stages],
        available=[stage + 1 for stage in range(state.STAGES) if known and is_available(s, wonder, built, stage)],
        cards=cards,
        tokens=owned_tokens(s, seat),
        military=s.military[seat],
        shields=s.shields[seat],
        score=s.score[seat],
        tally=tally,
    )


def _tally(s: Any, seat: int) -> Tally:
    wonder, built = s.wonder[seat], s.built[seat]
    stages = tokens = 0
    for stage in range(state.STAGES):
        if built >> stage & 1:
            stages += s.stage_points[wonder][stage]
    cards = sum(map(mul, s.card_points, s.cards[seat]))
    military = s.military[seat] * s.military_points
    cat = s.cat_points if s.cat == seat else 0
    if owned := s.owned[seat]:
        for token in range(state.DECOR, state.CULTURE + 1):
            if owned >> token & 1:
                tokens += final_points(s, seat, token)
    return Tally(stages, cards, military, cat, tokens, stages + cards + military + cat + tokens)


def secrets(s: Any) -> dict[str, Any]:
    """The secrets that nobody's view shows, for the umpire's log: decks and tokens, the top one first.

    While wonders are chosen nothing is laid out yet.
    """
    if s.phase == state.PICK:
        return {"decks": {}, "stack": []}
    decks = [deck for deck in range(len(state.DECKS)) if deck == state.CENTRAL or deck in s.wonder[: s.players]]
    return {
        "decks": {
            state.DECKS[deck]: [card_name(kind) for kind in reversed(s.deck[deck][: s.deck_left[deck]])]
            for deck in decks
        },
        "stack": [state.TOKENS[token - 1] for token in reversed(s.stack[: s.stack_left])],
    }
