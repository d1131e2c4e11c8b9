"""``ziggurat verify season``: is this how the season went?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ziggurat.cli.files import CommandProblem, parsed
from ziggurat.cli.proof import conclude
from ziggurat.core.proof import Judged, Proof

if TYPE_CHECKING:
    from ziggurat.server.features.seasons.file import SeasonVerdict


@click.command("verify season")
@click.argument("file", metavar="FILE")
@click.option(
    "--seen", metavar="HEX", multiple=True, help="A fingerprint that the season's page showed; may be repeated."
)
def command(file: str, seen: tuple[str, ...]) -> int:
    """Make everything that the FILE of a season says anew from what people did, and compare each line to the byte.

    Every draw follows from the beacon, every shuffle from the secret and the beacon, every result from the moves, every
    place from the results. With --seen also that the season is the one of which a fingerprint was shown: whoever noted
    one while it went on can tell that nothing before it was changed since.

    Exit code 0: every line follows; 1: nothing could be judged; 2: a line differs, and which.
    """
    from ziggurat.server.features.seasons.file import verify

    verdict: SeasonVerdict = parsed(file, lambda text: verify(text.encode()))
    state, terms = verdict.state, verdict.state.terms
    for one in seen:
        if one.strip().lower() not in verdict.fingerprints:
            raise CommandProblem(
                f"{file}: the fingerprint {one.strip()[:64]} is not of this season; it has changed since"
            )
    over = "over" if state.closed else f"not over: {state.complete_rounds()} of {terms.rounds} rounds are complete"
    click.echo(f"season:         {terms.name}, {len(state.people)} people; it is {over}")
    click.echo(f"beacon:         {state.beacon or 'not drawn yet'}")
    for row in state.standings() if state.complete_rounds() else []:
        if row.place <= 3:
            where = f"division {row.division}, " if len({*state.divisions[-1].values()}) > 1 else ""
            click.echo(f"{f'place {row.place}:':<16}{where}number {row.who} with {row.points} points")
    if verdict.fingerprints:
        click.echo(f"fingerprint:    {verdict.fingerprints[-1]}")
    return conclude(file, _proof(verdict, len(seen)), "no game of it has ended")


def _proof(verdict: SeasonVerdict, seen: int) -> Proof:
    state = verdict.state
    tables = sum(len(draw.tables) for draw in state.draws)
    judged = [
        Judged("games", verdict.games, verdict.games, "played again, each to its result"),
        Judged(
            "shuffles",
            verdict.shuffles,
            verdict.games,
            "follow from the secret and the beacon",
            "the secret is not told yet",
        ),
        Judged("rounds", len(state.draws), len(state.draws), f"drawn again, with {tables} tables"),
        Judged("lines", verdict.lines, verdict.lines, "made anew to the byte"),
    ]
    if seen:
        judged.append(Judged("fingerprints", seen, seen, "are of this season"))
    unsaid = [] if seen else ["whether it is the season that people saw, which only --seen tells"]
    if not state.closed:
        unsaid.append("how it goes on: the season is not over")
    if verdict.unsolved:
        unsaid.append(
            f"whether the solver would have failed in rounds {', '.join(map(str, verdict.unsolved))} here too"
        )
    believed = [
        "who entered, with which part and from which division of the season before",
        "who said that they are absent or there",
        "the moments at which it happened",
        "whose moves a bot made at a table that was begun by its people",
        "why a game ended before its rules said so",
        "names",
    ]
    return Proof(judged, unsaid, believed)
