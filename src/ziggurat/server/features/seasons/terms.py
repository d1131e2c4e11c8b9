"""The terms of a season: everything that is said before it begins, and cannot change afterwards."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import Annotated, Literal
from zoneinfo import available_timezones

import msgspec

import ziggurat
from ziggurat.core.errors import ZigguratError

Play = Literal["evenings", "days", "mixed"]
"""How a round is played: its people sit down when it begins; by days, until it ends; or at the evening by those tables
whose people all come, and by days by the others."""
Pairing = Literal["all", "swiss", "divisions"]
"""Who plays with whom: all meet all as nearly as can be; those who stand alike; or all within a division."""
Tie = Literal["wins", "mutual", "opponents", "share"]
"""What parts those of equal points: tables won; what they made against each other; the points of their opponents; their
share of the points in their games. The lot is always the last."""
MAX_PEOPLE, MAX_ROUNDS, MAX_GAMES = 1000, 52, 8
DIVISION_SIZES = (6, 24)
"""People of a division, least and most: within one the schedule is looked for by a solver."""
TABLE_SIZES = (2, 7)
DAY_SECONDS = 86_400


class SeasonError(ZigguratError):
    """A season cannot be so, or something cannot happen in it now. `why`, in its context, names those refusals that a
    person meets who uses the page (`season.error.season.<why>`)."""

    code = "season"


class SeasonGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game of the season; `sizes`: how many play at a table, the number that is liked best first. `components`: the
    digest of its printed numbers, and `rules` their version: those of the day on which the season was made."""

    game: Annotated[str, msgspec.Meta(max_length=60)]
    sizes: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=TABLE_SIZES[0], le=TABLE_SIZES[1])], ...],
        msgspec.Meta(min_length=1, max_length=6),
    ]
    options: dict[str, Annotated[str, msgspec.Meta(max_length=200)]] = {}
    rules: Annotated[str, msgspec.Meta(max_length=20)] = ""
    components: Annotated[str, msgspec.Meta(max_length=64)] = ""


class SeasonTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of a season. Moments are seconds since 1970.

    Attributes:
        zone: by whose clocks people are told when a round begins.
        starts: when each round begins; `ends`: when the last one is over, as each other one is when the next is drawn.
        ahead: seconds before its beginning when a round is drawn: until then people may say that they are absent.
        wait: seconds after the beginning of an evening for which people who have not come are waited for.
        step, reserve: of the clocks at an evening, in seconds; `days`: seconds of a decision by days.
        bot: who plays for people who do not come, where nobody stands in.
        free_absences: how many rounds without a table cost nothing: they count as the average of one's tables.
        late_until: the last round before which one may still enter.
        division: people of a division. `stage`: after so many rounds the first and last of the divisions change places
            (0: never), `moves` of each.
        ties: what parts those of equal points, in this order.
    """

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    games: Annotated[tuple[SeasonGame, ...], msgspec.Meta(min_length=1, max_length=MAX_GAMES)]
    starts: Annotated[tuple[int, ...], msgspec.Meta(min_length=1, max_length=MAX_ROUNDS)]
    ends: int
    zone: Annotated[str, msgspec.Meta(max_length=60)] = ""
    play: Play = "evenings"
    pairing: Pairing = "all"
    ahead: Annotated[int, msgspec.Meta(ge=0, le=7 * DAY_SECONDS)] = 0
    wait: Annotated[int, msgspec.Meta(ge=60, le=4 * 3600)] = 900
    step: Annotated[int, msgspec.Meta(ge=3, le=600)] = 60
    reserve: Annotated[int, msgspec.Meta(ge=0, le=7200)] = 1200
    days: Annotated[int, msgspec.Meta(ge=3600, le=7 * DAY_SECONDS)] = DAY_SECONDS
    bot: Annotated[str, msgspec.Meta(max_length=60)] = "builder"
    free_absences: Annotated[int, msgspec.Meta(ge=0, le=MAX_ROUNDS)] = 2
    late_until: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)] = 1
    division: Annotated[int, msgspec.Meta(ge=DIVISION_SIZES[0], le=DIVISION_SIZES[1])] = 12
    stage: Annotated[int, msgspec.Meta(ge=0, le=MAX_ROUNDS)] = 0
    moves: Annotated[int, msgspec.Meta(ge=0, le=4)] = 2
    ties: Annotated[tuple[Tie, ...], msgspec.Meta(max_length=4)] = ("wins", "mutual", "opponents")

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return len(self.starts)

    @property
    def digest(self) -> str:
        """SHA-256 of the terms as they are written."""
        return hashlib.sha256(b"ziggurat season terms 1\n" + encoded(self)).hexdigest()

    def drawn_at(self, round: int) -> int:
        """Return when a round, counted from 1, is drawn."""
        return self.starts[round - 1] - self.ahead

    def over_at(self, round: int) -> int:
        """Return when the tables of a round have to be over."""
        return self.ends if round == self.rounds else self.drawn_at(round + 1)

    def stage_of(self, round: int) -> int:
        """Return the stage, counted from 0, to which a round belongs."""
        return (round - 1) // self.stage if self.stage and self.pairing == "divisions" else 0

    def last_of_stage(self, round: int) -> int:
        """Return the last round of the stage of a round."""
        if self.stage == 0 or self.pairing != "divisions":
            return self.rounds
        return min(self.rounds, (self.stage_of(round) + 1) * self.stage)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of tables that some game allows, the best liked first."""
        first = sorted({size for game in self.games for size in game.sizes}, key=self._liking)
        return tuple(first)

    @property
    def sizes_least(self) -> int:
        """The fewest people who can play."""
        return min(self.sizes)

    def _liking(self, size: int) -> tuple[int, int]:
        return min(game.sizes.index(size) for game in self.games if size in game.sizes), -size


def encoded(value: object) -> bytes:
    """Return a value in the one way in which it is written: fields in the order of their declaration."""
    return msgspec.json.encode(value, order="deterministic")


def complete(terms: SeasonTerms) -> SeasonTerms:
    """Return terms with the version and numbers of each game as they are here and now, or refuse terms that cannot be.

    Raises SeasonError with what would be right.
    """
    games = []
    for one in terms.games:
        if one.game not in ziggurat.registered_games():
            known = ", ".join(sorted(ziggurat.registered_games()))
            raise SeasonError(f"games: there is no game {one.game!r}; there are: {known}.")
        game = ziggurat.game(one.game)
        for size in one.sizes:
            try:
                options = game.check_setup(size, dict(one.options))
            except ZigguratError as error:
                raise SeasonError(f"games: {one.game} for {size}: {error.detail}") from None
        if len(set(one.sizes)) != len(one.sizes):
            raise SeasonError(f"games: {one.game} names the same number of seats twice.")
        games.append(
            msgspec.structs.replace(one, options=options, rules=game.version, components=game.components.digest)
        )
    terms = msgspec.structs.replace(terms, games=tuple(games))
    check(terms)
    return terms


def check(terms: SeasonTerms) -> None:
    """Refuse terms whose moments or numbers contradict each other. Raises SeasonError."""
    if len({one.game for one in terms.games}) != len(terms.games):
        raise SeasonError("games: each game stands there once.")
    if terms.zone and terms.zone not in available_timezones():
        raise SeasonError(f"zone: there is no time zone {terms.zone!r}.", why="zone", zone=terms.zone)
    if len(set(terms.ties)) != len(terms.ties):
        raise SeasonError("ties: each rule stands there once.")
    if terms.pairing != "divisions" and terms.stage:
        raise SeasonError("stage: only divisions have stages; give 0.")
    moments = [*terms.starts, terms.ends]
    for round, (one, next) in enumerate(pairwise(moments), start=1):
        least = (
            terms.ahead + (terms.wait if terms.play != "days" else 0) + (terms.days if terms.play != "evenings" else 0)
        )
        if next - (terms.ahead if round < terms.rounds else 0) - one < max(3600, least - terms.ahead):
            raise SeasonError(
                f"starts: round {round} is over before it can be played; its end is at least "
                f"{max(3600, least - terms.ahead)} seconds after its beginning.",
                why="short_round",
                round=round,
                hours=-(-max(3600, least - terms.ahead) // 3600),
            )
    if terms.late_until > terms.rounds:
        raise SeasonError(f"late_until: there are {terms.rounds} rounds.", why="late_until", rounds=terms.rounds)
    if terms.division < max(terms.sizes):
        raise SeasonError(
            f"division: at least {max(terms.sizes)}, for which a table has seats.",
            why="division",
            least=max(terms.sizes),
        )
