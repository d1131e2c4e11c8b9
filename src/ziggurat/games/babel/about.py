"""Descriptions of pieces, in words: what a piece is and what it is worth to a seat now; the answer to a long press on
it.

Pieces are named by their sort: ``card ship``, ``disc ship 5``, ``action joker``; a place by the name that the board
gives it: ``disc zeus 0``, ``site zeus``, ``offer 1 0``. Nothing is said that the seat does not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ziggurat.core import pieces
from ziggurat.core.decision import About
from ziggurat.core.pieces import nothing, number, one_of, with_changed
from ziggurat.core.trace import ListTrace, Phrase
from ziggurat.games.babel import state
from ziggurat.games.babel.scoring import best_assignment, bonus_of, disc_count, score_wonder
from ziggurat.games.babel.tokens import needs_tokens, parse_disc
from ziggurat.games.babel.view import effects, has_offered

CARDS = (*state.TYPES, "trade")


def named(s: Any, values: Any) -> list[str]:
    """Every card and disc of the box, and every place of the table."""
    seats = range(s.players)
    return [
        *(f"card {card}" for card in (*CARDS, "back")),
        *(f"hand {card}" for card in CARDS),
        *(f"disc {token}" for token in _discs(values)),
        *(f"disc {wonder} {space}" for wonder in state.WONDERS for space in range(state.SPACES)),
        *(f"site {wonder}" for wonder in state.WONDERS),
        *(f"action {name}" for name in state.ACTION_CARDS),
        *(f"row {row}" for row in (*range(1, state.ROWS + 1), "light")),
        *("bonus", "deck", "discard", "actions"),
        *(f"{sort} {seat}" for sort in ("seat", "score", "house", "discs", "actions") for seat in seats),
        *(f"offer {seat} {place}" for seat in seats for place in range(_offered(s, seat))),
    ]


def _discs(values: Any) -> list[str]:
    """Every disc of the box by its token, those of the variant too."""
    one = {f"{kind} {count}" for kind in state.TYPES for count in getattr(values.discs, kind)}
    two = {" ".join(needs_tokens([getattr(disc, kind, 0) for kind in state.TYPES])) for disc in values.two_colour.discs}
    return sorted(one | two)


# --- Building cards ----------------------------------------------------------------------------------------------


def _card(s: Any, values: Any, seat: int | None, name: str) -> About:
    if name == "back":
        return About("card back", Phrase("what.back.name"), [Phrase("what.back")], [], "what-is-open-what-is-secret")
    if name == "trade":
        worth = [] if seat is None else [Phrase("what.trade.laid" if s.trade[seat] else "what.trade.held")]
        return About("card trade", Phrase("label.trade_card"), [Phrase("what.trade")], worth, "build")
    kind = one_of(name, state.TYPES)
    what = [Phrase("what.card", {"card": name})]
    worth = [] if seat is None else [*_wanted(s, seat, kind)]
    return About(f"card {name}", Phrase("what.card.name", {"card": name}), what, worth, "components")


def _wanted(s: Any, seat: int, kind: int) -> Iterator[Phrase]:
    """How many cards of a type a hand has, which discs ask for them, and which of these it pays alone."""
    yield Phrase("what.hold", {"count": s.hand[seat][kind], "card": state.TYPES[kind]})
    open_ = [disc for disc in s.disc if disc[kind] > 0]
    yield Phrase(
        "what.wanted", {"card": state.TYPES[kind], "count": len(open_), "numbers": sorted(disc[kind] for disc in open_)}
    )
    alone = [disc for disc in open_ if all(s.hand[seat][other] >= disc[other] for other in range(state.KINDS))]
    yield Phrase("what.alone", {"count": len(alone)})


# --- Discs -------------------------------------------------------------------------------------------------------


def _disc(s: Any, values: Any, seat: int | None, rest: str) -> About:
    first, _, space = rest.partition(" ")
    if first in state.WONDERS:
        wonder = state.WONDERS.index(first)
        needs = s.disc[wonder * state.SPACES + number(space, state.SPACES)]
        if not any(needs):
            what = [Phrase("what.space", {"wonder": first})]
            return About(f"site {first}", Phrase("label.disc_taken"), what, [], "build")
        return _disc_of(s, seat, needs, wonder)
    needs = parse_disc(rest)
    if " ".join(needs_tokens(needs)) != rest or rest not in _discs(values):
        raise ValueError(rest)
    return _disc_of(s, seat, needs, None)


def _disc_of(s: Any, seat: int | None, needs: Sequence[int], wonder: int | None) -> About:
    tokens = needs_tokens(needs)
    what = [Phrase("what.disc", {"needs": tokens})]
    if len(tokens) > 1:
        what.append(Phrase("what.disc.two"))
    worth: list[Phrase] = []
    if seat is not None:
        kinds = [kind for kind in range(state.KINDS) if needs[kind]]
        worth = [_lacks(s, seat, kind, needs[kind]) for kind in kinds]
        worth.append(_bonus_with(s, seat, kinds))
        worth += [_left(s, kind) for kind in kinds]
        if wonder is not None:
            args = {"wonder": state.WONDERS[wonder], "count": s.units[wonder][seat]}
            worth += [Phrase("what.disc.houses", args), *_completes(s, wonder)]
    rule = "build" if len(tokens) == 1 else "the-variant-with-two-colour-discs"
    return About(f"disc {' '.join(tokens)}", Phrase("what.disc.name", {"needs": tokens}), what, worth, rule)


def _lacks(s: Any, seat: int, kind: int, need: int) -> Phrase:
    have = s.hand[seat][kind]
    args = {"card": state.TYPES[kind], "have": have, "need": need, "missing": max(need - have, 0)}
    return Phrase("what.disc.lacks" if have < need else "what.disc.pays", args)


def _disc_bonus(s: Any, seat: int) -> int:
    """The points of a seat's discs if the game ended now."""
    chosen = best_assignment(s, seat)
    counts = (s.owned[seat][1 << kind] + (chosen >> 4 * kind & 15) for kind in range(state.KINDS))
    return sum(bonus_of(s, count) for count in counts)


def _bonus_with(s: Any, seat: int, kinds: Sequence[int]) -> Phrase:
    types = sum(1 << kind for kind in kinds)
    before, after = with_changed(lambda: _disc_bonus(s, seat), (s.owned[seat], types, 1))
    return Phrase("what.disc.bonus" if after > before else "what.disc.same", {"before": before, "points": after})


def _left(s: Any, kind: int) -> Phrase:
    left = sum(1 for disc in s.disc if disc[kind] > 0)
    return Phrase("what.disc.last" if left == 1 else "what.disc.left", {"card": state.TYPES[kind], "left": left})


def _completes(s: Any, wonder: int) -> list[Phrase]:
    left = sum(1 for space in range(state.SPACES) if any(s.disc[wonder * state.SPACES + space]))
    return [Phrase("what.disc.completes", {"wonder": state.WONDERS[wonder], **_row(s)})] if left == 1 else []


# --- Wonders and houses ------------------------------------------------------------------------------------------


def _row(s: Any) -> dict[str, int]:
    """What the next wonder to be completed gives."""
    row = min(s.row, state.ROWS - 1)
    return {"number": row + 1, "first": s.first[row], "second": s.second[row], "other": s.other + 0}


def _points_now(s: Any, wonder: int) -> list[int]:
    """What everybody would get if a wonder were complete now."""
    kept, row = list(s.score), _row(s)
    s.score = [0] * len(kept)
    score_wonder(s, wonder, row["first"], row["second"], ListTrace(False))
    points, s.score = s.score, kept
    return points[: s.players]


def _site(s: Any, values: Any, seat: int | None, name: str) -> About:
    wonder = one_of(name, state.WONDERS)
    left = sum(1 for space in range(state.SPACES) if any(s.disc[wonder * state.SPACES + space]))
    if not left:
        what = [Phrase("what.site.complete")]
        return About(f"site {name}", Phrase("what.site.name", {"wonder": name}), what, [], "a-completed-wonder")
    what = [Phrase("what.site", {"left": left}), Phrase("what.row", _row(s))]
    worth: list[Phrase] = []
    if seat is not None:
        points = _points_now(s, wonder)
        for owner in [seat, *(other for other in range(s.players) if other != seat)]:
            if units := s.units[wonder][owner]:
                worth.append(Phrase("what.site.now", {"seat": owner, "count": units, "points": points[owner]}))
        if not s.units[wonder][seat]:
            worth.append(Phrase("what.site.none"))
        most = max(units for other, units in enumerate(s.units[wonder][: s.players]) if other != seat)
        if most >= s.units[wonder][seat]:
            worth.append(Phrase("what.site.lead", {"count": most + 1 - s.units[wonder][seat]}))
    return About(f"site {name}", Phrase("what.site.name", {"wonder": name}), what, worth, "a-completed-wonder")


def _house(s: Any, values: Any, seat: int | None, word: str) -> About:
    owner = number(word, s.players)
    worth: list[Phrase] = []
    if seat is not None:
        for wonder, name in enumerate(state.WONDERS):
            if units := s.units[wonder][owner]:
                args = {"wonder": name, "count": units, "points": _points_now(s, wonder)[owner]}
                worth.append(Phrase("what.house.now", args))
    return About(f"house {owner}", Phrase("what.house.name", {"seat": owner}), [Phrase("what.house")], worth, "build")


# --- Action cards, tables, piles ---------------------------------------------------------------------------------


def _action(s: Any, values: Any, seat: int | None, name: str) -> About:
    kind = one_of(name, state.ACTION_CARDS)
    what, worth = [effects(s)[name]], []
    if seat is not None:
        worth = [Phrase("what.action.held", {"count": s.actions[seat][kind]})]
        if kind == state.DISC_BONUS:
            worth.append(Phrase("what.action.gives", {"points": disc_count(s, seat) * s.disc_points}))
        elif kind == state.END_BONUS:
            worth.append(Phrase("what.action.gives", {"points": s.end_points + 0}))
    return About(f"action {name}", Phrase("what.action.name", {"action": name}), what, worth, "action-cards")


def _actions(s: Any, values: Any, seat: int | None, rest: str) -> About:
    if rest:
        owner = number(rest, s.players)
        what = Phrase("what.actions.of", {"seat": owner, "count": sum(s.actions[owner])})
    else:
        what = Phrase("what.actions", {"count": s.action_left})
    return About("actions", Phrase("label.action_cards"), [what], [], "action-cards")


def _value_row(s: Any, values: Any, seat: int | None, word: str) -> About:
    if word == "light":
        what = [
            Phrase("label.light_row.help"),
            Phrase("what.light", {"first": s.light_first, "second": s.light_second, "other": s.other}),
        ]
        return About("row light", Phrase("label.light_row"), what, [], "end-of-the-game")
    row = number(word, state.ROWS + 1, 1) - 1
    args = {"number": row + 1, "first": s.first[row], "second": s.second[row], "other": s.other}
    now = [Phrase("label.marker")] if row == s.row else []
    return About(f"row {word}", Phrase("label.value_table"), [Phrase("what.row", args), *now], [], "a-completed-wonder")


def _bonus(s: Any, values: Any, seat: int | None, rest: str) -> About:
    nothing(rest)
    worth = [] if seat is None else _bonus_by_type(s, seat)
    return About("bonus", Phrase("label.bonus_table"), [Phrase("what.bonus")], worth, "end-of-the-game")


def _bonus_by_type(s: Any, seat: int) -> list[Phrase]:
    """What somebody's discs give as things stand, and one more of each type."""
    now = _disc_bonus(s, seat)
    said = [Phrase("what.bonus.now", {"seat": seat, "count": disc_count(s, seat), "points": now})]
    for kind, name in enumerate(state.TYPES):
        _, more = with_changed(lambda: _disc_bonus(s, seat), (s.owned[seat], 1 << kind, 1))
        if more > now:
            said.append(Phrase("what.bonus.more", {"card": name, "points": more - now}))
    return said


def _discs_of(s: Any, values: Any, seat: int | None, word: str) -> About:
    owner = number(word, s.players)
    worth = [] if seat is None else _bonus_by_type(s, owner)
    name = Phrase("label.discs_of", {"seat": owner})
    return About(f"discs {owner}", name, [Phrase("what.bonus")], worth, "end-of-the-game")


def _deck(s: Any, values: Any, seat: int | None, rest: str) -> About:
    nothing(rest)
    return About("deck", Phrase("label.deck"), [Phrase("what.deck", {"count": s.deck_left})], [], "pass")


def _discard(s: Any, values: Any, seat: int | None, rest: str) -> About:
    nothing(rest)
    return About("discard", Phrase("label.discard"), [Phrase("what.discard", {"count": sum(s.discard)})], [], "pass")


def _offered(s: Any, seat: int) -> int:
    """How many cards of an offer everybody sees lying, face up or down; none before all have offered."""
    if not has_offered(s, seat):
        return 0
    returned = sum(s.returned[seat]) if s.phase >= state.SELECT else 0
    return sum(s.laid[seat]) + s.trade[seat] + returned


def _offer(s: Any, values: Any, seat: int | None, rest: str) -> About:
    word, _, place = rest.partition(" ")
    owner = number(word, s.players)
    number(place, _offered(s, owner))
    what = [Phrase("what.offer", {"seat": owner, "count": sum(s.laid[owner]) + s.trade[owner]})]
    worth: list[Phrase] = []
    if s.phase >= state.SELECT or owner == seat:
        if s.trade[owner]:
            what.append(Phrase("what.offer.trade", {"seat": owner}))
        valid = sum(min(s.laid[owner][kind], s.disc[s.chosen][kind]) for kind in range(state.KINDS))
        if seat is not None:
            worth.append(Phrase("what.offer.refused", {"seat": owner, "points": valid * s.refused}))
    else:
        what.append(Phrase("what.offer.hidden"))
    return About("card back", Phrase("label.offer_of", {"seat": owner}), what, worth, "build")


def _seat(s: Any, values: Any, seat: int | None, word: str) -> About:
    owner = number(word, s.players)
    args = {
        "seat": owner,
        "points": s.score[owner],
        "count": sum(s.hand[owner]) + 1 - s.trade[owner],
        "discs": disc_count(s, owner),
    }
    what = [Phrase("what.seat", args)]
    return About(f"seat {owner}", Phrase("what.seat.name", {"seat": owner}), what, [], "what-is-open-what-is-secret")


about = pieces.about(
    {
        "action": _action,
        "actions": _actions,
        "bonus": _bonus,
        "card": _card,
        "deck": _deck,
        "disc": _disc,
        "discard": _discard,
        "discs": _discs_of,
        "hand": _card,
        "house": _house,
        "offer": _offer,
        "row": _value_row,
        "score": _seat,
        "seat": _seat,
        "site": _site,
    },
    "'card ship', 'disc ship 5', 'site zeus'",
)
