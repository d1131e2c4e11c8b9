"""Bots from outside: what they are told, and everything that can go wrong with them."""

from __future__ import annotations

import json
import os
import resource
import select
import shlex
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.example import GAME, SEATS

import ziggurat
from ziggurat.bots import Belief, decide
from ziggurat.bots.channel import LINE_BYTES, BotProcess, Socket
from ziggurat.bots.outside import Client, ExternalBot, Limits, end_programs
from ziggurat.core.errors import BotFailed, UnknownBot

pytestmark = pytest.mark.slow

QUICK = Limits(start=20, decision=20)
NEVER = Limits(start=20, decision=0.05)
"""For a bot that never answers: how long is waited for it changes nothing."""
READ = """
import json, os, signal, subprocess, sys, time
hello = json.loads(sys.stdin.readline())
def say(**what): print(json.dumps(what), flush=True)
say()
asked = json.loads(sys.stdin.readline())
"""
FIRST = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print(json.dumps({"want": WANT}), flush=True)
    elif asked["type"] == "decision":
        print(json.dumps({"id": asked["id"], "action": asked["legal"][0]}), flush=True)
    with open("heard", "a") as heard:
        heard.write(line)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    end_programs(grace=0)


def program(code: str) -> str:
    """The text that names a program in Python."""
    Path("bot.py").write_text(code, encoding="utf-8")
    return f"cmd:{shlex.quote(sys.executable)} -I -S bot.py"


def position(players: int = SEATS) -> ziggurat.Position:
    """In which there is a choice."""
    found = ziggurat.new(GAME, players=players, seed=3)
    while len(found.legal(found.actors[0])) < 2:
        found.play(found.actors[0], found.legal(found.actors[0])[0])
    return found


def choose(bot: ExternalBot, now: ziggurat.Position | None = None) -> int:
    now = now or position()
    rng, seat = ziggurat.generator(1), now.actors[0]
    return bot.choose(Belief(now, seat, rng), now.legal(seat), rng)


def failed(code: str, limits: Limits = QUICK) -> BotFailed:
    """How a program fails that gets a question."""
    with pytest.raises(BotFailed) as error:
        choose(ExternalBot(program(code), limits))
    return error.value


def heard() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("heard").read_text(encoding="utf-8").splitlines()]


def there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def ended(file: str) -> None:
    """Wait until a process has ended whose number is in a file, though nobody may have asked how."""
    try:
        process = os.pidfd_open(int(Path(file).read_text(encoding="utf-8")))
    except ProcessLookupError:
        return
    select.select([process], [], [])
    os.close(process)


def test_a_program_plays_a_whole_game_and_is_told_how_it_ended() -> None:
    now, rng = ziggurat.new(GAME, players=SEATS, seed=1), ziggurat.generator(2)
    text = program(FIRST.replace("WANT", "[]"))
    bots = [ExternalBot(text, QUICK) for _ in range(SEATS)]
    for _ in range(20):
        seat = now.actors[0]
        now.play_all(seat, decide(now, seat, bots[seat], rng))
    bots[now.actors[0]].end(0, [3] * SEATS, [0])
    end_programs(grace=20)
    hello, *asked, end = heard()
    columns = hello.pop("columns")
    assert [column["name"] for column in columns] == [column.name for column in GAME.features(SEATS)]
    assert hello == {
        "type": "hello",
        "protocol": 1,
        "game": GAME.id,
        "players": SEATS,
        "options": dict(now.options),
        "actions": GAME.actions,
        "seconds": 20.0,
        "versions": ziggurat.versions(GAME),
    }
    assert {*asked[0]} == {"type", "id", "match", "seat", "seed", "legal"}
    assert [one["id"] for one in asked] == [*range(1, len(asked) + 1)]
    # One program plays all seats; each has a match of its own.
    assert {(one["match"], one["seat"]) for one in asked} == {(k + 1, s) for k, s in enumerate(_order(asked))}
    assert end["type"] == "end"
    assert end["scores"] == [3] * SEATS


def _order(asked: list[dict[str, Any]]) -> list[object]:
    """Seats in the order in which they were asked first."""
    return list(dict.fromkeys(one["seat"] for one in asked))


def test_it_is_told_what_it_wants_of_what_its_seat_sees() -> None:
    now = position()
    seat = now.actors[0]
    choose(ExternalBot(program(FIRST.replace("WANT", "['view', 'observation', 'choices']")), QUICK), now)
    end_programs(grace=20)
    _, asked = heard()
    legal = now.legal(seat)
    assert asked["legal"] == legal
    assert asked["choices"] == json.loads(msgspec.json.encode(now.decision(seat).legal))
    assert asked["observation"] == now.observe(seat).tolist()
    assert asked["view"] == json.loads(msgspec.json.encode(now.view(seat)))


def test_what_lies_hidden_changes_nothing_of_what_it_is_told() -> None:
    text = program(FIRST.replace("WANT", "['view', 'observation', 'choices']"))
    now = position()
    other = now.redeal(now.actors[0], ziggurat.generator(9))
    assert other.to_bytes() != now.to_bytes()
    bot = ExternalBot(text, QUICK)
    choose(bot, now)
    choose(bot, other)
    end_programs(grace=20)
    _, one, two = heard()
    assert {**one, "id": 0} == {**two, "id": 0}


def test_the_chance_it_is_given_follows_from_the_seed() -> None:
    bot, now = ExternalBot(program(FIRST.replace("WANT", "[]")), QUICK), position()
    for seed in (1, 1, 2):
        rng = ziggurat.generator(seed)
        bot.choose(Belief(now, now.actors[0], ziggurat.generator(5)), now.legal(now.actors[0]), rng)
    end_programs(grace=20)
    seeds = [one["seed"] for one in heard()[1:]]
    assert seeds[0] == seeds[1] != seeds[2]


def test_an_answer_in_notation_is_as_good() -> None:
    now = position()
    word = now.write_step(now.legal(now.actors[0])[1])
    spaced = word.replace(" ", "  ")
    bot = ExternalBot(program(READ + f"say(id=asked['id'], action={spaced!r}); sys.stdin.read()"), QUICK)
    assert choose(bot, now) == now.legal(now.actors[0])[1]


def test_an_answer_to_an_older_question_is_passed_over() -> None:
    code = READ + "say(id=0, action=-5); say(id=asked['id'], action=asked['legal'][1]); sys.stdin.read()"
    assert choose(ExternalBot(program(code), QUICK)) == position().legal(position().actors[0])[1]


@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        ("raise ValueError('no\\x1b[31m weights')", "ended", "ended with code 1: ValueError: no [31m weights"),
        ("import sys; sys.exit(3)", "ended", "ended with code 3"),
        (READ + "os.kill(os.getpid(), signal.SIGKILL)", "ended", "was ended by signal SIGKILL"),
        (READ + "os.close(1); sys.stdin.read()", "ended", "closed its output"),
        ("print('Hello!', flush=True); input()", "nonsense", "sent 'Hello!', which is no answer to the hello: "),
        ('print(\'{"want": ["score"]}\'); input()', "nonsense", "Invalid enum value 'score' - at `$.want[0]`"),
        (READ + "print('thinking', flush=True); input()", "nonsense", "what is not an answer goes to standard error"),
        (READ + "print('\\xff\\x00\\x1b', flush=True); input()", "nonsense", "is no answer to a decision"),
        (READ + "print('[' * 100_000, flush=True); input()", "nonsense", "is no answer to a decision"),
        (READ + "say(action=1); input()", "nonsense", "missing required field `id`"),
        (READ + "say(id=asked['id'] + 1, action=1); input()", "nonsense", "answered question 2, which nobody"),
        (READ + "while True: say(id=0, action=1)", "nonsense", "sent 1000 answers to older questions"),
        (READ + "say(id=asked['id'], action=-1); input()", "illegal", "answered -1, which is not legal; legal are: "),
        (READ + "say(id=asked['id'], action='fly'); input()", "illegal", "answered 'fly', which is not legal"),
        (READ + "say(id=asked['id'], action=1e3); input()", "nonsense", "Expected `int | str`, got `float`"),
        (
            READ + f"print('x' * {LINE_BYTES + 1}, flush=True); input()",
            "nonsense",
            "sent a line longer than 1024 KiB: 'xx",
        ),
    ],
)
def test_whatever_goes_wrong_is_said(code: str, kind: str, said: str) -> None:
    error = failed(code)
    assert (error.kind, error.code) == (kind, "bot_failed")
    assert said in error.detail
    assert error.detail.isprintable()
    assert len(error.detail) < 600


def test_a_flood_is_not_kept() -> None:
    """A line of a gigabyte: read up to the bound, and whoever writes it is ended."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    error = failed(READ + "while True: os.write(1, b'x' * 1_000_000)")
    assert error.detail.startswith("sent a line longer than 1024 KiB")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # of 1,024 bytes


def test_what_it_tells_its_standard_error_holds_nobody_up() -> None:
    code = READ + "os.write(2, b'x' * 1_000_000); say(id=asked['id'], action=asked['legal'][0]); sys.stdin.read()"
    assert choose(ExternalBot(program(code), QUICK)) == position().legal(position().actors[0])[0]


def test_whoever_says_nothing_is_late() -> None:
    error = failed("import sys; sys.stdin.readline(); print('{}', flush=True); sys.stdin.read()", NEVER)
    assert (error.kind, error.detail) == ("late", "said nothing for 0.05 s")
    error = failed("import sys; sys.stdin.read()", Limits(start=0.05))
    assert (error.kind, error.detail) == ("late", "did not answer to the hello within 0.05 s")


def test_whoever_does_not_even_read_is_late() -> None:
    """The question is larger than a pipe holds."""
    channel = BotProcess([sys.executable, "-I", "-S", "-c", "import time; time.sleep(1000)"])
    try:
        channel.send(b"x" * 10_000_000)
        with pytest.raises(BotFailed, match=r"^said nothing$"):
            channel.receive(time.monotonic() + 0.05, "said nothing")
    finally:
        channel.close()


def test_children_that_keep_its_pipes_open_end_with_it() -> None:
    """It is its own end that counts, and nothing of its group stays behind."""
    code = READ + (
        "child = subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(1000)'])\n"
        "open('child', 'w').write(str(child.pid))\n"
        "os._exit(7)"
    )
    error = failed(code, Limits(start=20, decision=100))
    assert error.detail == "ended with code 7"
    ended("child")


def test_one_that_hangs_is_ended() -> None:
    code = "import os, sys; open('pid', 'w').write(str(os.getpid()))\n" + FIRST.replace("WANT", "[]").replace(
        "    asked", "    if 'decision' in line: sys.stdin.buffer.raw.read; __import__('time').sleep(1000)\n    asked"
    )
    assert failed(code, NEVER).kind == "late"
    assert not there(int(Path("pid").read_text(encoding="utf-8")))


def test_programs_end_with_the_process_that_started_them_even_if_it_is_killed() -> None:
    program("import os, time; open('pid', 'w').write(str(os.getpid())); print('{}', flush=True); time.sleep(1000)")
    code = (
        "import os, sys, time; from ziggurat.bots.channel import BotProcess\n"
        "BotProcess([sys.executable, 'bot.py']).receive(time.monotonic() + 100, '')\n"
        "os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    ended("pid")


def test_after_a_failure_it_is_started_anew() -> None:
    code = (
        READ
        + "say(id=asked['id'], action=asked['legal'][0]) if os.path.exists('once') else open('once', 'w'); sys.exit(5)"
    )
    bot = ExternalBot(program(code), QUICK)
    with pytest.raises(BotFailed, match="code 5"):
        choose(bot)
    assert choose(bot) == position().legal(position().actors[0])[0]


def test_nobody_waits_for_ever_for_one_that_is_always_late(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(start=20, decision=0.01, tries=2)
    code = "open('starts', 'a').write('x'); import sys; sys.stdin.readline(); print('{}', flush=True); sys.stdin.read()"
    bot = ExternalBot(program(code), limits)
    kinds = []
    for _ in range(5):
        with pytest.raises(BotFailed) as error:
            choose(bot)
        kinds.append(error.value.kind)
    assert kinds == ["late", "late", "resting", "resting", "resting"]
    assert error.value.detail == (
        "is not asked for a while, having failed 2 times in a row: it said nothing for 0.01 s"
    )
    assert Path("starts").read_text(encoding="utf-8") == "xx"
    clock = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: clock() + limits.rest + 1)
    with pytest.raises(BotFailed, match=r"^said nothing"):
        choose(bot)


def test_nobody_waits_for_it_anew_at_other_tables() -> None:
    text, limits = program("import sys; sys.exit(1)"), Limits(tries=2, wary=True, kept=1)
    kinds = []
    others = [players for players in range(GAME.min_players, GAME.max_players + 1) if players != SEATS]
    for now in (position(), position(*others[:1]), position()):
        with pytest.raises(BotFailed) as error:
            choose(ExternalBot(text, limits), now)
        kinds.append(error.value.kind)
    assert kinds == ["ended", "ended", "resting"]


def test_one_that_dies_is_left_alone_only_where_that_is_wished() -> None:
    for wary, last in ((False, "ended"), (True, "resting")):
        bot = ExternalBot(program("import sys; sys.exit(1)"), Limits(tries=1, wary=wary))
        kinds = []
        for _ in range(2):
            with pytest.raises(BotFailed) as error:
                choose(bot)
            kinds.append(error.value.kind)
        assert kinds == ["ended", last]


def test_only_so_many_are_kept() -> None:
    limits = Limits(start=20, decision=20, kept=1)
    code = "import os; open('pids', 'a').write(f'{os.getpid()} ')\n" + FIRST.replace("WANT", "[]")
    for word in "ab":
        choose(ExternalBot(f"{program(code)} {word}", limits))
    one, two = map(int, Path("pids").read_text(encoding="utf-8").split())
    assert not there(one)
    assert there(two)


def serve(answers: list[bytes]) -> str:
    """Somebody at a socket who says this, a line for each one that comes, and hangs up."""
    listener = socket.create_server(("127.0.0.1", 0))

    def work() -> None:
        with listener, listener.accept()[0] as line, line.makefile("rwb") as stream:
            for answer in answers:
                stream.readline()
                stream.write(answer + b"\n")
                stream.flush()

    threading.Thread(target=work, daemon=True).start()
    return f"tcp:127.0.0.1:{listener.getsockname()[1]}"


def test_a_socket_plays_as_well() -> None:
    legal = position().legal(position().actors[0])
    answer = json.dumps({"id": 1, "action": legal[1]}).encode()
    bot = ExternalBot(serve([b"{}", answer]), QUICK)
    assert choose(bot) == legal[1]
    with pytest.raises(BotFailed, match=r"^closed the connection$"):
        choose(bot)


def test_what_is_larger_than_all_buffers_arrives() -> None:
    """While both sides write, nobody waits for the other."""
    big = b"x" * 5_000_000 + b"\n"
    text = serve([b"y" * (LINE_BYTES - 10)])
    over_socket = Socket("127.0.0.1", int(text.rpartition(":")[2]), 20)
    echo = f"import sys; sys.stdin.readline(); print('y' * {LINE_BYTES - 10}, flush=True); input()"
    for channel in (over_socket, BotProcess([sys.executable, "-I", "-S", "-c", echo])):
        channel.send(big)
        assert channel.receive(time.monotonic() + 60, "") == b"y" * (LINE_BYTES - 10)
        channel.close()


def test_a_peer_that_never_reads_is_late() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        channel = Socket("127.0.0.1", listener.getsockname()[1], 20)
        channel.send(b"x" * 50_000_000)
        with pytest.raises(BotFailed, match="late"):
            channel.receive(time.monotonic() + 0.05, "late")
        channel.close()


def test_a_socket_where_nobody_is() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(BotFailed, match=f"cannot be reached at 127.0.0.1 port {port}: connection refused") as error:
        choose(ExternalBot(f"tcp:127.0.0.1:{port}", QUICK))
    assert error.value.kind == "start"


def test_a_program_that_is_gone_since(folder: Path) -> None:
    with pytest.raises(BotFailed, match=r"^did not start: \./gone: no such file") as error:
        choose(ExternalBot("cmd:./gone", QUICK))
    assert error.value.kind == "start"


def test_no_shell_reads_a_command() -> None:
    bot = ExternalBot(program(FIRST.replace("WANT", "[]")) + " ; touch oops", QUICK)
    choose(bot)
    assert not os.path.exists("oops")  # noqa: PTH110


def test_a_client_says_nothing_once_it_is_closed() -> None:
    now = position()
    client = Client(program(FIRST.replace("WANT", "[]")), Belief(now, now.actors[0], ziggurat.generator(1)), QUICK)
    client.close()
    client.end(1, 0, [1], [0])
    assert not Path("heard").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cmd:", "cmd:PROGRAM ARGUMENTS"),
        ("cmd:./not-there --fast", "no program './not-there'"),
        ("cmd:python 'bot.py", "a quotation mark is missing"),
        ("tcp:9000", "tcp:HOST:PORT"),
        ("tcp:localhost:99999", "tcp:HOST:PORT"),
        ("tcp:localhost:bot", "tcp:HOST:PORT"),
    ],
)
def test_a_text_that_names_nobody_is_refused_at_once(text: str, said: str) -> None:
    from ziggurat.bots.entrants import entrant

    with pytest.raises(UnknownBot) as error:
        entrant(text, GAME)
    assert said in str(error.value)
