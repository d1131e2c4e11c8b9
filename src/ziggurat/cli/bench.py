"""``ziggurat bench``: how fast the rules run here."""

from __future__ import annotations

import click

from ziggurat.cli.files import CommandProblem


@click.command("bench")
@click.option("--game", metavar="GAME", help="Only this game (default: all).")
@click.option("--players", type=int, help="Only this number of players (default: all that the game allows).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def command(game: str | None, players: int | None, as_json: bool) -> None:
    """Measure random play in the compiled rules, through vectors and through Position, and how long compiling takes.

    The rates are the best of several runs on one core. Takes about 5 seconds for each number of players, and once the
    compiler's time.
    """
    import ziggurat
    from ziggurat.bots import SEARCHING
    from ziggurat.cli.progress import prepare, progress
    from ziggurat.core.many import MANY
    from ziggurat.core.runtime import GAMES, PLAYING

    games = [ziggurat.game(game)] if game else list(ziggurat.registered_games().values())
    tables = [
        (chosen, number)
        for chosen in games
        for number in range(chosen.min_players, chosen.max_players + 1)
        if players in (None, number)
    ]
    if not tables:
        for chosen in games:
            chosen.check_setup(players or 0, {})
        raise CommandProblem(f"no game is for {players} players")
    for chosen in games:
        for program in (PLAYING, GAMES, SEARCHING, MANY):
            prepare(chosen, program)

    from ziggurat.lab import bench

    results = []
    with progress("Measuring", len(tables) + len(games)) as advance:
        compiled = {}
        for chosen in games:
            compiled[chosen.id] = bench.prepare_seconds(chosen)
            advance(1)
        for chosen, number in tables:
            results.append(bench.measure(chosen, number, compiled[chosen.id]))
            advance(1)
    if as_json:
        click.echo(bench.report(results))
        return
    click.echo(
        "game        players  decisions/s   games/s  decisions/game  vector/s  and observed/s  Position/s  playouts/s"
        "  evaluations/s  record"
    )
    for r in results:
        click.echo(
            f"{r.game:<12}{r.players:>7}{r.decisions_per_second:>13,.0f}{r.games_per_second:>10,.0f}"
            f"{r.decisions_per_game:>16.1f}{r.vector_decisions_per_second:>10,.0f}"
            f"{r.observed_decisions_per_second:>16,.0f}{r.position_decisions_per_second:>12,.0f}"
            f"{r.playouts_per_second:>12,.0f}{r.evaluations_per_second:>15,.0f}{r.record_bytes:>6} B"
        )
    for name, (cold, warm) in compiled.items():
        click.echo(f"{name}: compiled in {cold:.1f} s with an empty cache, loaded in {warm:.2f} s from a full one")
    here = bench.machine()
    click.echo(f"{here['cpu']}, Python {here['python']}, Numba {here['numba']}")
