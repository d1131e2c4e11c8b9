"""An engine that was written from the brief of this game alone: rules.md, numbers.toml, notation.md and view.md.

It knows nothing of ours, and needs Python alone, so that it proves that the brief is enough.
"""

from functools import cache
from itertools import combinations_with_replacement

GREY = ["wood", "stone", "brick", "papyrus", "glass"]
GREEN = ["compass", "gear", "tablet"]
RED = ["red0", "red1", "red2"]
CARDS = [*GREY, "coin", "vp3", "vp2cat", *GREEN, *RED]
POINTS = {"vp3": 3, "vp2cat": 2}
# Of every wonder: levels, points of stages, stages with the effect, cards of its deck in the order above.
WONDERS = {
    "alexandria": ([[1], [2], [3], [4], [5]], [4, 3, 6, 5, 7], [2, 4], [2, 2, 2, 2, 1, 4, 2, 2, 1, 2, 1, 2, 1, 1]),
    "babylon": ([[1], [2], [3], [4, 5]], [3, 0, 5, 5, 7], [2, 4], [2, 1, 2, 2, 2, 3, 2, 2, 2, 2, 1, 2, 1, 1]),
    "ephesus": ([[1], [2, 3, 4], [5]], [3, 3, 4, 5, 7], [2, 3, 4], [2, 2, 2, 2, 2, 3, 1, 2, 2, 1, 2, 2, 1, 1]),
    "giza": ([[1], [2], [3], [4], [5]], [4, 5, 6, 7, 8], [], [2, 2, 1, 2, 2, 3, 2, 3, 2, 1, 1, 2, 2, 0]),
    "halicarnassus": ([[1], [2], [3, 4], [5]], [3, 3, 6, 5, 7], [2, 4], [2, 2, 2, 1, 2, 3, 2, 2, 1, 1, 2, 2, 2, 1]),
    "olympia": ([[1], [2, 3], [4], [5]], [3, 2, 5, 5, 7], [2, 4], [1, 2, 2, 2, 2, 3, 1, 3, 1, 1, 2, 2, 2, 1]),
    "rhodes": ([[1, 2], [3], [4], [5]], [4, 4, 5, 6, 7], [2, 4], [2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 1, 2, 2, 1]),
}
CENTRAL = [4, 4, 4, 4, 4, 6, 4, 8, 4, 4, 4, 4, 4, 2]
COSTS = {1: (2, False), 2: (2, True), 3: (3, False), 4: (3, True), 5: (4, False)}  # how many, and whether identical
EXTRAS = {
    "urbanism": ["wood", "brick"],
    "crafts": ["papyrus", "glass"],
    "jewellery": ["stone", "coin"],
    "science": GREEN,
    "propaganda": ["red1", "red2"],
    "architecture": [],
}
TOKENS = [*EXTRAS, "economy", "engineering", "tactics", "decor", "politics", "strategy", "education", "culture"]
CONFLICT = {2: 3, 3: 3, 4: 4, 5: 5, 6: 6, 7: 6}
SIDES = ["left", "right", "central"]


class Engine:
    def __init__(self, players, options, chance):
        self.players, self.options, self.chance = players, options, chance
        self.start = 0 if options.get("first_player") == "first_seat" else chance.draw("start", players)
        self.turn, self.finished = self.start, False
        self.wonder = [None] * players
        self.cards = [dict.fromkeys(CARDS, 0) for _ in range(players)]
        self.built = [[] for _ in range(players)]
        self.tokens = [[] for _ in range(players)]
        self.military, self.shields, self.points = [0] * players, [0] * players, [0] * players
        self.discard = dict.fromkeys(CARDS, 0)
        self.turned, self.cat, self.known_by, self.looked = 0, None, set(), None
        self.supply = 28 if options.get("military_token_supply") == "limited_28" else None
        self.triggered, self.used, self.gained = set(), set(), set()
        self.decks = {"central": deck_of(CENTRAL)}
        self.stack = [*TOKENS, "culture"]
        self.offer, self.open, self.picks = [None] * 3, [], 0
        rule = options.get("wonders", "random")
        order = list(WONDERS) if rule == "chosen" else chance.shuffle("wonders", list(WONDERS))
        if rule == "random":
            self.wonder = order[:players]
            self.lay_out()
        else:
            self.open = order if rule == "chosen" else order[: players + 1]
            self.phase, self.picks = "choose", players
            if rule == "drafted":
                self.turn = (self.start - 1) % players

    def lay_out(self):
        for wonder in self.wonder:
            self.decks[wonder] = self.chance.shuffle(f"{wonder} deck", deck_of(WONDERS[wonder][3]))
        self.decks["central"] = self.chance.shuffle("central deck", self.decks["central"])
        self.stack = self.chance.shuffle("progress tokens", self.stack)
        for place in range(3):
            self.offer[place] = self.stack.pop(0)
        self.turn, self.open = self.start, []
        self.begin_turn()
        self.go_on()

    def allows(self, option, usual="yes"):
        return self.options.get(option, usual) == "yes"

    # Where things lie

    def deck_at(self, seat, side):
        if side == "central":
            return "central"
        return self.wonder[seat if side == "left" else (seat - 1) % self.players]

    def can_draw(self, seat):
        return any(self.decks[self.deck_at(seat, side)] for side in SIDES)

    def active(self, seat):
        tokens = set(self.tokens[seat]) - self.used
        return tokens if self.allows("token_usable_same_turn") else tokens - self.gained

    # Questions

    def actors(self):
        return [] if self.finished else [self.turn]

    def legal(self, seat):
        if self.finished or seat != self.turn:
            return []
        if self.phase == "choose":
            return [f"wonder {wonder}" for wonder in self.open]
        if self.phase == "draw":
            return [f"draw {side}" for side in SIDES if self.decks[self.deck_at(seat, side)]]
        if self.phase == "keep":
            return sorted({f"keep {card}" for card in self.decks[self.looked][:5]})
        if self.phase == "effect":
            return self.effects(seat) + ["decline"] * self.allows("wonder_effect_optional", "no")
        return self.acts(seat)

    def effects(self, seat):
        wonder = self.wonder[seat]
        if wonder == "alexandria":
            return [f"take {deck}" for deck, cards in self.decks.items() if cards]
        if wonder == "babylon":
            return [f"token {token}" for token in self.on_offer()]
        if wonder == "halicarnassus":
            return [f"look {side}" for side in SIDES[:2] if self.decks[self.deck_at(seat, side)]]
        return ["accept"]

    def on_offer(self):
        return sorted({token for token in self.offer if token}) + ["stack"] * bool(self.stack)

    def acts(self, seat):
        builds = self.builds(seat)
        found = list(builds)
        forced = bool(builds) and self.must_build(seat)
        if self.must_claim(seat):
            forced = True
            for cards in self.sets(seat):
                found += [f"claim {' '.join(cards)} for {token}" for token in self.on_offer()]
        extras = [
            f"extra {token} {side}"
            for token in self.triggered - self.used
            for side in SIDES
            if self.decks[self.deck_at(seat, side)]
        ]
        if not forced and (not extras or self.allows("extra_card_optional")):
            found.append("end")
        return found + extras

    def sets(self, seat):
        held = self.cards[seat]
        return [[card] * 2 for card in GREEN if held[card] > 1] + [GREEN] * all(held[card] for card in GREEN)

    def must_claim(self, seat):
        return bool(self.sets(seat)) and bool(self.on_offer())

    # Building

    def means(self, seat):
        active = self.active(seat)
        return "economy" in active, "engineering" in active

    def state_of(self, seat):
        held = self.cards[seat]
        return tuple(held[card] for card in GREY), held["coin"], frozenset(self.built[seat]), self.wonder[seat]

    def must_build(self, seat):
        economy, engineering = self.means(seat)
        economy = economy and self.allows("economy_counts_for_forced_build")
        engineering = engineering and self.allows("engineering_counts_for_forced_build")
        return bool(payments(*self.state_of(seat), economy, engineering, self.missing_only()))

    def missing_only(self):
        return self.options.get("coin_policy") == "missing_only"

    def builds(self, seat):
        """Notations of payments, with the payments."""
        economy, engineering = self.means(seat)
        state, missing_only = self.state_of(seat), self.missing_only()
        found = payments(*state, economy, engineering, missing_only)
        if self.options.get("forced_build_scope") != "greedy" and len(found) > 1:
            forces = self.allows("economy_counts_for_forced_build"), self.allows("engineering_counts_for_forced_build")
            counted = []
            for payment in found:
                after = paid(state, payment)
                left = economy and not payment[3] and forces[0], engineering and not payment[4] and forces[1]
                counted.append(1 + most_builds(*after, *left, missing_only))
            best = [
                n
                for n, one in zip(counted, found, strict=True)
                if (forces[0] or not one[3]) and (forces[1] or not one[4])
            ]
            found = [one for n, one in zip(counted, found, strict=True) if n >= max(best, default=0)]
        return {written(payment): payment for payment in found}

    # Actions

    def play(self, seat, action):
        if action not in self.legal(seat):
            raise ValueError(f"seat {seat} may not {action}")
        verb, *words = action.split()
        if verb == "wonder":
            self.pick(seat, words[0])
            return
        if verb == "draw":
            self.phase = "act"
            self.take(seat, self.deck_at(seat, words[0]))
        elif verb == "extra":
            self.used.add(words[0])
            self.take(seat, self.deck_at(seat, words[1]))
        elif verb == "build":
            self.build(seat, self.builds(seat)[action])
        elif verb == "claim":
            for card in words[: words.index("for")]:
                self.cards[seat][card] -= 1
                self.discard[card] += 1
            self.gain(seat, words[-1])
        elif verb == "end":
            self.end_turn()
        else:
            self.resolve(seat, verb, words)
        self.go_on()

    def pick(self, seat, wonder):
        self.wonder[seat] = wonder
        self.open.remove(wonder)
        self.picks -= 1
        if not self.picks:
            self.lay_out()
        else:
            step = 1 if self.options.get("wonders") == "chosen" else -1
            self.turn = (seat + step) % self.players

    def resolve(self, seat, verb, words):
        self.phase = "act"
        if verb == "accept":
            self.draw_for_effect(seat)
        elif verb == "token":
            self.gain(seat, words[0])
        elif verb == "take":
            self.take(seat, words[0])
        elif verb == "look":
            self.looked, self.phase = self.deck_at(seat, words[0]), "keep"
        elif verb == "keep":
            deck, name = self.decks[self.looked], f"{self.looked} deck"
            deck.remove(words[0])
            if len(deck) > 1:
                self.decks[self.looked] = self.chance.shuffle(name, deck)
            self.looked = None
            self.receive(seat, words[0])

    def take(self, seat, deck):
        card = self.decks[deck].pop(0)
        if deck == "central":
            self.known_by = set()
        self.receive(seat, card)

    def receive(self, seat, card):
        self.cards[seat][card] += 1
        self.points[seat] += POINTS.get(card, 0)
        self.triggered |= {token for token, cards in EXTRAS.items() if card in cards} & self.active(seat)
        if card in RED:
            self.shields[seat] += 1
            self.turned = min(self.turned + RED.index(card), CONFLICT[self.players])
        if card == "vp2cat" and self.cat != seat:
            if self.cat is not None:
                self.points[self.cat] -= 2
            self.points[seat] += 2
            self.cat = seat

    def gain(self, seat, token):
        if token == "stack":
            token = self.stack.pop(0)
        else:
            self.offer[self.offer.index(token)] = self.stack.pop(0) if self.stack else None
        self.tokens[seat].append(token)
        self.gained.add(token)
        if token == "tactics":
            self.shields[seat] += 2

    def build(self, seat, payment):
        stage, grey, coins, doubled, engineered = payment
        for card in [*grey, *["coin"] * coins]:
            self.cards[seat][card] -= 1
            self.discard[card] += 1
        wonder = self.wonder[seat]
        self.built[seat].append(stage)
        self.points[seat] += WONDERS[wonder][1][stage - 1]
        self.used |= {"economy"} if doubled else set()
        self.used |= {"engineering"} if engineered else set()
        self.triggered |= {"architecture"} & self.active(seat)
        if stage in WONDERS[wonder][2]:
            self.begin_effect(seat, wonder)

    def begin_effect(self, seat, wonder):
        if wonder == "rhodes":
            self.shields[seat] += 1
            return
        sides = [self.decks[self.deck_at(seat, side)] for side in SIDES[:2]]
        possible = {
            "alexandria": any(self.decks.values()),
            "babylon": bool(self.on_offer()),
            "ephesus": bool(self.decks["central"]),
        }.get(wonder, any(sides))
        if possible:
            if self.allows("wonder_effect_optional", "no") or wonder not in ("ephesus", "olympia"):
                self.phase = "effect"
            else:
                self.draw_for_effect(seat)

    def draw_for_effect(self, seat):
        sides = SIDES[2:] if self.wonder[seat] == "ephesus" else SIDES[:2]
        for side in sides:
            if self.decks[self.deck_at(seat, side)]:
                self.take(seat, self.deck_at(seat, side))

    # Turns

    def begin_turn(self):
        if not any(self.decks.values()):
            self.end_game()
            return
        self.triggered, self.used, self.gained = set(), set(), set()
        if self.cat == self.turn and self.decks["central"]:
            self.known_by.add(self.turn)
        self.phase = "draw" if self.can_draw(self.turn) else "act"

    def go_on(self):
        while self.phase == "act" and not self.finished and not self.is_asked(self.turn):
            self.end_turn()

    def is_asked(self, seat):
        extras = bool(self.triggered - self.used) and self.can_draw(seat)
        return self.must_claim(seat) or extras or bool(self.builds(seat))

    def end_turn(self):
        complete = len(self.built[self.turn]) == 5
        if self.turned >= CONFLICT[self.players] and (self.allows("battle_before_game_end") or not complete):
            self.fight()
        if complete:
            self.end_game()
        else:
            self.turn = (self.turn + 1) % self.players
            self.begin_turn()

    def fight(self):
        for place in range(self.players):
            seat = (self.turn + place) % self.players
            won = self.victories(seat)
            if self.supply is not None:
                won = min(won, self.supply)
                self.supply -= won
            self.military[seat] += won
            self.points[seat] += 3 * won
        for seat in range(self.players):
            for card in RED[1:]:
                self.discard[card] += self.cards[seat][card]
                self.shields[seat] -= self.cards[seat][card]
                self.cards[seat][card] = 0
        self.turned = 0

    def victories(self, seat):
        mine = self.shields[seat]
        left, right = self.shields[(seat + 1) % self.players], self.shields[(seat - 1) % self.players]
        if self.players > 2:
            return (mine > left) + (mine > right)
        if mine <= left:
            return 0
        if left == 0 and self.allows("two_player_zero_shield_needs_two"):
            return 2 if mine >= 2 else 1
        return 2 if mine >= 2 * left else 1

    def end_game(self):
        for seat in range(self.players):
            own, points = self.tokens[seat], 0
            points += (6 if len(self.built[seat]) == 5 else 4) * ("decor" in own)
            points += self.cards[seat]["vp2cat"] * ("politics" in own)
            points += self.military[seat] * ("strategy" in own)
            points += 2 * len(own) * ("education" in own)
            points += {0: 0, 1: 4, 2: 12}[own.count("culture")]
            self.points[seat] += points
        self.finished = True

    def result(self):
        ranks = [(points, len(built)) for points, built in zip(self.points, self.built, strict=True)]
        return {"scores": self.points, "winners": [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]}

    # Views

    def view(self, seat):
        choosing = self.phase == "choose"
        top = self.decks["central"][:1]
        looked = None
        if self.phase == "keep" and (self.allows("halicarnassus_reveal_public") or seat == self.turn):
            looked = {"deck": self.looked, "cards": self.decks[self.looked][:5]}
        return {
            "turn": self.turn,
            "start": self.start,
            "phase": self.phase,
            "open_wonders": sorted(self.open),
            "decks": []
            if choosing
            else [
                {
                    "wonder": wonder,
                    "seat": owner,
                    "left": len(self.decks[wonder]),
                    "top": next(iter(self.decks[wonder]), None),
                }
                for owner, wonder in enumerate(self.wonder)
            ],
            "central": {
                "left": len(self.decks["central"]),
                "seen": top[0] if top and seat in self.known_by else None,
                "known_by": sorted(self.known_by),
            },
            "discard": self.discard,
            "conflict": {
                "tokens": CONFLICT[self.players],
                "turned": self.turned,
                "battle": self.turned >= CONFLICT[self.players],
            },
            "offer": self.offer,
            "stack": len(self.stack),
            "cat": self.cat,
            "military_left": self.supply,
            "extras": [token for token in TOKENS if token in self.triggered - self.used],
            "used": [token for token in TOKENS if token in self.used],
            "looked": looked,
            "builders": [
                {
                    "seat": owner,
                    "wonder": self.wonder[owner],
                    "decks": [] if choosing else [self.deck_at(owner, side) for side in SIDES[:2]],
                    "built": sorted(self.built[owner]),
                    "cards": self.cards[owner],
                    "tokens": sorted(self.tokens[owner], key=TOKENS.index),
                    "military": self.military[owner],
                    "shields": self.shields[owner],
                    "score": self.points[owner],
                }
                for owner in range(self.players)
            ],
        }


def deck_of(counts):
    return [card for card, count in zip(CARDS, counts, strict=True) for _ in range(count)]


def available(wonder, built):
    for level in WONDERS[wonder][0]:
        if not set(level) <= built:
            return [stage for stage in level if stage not in built]
    return []


@cache
def payments(grey, coins, built, wonder, economy, engineering, missing_only):
    """Every exact payment: the stage, grey cards, coins, whether one is doubled, and whether Engineering is used."""
    found = []
    for stage in available(wonder, built):
        cost, identical = COSTS[stage]
        for size in range(cost + 1):
            for kinds in combinations_with_replacement(range(5), size):
                counts = [kinds.count(kind) for kind in range(5)]
                if any(count > held for count, held in zip(counts, grey, strict=True)):
                    continue
                fits = len(set(kinds)) <= 1 if identical else max(counts) <= 1
                if not fits and not engineering:
                    continue
                missing = cost - size
                if missing and missing_only and not may_use_coins(grey, counts, size, identical, fits):
                    continue
                names = tuple(GREY[kind] for kind in kinds)
                if missing <= coins:
                    found.append((stage, names, missing, False, not fits))
                if economy and 2 <= missing <= coins + 1:
                    found.append((stage, names, missing - 1, True, not fits))
    return found


def may_use_coins(grey, counts, size, identical, fits):
    types = sum(1 for held in grey if held)
    if not fits:
        return size == sum(grey)
    if not identical:
        return size == types
    if size == 0:
        return types < len(grey)
    return all(count in (0, held) for count, held in zip(counts, grey, strict=True))


def paid(state, payment):
    grey, coins, built, wonder = state
    left = tuple(held - payment[1].count(card) for card, held in zip(GREY, grey, strict=True))
    return left, coins - payment[2], built | {payment[0]}, wonder


@cache
def most_builds(grey, coins, built, wonder, economy, engineering, missing_only):
    best = 0
    for payment in payments(grey, coins, built, wonder, economy, engineering, missing_only):
        after = paid((grey, coins, built, wonder), payment)
        left = economy and not payment[3], engineering and not payment[4]
        best = max(best, 1 + most_builds(*after, *left, missing_only))
    return best


def written(payment):
    stage, grey, coins, doubled, _ = payment
    return f"build {stage} with " + " ".join([*grey, *["coin"] * (coins - doubled), *["coin2"] * doubled])
