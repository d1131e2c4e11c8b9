"""The files of a set of questions: what is handed out, in a folder of its own, and the answers beside it.

FOLDER/questions/set.json          what the set is, and the versions that it depends on
FOLDER/questions/questions.jsonl   a line for each question
FOLDER/questions/pictures/         a picture for each
FOLDER/questions/rules/            the rules of every game
FOLDER/answers.json                the seed, the answers and the positions
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec

import ziggurat
from ziggurat.core.errors import ZigguratError
from ziggurat.core.versions import versions

FORM = "ziggurat questions 1"
HANDED_OUT, SET, QUESTIONS, PICTURES, RULES = "questions", "set.json", "questions.jsonl", "pictures", "rules"
ANSWERS = "answers.json"
MOST_BYTES = 64_000_000
"""Of a file of ours; a set of 400 takes 2 MB."""
MOST_GIVEN_BYTES = 4_000_000
"""Of a file of answers."""
MOST_QUESTIONS = 20_000

T = TypeVar("T")
Form = Literal["choice", "several", "number"]


class SheetQuestion(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question.

    Attributes:
        seat: who is asked, counted from 0; in words it is counted from 1.
        form: of the answer: one letter, several letters, or a whole number from 0 to ``most``.
        answer_with: the same in words.
        text: the position in words; empty in a set of pictures alone.
        picture: its file, in this folder; empty in a set of texts alone.
    """

    id: str
    game: str
    players: int
    seat: int
    tier: int
    kind: str
    question: str
    options: dict[str, str] = {}
    form: Form
    most: int | None = None
    answer_with: str
    rules: str = ""
    text: str = ""
    picture: str = ""


class RightAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An answer.

    Attributes:
        answer: a letter, letters in their order, or a number.
        chance: of being right by chance.
        steps: of the options that are whole moves, as numbers of actions.
        usual: for a number what it is by the heuristic's move.
        state: the position, dealt again from what the seat knows.
    """

    id: str
    answer: int | str
    chance: float
    steps: dict[str, list[int]] = {}
    usual: int | None = None
    state: bytes


class SetFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a set is: enough to know what it can be compared with, and not enough to make it again."""

    form: str
    ziggurat: str
    language: str
    track: str
    count: int
    versions: dict[str, dict[str, str]]
    questions: str
    """SHA-256 of the file of questions."""


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """The answers of a set, with the seed from which all of it follows."""

    form: str
    seed: str
    questions: str
    answers: Annotated[list[RightAnswer], msgspec.Meta(max_length=MOST_QUESTIONS)]


class QuestionsProblem(ZigguratError):
    """A folder or a file cannot be used as a set of questions, or as answers to it."""

    code = "bad_questions"


class QuestionSet:
    """A set of questions with its answers, read from a folder.

    Raises:
        QuestionsProblem: for a folder that is none, in one sentence.
    """

    def __init__(self, folder: Path) -> None:
        if not (folder / HANDED_OUT / SET).is_file():
            raise QuestionsProblem(
                f"{folder} is no set of questions: it has no {HANDED_OUT}/{SET}; name a folder that "
                "'ziggurat questions make' has written"
            )
        self.folder = folder
        self.about = _decoded(folder / HANDED_OUT / SET, SetFacts)
        if self.about.form != FORM:
            raise QuestionsProblem(f"{folder} has the form {self.about.form!r:.60}, this program reads {FORM!r}")
        if not (folder / ANSWERS).is_file():
            raise QuestionsProblem(
                f"{folder} has no {ANSWERS}: it is what was handed out; score with the folder that has the answers"
            )
        self.key = _decoded(folder / ANSWERS, Key)
        data = _bytes(folder / HANDED_OUT / QUESTIONS, MOST_BYTES)
        digest = hashlib.sha256(data).hexdigest()
        if not digest == self.about.questions == self.key.questions:
            raise QuestionsProblem(f"{folder}: {QUESTIONS} was changed, or is of another set than {ANSWERS}")
        self.questions = {one.id: one for one in _lines(folder / HANDED_OUT / QUESTIONS, data)}
        self.answers = {one.id: one for one in self.key.answers}
        if list(self.questions) != list(self.answers):
            raise QuestionsProblem(f"{folder}: {ANSWERS} does not answer the same questions as {QUESTIONS}")

    def must_be_ours(self) -> None:
        """Refuse a set of other rules than are installed.

        Raises:
            QuestionsProblem: saying what differs.
        """
        games = ziggurat.registered_games()
        for name, made in self.about.versions.items():
            if name not in games:
                raise QuestionsProblem(f"{self.folder} asks about {name!r:.40}, which is not installed")
            ours = versions(games[name])
            for part in ("rules", "components", "actions"):
                if made.get(part) != ours[part]:
                    raise QuestionsProblem(
                        f"{self.folder} was made with other {part} of {name} than are installed "
                        f"({made.get(part, 'none')!s:.16}, here {ours[part]:.16}): make a new set"
                    )

    def differs(self) -> str:
        """Return a sentence where the set is of another version; empty where it is of this one."""
        if self.about.ziggurat == ziggurat.__version__:
            return ""
        return f"made by version {self.about.ziggurat}, scored by {ziggurat.__version__} with the answers of then"


def write_answers(given: Mapping[str, int | str]) -> str:
    """Return answers as lines of JSON."""
    return "".join(msgspec.json.encode({"id": one, "answer": answer}).decode() + "\n" for one, answer in given.items())


class _Given(msgspec.Struct, forbid_unknown_fields=False):
    id: str
    answer: int | str | list[str] | None


def read_answers(questions: Mapping[str, SheetQuestion], file: Path) -> dict[str, int | str]:
    """Read a file of answers: lines of JSON, ``{"id": "q0001", "answer": "B"}``; null for no answer.

    Raises:
        QuestionsProblem: for a file that is none, an unknown question, one that is answered twice, or an answer of
            another form than was asked for: naming the line.
    """
    data = _bytes(file, MOST_GIVEN_BYTES)
    given: dict[str, int | str] = {}
    seen: dict[str, int] = {}
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        where = f"{file}: line {number}"
        try:
            one = msgspec.json.decode(line, type=_Given)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise QuestionsProblem(
                f'{where} is no answer; write one such as {{"id": "q0001", "answer": "B"}} on each line'
            ) from None
        if one.id not in questions:
            raise QuestionsProblem(f"{where} answers {one.id!r:.40}, which is no question of this set")
        if one.id in seen:
            raise QuestionsProblem(f"{where} answers {one.id} again, which line {seen[one.id]} has answered")
        seen[one.id] = number
        if one.answer is not None:
            given[one.id] = normal(questions[one.id], one.answer, where)
    return given


def normal(question: SheetQuestion, answer: int | str | Sequence[str], where: str) -> int | str:
    """Return an answer as the answers of a set are written.

    Raises:
        QuestionsProblem: for one of another form.
    """
    if question.form == "number":
        text = str(answer).strip()
        most = question.most or 0
        if not isinstance(answer, (int, str)) or not text.isascii() or not text.isdecimal() or len(text) > 9:
            raise QuestionsProblem(f"{where}: {question.id} is answered with a whole number from 0 to {most}")
        if int(text) > most:
            raise QuestionsProblem(f"{where}: {question.id} is answered with a number of at most {most}, not {text}")
        return int(text)
    text = "".join(answer) if isinstance(answer, (list, tuple)) else str(answer)
    letters = "".join(letter for letter in text.upper() if letter not in " ,;")
    wanted = f"of {', '.join(question.options)}"
    if question.form == "choice" and (len(letters) != 1 or letters not in question.options):
        raise QuestionsProblem(f"{where}: {question.id} is answered with one letter {wanted}, not {text!r:.40}")
    if not letters or len(set(letters)) < len(letters) or not set(letters) <= set(question.options):
        raise QuestionsProblem(f"{where}: {question.id} is answered with letters {wanted}, not {text!r:.40}")
    return "".join(sorted(letters))


def _decoded(file: Path, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(_bytes(file, MOST_BYTES), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise QuestionsProblem(f"{file} is damaged: {error}") from None


def _lines(file: Path, data: bytes) -> list[SheetQuestion]:
    try:
        return [msgspec.json.decode(line, type=SheetQuestion) for line in data.split(b"\n") if line]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise QuestionsProblem(f"{file} is damaged: {error}") from None


def _bytes(file: Path, most: int) -> bytes:
    try:
        size = file.stat().st_size
        if size > most or not file.is_file():
            what = f"has {size / 1e6:,.0f} MB" if file.is_file() else "is no file"
            raise QuestionsProblem(f"{file} {what}; at most {most / 1e6:g} MB are read")
        return file.read_bytes()
    except OSError as error:
        raise QuestionsProblem(f"cannot read {file}: {(error.strerror or str(error)).lower()}") from None
