"""What lies beside the city: goods and tiles in the supply (section 6.1), the deck and its rebuilding (section 4.4)."""

from __future__ import annotations

from ziggurat.core.bits import lowest_bit
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below, shuffle
from ziggurat.core.trace import NO_SEAT, note
from ziggurat.games.ginkgopolis import events, state
from ziggurat.games.ginkgopolis.cards import take_tile, which

# --- Goods ------------------------------------------------------------------------------------------------------------


@kernel
def gain(s: Record, owner: int, good: int, count: int, trace: Record) -> None:
    """Resources or points from the supply; D07: what is not there is lost."""
    if good == state.RESOURCE:
        count = min(count, s.supply[owner])
        s.supply[owner] -= count
        s.stock[owner] += count
    else:
        s.points[owner] += count
    if count > 0:
        resources = count if good == state.RESOURCE else 0
        note(trace, events.GAINED, owner, resources, count - resources)


@kernel
def supply_of_tiles(s: Record) -> int:
    """How many tiles can be drawn; below them lie the ones that were removed."""
    return s.tiles_left - s.removed


@kernel
def draw_tile(s: Record, seat: int, trace: Record) -> None:
    s.tiles_left -= 1
    tile = s.tiles[s.tiles_left] + 0
    s.tiles[s.tiles_left] = 0
    take_tile(s, seat, tile)
    s.count[seat] += 1
    note(trace, events.DREW_TILES, seat, 1)
    note(trace, events.SAW_TILES, seat, tile)


# --- 4.4 The deck -----------------------------------------------------------------------------------------------------


@kernel
def discard_card(s: Record, card: int) -> None:
    s.discard[s.discard_left] = card
    s.discard_left += 1


@kernel
def discard_unseen(s: Record, count: int) -> None:
    """The top cards of the deck to the discard pile, face down (D19)."""
    pile, left = s.discard_left + 0, s.deck_left - 1
    for i in range(count):
        s.discard[pile + i] = s.deck[left - i]
        s.deck[left - i] = 0
    s.discard_left += count
    s.deck_left -= count


@kernel
def top_card(s: Record) -> int:
    s.deck_left -= 1
    card = s.deck[s.deck_left] + 0
    s.deck[s.deck_left] = 0
    s.seen[card] = 0
    return card


@kernel
def rebuild_if_empty(s: Record, trace: Record) -> None:
    """Sections 4.3.3 and 4.4, D18: the deck is rebuilt as soon as its last card is drawn."""
    if s.deck_left == 0:
        rebuild(s, trace)


@kernel
def draw_card(s: Record, trace: Record) -> int:
    card = top_card(s)
    rebuild_if_empty(s, trace)
    return card


@kernel
def draw_to_hand(s: Record, seat: int, trace: Record) -> None:
    card = top_card(s)
    s.seen[card] = 1 << seat
    put_in_hand(s, seat, card)
    note(trace, events.DREW_CARDS, seat, card)
    rebuild_if_empty(s, trace)


@kernel
def put_in_hand(s: Record, seat: int, card: int) -> None:
    place = 0
    while s.hand[seat][place] != 0:
        place += 1
    s.hand[seat][place] = card


@kernel
def rebuild(s: Record, trace: Record) -> None:
    """Section 4.4: the cards of what was built come in, the discards are shuffled, some are discarded again."""
    out_of_line()
    added, sites = 0, 0
    for building in range(s.buildings):
        sites |= s.site[building] << building
    while sites:
        building = lowest_bit(sites)
        sites &= sites - 1
        s.site[building] = 0
        discard_card(s, s.top[building])
        added += 1
    for i in range(state.CARDS):  # all at once: nothing lies behind them
        s.deck[i] = s.discard[i]
        s.discard[i] = 0
    s.deck_left = s.discard_left
    s.discard_left = 0
    for i in range(s.deck_left):
        s.seen[s.deck[i]] = 0
    shuffle(s.rng, s.deck, s.deck_left)
    discard_unseen(s, s.rebuild_discards)
    note(trace, events.REBUILT, NO_SEAT, added, s.deck_left, s.discard_left)


# --- 6.1 The tiles run out --------------------------------------------------------------------------------------------


@kernel
def draw_owed(s: Record, trace: Record) -> bool:
    """Section 6.1, D09: tiles one by one; when the last one is drawn for the first time everybody may return tiles.

    Returns whether the action is complete.
    """
    while s.owed > 0:
        if supply_of_tiles(s) <= 0:  # D12
            s.owed = 0
            break
        draw_tile(s, s.actor, trace)
        s.owed -= 1
        if supply_of_tiles(s) <= 0 and run_out(s, trace):
            return False
    return True


@kernel
def run_out(s: Record, trace: Record) -> bool:
    """The tile supply is empty. True when the players are asked for tiles."""
    out_of_line()
    s.depleted += 1
    note(trace, events.TILES_OUT, NO_SEAT, s.depleted)
    if s.depleted > 1 or s.players == 1:  # section 7: once, in the solo game
        end_soon(s, trace)
        return False
    if not s.interrupt:
        s.owed = 0
    s.waiting = 0
    for seat in range(s.players):
        s.last[seat] = 0
        if s.count[seat] > 0:
            s.waiting |= 1 << seat
    if s.waiting == 0:
        settle_returns(s, trace)
        return False
    s.phase = state.RETURN
    return True


@kernel
def settle_returns(s: Record, trace: Record) -> None:
    """One point for each tile that was given back; D11: when nobody gives any, the supply is empty again."""
    out_of_line()
    total = 0
    for seat in range(s.players):
        named = which(s.holder, seat + 1 + state.RETURNING)
        given = 0
        tiles = named
        while tiles:
            tiles &= tiles - 1
            given += 1
        s.last[seat] = 0
        note(trace, events.RETURNED, seat, given, given * s.returned_points)
        s.points[seat] += given * s.returned_points
        s.count[seat] -= given
        total += given
        while named:
            tile = lowest_bit(named)
            named &= named - 1
            s.holder[tile] = 0
            s.tiles[s.tiles_left] = tile
            s.tiles_left += 1
            note(trace, events.SAW_RETURNED, seat, tile)
    s.phase = state.CHOOSE
    if total == 0:
        s.depleted += 1
        note(trace, events.TILES_OUT, NO_SEAT, s.depleted)
        end_soon(s, trace)
        return
    # Only the supply is shuffled: the removed tiles stay below it.
    for i in range(s.tiles_left - 1, s.removed, -1):
        j = s.removed + below(s.rng, i + 1 - s.removed)
        kept = s.tiles[i] + 0
        s.tiles[i] = s.tiles[j]
        s.tiles[j] = kept


@kernel
def end_soon(s: Record, trace: Record) -> None:
    """Section 6.2: the round is finished, then the game ends."""
    if not s.ending:
        s.ending = 1
        note(trace, events.ENDING)
