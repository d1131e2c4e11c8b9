"""The table laid out again from the log alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.games.architects import by_hand
from tests.games.table import held

from ziggurat.core.trace import Event


@dataclass
class Reader:
    """Somebody who reads the public log and lays the table out again."""

    players: int
    limited: bool
    wonders: dict[int, str] = field(default_factory=dict)
    cards: dict[int, Counter[str]] = field(default_factory=dict)
    built: dict[int, list[int]] = field(default_factory=dict)
    tokens: dict[int, list[str]] = field(default_factory=dict)
    military: Counter[int] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    discard: Counter[str] = field(default_factory=Counter)
    decks: dict[str, tuple[str | None, int]] = field(default_factory=lambda: {"central": (None, 60)})
    offer: dict[int, str | None] = field(default_factory=dict)
    stack: int = 15
    turned: int = 0
    cat: int | None = None
    turn: int = -1
    start: int = -1
    known_by: set[int] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    looked: dict[str, Any] | None = None
    finished: bool = False
    winners: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for seat in range(self.players):
            self.cards[seat], self.built[seat], self.tokens[seat] = Counter(), [], []

    def read(self, event: Event) -> None:
        args, seat = event.args, event.seat if event.seat is not None else -1
        match event.type:
            case "start":
                self.start = self.turn = seat
            case "turn":
                self.turn = seat
                self.used.clear()
            case "wonder":
                self.wonders[seat] = args["wonder"]
            case "deck_top":
                self.decks[args["deck"]] = args["card"], args["left"]
            case "token_revealed":
                self.offer[args["place"]] = args["token"]
                self.stack -= 1
            case "peeked":
                self.known_by.add(seat)
            case "took":
                self.cards[seat].update(args["cards"])
                self.scores[seat] += args["points"]
                if args["deck"] == "central":
                    self.known_by.clear()
                if args["by"] in by_hand.TRIGGERS or args["by"] == "architecture":
                    self.used.add(args["by"])
                self.looked = None
            case "cat":
                self.cat = seat
                self.scores[seat] += args["points"]
                if args["from"] is not None:
                    self.scores[args["from"]] -= args["points"]
            case "horns":
                self.turned += args["count"]
                assert self.turned == args["turned"]
            case "built":
                self.built[seat].append(args["stage"])
                self.scores[seat] += args["points"]
                self.put_away(seat, args["cards"])
                self.used |= {name for name in ("economy", "engineering") if args[name]}
            case "claimed" | "granted":
                self.put_away(seat, args.get("cards", []))
                self.take_token(seat, args)
            case "looked":
                self.looked = {"deck": args["deck"], "cards": args["cards"]}
            case "battle":
                self.military.update(dict(enumerate(args["won"])))
                self.scores.update(dict(enumerate(args["points"])))
                self.turned = 0
            case "disarmed":
                self.put_away(seat, args["cards"])
            case "final":
                self.scores[seat] += args["points"]
            case "finished":
                self.finished, self.winners = True, args["winners"]

    def put_away(self, seat: int, cards: list[str]) -> None:
        self.cards[seat].subtract(cards)
        self.discard.update(cards)

    def take_token(self, seat: int, args: dict[str, Any]) -> None:
        self.tokens[seat].append(args["token"])
        if args["stack"]:
            self.stack -= 1
        else:
            place = min(place for place, token in self.offer.items() if token == args["token"])
            self.offer[place] = None

    def compare(self, view: Any, hidden_looks: bool) -> None:
        assert (view.turn, view.start, view.finished, view.winners) == (
            self.turn,
            self.start,
            self.finished,
            self.winners,
        )
        for builder in view.builders:
            seat = builder.seat
            assert builder.wonder == self.wonders.get(seat)
            assert held(builder.cards) == held(self.cards[seat])
            assert sorted(builder.built) == sorted(self.built[seat])
            assert sorted(builder.tokens) == sorted(self.tokens[seat])
            assert (builder.military, builder.score) == (self.military[seat], self.scores[seat])
        assert held(view.discard) == held(self.discard)
        assert view.conflict.turned == self.turned
        assert view.cat == self.cat
        assert (view.central.left, view.central.seen) == (self.decks["central"][1], None)
        assert set(view.central.known_by) == self.known_by
        assert {deck.wonder: (deck.top, deck.left) for deck in view.decks} == {
            name: deck for name, deck in self.decks.items() if name != "central"
        }
        assert {place: token for place, token in enumerate(view.offer) if token} == {
            place: token for place, token in self.offer.items() if token
        }
        assert view.stack == self.stack
        assert set(view.used) == self.used or view.finished
        assert view.military_left == (28 - sum(self.military.values()) if self.limited else None)
        if not hidden_looks and view.looked is not None:
            assert {"deck": view.looked.deck, "cards": view.looked.cards} == self.looked
