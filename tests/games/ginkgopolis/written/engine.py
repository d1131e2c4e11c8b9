"""An engine that was written from the brief of this game alone: rules.md, numbers.toml, notation.md and view.md.

It knows nothing of ours, and needs Python alone, so that it proves that the brief is enough.
"""

COLOURS = ["red", "yellow", "blue"]
GOODS = dict(zip(COLOURS, ["resource", "point", "tile"], strict=True))
ACTIONS = ["exploit", "urbanize", "construct"]
LETTERS = "ABCDEFGHIJKL"
RESOURCES, REMOVED, DISCARDED = [25, 25, 20, 18, 16], [6, 6, 6, 0, 0], [7, 7, 7, 0, 0]
BEGIN = {  # resources, tiles, points
    "red": {"exploit": (1, 1, 1), "urbanize": (1, 1, 1), "construct": (0, 1, 0)},
    "yellow": {"exploit": (2, 1, 2), "urbanize": (2, 1, 2), "construct": (2, 1, 1)},
    "blue": {"exploit": (2, 0, 1), "urbanize": (2, 0, 1), "construct": (1, 0, 0)},
}
COPIES = {"red": 4, "yellow": 2, "blue": 3}
SETS = [
    ("urbanize", "construct", "construct"),
    ("construct", "construct", "exploit"),
    ("exploit", "urbanize", "urbanize"),
    ("urbanize", "urbanize", "construct"),
    ("exploit", "exploit", "construct"),
    ("urbanize", "exploit", "exploit"),
]
ON_COLOUR = {
    "red": ["red", "yellow", "blue", "red"],
    "yellow": ["yellow", "red", "blue", "yellow"],
    "blue": ["blue", "red", "yellow", "blue"],
}
STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
AROUND = list(STEPS.values())


def colour_of(card):
    return card.split()[0]


def number_of(card):
    return int(card.split()[1])


def place_of(card):
    """Cards in their order: by colour and number, letters last."""
    return (3, LETTERS.index(card)) if card in LETTERS else (COLOURS.index(colour_of(card)), number_of(card))


def bonus_of(card):
    """The action for which a building card waits, and what it gives."""
    colour, number = colour_of(card), number_of(card)
    if number > 9:
        return None, {}
    gives = {GOODS[colour]: 1}
    if number > 6:
        gives["point"] = gives.get("point", 0) + 1
    return ACTIONS[(number - 1) % 3], gives


class Engine:
    def __init__(self, players, options, chance):
        self.players, self.options, self.chance = players, options, chance
        self.solo = players == 1
        self.owners = owners = 2 if self.solo else players
        tiles = [f"{colour} {number}" for colour in COLOURS for number in range(1, 21)]
        low = [tile for tile in tiles if number_of(tile) <= 3]
        self.city = [
            {"x": i % 3 - 1, "y": 1 - i // 3, "tile": tile, "height": 1, "owner": None, "site": False}
            for i, tile in enumerate(chance.shuffle("city", low))
        ]
        self.markers = {}
        for i, letter in enumerate(LETTERS):
            side, place = i // 3, i % 3 - 1
            self.markers[letter] = [(place, 2), (2, -place), (-place, -2), (-2, place)][side]
        supply = chance.shuffle("tiles", [tile for tile in tiles if tile not in low])
        self.tiles = supply[: len(supply) - REMOVED[players - 1]]
        self.deck, self.discard = chance.shuffle("cards", [*LETTERS, *low]), []
        self.put_aside(DISCARDED[players - 1])
        characters = [f"{c} {a}" for c in COLOURS for a in ACTIONS for _ in range(COPIES[c])]
        characters = chance.shuffle("characters", characters)
        seated = options.get("first_player") == "first_seat"
        self.first = 0 if seated or self.solo else chance.draw("start", players)
        self.supply = [RESOURCES[players - 1]] * owners
        self.stock, self.points = [0] * owners, [0] * owners
        self.held = [[] for _ in range(owners)]
        self.new_hands = [0 if self.solo else 2] * players + [0] * (owners - players)
        self.hands = [[] for _ in range(players)]
        self.chosen, self.choosing = [None] * owners, [None] * players
        self.played, self.aside = [None] * owners, None
        self.characters, self.drafts = [[] for _ in range(owners)], [[] for _ in range(players)]
        self.kept = [[] for _ in range(owners)]
        self.bonus = [
            {action: dict.fromkeys(("resource", "tile", "point"), 0) for action in ACTIONS} for _ in range(owners)
        ]
        self.seen, self.returning, self.last = {}, [[] for _ in range(players)], [None] * players
        self.round, self.depleted, self.ending, self.finished = 0, 0, False, False
        self.acted, self.actor, self.owed, self.phase, self.waiting = 0, 0, 0, "choose", set()
        self.moving, self.built, self.ring, self.shifted, self.mover = None, None, [], False, 0
        self.hal_card = None
        if self.solo:
            self.gain(0, "resource", 6)
            self.points[0] += 6
            self.draw_tiles_at_start(0, 6)
            self.begin_round()
        elif options.get("characters") == "draft":
            for _ in range(4):
                for seat in range(players):
                    self.drafts[seat].append(characters.pop(0))
            self.phase, self.waiting = "draft", set(range(players))
        else:
            left = list(SETS)
            for seat in range(players):
                number = chance.draw("set", len(left)) if len(left) > 1 else 0
                self.characters[seat] = [f"{c} {a}" for c, a in zip(COLOURS, left.pop(number), strict=True)]
            self.show_characters()

    def show_characters(self):
        for seat in range(self.players):
            for character in self.characters[seat]:
                colour, action = character.split()
                self.bonus[seat][action][GOODS[colour]] += 1
        for seat in range(self.players):
            tiles = 0
            for character in self.characters[seat]:
                colour, action = character.split()
                resources, more, points = BEGIN[colour][action]
                self.gain(seat, "resource", resources)
                self.points[seat] += points
                tiles += more
            self.draw_tiles_at_start(seat, tiles)
        self.begin_round()

    def draw_tiles_at_start(self, seat, count):
        for _ in range(min(count, len(self.tiles))):
            self.held[seat].append(self.tiles.pop(0))

    # Supplies

    def gain(self, owner, good, count):
        if good == "resource":
            count = min(count, self.supply[owner])
            self.supply[owner] -= count
            self.stock[owner] += count
        else:
            self.points[owner] += count

    def put_aside(self, count):
        self.discard += self.deck[:count]
        del self.deck[:count]

    def draw_card(self):
        card = self.deck.pop(0)
        self.seen[card] = set()
        if not self.deck:
            self.rebuild()
        return card

    def draw_to_hand(self, seat):
        card = self.deck.pop(0)
        self.seen[card] = {seat}
        self.hands[seat].append(card)
        if not self.deck:
            self.rebuild()

    def rebuild(self):
        for building in self.city:
            if building["site"]:
                building["site"] = False
                self.discard.append(building["tile"])
        self.deck, self.discard = self.discard, []
        for card in self.deck:
            self.seen[card] = set()
        if len(self.deck) > 1:
            self.deck = self.chance.shuffle("cards", self.deck)
        self.put_aside(DISCARDED[self.players - 1])

    # Questions

    def actors(self):
        if self.finished:
            return []
        return [self.mover] if self.phase in ("good", "marker") else sorted(self.waiting)

    def legal(self, seat):
        if seat not in self.actors():
            return []
        if self.phase == "draft":
            return sorted({f"pick {character}" for character in self.drafts[seat]})
        if self.phase == "choose":
            if self.choosing[seat]:
                return ["alone", *(f"tile {tile}" for tile in self.held[seat])]
            return [f"card {card}" for card in self.hands[seat]] + ["new hand"] * (self.new_hands[seat] > 0)
        if self.phase == "good":
            return ["take resource"] * (self.supply[seat] > 0) + ["take tile"] * bool(self.tiles)
        if self.phase == "return":
            last = self.last[seat]
            later = [tile for tile in self.held[seat] if last is None or place_of(tile) > place_of(last)]
            return ["done", *(f"give {tile}" for tile in later)]
        return self.destinations()

    def result(self):
        best = max(self.points)
        winners = [owner for owner, points in enumerate(self.points) if points == best]
        if self.solo:
            winners = [0] if winners == [0] else []
        return {"scores": self.points[: self.players], "winners": winners}

    # The city

    def building_at(self, x, y):
        return next((one for one in self.city if (one["x"], one["y"]) == (x, y)), None)

    def marker_at(self, x, y):
        return next((one for one, cell in self.markers.items() if cell == (x, y) and one != self.moving), None)

    def is_free(self, x, y):
        return self.building_at(x, y) is None and self.marker_at(x, y) is None

    def neighbours(self, x, y):
        found = [self.building_at(x + dx, y + dy) for dx, dy in AROUND]
        return [one for one in found if one is not None]

    def destinations(self):
        if not self.ring:
            x, y = self.built["x"], self.built["y"]
            return [f"move {name}" for name, (dx, dy) in STEPS.items() if self.is_free(x + dx, y + dy)]
        size = len(self.ring)
        before, after = self.next_marker(-1), self.next_marker(1)
        free = [place for place, cell in enumerate(self.ring) if self.is_free(*cell)]
        between = free
        if before is not None:
            reach = (after - before) % size or size
            between = [place for place in free if 0 < (place - before) % size < reach]
        if not between and not self.shifted and before is not None:
            shifts = [("before", (before - 1) % size), ("after", (after + 1) % size)]
            found = [f"shift {side}" for side, place in shifts if self.is_free(*self.ring[place])]
            if found:
                return found
        return [f"move to {self.ring[place][0]} {self.ring[place][1]}" for place in between or free]

    def next_marker(self, step):
        """Where in the ring the nearest letter before or after lies."""
        at = LETTERS.index(self.moving)
        for number in range(1, len(LETTERS)):
            letter = LETTERS[(at + step * number) % len(LETTERS)]
            if self.markers[letter] in self.ring:
                return self.ring.index(self.markers[letter])
        return None

    def find_ring(self):
        """Clockwise around the city: the outside cells that touch a building, in the order in which one comes there."""
        start = max(self.city, key=lambda one: (one["y"], -one["x"]))
        building, facing, ring = start, 0, []
        while True:
            dx, dy = AROUND[facing]
            cell = (building["x"] + dx, building["y"] + dy)
            if cell not in ring:
                ring.append(cell)
            along = (facing + 1) % 4
            ahead = self.building_at(building["x"] + AROUND[along][0], building["y"] + AROUND[along][1])
            if ahead is None:
                facing = along
            else:
                inner = self.building_at(ahead["x"] + dx, ahead["y"] + dy)
                building = inner or ahead
                facing = (facing + 3) % 4 if inner else facing
            if building is start and facing == 0:
                return ring

    # Actions

    def play(self, seat, action):
        if action not in self.legal(seat):
            raise ValueError(f"seat {seat} may not {action}")
        verb, _, rest = action.partition(" ")
        if verb == "pick":
            self.pick(seat, rest)
        elif verb == "card":
            self.hands[seat].remove(rest)
            self.choosing[seat] = rest
            if not self.held[seat]:
                self.commit(seat, None)
        elif verb in ("alone", "tile"):
            self.commit(seat, rest or None)
        elif verb == "new":
            self.new_hands[seat] -= 1
            self.discard += self.hands[seat]
            self.hands[seat] = []
            for _ in range(4):
                self.draw_to_hand(seat)
        elif verb == "take":
            self.collect(seat, "exploit", {rest: 1})
            self.go_on(self.draw_owed())
        elif verb in ("move", "shift"):
            self.place_marker(verb, rest)
        elif verb == "give":
            self.held[seat].remove(rest)
            self.returning[seat].append(rest)
            self.last[seat] = rest
        else:
            self.waiting.discard(seat)
            if not self.waiting:
                self.settle_returns()
                self.go_on(self.draw_owed())

    def pick(self, seat, character):
        self.characters[seat].append(character)
        self.drafts[seat].remove(character)
        self.waiting.discard(seat)
        if self.waiting:
            return
        if len(self.characters[0]) < 3:
            self.drafts = [self.drafts[(seat - 1) % self.players] for seat in range(self.players)]
            self.waiting = set(range(self.players))
        else:
            self.drafts = [[] for _ in range(self.players)]
            self.show_characters()

    def commit(self, seat, tile):
        self.chosen[seat], self.choosing[seat] = (self.choosing[seat], tile), None
        if tile:
            self.held[seat].remove(tile)
        self.waiting.discard(seat)
        if not self.waiting:
            self.actor = self.first
            self.go_on(self.act())

    def act(self):
        owner = self.actor
        card, tile = self.chosen[owner]
        self.played[owner] = (card, tile)
        if tile and not self.can_pay(owner, card, tile):
            self.held[owner].append(tile)
            tile = None
        self.chosen[owner] = None
        if tile is None:
            return self.exploit(owner, card)
        if card in LETTERS:
            self.urbanize(owner, card, tile)
            return False
        return self.construct(owner, card, tile)

    def can_pay(self, owner, card, tile):
        hal = owner >= self.players
        purse = self.supply[owner] if hal else self.stock[owner]
        if card in LETTERS:
            return purse >= 1
        building = self.building_of(card)
        purse += building["height"] if building["owner"] == owner else 0
        purse -= building["height"] + 1
        if hal:
            return purse >= 0
        lower = max(number_of(card) - number_of(tile), 0)
        return purse >= (colour_of(card) != colour_of(tile)) and self.points[owner] >= lower

    def building_of(self, card):
        return next(one for one in self.city if one["tile"] == card)

    def go_on(self, complete):
        while complete:
            self.acted += 1
            self.phase = "choose"
            if self.acted < self.players:
                self.actor = (self.actor + 1) % self.players
                complete = self.act()
            elif self.solo and self.acted == self.players:
                self.discard += self.hands[0]
                self.hands[0] = []
                complete = self.hal_acts()
            elif self.ending:
                self.end_game()
                return
            else:
                self.next_round()
                return

    def next_round(self):
        if not self.solo:
            self.hands = [self.hands[(seat - 1) % self.players] for seat in range(self.players)]
            for seat, hand in enumerate(self.hands):
                for card in hand:
                    self.seen[card].add(seat)
            self.first = (self.first + 1) % self.players
            for place in range(self.players):
                self.draw_to_hand((self.first + place) % self.players)
        self.begin_round()

    def begin_round(self):
        self.round += 1
        self.acted = 0
        if self.solo:
            for _ in range(3):
                self.draw_to_hand(0)
            self.hal_card = self.draw_card()
        elif self.round == 1:
            for place in range(self.players):
                for _ in range(4):
                    self.draw_to_hand((self.first + place) % self.players)
        self.phase, self.waiting = "choose", set(range(self.players))

    # What cards do

    def collect(self, owner, action, goods):
        found = {good: goods.get(good, 0) for good in ("resource", "tile", "point")}
        if owner < self.players:
            found = {good: count + self.bonus[owner][action][good] for good, count in found.items()}
        self.owed += found["tile"]
        self.gain(owner, "resource", found["resource"])
        self.gain(owner, "point", found["point"])

    def exploit(self, owner, card):
        self.discard.append(card)
        if card in LETTERS:
            if self.supply[owner] and self.tiles:
                self.phase, self.mover = "good", owner
                return False
            good = {"resource": 1} if self.supply[owner] else {"tile": 1} if self.tiles else {}
            self.collect(owner, "exploit", good)
        else:
            self.collect(owner, "exploit", {GOODS[colour_of(card)]: self.building_of(card)["height"]})
        return self.draw_owed()

    def urbanize(self, owner, card, tile):
        x, y = self.markers[card]
        self.built = {"x": x, "y": y, "tile": tile, "height": 1, "owner": owner, "site": True}
        self.city.append(self.built)
        self.discard.append(card)
        self.lay_resources(owner, 1)
        self.moving, self.mover, self.phase = card, min(owner, self.players - 1), "marker"
        self.shifted, self.ring = False, []
        if not any(self.is_free(x + dx, y + dy) for dx, dy in AROUND):
            self.ring = self.find_ring()

    def lay_resources(self, owner, count):
        if owner < self.players:
            self.stock[owner] -= count
        else:
            self.supply[owner] -= count
        if not self.stock[owner] and not self.supply[owner]:
            self.ending = True

    def place_marker(self, verb, rest):
        if verb == "shift":
            place = self.next_marker(-1 if rest == "before" else 1)
            marker = self.marker_at(*self.ring[place])
            self.markers[marker] = self.ring[(place + (-1 if rest == "before" else 1)) % len(self.ring)]
            self.shifted = True
            return
        if rest.startswith("to "):
            self.markers[self.moving] = tuple(map(int, rest.split()[1:]))
        else:
            dx, dy = STEPS[rest]
            self.markers[self.moving] = (self.built["x"] + dx, self.built["y"] + dy)
        self.moving, self.ring, self.phase = None, [], "choose"
        owner, goods = self.actor, {}
        for building in self.neighbours(self.built["x"], self.built["y"]):
            if owner < self.players:
                good = GOODS[colour_of(building["tile"])]
                goods[good] = goods.get(good, 0) + building["height"]
        if owner >= self.players:
            goods = {"point": self.hal_points(self.built["x"], self.built["y"])}
        self.collect(owner, "urbanize", goods)
        self.go_on(self.draw_owed())

    def construct(self, owner, card, tile):
        building = self.building_of(card)
        height, before = building["height"], building["owner"]
        if before is not None:
            if before < self.players:
                self.stock[before] += height
            else:
                self.supply[before] += height
            self.points[before] += height if before != owner else 0
        if owner < self.players:
            changed = int(colour_of(card) != colour_of(tile))
            self.points[owner] -= max(number_of(card) - number_of(tile), 0)
            self.stock[owner] -= changed
            self.supply[owner] += changed
        building.update(tile=tile, height=height + 1, owner=owner, site=True)
        self.kept[owner].append(card)
        self.lay_resources(owner, height + 1)
        self.collect(owner, "construct", {})
        action, gives = bonus_of(card)
        for good, count in gives.items():
            self.bonus[owner][action][good] += count
        return self.draw_owed()

    # Tiles

    def draw_owed(self):
        while self.owed:
            if not self.tiles:
                self.owed = 0
                break
            self.held[self.actor].append(self.tiles.pop(0))
            self.owed -= 1
            if not self.tiles and self.run_out():
                return False
        return True

    def run_out(self):
        """Whether somebody is asked for tiles."""
        self.depleted += 1
        if self.depleted > 1 or self.solo:
            self.ending = True
            return False
        if self.options.get("tiles_exhausted") == "after_action":
            self.owed = 0
        self.last = [None] * self.players
        self.waiting = {seat for seat in range(self.players) if self.held[seat]}
        if not self.waiting:
            self.settle_returns()
            return False
        self.phase = "return"
        return True

    def settle_returns(self):
        for seat, tiles in enumerate(self.returning):
            self.points[seat] += len(tiles)
            self.tiles += tiles
        self.returning = [[] for _ in range(self.players)]
        self.phase = "choose"
        if not self.tiles:
            self.depleted += 1
            self.ending = True
        elif len(self.tiles) > 1:
            self.tiles = self.chance.shuffle("tiles", self.tiles)

    # Hal

    def hal_points(self, x, y):
        counted = self.options.get("hal_points") != "buildings"
        return sum(one["height"] if counted else 1 for one in self.neighbours(x, y))

    def hal_acts(self):
        hal = self.actor = 1
        card, self.hal_card, self.aside = self.hal_card, None, None
        if self.options.get("hal") == "expert" and card in LETTERS:
            other = self.draw_card()
            if other in LETTERS:
                better = self.hal_points(*self.markers[other]) > self.hal_points(*self.markers[card])
            else:
                better = self.options.get("hal_expert_builds") != "payable" or self.can_pay(hal, other, other)
            self.aside = card if better else other
            self.discard.append(self.aside)
            card = other if better else card
        self.played[hal] = (card, None)
        if not self.tiles:
            self.discard.append(card)
            return True
        if not self.can_pay(hal, card, self.tiles[0]):
            self.discard.append(card)
            self.end_game()
            return False
        tile = self.tiles.pop(0)
        self.played[hal] = (card, tile)
        if not self.tiles:
            self.run_out()
        if card in LETTERS:
            self.urbanize(hal, card, tile)
            return False
        return self.construct(hal, card, tile)

    # The end

    def end_game(self):
        self.waiting, self.finished = set(), True
        for owner in range(self.owners):
            self.points[owner] += sum(self.card_points(owner, card) for card in self.kept[owner])
            self.points[owner] += 2 * self.new_hands[owner]
        for district in self.districts():
            shares = {}
            for building in district:
                owner = building["owner"]
                if owner is not None:
                    resources, tallest = shares.get(owner, (0, (0, 0)))
                    tallest = max(tallest, (building["height"], number_of(building["tile"])))
                    shares[owner] = (resources + building["height"], tallest)
            ranked = sorted(shares, key=lambda owner: shares[owner], reverse=True)
            total = sum(resources for resources, _ in shares.values())
            for place, owner in enumerate(ranked[:2]):
                if place == 0:
                    self.points[owner] += total if len(ranked) > 1 else 2 * total
                else:
                    self.points[owner] += shares[owner][0]

    def districts(self):
        found, seen = [], []
        for building in self.city:
            if any(building is one for one in seen):
                continue
            group, waiting = [], [building]
            while waiting:
                one = waiting.pop()
                if any(one is other for other in group):
                    continue
                group.append(one)
                beside = self.neighbours(one["x"], one["y"])
                waiting += [other for other in beside if colour_of(other["tile"]) == colour_of(one["tile"])]
            seen += group
            if len(group) > 1:
                found.append(group)
        return found

    def card_points(self, owner, card):
        colour, number = colour_of(card), number_of(card)
        own = [one for one in self.city if one["owner"] == owner]
        if number < 10:
            return 0
        if number <= 13:
            wanted = ON_COLOUR[colour][number - 10]
            return sum(one["height"] for one in own if colour_of(one["tile"]) == wanted)
        if number == 14:
            return sum(1 for one in own if one["height"] <= 2)
        if number == 15:
            return 3 * sum(1 for one in own if one["height"] >= 3)
        if number == 20:
            return 9
        characters = [character.split() for character in self.characters[owner]]
        if number == 19:
            cards = [colour_of(other) for other in self.kept[owner]] + [one for one, _ in characters]
            return 2 * cards.count(colour)
        actions = [bonus_of(other)[0] for other in self.kept[owner]] + [action for _, action in characters]
        return 2 * actions.count(ACTIONS[number - 16])

    # Views

    def view(self, seat):
        return {
            "turn": self.first if self.phase in ("draft", "choose") else self.actor,
            "first": self.first,
            "round": self.round,
            "phase": self.phase,
            "buildings": [
                {
                    "x": one["x"],
                    "y": one["y"],
                    "colour": colour_of(one["tile"]),
                    "number": number_of(one["tile"]),
                    "height": one["height"],
                    "owner": one["owner"],
                    "site": one["site"],
                }
                for one in self.city
            ],
            "markers": [{"letter": one, "x": x, "y": y} for one, (x, y) in self.markers.items()],
            "moving": self.moving,
            "deck": len(self.deck),
            "discard": len(self.discard),
            "tiles": len(self.tiles),
            "depleted": self.depleted,
            "ending": self.ending,
            "builders": [self.builder(owner, owner == seat, seat) for owner in range(self.owners)],
        }

    def builder(self, owner, own, viewer):
        hal = owner >= self.players
        tiles = [] if hal else sorted([*self.held[owner], *self.returning[owner]], key=place_of)
        chosen = self.chosen[owner]
        shown = None
        if chosen:
            shown = laid(*chosen) if own else {"card": None, "tile": None, "with_tile": chosen[1] is not None}
        hand = [] if hal else sorted(self.hands[owner], key=place_of)
        known = []
        if not own and viewer is not None and not hal and not self.finished:
            if self.options.get("remember_cards", "yes") == "yes":
                cards = [
                    *hand,
                    *([chosen[0]] if chosen else []),
                    *([self.choosing[owner]] if self.choosing[owner] else []),
                ]
                known = sorted((card for card in cards if viewer in self.seen[card]), key=place_of)
        drafting = self.phase == "draft"
        return {
            "seat": owner,
            "hal": hal,
            "resources": self.stock[owner],
            "supply": self.supply[owner],
            "points": self.points[owner] if own or hal or self.finished else None,
            "tiles": tiles if own or hal else None,
            "tile_count": len(tiles),
            "hand": hand if own else None,
            "cards": len(hand),
            "known": known,
            "chosen": shown,
            "played": laid(*self.played[owner]) if self.played[owner] else None,
            "aside": self.aside if hal else None,
            "new_hands": self.new_hands[owner],
            "characters": list(self.characters[owner]) if own or not drafting else [],
            "draft": list(self.drafts[owner]) if own and drafting else None,
            "kept": sorted(self.kept[owner], key=place_of),
            "bonus": self.bonus[owner],
        }


def laid(card, tile):
    return {"card": card, "tile": tile, "with_tile": tile is not None}
