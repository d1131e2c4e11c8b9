"""Points for wonders (section 5), what follows on a completed one (section 6), and the final scoring (section 8.2)."""

from __future__ import annotations

from ziggurat.core.bits import lowest_bit
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.trace import NO_SEAT, note
from ziggurat.games.babel import events, state

# --- 5, 6. A completed wonder ------------------------------------------------------------------------------------


@kernel
def complete_wonder(s: Record, wonder: int, trace: Record) -> None:
    """Sections 5 and 6: scored with the row of the value marker; the active player gets an action card (R16, R18)."""
    out_of_line()
    row = min(s.row, state.ROWS - 1)
    score_wonder(s, wonder, s.first[row], s.second[row], trace)
    note(trace, events.WONDER_DONE, NO_SEAT, wonder, row + 1)
    s.row += 1
    for seat in range(s.players):
        s.units[wonder][seat] = 0
    if s.action_left > 0:
        s.action_left -= 1
        kind = s.action_deck[s.action_left] - 1
        s.action_deck[s.action_left] = 0
        s.actions[s.turn][kind] += 1
        note(trace, events.GOT_ACTION, s.turn)
        note(trace, events.SAW_ACTION, s.turn, kind)


@kernel
def score_wonder(s: Record, wonder: int, first: int, second: int, trace: Record) -> None:
    """Section 5: by units; who shares the first place gets what the second is worth, and all others the flat points."""
    most, runner_up, leaders, followers = places_on(s, wonder)
    for seat in range(s.players):
        units = s.units[wonder][seat] + 0
        if units > 0:
            place_won = 3
            points = s.other + 0
            if units == most:
                place_won = 1
                points = first if leaders == 1 else second
            elif units == runner_up and leaders == 1 and followers == 1:
                place_won = 2
                points = second
            s.score[seat] += points
            tied = leaders if place_won == 1 else 1
            note(trace, events.WONDER_SCORED, seat, wonder, units, place_won, tied, points)


@kernel
def places_on(s: Record, wonder: int) -> tuple[int, int, int, int]:
    """The most units on a wonder and the next most, and how many seats have each, if that is more than none."""
    placed = s.units[wonder]
    most, runner_up, leaders, followers = 0, 0, 0, 0
    for seat in range(state.MAX_PLAYERS):  # whoever is not there has no units
        most = max(most, placed[seat])
    for seat in range(state.MAX_PLAYERS):
        runner_up = max(runner_up, placed[seat] if placed[seat] < most else 0)
        leaders += 1 if placed[seat] == most else 0
    for seat in range(state.MAX_PLAYERS):
        followers += 1 if placed[seat] == runner_up else 0
    return most, runner_up, leaders, followers


# --- 8.2 Final scoring -------------------------------------------------------------------------------------------


@kernel
def final_scoring(s: Record, trace: Record) -> None:
    """Section 8.2, in this order."""
    out_of_line()
    for wonder in range(state.WONDER_COUNT):
        score_wonder(s, wonder, s.light_first, s.light_second, trace)
    for seat in range(s.players):
        score_discs(s, seat, trace)
        discs = disc_count(s, seat)
        points = discs * s.disc_points * s.actions[seat][state.DISC_BONUS]
        if points > 0:
            s.score[seat] += points
            note(trace, events.BONUS, seat, state.KINDS + state.DISC_BONUS, discs, 0, points)
        points = s.end_points * s.actions[seat][state.END_BONUS]
        if points > 0:
            s.score[seat] += points
            note(trace, events.BONUS, seat, state.KINDS + state.END_BONUS, 0, 0, points)


@kernel
def score_discs(s: Record, seat: int, trace: Record) -> None:
    """Section 8.2.2: the bonus for discs of one type, each disc of two colours where it brings most."""
    chosen = best_assignment(s, seat)
    for kind in range(state.KINDS):
        count = s.owned[seat][1 << kind] + (chosen >> 4 * kind & 15)
        points = bonus_of(s, count)
        if points > 0:
            s.score[seat] += points
            note(trace, events.BONUS, seat, kind, count, chosen >> 4 * kind & 15, points)


@kernel
def disc_count(s: Record, seat: int) -> int:
    count = 0
    for types in range(16):
        count += s.owned[seat][types]
    return count


@kernel
def bonus_of(s: Record, count: int) -> int:
    return s.bonus[min(count, state.BONUS_ROWS - 1)] + 0


@kernel
def best_assignment(s: Record, seat: int) -> int:
    """For how many discs of two colours each type counts, four bits a type, so that the bonus is highest."""
    pairs = 0
    for types in range(16):
        if types & types - 1:
            pairs += s.owned[seat][types]
    best, best_points = 0, -1
    for choice in range(1 << pairs):
        assigned = assigned_to(s, seat, choice)
        points = 0
        for kind in range(state.KINDS):
            points += bonus_of(s, s.owned[seat][1 << kind] + (assigned >> 4 * kind & 15))
        if points > best_points:
            best, best_points = assigned, points
    return best


@kernel
def assigned_to(s: Record, seat: int, choice: int) -> int:
    """One way to assign the discs of two colours: bit i of ``choice`` says which type the i-th of them takes."""
    assigned = 0
    for types in range(16):
        if types & types - 1:
            for _ in range(s.owned[seat][types]):
                low = lowest_bit(types)
                kind = low if choice & 1 else lowest_bit(types & ~(1 << low))
                assigned += 1 << 4 * kind
                choice >>= 1
    return assigned
