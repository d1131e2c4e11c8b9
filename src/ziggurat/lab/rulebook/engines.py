"""An engine that somebody wrote, in a process of its own: found in a folder, started, asked, and always ended."""

from __future__ import annotations

import json
import sys
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ziggurat.bots.channel import BotProcess, shown
from ziggurat.core.errors import BotFailed, ZigguratError
from ziggurat.lab.rulebook import host

PROTOCOL_VERSION = 1
MOST_ASKED = 1000
"""Questions about chance in one action."""
FORMS = ("engine.py", "engine.toml", "engine.json")
LONGEST_FILE = 1 << 20


class NoEngine(ZigguratError):
    """The folder has no engine that could be started."""

    code = "no_engine"


class EngineFailed(ZigguratError):
    """The engine did not answer a question: with an error, too late, or not at all.

    Attributes of the context:
        ended: whether its process is gone.
    """

    code = "engine_failed"

    @property
    def ended(self) -> bool:
        return bool(self.context.get("ended"))


@dataclass(frozen=True)
class EngineLimits:
    """What an engine may take.

    Attributes:
        start: seconds until it is ready.
        answer: seconds for an answer.
        whole: seconds for all of it.
        memory: mebibytes, where the system can bound them.
        deaths: how often it may end or be late; then it is not started again.
    """

    start: float = 20.0
    answer: float = 10.0
    whole: float = 900.0
    memory: int = 2048
    deaths: int = 3


def command_of(folder: Path) -> list[str]:
    """The command of the engine in a folder; empty for a class in ``engine.py``.

    Raises:
        NoEngine: where there is none, saying what would be right.
    """
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "is not there"
        raise NoEngine(f"{folder} {what}: name the folder with the engine ({', '.join(FORMS)})")
    file = next((folder / name for name in FORMS if (folder / name).is_file()), None)
    if file is None:
        raise NoEngine(f"{folder} holds no engine: neither {FORMS[0]} nor {' nor '.join(FORMS[1:])}")
    if file.name == FORMS[0]:
        return []
    try:
        if file.stat().st_size > LONGEST_FILE:
            raise NoEngine(f"{file} is longer than {LONGEST_FILE >> 20} MiB: it names a command, no more")
        text = file.read_text(encoding="utf-8")
        found = tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error).partition("\n")[0]
        raise NoEngine(f"{file} cannot be read: {why[:200]}") from None
    command = found.get("command") if isinstance(found, dict) else None
    if not isinstance(command, list) or not command or not all(isinstance(word, str) and word for word in command):
        raise NoEngine(f'{file} names no command: it has a list of words, such as command = ["node", "engine.js"]')
    return command


Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""What the judge says when an engine asks for chance."""


class Engine:
    """An engine that answers; it is started with the first question, and again after its process has ended."""

    def __init__(self, folder: Path, game: str, limits: EngineLimits = EngineLimits()) -> None:
        """Nothing is started yet.

        Args:
            game: the id that it is told.
        """
        self._folder, self._game, self._limits = folder.absolute(), game, limits
        self._command = command_of(folder)
        self._process: BotProcess | None = None
        self._until = time.monotonic() + limits.whole
        self.deaths = 0

    @property
    def given_up(self) -> bool:
        """Whether it has failed so often, or taken so long, that it is not asked any more."""
        return self.deaths >= self._limits.deaths or time.monotonic() >= self._until

    def ask(self, question: Mapping[str, Any], chance: Answer) -> Mapping[str, Any]:
        """Return its answer to a question.

        Raises:
            EngineFailed: none, or one that is no answer.
        """
        try:
            process = self._open()
            deadline = self._deadline(self._limits.answer)
            process.send(_line(question))
            for _ in range(MOST_ASKED):
                answer = self._receive(process, deadline)
                if "ask" not in answer:
                    break
                process.send(_line(chance(answer)))
            else:
                raise BotFailed(f"asked for chance {MOST_ASKED} times in one action", "nonsense")
        except BotFailed as error:
            self.close()
            self.deaths += 1
            raise EngineFailed(error.detail, ended=True) from None
        if "error" in answer:
            raise EngineFailed(f"failed: {str(answer['error'])[:300]}")
        return answer

    def start(self) -> None:
        """Start it, if it is not running.

        Raises:
            NoEngine: when it cannot be started.
        """
        try:
            self._open()
        except BotFailed as error:
            self.close()
            raise NoEngine(f"the engine in {self._folder} {error.detail}") from None

    def restart_clock(self) -> None:
        """From now on counts what all of it may take."""
        self._until = time.monotonic() + self._limits.whole

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None

    def _open(self) -> BotProcess:
        if self._process is not None:
            return self._process
        arguments = [sys.executable, "-I", "-S", host.__file__, str(self._limits.memory), str(self._folder)]
        self._process = process = BotProcess([*arguments, *self._command])
        process.send(_line({"do": "hello", "protocol": PROTOCOL_VERSION, "game": self._game}))
        answer = self._receive(process, self._deadline(self._limits.start))
        if "error" in answer:
            raise BotFailed(f"cannot be loaded: {str(answer['error'])[:300]}", "start")
        if answer.get("ready") is not True:
            raise BotFailed(f'answered the hello with {str(answer)[:60]}, not with {{"ready": true}}', "nonsense")
        return process

    def _deadline(self, seconds: float) -> float:
        return min(time.monotonic() + seconds, self._until)

    def _receive(self, process: BotProcess, deadline: float) -> Mapping[str, Any]:
        seconds = max(0.0, deadline - time.monotonic())
        line = process.receive(deadline, f"said nothing for {seconds:.3g} s")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise BotFailed(f"sent {shown(line)}, which is no object in JSON on one line", "nonsense")
        return answer


def _line(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def own_command(game: str, mistake: Sequence[str] = (), hide: str | None = None) -> list[str]:
    """The command of an engine that is our own rules, perhaps with a mistake in them, and with hidden names
    (``own.py``)."""
    hidden = [] if hide is None else ["--hide", hide]
    return [sys.executable, "-m", "ziggurat.lab.rulebook.own", game, *hidden, *mistake]
