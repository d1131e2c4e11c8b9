"""The list of counted games as a file, from which anybody computes the levels again.

One JSON object a line: what it is, the games in their order, then how each person stands, and the end with a digest of
all before. People are numbered in the order in which they come; no name, no table and nothing else of them is told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from ziggurat.server.features.levels.fit import (
    BOT_PREFIX,
    FIT_NUMBERS,
    CountedGame,
    Curve,
    PartShare,
    Side,
    fit,
    is_bot,
    order,
)
from ziggurat.server.features.levels.marks import Mark, has_won, published
from ziggurat.server.features.levels.metre import Metre

FORMAT = 1
MOST_LINES = 200_000
MOST_BYTES = 100_000_000
_encode = msgspec.json.Encoder().encode
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
T = TypeVar("T")


class ListHead(msgspec.Struct, forbid_unknown_fields=True):
    """The first line: of which game, by which metre and numbers of the fit, and how many lines follow."""

    ziggurat: Literal["levels"]
    format: int
    game: Name
    metre: Name
    fit: Annotated[list[float], msgspec.Meta(max_length=20)]
    games: Annotated[int, msgspec.Meta(ge=0, le=MOST_LINES)]
    people: Annotated[int, msgspec.Meta(ge=0, le=MOST_LINES)]


class ListedGame(msgspec.Struct, forbid_unknown_fields=True):
    """A counted game: when it ended, its number of seats, its sides (place, and who moved with which part), and who
    left. `chain`: a digest of this line and all games before, by which a game that was changed or left out is found
    where it stands."""

    ended: Annotated[float, msgspec.Meta(ge=0, le=1e11)]
    players: Annotated[int, msgspec.Meta(ge=2, le=100)]
    sides: Annotated[list[Side], msgspec.Meta(max_length=100)]
    left: Annotated[list[Name], msgspec.Meta(max_length=100)]
    chain: Annotated[str, msgspec.Meta(max_length=64)]


class PersonLine(msgspec.Struct, forbid_unknown_fields=True):
    """How a person stands: the fit, and what is shown; `kept`: the place that was shown after the first `upto` games,
    below which it does not fall while the person wins."""

    person: Name
    games: int
    place: float
    sigma: float
    shown: float
    kept: float | None
    upto: int


class ListEnd(msgspec.Struct, forbid_unknown_fields=True):
    """The last line: SHA-256 of all before."""

    sha256: Name


class WrongLine(Exception):
    """What is wrong with a file, and in which line, counted from 1."""

    def __init__(self, line: int, says: str) -> None:
        super().__init__(f"line {line}: {says}")
        self.line = line


def written(games: Sequence[CountedGame], curves: Mapping[str, Curve], marks: Mapping[str, Mark], metre: Metre) -> str:
    """Return the file of a list, with the levels that follow from it."""
    listed = sorted(games, key=order)
    names = _numbered(listed)
    head = ListHead(
        "levels", FORMAT, metre.game, metre.digest, [float(n) for n in FIT_NUMBERS], len(listed), len(names)
    )
    lines, chain = [_encode(head)], ""
    for game in listed:
        line = _game_line(game, names)
        line.chain = chain = _chained(line, chain)
        lines.append(_encode(line))
    for who, name in names.items():
        if who in curves:
            lines.append(_encode(_person_line(name, curves[who], marks[who])))
    text = b"".join(line + b"\n" for line in lines)
    return (text + _encode(ListEnd(hashlib.sha256(text).hexdigest())) + b"\n").decode()


def _numbered(games: Sequence[CountedGame]) -> dict[str, str]:
    names: dict[str, str] = {}
    for game in games:
        for who in game.people():
            names.setdefault(who, f"p{len(names) + 1}")
    return names


def _game_line(game: CountedGame, names: Mapping[str, str]) -> ListedGame:
    sides = [
        Side(side.place, tuple(PartShare(names.get(share.who, share.who), share.part) for share in side.shares))
        for side in game.sides
    ]
    return ListedGame(game.ended, game.players, sides, [names[who] for who in game.last], "")


def _chained(line: ListedGame, before: str) -> str:
    """Return the digest of a game and all before it."""
    return hashlib.sha256(_encode(msgspec.structs.replace(line, chain=before))).hexdigest()[:16]


def _person_line(name: str, curve: Curve, mark: Mark) -> PersonLine:
    place, sigma = published(curve.final.mean), published(curve.final.sigma)
    return PersonLine(name, len(curve.points), place, sigma, mark.place, mark.kept, mark.upto)


def checked(text: str, metre_of: Any) -> tuple[Metre, list[PersonLine]]:
    """Return the levels of a file once they were computed again from its games, and are the same to the last digit.

    Args:
        metre_of: returns the metre of a game; raises for what is none.

    Raises:
        WrongLine: for what is no such file, was cut or changed, or is of other ladders or another fit.
    """
    lines = text.encode().split(b"\n")
    if len(text) > MOST_BYTES or len(lines) > MOST_LINES:
        raise WrongLine(1, "a file of levels is shorter than this")
    head = _read(lines, 0, ListHead, "what begins a file of levels")
    if head.format != FORMAT:
        raise WrongLine(1, f"its format is {head.format}; this program reads {FORMAT}")
    try:
        metre: Metre = metre_of(head.game)
    except Exception:
        raise WrongLine(1, f"there is no game {head.game!r} here") from None
    if head.metre != metre.digest:
        raise WrongLine(1, f"it was measured by ladders {head.metre} of the bots, and those here are {metre.digest}")
    if head.fit != [float(n) for n in FIT_NUMBERS]:
        raise WrongLine(1, "it was made by a program whose fit has other numbers")
    games, chain = [], ""
    for number in range(head.games):
        game, chain = _game(lines, number + 1, head.games, metre, chain)
        games.append(game)
    for i in range(1, len(games)):
        if games[i].ended < games[i - 1].ended:
            raise WrongLine(i + 2, "this game ended before the one in the line above")
    people = [_read(lines, head.games + 1 + number, PersonLine, "how a person stands") for number in range(head.people)]
    last = head.games + head.people + 1
    end = _read(lines, last, ListEnd, "the digest of all lines before")
    if any(lines[last + 1 :]):
        raise WrongLine(last + 2, "nothing follows the digest")
    curves = fit(games, metre)
    for number, (who, line) in enumerate(zip(curves, people, strict=False)):
        _compare(line, who, curves, games, metre, head.games + 2 + number)
    if len(curves) != len(people):
        raise WrongLine(last + 1, f"{len(people)} people are listed, and {len(curves)} have played these games")
    if end.sha256 != hashlib.sha256(b"".join(line + b"\n" for line in lines[:last])).hexdigest():
        raise WrongLine(last + 1, "this is not the digest of the lines before")
    return metre, people


def _read(lines: Sequence[bytes], at: int, kind: type[T], what: str) -> T:
    if at >= len(lines) or not lines[at]:
        raise WrongLine(at + 1, f"the file ends here, where {what} should be")
    try:
        return msgspec.json.decode(lines[at], type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WrongLine(at + 1, f"this is not {what} ({error})") from None


def _game(lines: Sequence[bytes], at: int, games: int, metre: Metre, chain: str) -> tuple[CountedGame, str]:
    """Return the game of a line, and its digest; `chain`: that of the line before."""
    line = _read(lines, at, ListedGame, "a game")
    if line.players not in metre.luck:
        raise WrongLine(at + 1, f"{metre.game} has no ladder for {line.players} seats")
    seen: set[str] = set()
    for side in line.sides:
        if side.place < 1 or not side.shares or len(side.shares) > 5:
            raise WrongLine(at + 1, "a side has a place from 1 on, and one to five who moved there")
        for share in side.shares:
            if not 0 < share.part <= 1 or len(share.who) > 60:
                raise WrongLine(at + 1, "a part of the moves is more than 0, and 1 at most")
            if is_bot(share.who) and share.who[len(BOT_PREFIX) :] not in metre.places:
                raise WrongLine(at + 1, f"there is no {share.who[:60]!r} on the ladders")
            if not is_bot(share.who):
                if share.who in seen:
                    raise WrongLine(at + 1, f"{share.who} sits there twice")
                seen.add(share.who)
    if line.chain != _chained(line, chain):
        raise WrongLine(at + 1, "this game was changed, or one before it was left out or added")
    width = len(str(games))
    return CountedGame(f"{at:0{width}}", line.ended, line.players, tuple(line.sides), tuple(line.left)), line.chain


def _compare(
    line: PersonLine, who: str, curves: Mapping[str, Curve], games: list[CountedGame], metre: Metre, number: int
) -> None:
    """Refuse a line that does not say what follows from the games."""
    curve = curves[who]
    if line.person != who:
        raise WrongLine(number, f"this is of {line.person!r}; by the games, {who} follows here")
    said = line.games, line.place, line.sigma
    found = len(curve.points), published(curve.final.mean), published(curve.final.sigma)
    if said != found:
        raise WrongLine(
            number, f"{who} is said to stand at {said[1]} ± {said[2]}; these games give {found[1]} ± {found[2]}"
        )
    if line.shown != (line.place if line.kept is None else max(line.place, line.kept)):
        raise WrongLine(number, f"{line.shown} is shown of {who}, and that is neither the fit nor what was kept")
    if line.kept is not None and line.kept > line.place:
        # It was shown once, and the person has only won since.
        since = [game for game in games[line.upto :] if who in game.people()]
        earlier = fit(games[: line.upto], metre).get(who) if 0 <= line.upto <= len(games) else None
        if not since or not all(has_won(game, who) for game in since) or earlier is None:
            raise WrongLine(number, f"{line.kept} is kept for {who}, who has not only won since")
        if published(earlier.final.mean) != line.kept:
            raise WrongLine(
                number,
                f"{line.kept} is kept for {who}; the first {line.upto} games gave {published(earlier.final.mean)}",
            )
