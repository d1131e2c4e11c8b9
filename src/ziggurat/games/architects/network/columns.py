"""The columns of the network's inputs.

A column tells the same whichever seat it is told of: other seats are named by how far they sit from it. What a network
cannot work out itself is worked out here: who leads and by how much, how near the end is, what is missing to the next
stage, what the cards within reach do, who would win a battle now and after the horned cards are gone.
"""

from __future__ import annotations

from ziggurat.core.columns import Columns, bits, category, inputs_of, number
from ziggurat.games.architects import choices, state
from ziggurat.games.architects.gains import DOES, NOTHING

MOST_TURNED = 6
CARDS = ("none", *state.CARDS)

TYPES = (
    *("draw", "extra", "build", "claim", "take_token", "take_any"),
    *("look", "keep", "accept", "decline", "end", "choose_wonder"),
)
DRAW, EXTRA, BUILD, CLAIM, TOKEN, ANY, LOOK, KEEP, ACCEPT, DECLINE, END, PICK = range(12)
# Where a card comes from; for a card that one wonder gives, from any deck.
PLACES = ("none", "left", "right", "central", "other")
OTHER_PLACE = 4
CENTRAL_PLACE = state.MIDDLE + 1


class TableColumns(Columns):
    players = category(7, 2)
    phase = category(state.PHASES, tells="what is asked")
    conflict__turned = category(MOST_TURNED, tells="conflict tokens on their battle side")
    conflict__left = category(MOST_TURNED, tells="horns until the battle; 0: it comes at the end of this turn")
    cat__free = number(1, tells="the pawn is nobody's yet")
    stack = number(12, tells="progress tokens face down")
    offer = bits(state.TOKENS, tells="progress tokens face up")
    offer__both_cultures = number(1)
    central__left = number(60)
    central__few = category(3, tells="cards left in the central deck, 3 or more")
    central__grey = number(60, tells="per cent of the central deck")
    central__coin = number(20)
    central__vp3 = number(15)
    central__vp2cat = number(25)
    central__green = number(35)
    central__red0 = number(15)
    central__horned = number(25)
    central__horns = number(35, tells="horns per hundred cards")
    tops__cats = category(3, tells="cat icons on top of the wonder decks, 3 or more")
    tops__horns = category(3, tells="horns on top of the wonder decks, 3 or more")
    decks__left = number(75, tells="cards left in all wonder decks")
    decks__empty = category(3, tells="wonder decks without a card, 3 or more")
    stages__most = category(state.STAGES, tells="of the seat that has built most")
    stages__last = category(3, tells="seats with one stage left, 3 or more")
    stages__mean = number(50, tells="in tenths")
    needed__least = category(9, tells="units that the seat nearest to the end needs")
    last__missing = category(NOTHING + 1, tells="least that a seat with one stage left needs; 6: nobody has")
    points__most = number(50)
    points__lead = number(15, tells="of the best seat before the next")
    shields__most = number(6)
    extras = bits(state.TOKENS[: state.EXTRA_TOKENS], tells="tokens that give another card now")
    used = bits(state.TOKENS[: state.ENGINEERING + 1], tells="tokens used this turn")
    military__left = number(28, tells="victory tokens in the supply; 28: enough")
    open_wonders = bits(state.WONDERS, tells="those that may still be chosen")
    options = state.OPTIONS


class DeckColumns(Columns):
    """The columns of the deck on a side, that the seat may draw from."""

    top = category(CARDS)
    worth = number(60, tells="of its top card, in tenths of a point")
    does = bits(DOES, tells="what its top card does for the seat")
    left = number(25, tells="its cards")


class OpenColumns(Columns):
    """The public columns of a seat."""

    # Tempo.
    turn__distance = category(6, tells="turns until it is this seat's; 0: now")
    asked = category(("nothing", *state.PHASES), tells="what the seat is asked")
    extras = category(3, tells="further cards that it may take now")
    claims = number(1, tells="it has a set to turn in")
    # Points.
    points = number(50, tells="as if the game ended now")
    points__lead = number(20, -20, tells="before the best other seat")
    points__lead__late = number(15, -15, tells="the same once somebody has built three stages")
    points__lead__last = number(10, -10, tells="the same once somebody has built four stages")
    points__place = category(6, tells="how many have more")
    points__tokens = number(12, tells="those of the end among them")
    points__military = number(12)
    # The wonder.
    wonder = category(("none", *state.WONDERS))
    built = bits([str(stage + 1) for stage in range(state.STAGES)])
    stages = category(state.STAGES)
    stages__lead = category(3, -3, tells="before the best other seat")
    stages__points = number(30, tells="of those that are left")
    stages__effects = category(3, tells="left with the wonder's effect")
    missing = category(NOTHING, tells="units to the nearest stage; 5: none is left")
    missing__different = category(NOTHING)
    missing__identical = category(NOTHING)
    next__worth = number(100, tells="of the nearest stage, in tenths of a point")
    coins = category(4)
    grey = number(6)
    grey__kinds = category(5)
    grey__most = category(4, tells="cards of one kind")
    needed = category(14, tells="units that all its stages need besides what it holds")
    needed__lead = number(10, -10, tells="fewer than the other seat nearest to the end")
    last = category(6, tells="0: more than one stage is left; else 1 more than what the last one lacks; 6: complete")
    # Science.
    green = category(("none", "one", "two", "set"), tells="symbols")
    tokens = category(6)
    owned = bits(state.TOKENS)
    culture = category(2)
    tokens__extra = category(4, tells="those that give cards")
    # Military.
    shields = number(6)
    shields__lasting = number(5, tells="without the cards with horns")
    shields__left = category(3, -3, tells="more than the left neighbour has")
    shields__right = category(3, -3)
    lasting__left = category(3, -3, tells="more than the left neighbour has without cards with horns")
    lasting__right = category(3, -3)
    victories = category(2, tells="if the battle came now")
    defeats = category(2, tells="victory tokens of others by their shields against this seat")
    victories__soon = number(12, tells="victories, the more the nearer the battle is")
    defeats__soon = number(12)
    military = number(5, tells="victory tokens")
    cat = number(1, tells="it has the pawn")
    cats = number(5, tells="its blue cards with a cat")
    # What it may take.
    left = DeckColumns
    right = DeckColumns
    central__worth = number(40, tells="mean of the cards left in the central deck, in tenths of a point")
    central__does = number(60, name="central.{}", tells="per cent of the central deck that do so for the seat").each(
        DOES
    )
    best__worth = number(60, tells="of the tops and of the mean of the central deck")
    neighbour__worth = number(60, tells="of the top of the left deck for the left neighbour, who may draw it next")
    saw_central = number(1, tells="has been shown the top card of the central deck")
    # The end, for a seat with one stage left.
    finish__chance = number(100, tells="that its next card completes the wonder, if it takes the best; 100: it is paid")
    finish = category(("no", "losing", "tied", "winning"), tells="how the game would stand with the wonder complete")
    finish__lead = number(15, -15, tells="before the best other seat then")


class SeatColumns(OpenColumns):
    """The columns of a seat: the public ones, and those that only the seat itself sees."""

    seen__top = category(CARDS, tells="of the central deck, shown by the cat")
    seen__worth = number(60)
    seen__does = bits(DOES)
    seen__best = number(60, tells="worth of the best card within reach, the seen one among them")
    looked__best = number(60, tells="worth of the best card that Halicarnassus looks at")


class ActionColumns(Columns):
    suggested = number(1)
    type = category(TYPES)
    # A card that is taken, or the mean of those that it may be.
    deck = category(PLACES, tells="that the card comes from")
    from_deck__left = number(25, tells="its cards")
    card = category(("none", *state.CARDS), tells="none where the player cannot see which it is")
    worth = number(60, tells="in tenths of a point, the mean of the cards that it may be")
    does = number(100, name="{}", tells="in how many of 100 cases the card does so").each(DOES)
    points = number(6, tells="of the card and the pawn, or of the stage")
    pawn = category(("none", "free", "rival", "leader"), tells="from whom the card takes it")
    horns = category(2, tells="that the card sounds")
    conflict__left = category(6, tells="horns that are left then until the battle")
    battle = category(("none", "lost", "even", "won"), tells="if the card brings it about")
    battle__swing = number(4, -4, tells="victories less defeats in it")
    shields__win = category(3, tells="tokens in the next battle that its shields win or deny, 3 or more")
    denies = number(60, tells="what the card is worth to the other who may draw it")
    denies__next = number(1, tells="that one plays next")
    taken_token__used = category(("none", *state.TOKENS[: state.EXTRA_TOKENS]), tells="that gives the extra card")
    extras__after = category(3, tells="further cards that may be taken then")
    # A stage.
    stage = category(("none", "1", "2", "3", "4", "5"))
    stage__effect = number(1)
    completes = category(
        ("no", "losing", "tied", "winning"), tells="the wonder, at once or by the card; and how it ends"
    )
    completes__lead = number(15, -15, tells="before the best other seat then")
    pays__coins = category(4)
    pays = number(4).each(state.CARDS[: state.RESOURCES])
    pays__economy = number(1)
    pays__engineering = number(1)
    after__missing = category(("none", "0", "1", "2", "3", "4", "complete"), tells="units to the next stage then")
    after__different = category(NOTHING, tells="to the next stage of different resources")
    after__identical = category(NOTHING)
    after__worth = number(100, tells="of the next stage then, in tenths of a point")
    after__coins = category(3)
    after__grey = number(5)
    after__advances = number(60, tells="per cent of the central deck that advance the next stage then")
    after__tops = bits(("left", "right"), tells="top cards that do so")
    # A progress token.
    set = category(("none", "compass", "gear", "tablet", "three"), tells="the symbols that are turned in")
    green__after = category(3, tells="symbols that are left")
    token = category(("none", *choices.ON_OFFER))
    taken_token__points = number(12, tells="as if the game ended now")
    taken_token__rival = number(12, tells="the same for the other seat that it gives most")
    # Doing without, and choosing a wonder.
    forgoes__extras = category(3, tells="extra cards that are not taken")
    forgoes__build = number(1, tells="a stage could be built")
    wonder = category(("none", *state.WONDERS))
    whole_wonder__points = number(30)
    whole_wonder__effects = number(3)


INPUTS = inputs_of(TableColumns, OpenColumns, SeatColumns, ActionColumns)
