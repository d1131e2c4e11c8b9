"""A program that plays the first legal action, and gives a wrong answer to its third question of each start.

python -m tests.lab.wrong_answers KIND
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

HUGE = "x" * (1 << 20)


def say(text: str | bytes) -> None:
    sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode())
    sys.stdout.buffer.flush()


def line(**fields: Any) -> Callable[[dict[str, Any]], None]:
    """An answer with the question's number; a field of ... is left out."""

    def answer(asked: dict[str, Any]) -> None:
        said = {"id": asked["id"], "action": asked["legal"][0], **fields}
        say(json.dumps({name: value for name, value in said.items() if value is not ...}) + "\n")

    return answer


def raw(text: str | bytes) -> Callable[[dict[str, Any]], None]:
    return lambda asked: say(text)


def ended(code: int, text: str = "") -> Callable[[dict[str, Any]], None]:
    def answer(asked: dict[str, Any]) -> None:
        say(text)
        os._exit(code)

    return answer


def hang(asked: dict[str, Any]) -> None:
    time.sleep(60)


def silent(asked: dict[str, Any]) -> None:
    os.close(1)
    hang(asked)


def endless(asked: dict[str, Any]) -> None:
    while True:
        say(HUGE)


KINDS: dict[str, Callable[[dict[str, Any]], None]] = {
    "illegal": line(action=10**6),
    "negative": line(action=-1),
    "beyond 64 bits": line(action=10**40),
    "half an action": line(action=1.5),
    "true": line(action=True),
    "null": line(action=None),
    "a list": line(action=[0]),
    "an object": line(action={"action": 0}),
    "no notation": line(action="castle kingside"),
    "nothing": line(action=""),
    "no action": line(action=...),
    "no id": line(id=...),
    "the id as a text": line(id="3"),
    "a question of tomorrow": line(id=10**6),
    "another seat's question": line(type="decision", seat=0, action=..., legal=[0]),
    "another message": raw('{"type": "hello", "want": []}\n'),
    "an answer in a list": raw("[3]\n"),
    "not JSON": raw("I play the first card.\n"),
    "an empty line": raw("\n"),
    "not a text": raw(b"\xff\xfe\x00\x01\n"),
    "cut": raw('{"id": 3, "act\n'),
    "cut, and over": ended(0, '{"id": 3, "act'),
    "two in one line": raw('{"id": 3, "action": 0}{"id": 3, "action": 0}\n'),
    "not a number": raw('{"id": 3, "action": NaN}\n'),
    "deep": raw("[" * 100_000 + "\n"),
    "huge": raw('{"id": 3, "action": "' + HUGE + '"}\n'),
    "endless": endless,
    "only old answers": raw('{"id": 1, "action": 0}\n' * 1001),
    "a cost below nothing": line(cost={"tokens": -5}),
    "a cost without a name": line(cost={"": 5}),
    "late": hang,
    "silent": silent,
    "over": ended(0),
    "over with an error": ended(3),
    "killed": lambda asked: os.kill(os.getpid(), signal.SIGKILL),
}


def main() -> None:
    wrong, asked = KINDS[sys.argv[1]], 0
    for text in sys.stdin:
        message = json.loads(text)
        if message["type"] == "hello":
            say('{"want": []}\n')
        elif message["type"] == "decision":
            asked += 1
            (wrong if asked == 3 else line())(message)


if __name__ == "__main__":
    main()
