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

    Each rate is the median of several rounds on one core, by processor time; all rates take turns. The last lines say
    how evenly the machine ran, and which differences between two runs mean nothing. Takes about 15 seconds for each
    number of players, and once the compiler's time.
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
    games = [chosen for chosen in games if any(one is chosen for one, _ in tables)]
    for chosen in games:
        prepare(chosen, PLAYING, GAMES, SEARCHING, MANY)

    from ziggurat.lab import bench

    with progress("Measuring", bench.steps(tables) + len(games) * bench.PREPARE_STEPS) as advance:
        prepared = {chosen.id: bench.prepare_seconds(chosen, advance) for chosen in games}
        measured = bench.measure(tables, prepared, advance=advance)
    if as_json:
        click.echo(measured.json())
        return
    click.echo(
        "game        players  decisions/s   games/s  decisions/game  vector/s  and observed/s  Position/s  playouts/s"
        "  evaluations/s  spread  record"
    )
    for r in measured.results:
        click.echo(
            f"{r.game:<12}{r.players:>7}{r.decisions_per_second:>13,.0f}{r.games_per_second:>10,.0f}"
            f"{r.decisions_per_game:>16.1f}{r.vector_decisions_per_second:>10,.0f}"
            f"{r.observed_decisions_per_second:>16,.0f}{r.position_decisions_per_second:>12,.0f}"
            f"{r.playouts_per_second:>12,.0f}{r.evaluations_per_second:>15,.0f}"
            f"{max(r.spread_percent[name] for name in r.spread_percent if name in bench.METERS):>6.1f} %"
            f"{r.record_bytes:>6} B"
        )
    for name, (cold, warm) in prepared.items():
        click.echo(
            f"{name}: compiled in {cold:.1f} s with an empty cache, loaded in {warm.median:.2f} s from a full one"
        )
    here = bench.machine()
    click.echo(f"{here['cpu']}, Python {here['python']}, Numba {here['numba']}")
    click.echo(measured.noise.advice)
