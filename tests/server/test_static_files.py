"""The built web part, served by our own process without the network."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from tests.server.inside import browser

import ziggurat
from ziggurat.server.api.static_files import accepted
from ziggurat.server.settings import STATIC_FOLDER


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """A built web part."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>the page</title>")
    (folder / "assets/main-abc123.js").write_text("export {}")
    (folder / "favicon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "icon-192.png").write_bytes(b"as a picture")
    (tmp_path / "secret.txt").write_text("not for browsers")
    return folder


def test_the_page_its_assets_and_its_inner_places(tmp_path: Path, static: Path) -> None:
    with browser(tmp_path, static=static) as reader:
        for path in ("/", "/table/abc", "/any/place/inside"):
            answer = reader.get(path)
            assert "the page" in answer.text
            assert answer.headers["cache-control"] == "no-cache"
        script = reader.get("/assets/main-abc123.js")
        assert script.headers["content-type"].startswith("text/javascript")
        assert "immutable" in script.headers["cache-control"]
        assert reader.get("/favicon.svg").headers["content-type"] == "image/svg+xml"
        assert reader.get("/favicon.ico").headers["content-type"] == "image/png"
        for path in ("/assets/gone-000.js", "/llms.txt", "/.well-known/ai-catalog.json", "/robots.txt.bak"):
            assert reader.get(path).status_code == 404, "the page in place of a file would only mislead"
        # Neither by a way round, after which a cache could keep it for ever under its own name.
        for path in ("/assets/..%2ffavicon.svg", "/assets/%2e%2e/favicon.svg", "/.env", "/.git/config"):
            assert reader.get(path).status_code == 404
        for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "//etc/passwd"):
            assert "not for browsers" not in reader.get(path).text


def test_a_text_is_sent_in_the_smallest_form_that_the_browser_reads(tmp_path: Path, static: Path) -> None:
    plain = "export const words = 'many of the same many of the same'\n" * 100
    script = static / "assets/main-abc123.js"
    script.write_text(plain)
    script.with_name("main-abc123.js.gz").write_bytes(gzip.compress(plain.encode()))
    # What is inside is not looked at; these are the bytes that must arrive.
    script.with_name("main-abc123.js.br").write_bytes(b"as brotli")
    index = (static / "index.html").read_bytes()
    (static / "index.html.gz").write_bytes(gzip.compress(index))
    with browser(tmp_path, static=static) as reader:

        def ask(path: str, reads: str, **headers: str) -> tuple[int, str | None, bytes, str]:
            with reader.stream("GET", path, headers={"accept-encoding": reads, **headers}) as answer:
                raw = b"".join(answer.iter_raw())
                assert answer.headers["vary"] == "accept-encoding"
                assert answer.headers.get("content-length", "0") == str(len(raw))
                if answer.status_code == 200:
                    assert re.fullmatch(r"text/\w+; charset=utf-8", answer.headers["content-type"])
                return answer.status_code, answer.headers.get("content-encoding"), raw, answer.headers["etag"]

        tags = set()
        for path, reads, coding, content in (
            ("/assets/main-abc123.js", "gzip, deflate, br", "br", b"as brotli"),
            ("/assets/main-abc123.js", "gzip", "gzip", script.with_name("main-abc123.js.gz").read_bytes()),
            ("/assets/main-abc123.js", "identity", None, plain.encode()),
            ("/any/place/inside", "br, gzip", "gzip", (static / "index.html.gz").read_bytes()),
            ("/", "", None, index),
        ):
            status, said, raw, tag = ask(path, reads)
            assert (status, said, raw) == (200, coding, content)
            tags.add(tag)
            for known in (tag, f'"other", W/{tag}', "*"):
                assert ask(path, reads, **{"if-none-match": known}) == (304, None, b"", tag)
            assert ask(path, reads, **{"if-none-match": '"other"'})[0] == 200
        assert len(tags) == 5
        # What has no other form is said to be the same for everybody.
        assert "vary" not in reader.get("/favicon.svg").headers


@pytest.mark.parametrize(
    ("header", "codings"),
    [
        ("", []),
        ("gzip, deflate, br, zstd", ["br", "gzip"]),
        ("BR;Q=0.5 , gzip ; q=0.8", ["gzip", "br"]),
        ("br;q=0, gzip", ["gzip"]),
        ("*", ["br", "gzip"]),
        ("*;q=0, gzip;q=0.1", ["gzip"]),
        ("identity, gzip;q=0.5", []),
        ("gzip;q=much, br;q=nan", []),
        ("gzipped, abracadabra", []),
    ],
)
def test_what_a_browser_reads(header: str, codings: list[str]) -> None:
    assert accepted(header) == codings


def test_every_text_of_the_page_lies_compressed_beside_it() -> None:
    texts = [file for file in STATIC_FOLDER.rglob("*") if file.suffix in (".css", ".html", ".js", ".json", ".svg")]
    assert len(texts) > 50
    for file in texts:
        zipped, smaller = (file.with_name(f"{file.name}.{end}") for end in ("gz", "br"))
        assert zipped.exists() or file.stat().st_size <= 300
        # Of the shortest ones gzip makes less than brotli.
        assert smaller.exists() or file.stat().st_size <= 1000
        sizes = [form.stat().st_size for form in (smaller, zipped, file) if form.exists()]
        assert sizes == sorted(set(sizes)), file
        if zipped.exists():
            assert gzip.decompress(zipped.read_bytes()) == file.read_bytes()


def test_the_page_says_what_there_is_to_play() -> None:
    page = (STATIC_FOLDER / "index.html").read_text(encoding="utf-8")
    said = re.search(r'<meta\s+name="description"\s+content="([^"]+)"', page)
    assert said
    names = [game.text("en").get("name", "") for game in ziggurat.registered_games().values()]
    assert [name for name in names if name not in said[1]] == []


def test_what_comes_before_the_words_is_in_the_language_that_the_browser_asks_for(tmp_path: Path, static: Path) -> None:
    (static / "index.hu.html").write_text("<!doctype html><title>az oldal</title>", encoding="utf-8")
    with browser(tmp_path, static=static) as reader:
        for asked, title in (("hu-HU,hu;q=0.9", "az oldal"), ("fr, hu;q=0.5", "az oldal"), ("fr", "the page")):
            answer = reader.get("/", headers={"accept-language": asked})
            assert title in answer.text
            assert "accept-language" in answer.headers["vary"]
        # What has no other form is the same for everybody.
        assert "vary" not in reader.get("/favicon.svg", headers={"accept-language": "hu"}).headers


def test_without_a_web_part_a_page_says_how_to_get_it(tmp_path: Path) -> None:
    with browser(tmp_path, static=tmp_path / "nothing") as reader:
        answer = reader.get("/")
        assert answer.status_code == 503
        assert "not built" in answer.text
        assert reader.get("/api/games").status_code == 200


def test_whoever_asks_too_often_is_told_when_to_come_back(tmp_path: Path, static: Path) -> None:
    with browser(tmp_path, static=static, requests_per_minute=2) as reader:
        answers = [reader.get("/api/games") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert answers[-1].json()["code"] == "rate_limited"
        assert 0 < int(answers[-1].headers["retry-after"]) <= 60
