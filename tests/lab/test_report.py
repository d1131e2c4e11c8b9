"""The kit of reports: what it draws is where the numbers are, and what it writes is what was said."""

from __future__ import annotations

import math
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from ziggurat.core.whole_files import write_whole
from ziggurat.lab.report import Html, Shaded, estimate, figures, more, page, section, table
from ziggurat.lab.report.charts import Point, Scale, bars, curve, dots, histogram, mark, round_end, ruler, scale_of

SVG = "{http://www.w3.org/2000/svg}"


def drawn(picture: str, kind: str) -> list[dict[str, str]]:
    """The attributes of all marks of a kind."""
    return [dict(one.attrib) for one in ElementTree.fromstring(picture).iter() if one.get("class") == kind]


def number(text: str) -> float:
    return float(text.removesuffix("%"))


def test_text_is_escaped_and_html_is_not() -> None:
    shown = section("a < b", "c & d", "", Html("<hr>"), table(["<bot>"], [["<i>"], [Html("<b>x</b>")]]))
    assert "<h2>a &lt; b</h2><p>c &amp; d</p><hr>" in shown
    assert "&lt;bot&gt;" in shown
    assert '<th scope="row">&lt;i&gt;</th>' in shown
    assert '<th scope="row"><b>x</b></th>' in shown
    assert "<summary>1 &lt; 2</summary><p>more</p>" in more("1 < 2", "more")
    assert "<figcaption>&lt;a&gt;</figcaption>" in figures(("<a>", Html("")))


def test_a_page_leaves_empty_sections_out_and_needs_nothing_else(tmp_path: Path) -> None:
    text = page("<t>", "1 & 2", ["", section("S")])
    assert text.count("&lt;t&gt;") == 2
    assert "1 &amp; 2" in text
    assert text.count("<section>") == 1
    assert "prefers-color-scheme: dark" in text
    assert "http" not in text
    write_whole(tmp_path / "index.html", text)
    assert [file.name for file in tmp_path.iterdir()] == ["index.html"]
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == text


def test_a_column_of_pictures_has_no_head_by_which_one_could_sort() -> None:
    shown = table(["bot", ""], [["a", mark(Point("", 1), Scale(0, 2))]])
    assert '<th scope="col">bot</th><td></td>' in shown
    scaled = table(["bot", ruler(Scale(0, 0.6), "{:.0%}".format)], [["a", mark(Point("", 0.5), Scale(0, 0.6))]])
    assert '<th scope="col">bot</th><td><svg class="mark ruler"' in scaled


def test_marks_are_where_their_ruler_says() -> None:
    scale = Scale(-4, 4)
    above = ElementTree.fromstring(ruler(scale, "{:.0f}".format))
    assert [one.text for one in above.iter("text")] == ["-4", "0", "4"]
    _, low, middle, high = (number(one["x1"]) for one in drawn(ruler(scale, str), "axis"))
    picture = mark(Point("", -4, -4, 0), scale, even=4)
    assert number(drawn(picture, "dot")[0]["cx"]) == low
    [line], [even] = drawn(picture, "interval"), drawn(picture, "even")
    assert (number(line["x1"]), number(line["x2"]), number(even["x1"])) == (low, middle, high)


@pytest.mark.parametrize(("most", "end"), [(0.59, 0.6), (0.6, 0.6), (0.61, 0.8), (0.05, 0.06), (9, 10), (11, 20)])
def test_an_end_of_a_scale_is_round(most: float, end: float) -> None:
    assert round_end(most) == pytest.approx(end)


@pytest.mark.parametrize(("share", "side", "much"), [(1.0, "more", "40%"), (0.5, "less", "0%"), (0.25, "less", "20%")])
def test_a_cell_is_the_darker_the_farther_it_is_from_one_half(share: float, side: str, much: str) -> None:
    assert f'<td class="{side}" style="--much: {much}" title="why">x</td>' in table(
        ["", ""], [["a", Shaded("x", share, "why")]]
    )


def test_a_number_with_its_interval() -> None:
    assert estimate(0.5, 0.25, 0.75, "{:.0%}".format) == "50% <small>25% to 75%</small>"
    assert estimate(0.5, None, None, "{:.0%}".format, star=True) == "50%*"
    assert estimate(math.nan, math.nan, math.nan, "{:.0%}".format) == ""


def test_dots_are_where_their_numbers_are() -> None:
    picture = dots(
        [Point("a", 5, 2.5, 7.5), Point("b < c", 0)], "{:.1f}".format, alt="All", scale=Scale(0, 10), even=10
    )
    first, second = (number(one["cx"]) for one in drawn(picture, "dot"))
    assert (first, second) == (50, 2)
    [line] = drawn(picture, "interval")
    assert (number(line["x1"]), number(line["x2"])) == (26, 74)
    assert number(drawn(picture, "even")[0]["x1"]) == 98
    assert 'aria-label="All: a: 5.0 (2.5 to 7.5); b &lt; c: 0.0."' in picture
    assert "<title>a: 5.0 (2.5 to 7.5)</title>" in picture


def test_numbers_stand_beside_their_line_and_within_the_picture() -> None:
    scale = Scale(0, 1)
    picture = dots(
        [Point("left", 0.1, 0.0, 0.2), Point("right", 0.9, 0.8, 1.0), Point("wide", 0.5, 0.0, 1.0)],
        "{:.1f}".format,
        alt="",
        scale=scale,
    )
    said = [one for one in ElementTree.fromstring(picture).iter("text") if one.get("dx")]
    assert [(one.text, one.get("text-anchor")) for one in said] == [("0.1", None), ("0.9", "end")]


def test_long_names_are_cut_in_the_picture_and_whole_in_what_is_said() -> None:
    name = "search:0.1s:network=" + 60 * "x" + ".npz"
    picture = dots([Point(name, 1)], str, alt="Bots")
    said = [one.text or "" for one in ElementTree.fromstring(picture).iter("text")]
    assert name not in said
    assert any(one.startswith("search:0.1s:") and one.endswith(".npz") for one in said)
    assert f"<title>{name}: 1</title>" in picture


def test_a_logarithmic_scale() -> None:
    scale = Scale(1, 10_000, log=True)
    assert scale.at(100) == pytest.approx(0.5)
    assert scale.ticks() == [1, 10, 100, 1000, 10_000]
    assert Scale(90, 600, log=True).ticks() == [100, 200, 500]


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (-3, 4, [-2, 0, 2, 4]), (940, 1260, [1000, 1100, 1200])],
)
def test_ticks_are_round_numbers(low: float, high: float, ticks: list[float]) -> None:
    assert Scale(low, high).ticks() == pytest.approx(ticks)


def test_a_scale_holds_all_intervals_and_what_is_all_alike() -> None:
    scale = scale_of([Point("a", 5, 1, 9), Point("b", 12, math.nan, math.nan)])
    assert scale.low < 1
    assert scale.high > 12
    alike = scale_of([Point("a", 3), Point("b", 3)])
    assert 0 < alike.at(3) < 1
    assert curve([Point("a", 3)], str, alt="").count("<circle") == 1


def test_bars_count_whole_numbers() -> None:
    found = bars(np.array([3, 3, 4, 7]))
    assert (found.first, found.step) == (3, 1)
    assert found.shares.tolist() == [0.5, 0.25, 0, 0, 0.25]
    wide = bars(np.array([5, 95]), most=10)
    assert (wide.first, wide.step) == (0, 10)
    assert wide.shares.tolist() == [0.5, *[0] * 8, 0.5]
    beside = bars(np.array([5]), most=10, among=np.array([5, 95]))
    assert (beside.first, beside.step, len(beside.shares)) == (0, 10, 10)


def test_bars_are_as_high_as_their_share() -> None:
    picture = histogram(bars(np.array([3, 3, 3, 3, 4, 7])), alt="Points", height=100)
    heights = [number(one["height"]) for one in drawn(picture, "bar")]
    assert heights == [100, 25, 25]
    assert [number(one["y"]) for one in drawn(picture, "bar")] == [0, 75, 75]
    assert [one["x"] for one in drawn(picture, "bar")] == ["1.00%", "21.00%", "81.00%"]
    assert "<title>3: 66.7%</title>" in picture
    half = histogram(bars(np.array([3, 3, 4, 7])), alt="Points", height=100, top=1.0)
    assert [number(one["height"]) for one in drawn(half, "bar")] == [50, 25, 25]
    assert "<title>0 to 9: 50.0%</title>" in histogram(bars(np.array([5, 95]), most=10), alt="")


def test_a_curve_goes_through_its_points_within_its_band() -> None:
    points = [Point("first", 0, -1, 2), Point("second", 10, 8, 10)]
    picture = curve(points, "{:.0f}".format, alt="Up", axis="height", scale=Scale(0, 10), even=5)
    [line], [band] = drawn(picture, "line"), drawn(picture, "band")
    assert line["points"] == "25.0,110.0 75.0,0.0"
    assert band["points"] == "25.0,88.0 75.0,0.0 75.0,22.0 25.0,110.0"
    assert [(one["cx"], one["cy"]) for one in drawn(picture, "dot")] == [("25.0%", "110.0"), ("75.0%", "0.0")]
    assert drawn(picture, "even")[0]["y1"] == "55.0"
    assert ">first</text>" in picture
    assert ">second</text>" in picture
    assert ">height</text>" in picture


def test_in_a_notebook_a_picture_brings_its_colours() -> None:
    picture = curve([Point("a", 1), Point("b", 2)], str, alt="Up")
    alone = ElementTree.fromstring(picture._repr_svg_())
    assert alone.tag == f"{SVG}svg"
    assert alone.find(f"{SVG}style") is not None
    inner = alone.find(f"{SVG}svg")
    assert inner is not None
    assert (inner.get("width"), inner.get("aria-label")) == ("540", "Up")
    assert re.search(r"font:\d+px", picture._repr_svg_())
