"""The table laid out again from the log alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.games.table import held

from ziggurat.core.trace import Event


@dataclass
class Laid:
    """An offer: how many cards, and after the reveal which."""

    count: int
    cards: Counter[str] | None = None
    trade: bool | None = None
    returned: Counter[str] | None = None


@dataclass
class Reader:
    """Somebody who reads the public log and lays the table out again."""

    players: int
    deck: int = 100
    discard: Counter[str] = field(default_factory=Counter)
    action_deck: int = 15
    used: Counter[str] = field(default_factory=Counter)
    cards: Counter[int] = field(default_factory=Counter)
    action_cards: Counter[int] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    owned: dict[int, list[list[str]]] = field(default_factory=dict)
    discs: dict[tuple[str, int], dict[str, int]] = field(default_factory=dict)
    units: Counter[tuple[str, int]] = field(default_factory=Counter)
    row: int = 0
    turn: int = -1
    start: int = -1
    phase: str = "turn"
    chosen: tuple[str, int] | None = None
    waiting: set[int] = field(default_factory=set)
    offers: dict[int, Laid] = field(default_factory=dict)
    swapped: Counter[str] = field(default_factory=Counter)
    finished: bool = False
    winners: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for seat in range(self.players):
            self.cards[seat] = 1  # the trade card
            self.owned[seat] = []

    def read(self, event: Event) -> None:
        args, seat = event.args, event.seat if event.seat is not None else -1
        self.scores[seat] += args.get("points", 0)
        match event.type:
            case "disc_laid":
                self.discs[args["wonder"], args["space"]] = needs_of(args)
            case "start":
                self.start = seat
            case "dealt" | "closing":
                for other, count in enumerate(args["counts"]):
                    self.cards[other] += count
                    self.deck -= count
            case "drew":
                self.drew(seat, args)
            case "reshuffled":
                assert self.deck == 0
                self.deck = args["count"]
                assert sum(self.discard.values()) == self.deck
                self.discard.clear()
            case "turn":
                self.turn, self.phase = seat, "turn"
            case "passed":
                self.phase = "closing"
            case "doubled":
                self.use(seat, "double_turn")
                self.phase = "turn"
            case "chose":
                self.choose(args)
            case "laid":
                self.offers[seat] = Laid(args["count"])
                self.cards[seat] -= args["count"]
                self.waiting.remove(seat)
                if not self.waiting:
                    self.reveal()
            case "revealed":
                self.revealed(seat, args)
            case "accepted":
                self.accepted(args)
                self.answer()
            case "failed":
                self.answer()
            case "tripled":
                self.use(seat, "triple_refusal")
            case "refused":
                self.phase = "closing"
                offer = self.offers[seat]
                assert offer.cards is not None
                assert args["count"] == sum(offer.cards.values())
                self.cards[seat] += args["count"] + bool(offer.trade)
            case "placed":
                self.units[args["wonder"], seat] += args["units"]
            case "built":
                assert self.discs.pop((args["wonder"], args["space"])) == needs_of(args)
                self.owned[seat].append(list(needs_of(args)))
            case "wonder_done":
                self.row += 1
                assert self.row == args["number"]
                for other in range(self.players):
                    self.units[args["wonder"], other] = 0
            case "wonder_scored":
                assert self.units[args["wonder"], seat] == args["units"]
            case "got_action":
                self.action_deck -= 1
                self.action_cards[seat] += 1
            case "exchanged":
                self.use(seat, "exchange")
                self.cards[seat] -= len(args["cards"])
                self.swapped.update(args["cards"])
            case "played_draw":
                self.use(seat, "draw")
            case "finished":
                self.finished, self.winners = True, args["winners"]

    def use(self, seat: int, card: str, count: int = 1) -> None:
        self.action_cards[seat] -= count
        self.used[card] += count

    def drew(self, seat: int, args: dict[str, Any]) -> None:
        self.cards[seat] += args["count"]
        self.deck -= args["count"]
        if args["by"] == "exchange":  # R17: the cards that were given follow when all replacements are drawn
            self.swapped["drawn"] += args["count"]
            if 2 * self.swapped["drawn"] == sum(self.swapped.values()):
                del self.swapped["drawn"]
                self.discard.update(self.swapped)
                self.swapped.clear()

    def choose(self, args: dict[str, Any]) -> None:
        self.chosen, self.phase = (args["wonder"], args["space"]), "offer"
        assert self.discs[self.chosen] == needs_of(args)
        others = set(range(self.players)) - {self.turn}
        self.waiting = {seat for seat in others if self.cards[seat] > 1 or self.action_cards[seat]}
        self.offers = {seat: Laid(0) for seat in others - self.waiting}
        if not self.waiting:
            self.reveal()

    def reveal(self) -> None:
        self.phase = "select"
        for offer in self.offers.values():
            offer.cards, offer.trade, offer.returned = Counter(), False, Counter()

    def revealed(self, seat: int, args: dict[str, Any]) -> None:
        offer = self.offers[seat]
        assert offer.count == len(args["cards"]) + len(args["returned"]) + args["trade"]
        trade = args["trade"] and bool(args["cards"])
        self.offers[seat] = Laid(
            len(args["cards"]) + trade, Counter(args["cards"]), trade, Counter(args["returned"])
        )  # fmt: skip
        self.cards[seat] += offer.count - self.offers[seat].count

    def accepted(self, args: dict[str, Any]) -> None:
        self.use(self.turn, "joker", args["jokers"])
        self.cards[self.turn] -= len(args["cards"])
        self.discard.update(args["cards"])
        for seat in args["seats"]:
            offer = self.offers[seat]
            assert offer.cards is not None
            self.discard.update(offer.cards)
            self.cards[seat] += bool(offer.trade)
            self.offers[seat] = Laid(0, Counter(), False, offer.returned)

    def answer(self) -> None:
        """R23: refused offers are paid when everybody has decided who holds an action card."""
        asked = {seat for seat, offer in self.offers.items() if offer.cards and self.action_cards[seat]}
        self.phase = "refusal" if asked else "closing"

    def compare(self, view: Any) -> None:
        assert (view.turn, view.start, view.finished, view.winners) == (
            self.turn,
            self.start,
            self.finished,
            self.winners,
        )
        if self.phase == "refusal":
            assert set(view.actors) <= {seat for seat, offer in self.offers.items() if offer.cards}
        else:
            assert set(view.actors) == (set() if self.finished else self.waiting or {self.turn})
        assert (view.deck, held(view.discard)) == (self.deck, held(self.discard))
        assert view.drawable == self.deck + sum(self.discard.values())
        assert (view.action_deck, held(view.actions_used)) == (self.action_deck, held(self.used))
        assert view.row == self.row
        for wonder in view.wonders:
            found = {(wonder.wonder, space): disc for space, disc in enumerate(wonder.discs, 1) if disc}
            assert found == {place: disc for place, disc in self.discs.items() if place[0] == wonder.wonder}
            assert wonder.units == [self.units[wonder.wonder, seat] for seat in range(self.players)]
        for builder in view.builders:
            seat = builder.seat
            assert (builder.cards, builder.action_cards) == (self.cards[seat], self.action_cards[seat])
            assert builder.score == self.scores[seat]
            assert sorted(builder.discs) == sorted(self.owned[seat])
        if not self.finished:
            assert view.phase == self.phase
            self.compare_build(view)

    def compare_build(self, view: Any) -> None:
        if self.phase not in ("offer", "select", "refusal"):
            assert view.chosen is None
            assert all(builder.offer is None for builder in view.builders)
            return
        assert (view.chosen.wonder, view.chosen.space + 1) == self.chosen
        for builder in view.builders:
            offer = self.offers.get(builder.seat)
            if builder.seat == self.turn or offer is None or builder.seat in self.waiting:
                assert builder.offer is None
            elif self.phase == "offer":
                assert (builder.offer.count, builder.offer.cards, builder.offer.trade) == (offer.count, None, None)
            else:
                assert (builder.offer.count, builder.offer.trade) == (offer.count, offer.trade)
                assert held(builder.offer.cards) == held(offer.cards or {})
                assert held(builder.offer.returned) == held(offer.returned or {})


def needs_of(args: dict[str, Any]) -> dict[str, int]:
    return {token.split()[0]: int(token.split()[1]) for token in args["needs"]}
