"""Writing a set of questions into a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

import ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.core.game import Game
from ziggurat.core.own_folders import must_be_ours
from ziggurat.core.picture import check_packages, png_of
from ziggurat.core.runtime import prepare
from ziggurat.core.seed import shown_seed
from ziggurat.core.text import rules_file
from ziggurat.core.versions import versions
from ziggurat.core.whole_files import write_whole
from ziggurat.lab.questions.asking import Made, questions
from ziggurat.lab.questions.files import (
    ANSWERS,
    FORM,
    HANDED_OUT,
    MOST_QUESTIONS,
    PICTURES,
    QUESTIONS,
    RULES,
    SET,
    Key,
    QuestionsProblem,
    RightAnswer,
    SetFacts,
    SheetQuestion,
)
from ziggurat.lab.questions.words import languages

TRACKS = ("both", "text", "picture")


def make(
    games: Sequence[Game],
    folder: Path,
    *,
    seed: bytes,
    count: int = 400,
    language: str = "en",
    track: str = "both",
    advance: Callable[[int], None] = lambda done: None,
) -> list[SheetQuestion]:
    """Make a set and write it into a folder that is new, empty, or has such a set; return its questions.

    The same seed and version make the same files, byte by byte; the pictures by the same version of what draws them.

    Args:
        track: what is shown of a position: its text, its picture, or both.
        advance: called with the number of questions made since the last call.

    Raises:
        QuestionsProblem: for a language, a track or a number that there is not.
        StrangeFolder: for a folder with other files.
        NoPictures: where the packages that draw are not installed.
    """
    if language not in languages():
        raise QuestionsProblem(f"questions are asked in {', '.join(languages())}, not in {language!r:.20}")
    if track not in TRACKS:
        raise QuestionsProblem(f"a track is one of {', '.join(TRACKS)}, not {track!r:.20}")
    if not 1 <= count <= MOST_QUESTIONS:
        raise QuestionsProblem(f"a set has 1 to {MOST_QUESTIONS:,} questions, not {count}")
    must_be_ours(folder, ANSWERS)
    if track != "text":
        check_packages()
    for game in games:
        prepare(game)
        prepare(game, program=SEARCHING)
    handed_out = folder / HANDED_OUT
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / ANSWERS, b"{}\n")  # by which the folder is ours, also when this is ended before
    (handed_out / SET).unlink(missing_ok=True)
    for name in (PICTURES, RULES):
        (handed_out / name).mkdir(parents=True, exist_ok=True)
        for old in (handed_out / name).iterdir():
            old.unlink()
    rules = {game.id: _rules(game, language, handed_out) for game in games}
    written: list[SheetQuestion] = []
    answers: list[RightAnswer] = []
    for made in questions(games, seed, count, language):
        written.append(_written(made, handed_out, track, rules[made.question.game]))
        answers.append(made.answer)
        advance(1)
    lines = b"".join(msgspec.json.encode(one) + b"\n" for one in written)
    digest = hashlib.sha256(lines).hexdigest()
    about = SetFacts(
        form=FORM,
        ziggurat=ziggurat.__version__,
        language=language,
        track=track,
        count=len(written),
        versions={game.id: versions(game) for game in games},
        questions=digest,
    )
    key = Key(form=FORM, seed=shown_seed(seed), questions=digest, answers=answers)
    write_whole(handed_out / QUESTIONS, lines)
    write_whole(folder / ANSWERS, msgspec.json.encode(key) + b"\n")
    write_whole(handed_out / SET, msgspec.json.format(msgspec.json.encode(about)) + b"\n")
    return written


def _rules(game: Game, language: str, handed_out: Path) -> str:
    """Copy the rules of a game; return their name, empty for a game without any."""
    file = rules_file(game.id, language) or rules_file(game.id, "en")
    if file is None:
        return ""
    write_whole(handed_out / RULES / f"{game.id}.md", file.read_bytes())
    return f"{RULES}/{game.id}.md"


def _written(made: Made, handed_out: Path, track: str, rules: str) -> SheetQuestion:
    question = msgspec.structs.replace(made.question, rules=rules)
    if track == "picture":
        question = msgspec.structs.replace(question, text="")
    if track != "text":
        name = f"{PICTURES}/{question.id}.png"
        write_whole(handed_out / name, png_of(made.scene.drawing))
        question = msgspec.structs.replace(question, picture=name)
    return question
