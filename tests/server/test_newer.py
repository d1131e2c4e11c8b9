"""Whether there is a newer version is asked only if the host says where, and tells nobody anything."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from ziggurat import __version__
from ziggurat.server.problems import StartError
from ziggurat.server.services.newer import Newer, is_newer, newest
from ziggurat.server.settings import Settings


@dataclass
class Place:
    """Where it is asked."""

    address: str = ""
    status: int = 200
    body: bytes = b'{"version": "999.1"}'
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)


@pytest.fixture
def place() -> Iterator[Place]:
    found = Place()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append((self.path, {name.lower(): said for name, said in self.headers.items()}))
            self.send_response(found.status)
            if found.status == 302:
                self.send_header("location", f"{found.address}elsewhere")
            self.send_header("content-length", str(len(found.body)))
            self.end_headers()
            self.wfile.write(found.body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        found.address = f"http://127.0.0.1:{server.server_port}/"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield found
        server.shutdown()
        thread.join()


Make = Callable[[str], Newer]


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Make:
    def new(address: str) -> Newer:
        monkeypatch.setenv("ZIGGURAT_NEWER", address)
        return Newer(Settings())

    return new


async def test_what_is_new_stands_in_the_log_once(place: Place, make: Make, caplog: pytest.LogCaptureFixture) -> None:
    newer = make(place.address)
    await newer.look()
    await newer.look()
    assert newer.found == "999.1"
    assert caplog.messages == [f"there is a new version: 999.1, this is {__version__}"]


async def test_nothing_is_told_there(place: Place, make: Make) -> None:
    await make(place.address).look()
    [(path, headers)] = place.asked
    assert path == "/"
    assert {*headers} == {"host", "user-agent", "accept", "accept-encoding", "connection"}
    assert (headers["user-agent"], headers["accept"]) == ("ziggurat", "application/json")


async def test_nobody_is_asked_unless_the_host_says_whom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZIGGURAT_NEWER", raising=False)
    newer = Newer(Settings())
    await newer.open()
    assert newer._loop._task is None
    await newer.close()


async def test_any_other_answer_is_none(place: Place, make: Make, caplog: pytest.LogCaptureFixture) -> None:
    newer = make(place.address)
    for place.status, place.body in (
        (200, b'{"version": "0.0.1"}'),
        (200, b'{"version": "1.0; rm"}'),
        (200, b'{"version": 9}'),
        (200, b"[1]"),
        (200, b"<html>"),
        (200, b'{"version": "999.1", "more": "' + b"x" * 300_000 + b'"}'),
        (302, b'{"version": "999.1"}'),
        (500, b'{"version": "999.1"}'),
    ):
        place.asked.clear()
        await newer.look()
        assert newer.found is None, (place.status, place.body)
        assert len(place.asked) == 1, "nobody is followed elsewhere"
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_who_cannot_be_reached_is_asked_again_the_next_day(place: Place, make: Make) -> None:
    assert await make("http://127.0.0.1:9/").look() == 24 * 3600


def test_versions_are_compared_by_their_numbers() -> None:
    assert is_newer("0.10", "0.9.9")
    assert is_newer("1.0.1", "1.0")
    assert not is_newer("1.0", "1.0.0")
    assert newest(b'{"info": {"version": "2.0"}}') == "2.0"


def test_an_address_that_is_none_is_refused(make: Make) -> None:
    for address in ("games.example", "http://games.example/latest.json", "file:///etc/passwd"):
        with pytest.raises(StartError, match="ZIGGURAT_NEWER is an address that begins with https://"):
            make(address)
