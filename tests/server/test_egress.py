"""What strangers name is never inside the host's own network, whatever it is called and wherever it sends on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.server.receivers import receiver

from ziggurat.server.problems import Problem
from ziggurat.server.services.egress import ANSWER_BYTES, Egress, is_outside, target


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.9.9.9", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
        *("0.0.0.0", "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.2.1", "240.0.0.1"),
        *("192.0.0.9", "192.0.0.170", "192.0.0.192", "192.31.196.1", "192.52.193.1", "192.88.99.2", "192.175.48.1"),
        *("198.51.100.7", "203.0.113.7", "239.1.2.3", "168.63.129.16"),
        *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "2001:db8::1", "2001:0:1::1"),
        # Of the registries of special purposes, and what nobody has been given.
        *("fec0::1", "feff::1", "3fff::1", "3fff:fff::1", "5f00::1", "100::1", "100:0:0:1::1", "fd00:ec2::254"),
        *("2001:1::1", "2001:1::2", "2001:1::3", "2001:2::1", "2001:3::1", "2001:4:112::1", "2001:10::1", "2001:20::1"),
        *("2001:30::1", "2001:1ff::1", "2620:4f:8000::1", "4000::1", "1fff::1", "::9.9.9.9", "::ffff:0:9.9.9.9"),
        # Of IPv6, and they lead to one of IPv4.
        *("::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::a00:1", "2002:0a00:0001::1", "::7f00:1"),
        *(
            "64:ff9b:1::909:909",
            "64:ff9b:1:a00::1",
            "64:ff9b::1:909:909",
            "2002:c0a8:101:9:9:9:9:9",
            "2002:c058:6301::",
        ),
        *("2a00::5efe:10.0.0.1", "2a00::200:5efe:127.0.0.1", "::ffff:168.63.129.16"),
        "no address",
    ],
)
def test_addresses_of_a_house_are_inside(address: str) -> None:
    assert not is_outside(address)


WORLD = ["9.9.9.9", "192.0.1.1", "192.88.98.1", "100.128.0.1", "172.32.0.1", "223.255.255.1", "198.20.0.1"]
WORLD += ["2620:fe::fe", "2001:200::1", "2001:4860::8888", "2400::1", "3ffe::1", "64:ff9b::909:909", "::ffff:9.9.9.9"]


@pytest.mark.parametrize("address", [*WORLD, "2002:909:909::1", "2a00::5efe:9.9.9.9"])
def test_addresses_of_the_world_are_outside(address: str) -> None:
    assert is_outside(address)


@pytest.mark.parametrize(
    "url",
    [
        *("", "games.example", "ftp://games.example/", "file:///etc/passwd", "https://", "http://:80/"),
        *("https://ann:secret@games.example/", "https://games.example:0/", "https://games.example:99999/"),
        *("https://games.example/a b", "https://games.example/\r\nx: y", "https://gämes.example/", "http://[::1/"),
        *("https://" + "a" * 1000 + ".example/", "https://-x.example/", "gopher://9.9.9.9/"),
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(Problem) as refused:
        target(url)
    assert refused.value.code == "bad_address"


def test_a_push_is_sent_by_https_alone() -> None:
    with pytest.raises(Problem):
        target("http://push.example/1", secure=True)
    assert target("https://push.example/1?a=b", secure=True).path == "/1?a=b"
    assert target("https://push.example/1", secure=True).origin == "https://push.example"
    assert target("http://[2620:fe::fe]:8080").origin == "http://[2620:fe::fe]:8080"


def named(*answers: list[str]) -> Callable[[str, int], list[str]]:
    """A name whose address changes."""
    left = list(answers)
    return lambda host, port: left.pop(0)


@pytest.mark.parametrize("found", [["10.0.0.1"], ["9.9.9.9", "127.0.0.1"], ["::1"], []])
async def test_a_name_that_leads_inside_is_refused_when_it_is_told_and_whenever_something_is_sent(
    found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asyncio, "open_connection", lambda *_, **__: pytest.fail("connected"))
    with pytest.raises(Problem) as refused:
        await Egress(resolve=named(found)).check(target("https://hook.example/"))
    assert (refused.value.status, refused.value.code) == (400, "private_address")
    assert await Egress(resolve=named(found)).post(target("https://hook.example/"), {}, b"{}") == (0, 0.0)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "[::1]"])
async def test_this_machine_is_inside_however_it_is_written(host: str) -> None:
    with pytest.raises(Problem):
        await Egress().check(target(f"http://{host}/"))


@pytest.mark.parametrize("port", [1, 22, 25, 53, 81, 444, 587, 3306, 5432, 6379, 8000, 8081, 9200, 11211, 65535])
async def test_only_ports_of_pages_are_sent_to(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "open_connection", lambda *_, **__: pytest.fail("connected"))
    looked = list[str]()

    def resolve(host: str, port: int) -> list[str]:
        looked.append(host)
        return ["9.9.9.9"]

    egress, where = Egress(resolve=resolve), target(f"https://hook.example:{port}/")
    with pytest.raises(Problem) as refused:
        await egress.check(where)
    assert (refused.value.status, refused.value.code) == (400, "bad_port")
    assert "80, 443, 8080 and 8443" in str(refused.value.detail)
    assert await egress.post(where, {}, b"{}") == (0, 0.0), "one that was set before"
    assert looked == []
    await Egress(private=True, resolve=resolve).check(where)


@pytest.mark.parametrize(
    "url", ["https://a.example", "http://a.example", "http://a.example:8080", "https://a.example:8443"]
)
async def test_usual_ports_are_sent_to(url: str) -> None:
    await Egress(resolve=lambda host, port: ["9.9.9.9"]).check(target(url))


async def test_a_name_whose_address_changes_leads_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    connected = list[Any]()

    async def connect(host: str, port: int, **more: Any) -> Any:
        connected.append((host, port, more.get("server_hostname")))
        raise OSError

    monkeypatch.setattr(asyncio, "open_connection", connect)
    egress, where = Egress(resolve=named(["9.9.9.9"], ["127.0.0.1"])), target("https://rebind.example/")
    await egress.check(where)
    await egress.post(where, {}, b"{}")
    assert connected == [("9.9.9.9", 443, "rebind.example")], "what was looked at is what is connected to"
    egress._found.clear()  # later
    await egress.post(where, {}, b"{}")
    assert len(connected) == 1


async def test_nobody_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with receiver() as first, receiver() as second:
        first.says(307, location=second.base)
        assert (await Egress(private=True).post(target(first.base), {}, b"{}")).status == 307
        assert (len(first.got), second.got) == (1, [])


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"x: " + b"y" * 2 * ANSWER_BYTES,
        b"HTTP/1.1 100 Go on\r\n\r\n" * 3,
        b"HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
    ],
)
async def test_whatever_is_answered_is_bounded(said: bytes) -> None:
    async with receiver() as hooks:
        hooks.answers = [said]
        answer = await Egress(private=True).post(target(hooks.base), {}, b"{}")
        assert answer.status in (0, 200)


async def test_an_answer_without_end_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    async with receiver() as hooks:
        hooks.answers = [b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\nretry-after: 7\r\n\r\n" + b"x" * 100_000]
        assert await Egress(private=True).post(target(hooks.base), {}, b"{}") == (200, 7.0)


async def test_whoever_does_not_answer_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ziggurat.server.services.egress.REQUEST_SECONDS", 0.05)
    async with receiver() as hooks:
        hooks.before = asyncio.Event().wait  # type: ignore[assignment]
        assert (await Egress(private=True).post(target(hooks.base), {}, b"{}")).status == 0


async def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Any) -> None:
    from tests.server.receivers import certificate

    server, believed = certificate(tmp_path)
    async with receiver(server) as service:
        assert (await Egress(private=True).post(target(service.base), {}, b"{}")).status == 0
        assert (await Egress(private=True, tls=believed).post(target(service.base), {}, b"{}")).status == 201
        assert len(service.got) == 1
