"""What a judge of other programs has to know of Alhambra: what chance decides, and where the rules speak of what."""

from __future__ import annotations

from ziggurat.core.dealing import JudgedGame, Lot, Pile
from ziggurat.games.alhambra.tokens import building_token, money_token

SETUP, TAKING, BUYING, EXACTLY = "Set-up", "Taking money", "Buying a building", "Paying exactly"
TURN, TURN_END, WHEN, POINTS, TIES = "Your turn", "At the end of your turn", "When there is a scoring", "Points", "Ties"
LEFTOVER, WINNER, TWO = "Left-over buildings", "The winner", "Two players"
SECRET, OPTIONS = "What is open, what is secret", "Options at our tables"

JUDGED = JudgedGame(
    piles={
        "building_deck": Pile("buildings", building_token, SETUP, "At the beginning, before the yard is filled."),
        "money_deck": Pile(
            "money",
            money_token,
            TURN_END,
            "At the beginning, before anybody is dealt any; and the discard pile, when a card is needed and the "
            "deck is empty.",
        ),
    },
    draws={
        "choose_start": (Lot("start", SETUP, "Who begins, of those who are tied, in the order of their seats."),),
        "insert_scoring_cards": (
            Lot("place of B", SETUP, "How many cards of its pile lie below scoring card B."),
            Lot("place of A", SETUP, "How many cards of its pile lie below scoring card A."),
        ),
    },
    left_out=frozenset({"kinds", "currencies", "take_limit"}),
    actions={
        "take": TAKING,
        "buy": BUYING,
        "pay": BUYING,
        "keep": BUYING,
        "give": TWO,
    },
    events={
        "building_revealed": TURN_END,
        "neutral_drew": TWO,
        "dealt": SETUP,
        "start": SETUP,
        "money_revealed": TURN_END,
        "took": TAKING,
        "bought": BUYING,
        "gave": TWO,
        "again": EXACTLY,
        "scoring_card": WHEN,
        "scored": POINTS,
        "round_scored": WHEN,
        "reshuffled": TURN_END,
        "deck_empty": "End of the game",
        "leftover": LEFTOVER,
    },
    fields={
        "start": (SETUP,),
        "slots": ("leftover", TURN_END),
        "money": (TURN_END,),
        "building_deck": ("neutral_drew", TURN_END),
        "money_deck": ("dealt", TURN_END),
        "discard": (BUYING,),
        "discards": (BUYING,),
        "rounds_scored": (WHEN,),
        "owners.buildings": ("leftover", "neutral_drew", BUYING),
        "owners.score": ("scored", POINTS),
        "owners.cards": ("dealt", "took", BUYING),
        "owners.hand": ("dealt", "took", BUYING),
        "owners.known": (SECRET,),
        "paying": (BUYING,),
        "neutral": (TWO,),
        "turn": ("again", TURN),
        "": (TURN,),
    },
    ends=WINNER,
    seen={
        "turn": "The seat whose turn it is.",
        "start": "The seat that began.",
        "neutral": "With two players the number of the neutral player among `owners`: 2.",
        "slots": "The places of the yard from left to right; no building where none lies.",
        "money": "The four places of open money; a card stays at its place, and the lowest empty one is filled first.",
        "building_deck": "Cards left.",
        "money_deck": "Cards left, scoring cards among them.",
        "discard": "Cards on the discard pile.",
        "discards": "Of each currency the copies of the values 1 to 9 there.",
        "rounds_scored": "The scorings that have taken place.",
        "owners": "The seats in their order, then the neutral player.",
        "paying": "While a building is being paid: the place, the cards laid so far from the highest down, their "
        "total.",
        "Owner.cards": "How many are in hand; those that are being paid not any more.",
        "Owner.hand": "By currencies in the order of the places of the yard, and from the highest value down.",
        "Owner.known": "`null` unless the option `open_hands` is `remembered`; in the order of a hand.",
        "Owner.score": "Points so far.",
    },
    notes=(
        "Taking money is one action. The cards are named in the order of their places. Of open cards that are "
        "equal each is named with its place, counted from 1: `take blue 3#2`.",
        "A purchase is several actions: `buy` names the building, then every `pay` lays one card of the currency "
        "of its place, named by its value, and `keep` (or `give`) ends it. Cards are laid from the highest value "
        "down: none may be higher than the one before it. A card may be laid if, with cards of the same currency "
        "that are no higher and still in hand, the price can be reached; once it is reached, further cards may be"
        " laid, each by the same order. `keep` is possible as soon as the price is reached, and `give` with two "
        "players.",
        "A building can be bought if all cards of the currency in hand are worth the price.",
    ),
)
