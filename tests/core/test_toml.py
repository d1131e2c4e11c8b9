"""TOML from strangers: what would take long to read is refused before it is read."""

from __future__ import annotations

import contextlib

import pytest

from ziggurat.core.errors import FileError
from ziggurat.core.toml import MOST_NAMES_IN_KEY, parse_toml


@pytest.mark.parametrize("inside", ["{} = 1", "[{}]", "[[{}]]", "x = {{ {} = 1 }}", "x = [\n{{ {} = 1 }}]"])
@pytest.mark.parametrize("name", ["a", '"a b"', "'a'", '""', r'"\""', r'"\\"'])
@pytest.mark.parametrize("dot", [".", " . ", "\t."])
def test_keys_have_a_bounded_number_of_names(inside: str, name: str, dot: str) -> None:
    with pytest.raises(FileError, match=f"at most {MOST_NAMES_IN_KEY} names") as told:
        parse_toml("# first\n" + inside.format(dot.join([name] * 25_000)))
    assert told.value.line in (2, 3)
    parse_toml(inside.format(dot.join([name] * MOST_NAMES_IN_KEY)))


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "1" * 99_000,
        'a = "' + "b" * 99_000 + '"',
        "a = 1979-05-27T07:32:00." + "9" * 99_000,
        '"' * 99_000,
        r"\"" * 49_000,
        '"' + r"\"" * 49_000,
        ".".join(['"' + "a" * 90 + '"'] * 1_000) + " = 1",
        "'\"" * 49_000,
        "a" + " " * 99_000,
        "a . " * 24_000,
        (".".join(["a"] * MOST_NAMES_IN_KEY) + " ") * 1_500,
        "a = " + "[" * 99_000,
        "a = " + "{b = " * 19_000,
    ],
    ids=lambda text: text[:12],
)
def test_whatever_is_sent_is_read_or_refused_in_time_that_grows_with_its_length(text: str) -> None:
    """With time that grows with the square this would run into the limit that each test has."""
    for _ in range(4):
        with contextlib.suppress(FileError):
            parse_toml(text)
