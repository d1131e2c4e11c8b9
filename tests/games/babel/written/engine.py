"""An engine that was written from the brief of this game alone: rules.md, numbers.toml, notation.md and view.md.

It knows nothing of ours, and needs Python alone, so that it proves that the brief is enough.
"""

from itertools import combinations

TYPES = ["camel", "crane", "ship", "mason"]
WONDERS = ["artemis", "pyramids", "gardens", "mausoleum", "lighthouse", "colossus", "zeus", "tower"]
NUMBERS = [3, 4, 4, 5, 5, 6]
TWO_COLOUR = ["camel 2 mason 3", "crane 3 mason 2", "crane 2 ship 3", "camel 3 ship 2"]
ACTIONS = {
    "exchange": 3,
    "joker": 2,
    "disc_bonus": 2,
    "triple_refusal": 2,
    "draw": 2,
    "double_turn": 2,
    "end_bonus": 2,
}
FIRST, SECOND, OTHER = [8, 10, 12, 14, 16, 18, 20], [4, 5, 6, 7, 8, 9, 10], 3
LIGHT_FIRST, LIGHT_SECOND = 6, 3
BONUS = [0, 0, 5, 10, 20, 30, 40]
HOUSES, MOST_EXCHANGED, SUPPLIES = 29, 5, 3


def counts():
    return dict.fromkeys(TYPES, 0)


def total(cards):
    return sum(cards.values())


class Engine:
    def __init__(self, players, options, chance):
        self.players, self.options, self.chance = players, options, chance
        self.strict = options.get("strict_units") == "yes"
        discs = [f"{kind} {number}" for kind in TYPES for number in NUMBERS]
        if options.get("two_colour_discs") == "yes":
            for kind in TYPES:
                discs.remove(f"{kind} 5")
            discs += TWO_COLOUR
        self.discs = [needs_of(disc) for disc in chance.shuffle("discs", discs)]
        actions = [] if options.get("action_cards") == "no" else [a for a, n in ACTIONS.items() for _ in range(n)]
        self.action_deck = chance.shuffle("action cards", actions) if actions else []
        self.deck = chance.shuffle("cards", [kind for kind in TYPES for _ in range(25)])
        self.start = 0 if options.get("first_player") == "first_seat" else chance.draw("start", players)
        self.discard, self.used = counts(), dict.fromkeys(ACTIONS, 0)
        self.hands = [counts() for _ in range(players)]
        self.actions = [dict.fromkeys(ACTIONS, 0) for _ in range(players)]
        self.owned = [[] for _ in range(players)]
        self.points = [0] * players
        self.houses = [[0] * players for _ in WONDERS]
        self.row, self.idle, self.busy, self.finished = 0, 0, False, False
        self.phase, self.turn, self.chosen, self.built = "turn", self.start, None, False
        self.clear_offers()
        self.exchanging = None
        for place in range(players):
            for _ in range(4):
                self.draw((self.start + place) % players)
        self.busy = False

    def clear_offers(self):
        self.offers = [counts() for _ in range(self.players)]
        self.trade = [False] * self.players
        self.returned = [counts() for _ in range(self.players)]
        self.waiting, self.laying, self.tripled = set(), [None] * self.players, set()

    # Questions

    def actors(self):
        if self.finished:
            return []
        if self.phase in ("offer", "refusal"):
            return [self.exchanging[0]] if self.exchanging else sorted(self.waiting)
        return [self.turn]

    def legal(self, seat):
        if seat not in self.actors():
            return []
        if self.exchanging:
            return self.gifts(seat)
        if self.phase == "turn":
            found = ["pass"] + [
                f"choose {WONDERS[disc // 3]} {disc % 3 + 1}" for disc in range(24) if self.discs[disc] is not None
            ]
        elif self.phase == "offer":
            found = self.layings(seat)
            if total(self.offers[seat]):
                return found
        elif self.phase == "select":
            found = self.selections()
        else:
            name, card = ("triple", "triple_refusal") if self.phase == "refusal" else ("double", "double_turn")
            found = ["decline"] + [name] * (self.actions[seat][card] > 0)
        if self.drawable():
            if self.actions[seat]["exchange"] and total(self.hands[seat]):
                found.append("exchange")
            if self.actions[seat]["draw"]:
                found.append("draw")
        return found

    def layings(self, seat):
        laid, needs = self.offers[seat], self.discs[self.chosen]
        found = []
        if total(laid) < total(needs):
            first = self.laying[seat] or 0
            found = [f"lay {kind}" for place, kind in enumerate(TYPES) if place >= first and self.hands[seat][kind]]
        units = sum(min(laid[kind], needs[kind]) for kind in TYPES)
        if not self.strict or units <= self.houses_left(seat):
            found.append("commit")
        if total(laid):
            found.append("commit trade")
        return found

    def gifts(self, seat):
        given = self.exchanging[1]
        found = []
        if total(given) < min(MOST_EXCHANGED, self.drawable()):
            first = self.exchanging[2]
            found = [f"lay {kind}" for place, kind in enumerate(TYPES) if place >= first and self.hands[seat][kind]]
        return found + ["commit"] * (total(given) > 0)

    def selections(self):
        found, needs, hand = ["fail"], self.discs[self.chosen], self.hands[self.turn]
        others = [(self.turn + place) % self.players for place in range(1, self.players)]
        others = [seat for seat in others if total(self.offers[seat])]
        for number in range(len(others) + 1):
            for seats in combinations(others, number):
                if sum(self.trade[seat] for seat in seats) > 1:
                    continue
                rest = {kind: needs[kind] - sum(self.offers[seat][kind] for seat in seats) for kind in TYPES}
                own = total(rest) + sum(total(self.offers[seat]) for seat in seats if self.trade[seat])
                if min(rest.values()) < 0 or (self.strict and own > self.houses_left(self.turn)):
                    continue
                text = "accept " + (" ".join(str(seat + 1) for seat in seats) or "none")
                for jokers in range(self.actions[self.turn]["joker"] + 1):
                    for cards in by_jokers(needs, 2 * jokers):
                        left = {kind: rest[kind] - cards[kind] for kind in TYPES}
                        if min(left.values()) >= 0 and all(hand[kind] >= left[kind] for kind in TYPES):
                            words = [kind for kind in TYPES for _ in range(cards[kind])]
                            found.append(text + (f" joker for {' '.join(words)}" if jokers else ""))
        return found

    def result(self):
        return {
            "scores": self.points,
            "winners": [seat for seat, points in enumerate(self.points) if points == max(self.points)],
        }

    def view(self, seat):
        wonders = [
            {
                "wonder": name,
                "discs": [
                    disc and {kind: number for kind, number in disc.items() if number}
                    for disc in self.discs[3 * place : 3 * place + 3]
                ],
                "units": self.houses[place],
            }
            for place, name in enumerate(WONDERS)
        ]
        chosen = None
        if self.chosen is not None:
            needs = {kind: number for kind, number in (self.discs[self.chosen] or {}).items() if number}
            chosen = {"wonder": WONDERS[self.chosen // 3], "space": self.chosen % 3, "needs": needs}
        return {
            "turn": self.turn,
            "start": self.start,
            "phase": self.phase,
            "wonders": wonders,
            "chosen": chosen,
            "row": self.row,
            "deck": len(self.deck),
            "drawable": self.drawable(),
            "discard": self.discard,
            "action_deck": len(self.action_deck),
            "actions_used": self.used,
            "builders": [self.builder(other, other == seat) for other in range(self.players)],
        }

    def builder(self, seat, own):
        offer = None
        laid = self.chosen is not None and seat != self.turn and self.phase not in ("turn", "closing")
        if laid and (self.phase != "offer" or seat not in self.waiting):
            count = total(self.offers[seat]) + self.trade[seat]
            shown, turned = own or self.phase != "offer", self.phase != "offer"
            offer = {
                "count": count,
                "cards": self.offers[seat] if shown else None,
                "trade": self.trade[seat] if shown else None,
                "returned": self.returned[seat] if turned else None,
            }
        types = sorted(self.owned[seat], key=lambda disc: sum(1 << TYPES.index(kind) for kind in disc))
        return {
            "seat": seat,
            "score": self.points[seat],
            "cards": total(self.hands[seat]) + 1 - self.trade[seat],
            "hand": self.hands[seat] if own else None,
            "trade": not self.trade[seat] if own else None,
            "action_cards": total(self.actions[seat]),
            "actions": self.actions[seat] if own else None,
            "discs": types,
            "offer": offer,
            "units_left": self.houses_left(seat) if self.strict else None,
        }

    # Actions

    def play(self, seat, action):
        if action not in self.legal(seat):
            raise ValueError(f"seat {seat} may not {action}")
        verb, *words = action.split()
        if action == "pass":
            self.draw(seat)
            self.after_turn()
        elif verb == "choose":
            self.choose(3 * WONDERS.index(words[0]) + int(words[1]) - 1)
        elif verb == "lay":
            self.hands[seat][words[0]] -= 1
            if self.exchanging:
                self.exchanging[1][words[0]] += 1
                self.exchanging[2] = TYPES.index(words[0])
            else:
                self.offers[seat][words[0]] += 1
                self.laying[seat] = TYPES.index(words[0])
        elif verb == "commit":
            if self.exchanging:
                self.exchange(seat)
            else:
                self.trade[seat] = words == ["trade"]
                self.waiting.discard(seat)
                if not self.waiting:
                    self.reveal()
        elif verb == "accept":
            self.accept(words)
        elif verb == "fail":
            self.ask_refused()
        else:
            self.play_card(seat, verb)

    def choose(self, disc):
        self.clear_offers()
        self.chosen, self.phase, self.built = disc, "offer", False
        self.waiting = {
            seat
            for seat in range(self.players)
            if seat != self.turn and (total(self.hands[seat]) or total(self.actions[seat]))
        }
        if not self.waiting:
            self.reveal()

    def reveal(self):
        needs = self.discs[self.chosen]
        for seat in range(self.players):
            left = self.houses_left(seat) if self.strict and not self.trade[seat] else 99
            for kind in TYPES:
                kept = min(self.offers[seat][kind], needs[kind], left)
                left -= kept
                back = self.offers[seat][kind] - kept
                self.offers[seat][kind] = kept
                self.returned[seat][kind] = back
                self.hands[seat][kind] += back
            self.trade[seat] = self.trade[seat] and total(self.offers[seat]) > 0
        self.phase = "select"

    def accept(self, words):
        at = words.index("joker") if "joker" in words else len(words)
        seats = [int(word) - 1 for word in words[:at] if word != "none"]
        jokers = words[at + 2 :]
        needs, wonder = self.discs[self.chosen], self.chosen // 3
        self.actions[self.turn]["joker"] -= len(jokers) // 2
        self.used["joker"] += len(jokers) // 2
        houses, owner = len(jokers), self.turn
        for kind in TYPES:
            own = needs[kind] - jokers.count(kind) - sum(self.offers[seat][kind] for seat in seats)
            self.hands[self.turn][kind] -= own
            self.discard[kind] += own
            houses += own
        for seat in seats:
            for kind in TYPES:
                self.discard[kind] += self.offers[seat][kind]
            if self.trade[seat]:
                owner = seat
                houses += total(self.offers[seat])
            else:
                self.houses[wonder][seat] += total(self.offers[seat])
            self.offers[seat], self.trade[seat] = counts(), False
        self.houses[wonder][self.turn] += houses
        self.owned[owner].append([kind for kind in TYPES if needs[kind]])
        self.discs[self.chosen] = None
        self.built = self.busy = True
        self.ask_refused()

    def ask_refused(self):
        self.phase = "refusal"
        self.waiting = {seat for seat in range(self.players) if total(self.offers[seat]) and total(self.actions[seat])}
        if not self.waiting:
            self.pay_refused()

    def pay_refused(self):
        for seat in range(self.players):
            self.points[seat] += total(self.offers[seat]) * (3 if seat in self.tripled else 1)
            for kind in TYPES:
                self.hands[seat][kind] += self.offers[seat][kind]
        wonder, built = self.chosen // 3, self.built
        self.clear_offers()
        self.chosen, self.built = None, False
        if built:
            if self.discs[3 * wonder : 3 * wonder + 3] == [None] * 3:
                self.complete(wonder)
            if any(all(not disc or not disc[kind] for disc in self.discs) for kind in TYPES):
                self.end_game()
                return
        self.after_turn()

    def complete(self, wonder):
        row = min(self.row, 6)
        self.score(wonder, FIRST[row], SECOND[row])
        self.row += 1
        self.houses[wonder] = [0] * self.players
        if self.action_deck:
            self.actions[self.turn][self.action_deck.pop(0)] += 1

    def score(self, wonder, first, second):
        houses = self.houses[wonder]
        ranks = sorted(set(houses) - {0}, reverse=True)
        for seat, own in enumerate(houses):
            if own and own == ranks[0]:
                self.points[seat] += first if houses.count(own) == 1 else second
            elif own and own == ranks[1] and houses.count(ranks[0]) == houses.count(own) == 1:
                self.points[seat] += second
            elif own:
                self.points[seat] += OTHER

    def after_turn(self):
        if total(self.actions[self.turn]):
            self.phase = "closing"
        else:
            self.close_turn()

    def close_turn(self):
        for place in range(self.players):
            self.draw((self.turn + place) % self.players)
        self.idle = 0 if self.busy else self.idle + 1
        self.busy = False
        if self.idle >= 2 * self.players:
            self.end_game()
            return
        self.turn = (self.turn + 1) % self.players
        self.phase = "turn"

    def play_card(self, seat, verb):
        card = {"triple": "triple_refusal", "double": "double_turn"}.get(verb, verb)
        if card != "decline":
            self.actions[seat][card] -= 1
            self.used[card] += 1
        if verb == "exchange":
            self.exchanging = [seat, counts(), 0]
        elif verb == "draw":
            for _ in range(SUPPLIES):
                self.draw(seat)
            self.after_card(seat)
        elif verb == "double":
            self.phase = "turn"
        elif self.phase == "closing":
            self.close_turn()
        else:
            if verb == "triple":
                self.tripled.add(seat)
            self.answered(seat)

    def exchange(self, seat):
        given, self.exchanging = self.exchanging[1], None
        for _ in range(total(given)):
            self.draw(seat)
        for kind in TYPES:
            self.discard[kind] += given[kind]
        self.after_card(seat)

    def after_card(self, seat):
        if not total(self.actions[seat]):
            if self.phase == "closing":
                self.close_turn()
            elif self.phase == "refusal":
                self.answered(seat)

    def answered(self, seat):
        self.waiting.discard(seat)
        if not self.waiting:
            self.pay_refused()

    def end_game(self):
        for wonder in range(len(WONDERS)):
            self.score(wonder, LIGHT_FIRST, LIGHT_SECOND)
        for seat in range(self.players):
            self.points[seat] += best_bonus(self.owned[seat])
            self.points[seat] += len(self.owned[seat]) * self.actions[seat]["disc_bonus"]
            self.points[seat] += 5 * self.actions[seat]["end_bonus"]
        self.finished = True

    # Cards

    def drawable(self):
        return len(self.deck) + total(self.discard)

    def houses_left(self, seat):
        return HOUSES - sum(houses[seat] for houses in self.houses)

    def draw(self, seat):
        if not self.deck:
            cards = [kind for kind in TYPES for _ in range(self.discard[kind])]
            if not cards:
                return
            self.discard = counts()
            self.deck = self.chance.shuffle("cards", cards) if len(cards) > 1 else cards
        self.hands[seat][self.deck.pop(0)] += 1
        self.busy = True


def needs_of(disc):
    words = disc.split()
    return {**counts(), **{kind: int(number) for kind, number in zip(words[::2], words[1::2], strict=True)}}


def by_jokers(needs, cards):
    """All ways in which jokers stand for so many cards of a disc."""
    kinds = [kind for kind in TYPES if needs[kind]]
    if len(kinds) == 1:
        return [{**counts(), kinds[0]: cards}]
    return [{**counts(), kinds[0]: first, kinds[1]: cards - first} for first in range(cards + 1)]


def best_bonus(discs):
    """The bonus of discs, each of two colours where it brings most."""

    def best(left, held):
        if not left:
            return sum(BONUS[min(number, 6)] for number in held.values())
        return max(best(left[1:], {**held, kind: held[kind] + 1}) for kind in left[0])

    return best(discs, counts())
