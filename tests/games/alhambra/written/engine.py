"""An engine that was written from the brief of this game alone: rules.md, numbers.toml, notation.md and view.md.

It knows nothing of ours, and needs Python alone, so that it proves that the brief is enough.
"""

from itertools import combinations

CURRENCIES = ["yellow", "green", "blue", "orange"]
PRICES = {
    "pavilion": [2, 3, 4, 5, 6, 7, 8],
    "seraglio": [3, 4, 5, 6, 7, 8, 9],
    "arcades": [4, 5, 6, 6, 7, 8, 8, 9, 10],
    "chambers": [5, 6, 7, 7, 8, 9, 9, 10, 11],
    "garden": [6, 7, 8, 8, 8, 9, 10, 10, 10, 11, 12],
    "tower": [7, 8, 9, 9, 9, 10, 11, 11, 11, 12, 13],
}
KINDS = list(PRICES)
POINTS = {kind: {"A": [1 + i], "B": [8 + i, 1 + i], "C": [16 + i, 8 + i, 1 + i]} for i, kind in enumerate(KINDS)}
CAPITAL, MOST_TOGETHER, PLACES = 20, 5, 4


class Engine:
    def __init__(self, players, options, chance):
        self.players, self.options, self.chance = players, options, chance
        self.two = players == 2
        owners = players + self.two
        self.built = [dict.fromkeys(KINDS, 0) for _ in range(owners)]
        self.points = [0] * owners
        self.hands = [{currency: [] for currency in CURRENCIES} for _ in range(players)]
        self.known = [{currency: [] for currency in CURRENCIES} for _ in range(players)]
        self.discard = {currency: [] for currency in CURRENCIES}
        self.scored, self.finished = [], False
        self.slot, self.paid, self.again = None, [], False
        self.yard, self.open = [None] * PLACES, [None] * PLACES
        buildings = [f"{kind} {price}" for kind in KINDS for price in PRICES[kind]]
        self.buildings = chance.shuffle("buildings", buildings)
        self.fill_yard()
        self.give_neutral(6)
        copies = 2 if self.two else 3
        money = [f"{currency} {value}" for currency in CURRENCIES for value in range(1, 10)]
        self.money = chance.shuffle("money", money * copies)
        for seat in range(players):
            while sum(sum(values) for values in self.hands[seat].values()) < CAPITAL:
                self.take_card(seat, self.money.pop(0))
        self.start = self.turn = self.who_begins()
        self.fill_money()
        self.lay_scoring_cards()

    # Set-up

    def who_begins(self):
        fewest = min(map(self.cards, range(self.players)))
        tied = [seat for seat in range(self.players) if self.cards(seat) == fewest]
        rule = self.options.get("start_player", "random")
        if rule == "youngest":
            order = [int(seat) - 1 for seat in self.options.get("age_order", "").split(",") if seat]
            return next(seat for seat in order or range(self.players) if seat in tied)
        if rule == "lowest_total":
            worth = {seat: sum(map(sum, self.hands[seat].values())) for seat in tied}
            tied = [seat for seat in tied if worth[seat] == min(worth.values())]
        return tied[self.chance.draw("start", len(tied))] if len(tied) > 1 else tied[0]

    def lay_scoring_cards(self):
        size, more = divmod(len(self.money), 5)
        sizes = [size + (pile < more) for pile in range(5)]
        piles = [[self.money.pop(0) for _ in range(count)] for count in sizes]
        for card, pile in (("B", piles[3]), ("A", piles[1])):
            below = self.chance.draw(f"place of {card}", len(pile) + 1)
            pile.insert(len(pile) - below, card)
        self.money = [card for pile in piles for card in pile]

    # Questions

    def actors(self):
        return [] if self.finished else [self.turn]

    def legal(self, seat):
        if self.finished or seat != self.turn:
            return []
        if self.slot is not None:
            return self.payments()
        there = [place for place in range(PLACES) if self.open[place]]
        found = set()
        for count in range(1, PLACES + 1):
            for places in combinations(there, count):
                if count == 1 or sum(value_of(self.open[place]) for place in places) <= MOST_TOGETHER:
                    found.add("take " + " ".join(map(self.open_name, places)))
        for slot, building in enumerate(self.yard):
            if building and sum(self.hands[seat][CURRENCIES[slot]]) >= value_of(building):
                found.add(f"buy {building} {CURRENCIES[slot]}")
        return sorted(found)

    def open_name(self, place):
        card = self.open[place]
        return f"{card}#{place + 1}" if self.open.count(card) > 1 else card

    def payments(self):
        price, hand = value_of(self.yard[self.slot]), self.hands[self.turn][CURRENCIES[self.slot]]
        due = price - sum(self.paid)
        last = self.paid[-1] if self.paid else 9
        found = ["keep"] + ["give"] * self.two if due <= 0 else []
        for value in sorted(set(hand)):
            if value <= last and sum(other for other in hand if other <= value) >= due:
                found.append(f"pay {value}")
        return found

    def result(self):
        seats = self.points[: self.players]
        return {"scores": seats, "winners": [seat for seat, points in enumerate(seats) if points == max(seats)]}

    def view(self, seat):
        owners = []
        for owner in range(len(self.built)):
            neutral = owner >= self.players
            shown = not neutral and self.options.get("open_hands") == "remembered"
            owners.append(
                {
                    "seat": owner,
                    "neutral": neutral,
                    "buildings": dict(self.built[owner]),
                    "score": self.points[owner],
                    "cards": 0 if neutral else self.cards(owner),
                    "hand": shown_hand(self.hands[owner]) if owner == seat else None,
                    "known": shown_hand(self.known[owner]) if shown else None,
                }
            )
        paying = None
        if self.slot is not None:
            cards = [{"currency": CURRENCIES[self.slot], "value": value} for value in self.paid]
            paying = {"slot": self.slot, "cards": cards, "total": sum(self.paid)}
        return {
            "turn": self.turn,
            "start": self.start,
            "neutral": 2 if self.two else None,
            "slots": [
                {
                    "currency": currency,
                    "building": {"kind": card.split()[0], "price": value_of(card)} if card else None,
                }
                for currency, card in zip(CURRENCIES, self.yard, strict=True)
            ],
            "money": [shown_money(card) for card in self.open],
            "building_deck": len(self.buildings),
            "money_deck": len(self.money),
            "discard": sum(map(len, self.discard.values())),
            "discards": {
                currency: [values.count(value) for value in range(1, 10)] for currency, values in self.discard.items()
            },
            "rounds_scored": list(self.scored),
            "owners": owners,
            "paying": paying,
        }

    # Actions

    def play(self, seat, action):
        if action not in self.legal(seat):
            raise ValueError(f"seat {seat} may not {action}")
        verb, *words = action.split()
        if verb == "take":
            named = [f"{currency} {value}" for currency, value in zip(words[::2], words[1::2], strict=True)]
            for place in [place for place in range(PLACES) if self.open[place] and self.open_name(place) in named]:
                self.take_card(seat, self.open[place])
                self.open[place] = None
            self.end_turn()
        elif verb == "buy":
            self.slot = CURRENCIES.index(words[-1])
        elif verb == "pay":
            value, currency = int(words[0]), CURRENCIES[self.slot]
            self.hands[seat][currency].remove(value)
            if value in self.known[seat][currency]:
                self.known[seat][currency].remove(value)
            self.paid.append(value)
        else:
            self.finish_purchase(seat, 2 if verb == "give" else seat)

    def finish_purchase(self, seat, owner):
        card = self.yard[self.slot]
        exact = sum(self.paid) == value_of(card)
        self.built[owner][card.split()[0]] += 1
        self.discard[CURRENCIES[self.slot]] += self.paid
        self.yard[self.slot], self.slot, self.paid = None, None, []
        if not exact or not self.can_act(seat):
            self.end_turn()

    def can_act(self, seat):
        return bool(self.legal_of(seat))

    def legal_of(self, seat):
        kept, self.turn = self.turn, seat
        found = self.legal(seat)
        self.turn = kept
        return found

    def end_turn(self):
        money_first = self.options.get("refill_order") == "money_first"
        turned = []
        if money_first:
            turned = self.fill_money()
        full = self.fill_yard()
        if full and not money_first:
            turned = self.fill_money()
        for name in ("A", "B"):
            if name in turned:
                self.score(name)
                self.give_neutral(6 if name == "A" else 2)
        if not full:
            self.end_game()
            return
        for _ in range(self.players):
            self.turn = (self.turn + 1) % self.players
            if self.can_act(self.turn):
                return
        self.end_game()

    def fill_yard(self):
        for slot in range(PLACES):
            if self.yard[slot] is None and self.buildings:
                self.yard[slot] = self.buildings.pop(0)
        return None not in self.yard

    def fill_money(self):
        turned = []
        while None in self.open:
            if not self.money:
                cards = [f"{currency} {value}" for currency in CURRENCIES for value in self.discard[currency]]
                if not cards:
                    break
                self.discard = {currency: [] for currency in CURRENCIES}
                self.money = self.chance.shuffle("money", cards) if len(cards) > 1 else cards
            card = self.money.pop(0)
            if card in ("A", "B"):
                turned.append(card)
            else:
                self.open[self.open.index(None)] = card
        return turned

    def give_neutral(self, count):
        if self.two:
            for card in self.buildings[:count]:
                self.built[2][card.split()[0]] += 1
            del self.buildings[:count]

    def score(self, name):
        self.scored.append(name)
        for kind in KINDS:
            points = POINTS[kind][name]
            for owner, own in enumerate(self.built):
                if own[kind]:
                    counts = [other[kind] for other in self.built]
                    ahead = sum(count > own[kind] for count in counts)
                    tied = counts.count(own[kind])
                    self.points[owner] += sum(points[ahead : ahead + tied]) // tied

    def end_game(self):
        for slot, card in enumerate(self.yard):
            worth = [sum(hand[CURRENCIES[slot]]) for hand in self.hands]
            if card and max(worth) and worth.count(max(worth)) == 1:
                self.built[worth.index(max(worth))][card.split()[0]] += 1
                self.yard[slot] = None
        self.score("C")
        self.finished = True

    # Hands

    def cards(self, seat):
        return sum(map(len, self.hands[seat].values()))

    def take_card(self, seat, card):
        currency, value = card.split()
        self.hands[seat][currency].append(int(value))
        self.known[seat][currency].append(int(value))


def value_of(card):
    return int(card.split()[1])


def shown_money(card):
    return {"currency": card.split()[0], "value": value_of(card)} if card else None


def shown_hand(hand):
    return [
        {"currency": currency, "value": value}
        for currency in CURRENCIES
        for value in sorted(hand[currency], reverse=True)
    ]
