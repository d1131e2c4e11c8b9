"""Conformance tests that every game must pass; they ship with the package, so that any game can hold itself to them.

>>> from ziggurat.testing import check_game
>>> proof = check_game("alhambra", games=1, seed=1, closely=500)
>>> proof.judged[0].things
'games'

What is checked is written at each function of ``declared``, ``table``, ``secrecy`` and ``futures``. A failed check
raises AssertionError and says where: game, players, options, seed and the number of actions played before. If a secret
comes out that is a ``Leak``, which has the worlds that prove it; ``world`` reads them from its message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from ziggurat.core.game import Game
from ziggurat.core.proof import Judged, Proof
from ziggurat.core.registry import game as find_game
from ziggurat.core.runtime import prepare
from ziggurat.testing.compared import Compared, Tried
from ziggurat.testing.declared import check_declaration, has_heuristic, hides_something
from ziggurat.testing.leaks import Leak, world
from ziggurat.testing.table import CheckedGame

LOOKS, FARTHEST = 8, 30
"""So often a game is looked at closely, or after so many actions."""

__all__ = ["Leak", "check_declaration", "check_game", "option_sets", "world"]


def check_game(
    game: str | Game,
    *,
    games: int = 10,
    seed: int = 1,
    options: Sequence[Mapping[str, str]] = (),
    compiled: bool = True,
    closely: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Proof:
    """Play whole games at random, at every table size and with every option, and check everything at every step.

    Args:
        game: a game or its id.
        games: how many; at least one for every set of options is played, with the table sizes in turn.
        seed: all chance of the check follows from it.
        options: further sets of options, such as values of free-text options, which cannot be guessed.
        compiled: compile the rules first and compare them with the interpreted ones; else check the interpreted only.
        closely: the checks that take long are made about every so many actions, and at the end; by default some eight
            times in a game, or every thirty actions.
        progress: is told after every game how many are done, and how many there are.

    Returns:
        What was judged, and what could not be.

    Raises:
        AssertionError: saying what is wrong, and where; ``Leak`` for a secret that comes out.
    """
    chosen = find_game(game) if isinstance(game, str) else game
    check_declaration(chosen)
    if compiled:
        prepare(chosen)
    sizes = range(chosen.min_players, chosen.max_players + 1)
    sets = [*option_sets(chosen), *options]
    total = games_of(chosen, games, len(options))
    seen: dict[str, set[str]] = {}
    tried: Tried = Counter()
    moves, compared, happened = 0, Compared(), set[str]()
    for number in range(total):
        wanted = sets[(number // len(sizes) + number) % len(sets)]
        players = _size_for(chosen, wanted, sizes[number % len(sizes)])
        fitting = _for_size(chosen, wanted, players)
        often = closely or min(FARTHEST, max(1, chosen.longest(players) // LOOKS))
        table = CheckedGame(
            chosen,
            fitting,
            players,
            seed + number,
            closely=often,
            sensibly=number % 2 == 1 and has_heuristic(chosen),
            tried=tried,
        )
        table.play_through()
        happened |= table.happened
        moves += table.context.played
        compared.add(table.futures.compared)
        for secret, changed in table.secrecy.secrets_changed.items():
            seen.setdefault(secret, set()).update(changed)
        if progress:
            progress(number + 1, total)
    _check_all_secrets_move(chosen, seen)
    return _proof(chosen, total, moves, compared, sorted({*chosen.event_types} - happened))


def _proof(game: Game, games: int, moves: int, compared: Compared, never: list[str]) -> Proof:
    """Return the proof of a check. Where something is hidden, beliefs have to have been compared with something."""
    few = compared.compared - compared.judged - compared.in_parts
    if hides_something(game) and compared.compared and compared.compared == few:
        raise AssertionError(
            f"{game.id}: none of {few:,} beliefs could be compared with worlds that look alike, so nothing is known of "
            "its secrets: play more games, or look more closely"
        )
    less = f"too few worlds look alike; {compared.in_parts:,}: with such as do in a part of what was told"
    return Proof(
        [
            Judged("games", games, games, f"played to their end, {moves:,} actions"),
            Judged(
                "beliefs", compared.judged, compared.compared, "after a move compared with worlds that look alike", less
            ),
        ],
        not_judged=[
            "the last move of a game, which may open what was hidden",
            *([f"what leads to events that never happened: {', '.join(never)}"] if never else []),
        ],
        believed=["that its rules are those that are meant", "what it calls its secrets and its pieces"],
        source="the game",
    )


def games_of(game: Game, games: int, more: int = 0) -> int:
    """Return how many games ``check_game`` plays if it is to play at least so many.

    Args:
        more: further sets of options.
    """
    return max(games, len(list(option_sets(game))) + more, game.max_players - game.min_players + 1)


def option_sets(game: Game) -> Iterator[dict[str, str]]:
    """Yield sets of options: the default ones; then every other choice of every option, one at a time; then the last
    choice of them all."""
    yield {}
    for option in game.options:
        for choice in option.choices:
            if choice != option.default:
                yield {option.name: choice}
    last = {option.name: option.choices[-1] for option in game.options if option.choices}
    if last:
        yield last


def _size_for(game: Game, options: Mapping[str, str], players: int) -> int:
    """Return that table size, or the nearest where all of these options exist."""
    for option in game.options:
        if option.players and options.get(option.name, option.default) != option.default:
            players = min(max(players, option.players[0]), option.players[1])
    return players


def _for_size(game: Game, options: Mapping[str, str], players: int) -> dict[str, str]:
    """Return the options that exist at a table of this size."""
    sizes = {option.name: option.players or (game.min_players, game.max_players) for option in game.options}
    return {name: value for name, value in options.items() if sizes[name][0] <= players <= sizes[name][1]}


def _check_all_secrets_move(game: Game, seen: Mapping[str, set[str]]) -> None:
    """Check that a redeal changes every secret, except what anybody may remember: one that it forgets is a leak, even
    if it deals all others again."""
    for secret, changed in seen.items():
        if secret in game.remembered:
            continue
        if not changed:
            raise AssertionError(f"{game.id}: no redeal for any seat ever changed {secret!r} of the secrets")
        if "a spectator" not in changed:
            raise AssertionError(f"{game.id}: no redeal for a spectator ever changed {secret!r} of the secrets")
