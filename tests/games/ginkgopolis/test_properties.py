"""What holds in every game of Ginkgopolis, whatever the players do: Hypothesis chooses set-up and moves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.games.backings import to_the_end
from tests.games.ginkgopolis.table import GAME, options_for
from tests.games.table import only, record
from tests.properties import assume, given, st

import ziggurat
from ziggurat.core.errors import ComponentsError
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord
from ziggurat.core.trace import Event
from ziggurat.games.ginkgopolis.state import CHOOSE, COLOURS, HAND, LETTERS, RETURNING, TILES, URBAN
from ziggurat.games.ginkgopolis.tokens import parse_tile

pytestmark = pytest.mark.usefixtures("compiled")

PLAYERS, SEEDS = st.integers(1, 5), st.integers(0, 2**256 - 1)
TASTES = ("first", "last", "any", "build")


@dataclass(frozen=True)
class Play:
    """A set-up, and how each seat chooses: the first or the last legal action, any, or to build where it can."""

    players: int
    seed: int
    rules: int
    tastes: tuple[str, ...]

    def start(self) -> Position:
        options = options_for(self.players)
        return ziggurat.new(GAME, self.players, seed=self.seed, options=options[self.rules % len(options)])

    def turns(self, position: Position) -> Iterator[tuple[int, int]]:
        """Play to the end, several seats at once in any order; yields seat and action after each."""
        chance = random.Random(self.seed).randrange
        while not position.finished:
            seat = position.actors[chance(len(position.actors))]
            legal = position.legal(seat)
            assert legal, "a dead end"
            last = len(legal) - 1
            taste = self.tastes[seat % len(self.tastes)]
            place = {"first": 0, "last": last, "any": chance(last + 1), "build": last - chance(last // 2 + 1)}[taste]
            yield seat, legal[place]
            position.play(seat, legal[place])


PLAYS = st.builds(
    Play, PLAYERS, SEEDS, st.integers(0, 11), st.lists(st.sampled_from(TASTES), min_size=1, max_size=5).map(tuple)
)


def in_play(s: ListRecord) -> list[int]:
    """Cards in the deck, among the discards, in hands and committed, and the one that lies before Hal."""
    cards = [*s.deck[: s.deck_left], *s.discard[: s.discard_left], *s.chosen, s.hal_card]
    return [card for card in [*cards, *(card for hand in s.hand for card in hand)] if card]


# --- Section 4.4 -------------------------------------------------------------------------------------------------


@given(play=PLAYS)
def test_the_theorems_about_the_cards(play: Play) -> None:
    position = play.start()
    urbanized, read = 0, 0
    for decisions, _ in enumerate(play.turns(position)):
        s = record(position)
        new = position.events_since(read)
        read = position.rows_written
        urbanized += len(only(new, "urbanized"))
        cards = in_play(s)
        sites = sum(s.site[: s.buildings])
        # As many as there are letters and buildings; and each once.
        assert len(cards) == len(set(cards))
        assert len(cards) + sites == 12 + s.buildings == 21 + urbanized
        # A building card is in play exactly when its tile is on top of a building without a pawn.
        free = {s.top[building] for building in range(s.buildings) if not s.site[building]}
        assert {card for card in cards if card <= URBAN} == free
        assert {card for card in cards if card > URBAN} == {URBAN + 1 + marker for marker in range(len(LETTERS))}
        # The deck is never empty, and every draw succeeds.
        assert s.round == 0 or s.deck_left >= 1
        assert all(event.args["count"] >= 1 for event in only(new, "rebuilt"))
        if s.phase == CHOOSE and s.round > 0:
            size = s.hand_size if play.players == 1 else HAND
            for seat in range(play.players):
                held = sum(1 for card in s.hand[seat] if card)
                assert held == size - (1 if s.chosen[seat] or not s.waiting >> seat & 1 else 0)
        assert decisions < 4000


@given(play=PLAYS)
def test_every_piece_is_kept(play: Play) -> None:
    position = play.start()
    pieces = position.pieces()
    assert pieces["tiles"] == TILES
    resources = (25, 25, 20, 18, 16)[play.players - 1]
    for _ in play.turns(position):
        assert position.pieces() == pieces
        s = record(position)
        for owner in range(s.owners):
            placed = sum(s.height[building] for building in range(s.buildings) if s.owner[building] == owner)
            assert s.stock[owner] + s.supply[owner] + placed == resources
            assert min(s.stock[owner], s.supply[owner], s.points[owner], s.new_hands[owner]) >= 0
        # Every tile is in one place; those that are nowhere are covered.
        tops = list(s.top[: s.buildings])
        held = [tile for tile in range(1, TILES + 1) if s.holder[tile]]
        places = [*tops, *held, *(tile for tile in s.tile if tile), *s.tiles[: s.tiles_left]]
        assert len(places) == len(set(places))
        assert len(places) + sum(s.height[: s.buildings]) - s.buildings == TILES
        for seat in range(play.players):
            assert s.count[seat] == sum(1 for tile in held if s.holder[tile] % RETURNING == seat + 1)
        assert s.removed <= s.tiles_left


# --- Sections 1.1, 6.3 and 6.4 once more -------------------------------------------------------------------------

Cell = tuple[int, int]


def groups(view: Any) -> list[list[Any]]:
    """Buildings of one colour that hang together, found by walking from each."""
    left = {(b.x, b.y): b for b in view.buildings}
    found = []
    while left:
        cell, start = left.popitem()
        group, border = [start], [cell]
        while border:
            x, y = border.pop()
            for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if near in left and left[near].colour == start.colour:
                    group.append(left.pop(near))
                    border.append(near)
        if len(group) > 1:
            found.append(group)
    return found


def of_districts(view: Any) -> Counter[int]:
    points = Counter[int]()
    for group in groups(view):
        owners = {b.owner for b in group if b.owner is not None}

        def rank(owner: int, group: list[Any] = group) -> tuple[int, tuple[int, int]]:
            own = [b for b in group if b.owner == owner]
            return sum(b.height for b in own), max((b.height, b.number) for b in own)

        ranked = sorted(owners, key=rank, reverse=True)
        for place, owner in enumerate(ranked[:2]):
            points[owner] += sum(rank(o)[0] for o in owners) if place == 0 else rank(owner)[0]
        if len(ranked) == 1:
            points[ranked[0]] += rank(ranked[0])[0]
    return points


TARGETS = {
    "red": ("red", "yellow", "blue", "red"),
    "yellow": ("yellow", "red", "blue", "yellow"),
    "blue": ("blue", "red", "yellow", "blue"),
}


def trigger(card: str) -> str | None:
    """Of a character or a building card: ``blue 5`` and ``blue urbanize`` both wait for Urbanize."""
    word = card.split()[1]
    if not word.isdecimal():
        return word
    return ("construct", "exploit", "urbanize")[int(word) % 3] if int(word) < 10 else None


def of_cards(view: Any, owner: int) -> int:
    someone = view.builders[owner]
    tableau = [*someone.characters, *someone.kept]
    own = [b for b in view.buildings if b.owner == owner]
    points = 0
    for card in someone.kept:
        colour, number = card.split()[0], int(card.split()[1])
        if 10 <= number <= 13:
            points += sum(b.height for b in own if b.colour == TARGETS[colour][number - 10])
        elif number == 14:
            points += sum(1 for b in own if b.height in (1, 2))
        elif number == 15:
            points += sum(3 for b in own if b.height >= 3)
        elif number in (16, 17, 18):
            wanted = ("exploit", "urbanize", "construct")[number - 16]
            points += sum(2 for other in tableau if trigger(other) == wanted)
        elif number == 19:
            points += sum(2 for other in tableau if other.split()[0] == colour)
        elif number == 20:
            points += 9
    return points


@given(play=PLAYS)
def test_cards_tokens_and_districts_count_as_a_brute_force_counts_them(play: Play) -> None:
    position = play.start()
    mark = 0
    for _ in play.turns(position):
        mark = position.rows_written
    end = position.events_since(mark)
    assert end[-1].type == "finished"
    view = position.view_all()
    # Districts first: the end of the game changes nothing in the city.
    districts = of_districts(view)
    for owner, builder in enumerate(view.builders):
        mine = [event for event in end if event.seat == owner]

        def total(kind: str, mine: list[Event] = mine) -> int:
            return sum(event.args["points"] for event in only(mine, kind))

        assert total("district") == districts[owner]
        assert total("card_scored") == of_cards(view, owner)
        assert total("tokens_scored") == 2 * builder.new_hands
    points = [builder.points for builder in view.builders]
    if play.players > 1:
        assert position.winners == [seat for seat, score in enumerate(points) if score == max(points)]
    else:
        assert position.winners == ([0] if points[0] > points[1] else [])


@given(play=PLAYS)
def test_the_view_counts_districts_as_the_brute_force_does(play: Play) -> None:
    position = play.start()
    for number, _ in enumerate(play.turns(position)):
        if number % 20 == 0:
            view = position.view(None)
            shares = Counter[int]()
            for district in view.districts:
                shares.update({share.owner: share.points for share in district.shares})
            assert +shares == +of_districts(view)
            cells = [{view.buildings[place] for place in district.buildings} for district in view.districts]
            assert len(cells) == len(groups(view))
            assert all(set(group) in cells for group in groups(view))


# --- The log -----------------------------------------------------------------------------------------------------


@dataclass
class Reader:
    """The table as somebody knows it who has read the public log and seen nothing."""

    players: int
    tops: dict[Cell, str] = field(default_factory=dict)
    heights: dict[Cell, int] = field(default_factory=dict)
    owners: dict[Cell, int] = field(default_factory=dict)
    sites: set[Cell] = field(default_factory=set)
    markers: dict[str, Cell] = field(default_factory=dict)
    points: Counter[int] = field(default_factory=Counter)
    stock: Counter[int] = field(default_factory=Counter)
    spent: Counter[int] = field(default_factory=Counter)
    tiles: Counter[int] = field(default_factory=Counter)
    drawn: int = 0
    kept: dict[int, list[str]] = field(default_factory=dict)
    characters: dict[int, list[str]] = field(default_factory=dict)
    committed: set[int] = field(default_factory=set)
    new_hands: dict[int, int] = field(default_factory=dict)
    first: int = 0
    round: int = 0

    def read(self, event: Event) -> None:
        args, seat = event.args, -1 if event.seat is None else event.seat
        self.points[seat] += args.get("points", 0) - (args["cost"] if event.type == "constructed" else 0)
        match event.type:
            case "city":
                self.tops = {(i % 3 - 1, 1 - i // 3): tile for i, tile in enumerate(args["tiles"])}
                self.heights = dict.fromkeys(self.tops, 1)
                around = [(-1, 2), (0, 2), (1, 2), (2, 1), (2, 0), (2, -1)]
                self.markers = dict(zip(LETTERS, [*around, *((-x, -y) for x, y in around)], strict=True))
            case "character":
                self.characters.setdefault(seat, []).append(f"{args['colour']} {args['trigger']}")
            case "gained":
                self.stock[seat] += args["resources"]
            case "drew_tiles":
                self.tiles[seat] += args["count"]
                self.drawn += args["count"]
            case "returned":
                self.tiles[seat] -= args["count"]
                self.drawn -= args["count"]
            case "committed":
                self.committed.add(seat)
                self.tiles[seat] -= args["with_tile"]
            case "fell_back":
                self.tiles[seat] += 1
            case "new_hand":
                self.new_hands[seat] = args["left"]
            case "exploited":
                self.committed.discard(seat)
            case "urbanized":
                self.builds(seat, (args["x"], args["y"]), args["tile"], 1)
                assert self.markers[args["marker"]] == (args["x"], args["y"])
            case "got_back":
                self.stock[seat] += args["resources"]
            case "constructed":
                cell = next(cell for cell, tile in self.tops.items() if tile == args["card"])
                assert args["height"] == self.heights[cell] + 1
                self.builds(seat, cell, args["tile"], args["height"])
                self.stock[seat] -= args["changed"]
                self.kept.setdefault(seat, []).append(args["card"])
            case "marker_moved" | "marker_shifted":
                self.markers[args["marker"]] = (args["x"], args["y"])
            case "rebuilt":
                assert args["added"] == len(self.sites)
                self.sites = set()
            case "round":
                self.first, self.round = seat, args["number"]

    def builds(self, owner: int, cell: Cell, tile: str, height: int) -> None:
        self.committed.discard(owner)
        self.tops[cell], self.heights[cell], self.owners[cell] = tile, height, owner
        self.sites.add(cell)
        self.stock[owner] -= height
        if owner >= self.players:
            self.drawn += 1

    def check(self, position: Position) -> None:
        view = position.view_all()
        assert {(b.x, b.y): f"{b.colour} {b.number}" for b in view.buildings} == self.tops
        assert {(b.x, b.y): b.height for b in view.buildings} == self.heights
        assert {(b.x, b.y): b.owner for b in view.buildings if b.owner is not None} == self.owners
        assert {(b.x, b.y) for b in view.buildings if b.site} == self.sites
        assert {m.letter: (m.x, m.y) for m in view.markers} == self.markers
        assert (view.first, view.round) == (self.first, self.round)
        assert view.tiles == (45 if self.players < 4 else 51) - self.drawn
        resources = (25, 25, 20, 18, 16)[self.players - 1]
        for someone in view.builders:
            owner = someone.seat
            assert someone.points == self.points[owner]
            assert sorted(someone.kept, key=parse_tile) == sorted(self.kept.get(owner, []), key=parse_tile)
            assert someone.characters == self.characters.get(owner, [])
            assert (someone.chosen is not None) == (owner in self.committed)
            assert someone.tile_count == self.tiles[owner]
            placed = sum(self.heights[cell] for cell, other in self.owners.items() if other == owner)
            if someone.hal:
                assert (someone.resources, someone.supply) == (0, resources - placed)
            else:
                assert (someone.resources, someone.supply) == (
                    self.stock[owner],
                    resources - placed - self.stock[owner],
                )
                assert someone.new_hands == self.new_hands.get(owner, 2 if self.players > 1 else 0)
                wanted = Counter(trigger(card) for card in [*someone.characters, *someone.kept])
                for name, goods in someone.bonus.items():
                    twice = sum(1 for card in someone.kept if trigger(card) == name and int(card.split()[1]) >= 7)
                    assert sum(goods.values()) == wanted[name] + twice


@given(play=PLAYS)
def test_a_reader_of_the_public_log_knows_the_table(play: Play) -> None:
    position = play.start()
    reader, read = Reader(play.players), 0
    for number, _ in enumerate(play.turns(position)):
        for event in position.events_since(read):
            if event.may_read(None):
                reader.read(event)
        read = position.rows_written
        if number % 8 == 0 and record(position).round > 0:
            reader.check(position)
    for event in position.events_since(read):
        if event.may_read(None):
            reader.read(event)
    reader.check(position)
    assert [reader.points[seat] for seat in range(play.players)] == position.scores


# --- Component files, and numbers that are no actions ------------------------------------------------------------

NINE = st.lists(st.integers(0, 9), min_size=9, max_size=9)
# So many cards may be discarded at most if something is to be left after the deal.
MOST_DISCARDED = (9, 9, 8, 4, 0)
MOST_START_TILES = max(character.tile for character in GAME.components.values.characters.types())


@given(
    players=PLAYERS,
    seed=st.integers(0, 2**64),
    resources=st.integers(6, 60),
    removed=st.integers(0, 20),
    discarded=st.tuples(*(st.integers(0, most) for most in MOST_DISCARDED)),
    goods=NINE,
    points=NINE,
    hand=st.integers(1, 4),
    few=st.integers(0, 9),
    triggers=st.lists(st.sampled_from(["exploit", "urbanize", "construct"]), min_size=9, max_size=9),
    colours=st.lists(st.sampled_from(COLOURS), min_size=4, max_size=4),
    start=st.integers(0, 9),
)
def test_whatever_is_accepted_can_be_played_to_the_end_in_both_backings(
    players: int,
    seed: int,
    resources: int,
    removed: int,
    discarded: tuple[int, ...],
    goods: list[int],
    points: list[int],
    hand: int,
    few: int,
    triggers: list[str],
    colours: list[str],
    start: int,
) -> None:
    each = f"{{ copies = 3, resource = {start}, tile = {start}, point = {start} }}"
    text = f"""
        [setup]
        resources = {[resources] * 5}
        tiles_removed = {[removed] * 5}
        cards_discarded = {list(discarded)}
        new_hands = {few}
        [points]
        returned_tile = {few}
        [solo]
        start = {{ resource = {start}, tile = {start}, point = {start} }}
        hand = {hand}
        [characters]
        yellow.construct = {each.replace("3", "2")}
        blue.exploit = {each}
        [cards]
        triggers = {triggers}
        own_good = {goods}
        extra_points = {points}
        end.colours_blue = {colours}
    """
    if 21 - discarded[0] - hand - 1 < 1:
        with pytest.raises(ComponentsError, match="too few cards"):
            GAME.load_components(text)
        return
    # Fifteen characters, of which none draws more than this, can empty only a small supply.
    if 51 - removed <= 15 * max(start, MOST_START_TILES):
        try:
            GAME.load_components(text)
        except ComponentsError as error:
            assume(error.context["where"] != "setup.tiles_removed")
            raise
    components = GAME.load_components(text)
    chance = random.Random(seed)
    to_the_end(GAME, components, players, seed, lambda position, legal: chance.choice(legal))
