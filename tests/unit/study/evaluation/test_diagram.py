"""Diagrams: where points land, and that titles cannot break out of the drawing."""

import re
from xml.etree import ElementTree as ET

from deidstream.study.evaluation.diagram import Axis, Series, draw, draw_reliability
from deidstream.study.evaluation.evaluation import ScoreCheck
from deidstream.study.scoring.reliability import measure_reliability

UNIT = (0.0, 0.5, 1.0)


def circles(svg: str) -> list[tuple[float, float]]:
    found = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', svg)
    return [(float(across), float(up)) for across, up in found]


def test_the_ends_of_the_axes_are_the_corners() -> None:
    series = Series("a", ((0.0, 0.0), (1.0, 1.0)), "#000000")
    low, high = circles(draw("t", Axis("x", UNIT), Axis("y", UNIT), (series,)))
    assert low == (62.0, 350.0)
    assert high == (504.0, 34.0)


def test_a_title_is_text_and_no_markup() -> None:
    series = Series("<b>&", ((0.1, 0.2),), "#000000", ["<i>"], joined=False)
    svg = draw('"<script>', Axis("x", UNIT), Axis("y", UNIT), (series,))
    texts = [each.text for each in ET.fromstring(svg).iter() if each.tag.endswith("text")]  # noqa: S314
    assert {'"<script>', "<b>&", "<i>"} <= set(texts)
    assert "polyline" not in svg


def test_the_legend_stands_below_the_axes() -> None:
    series = [Series(name, ((0.0, 0.0), (1.0, 1.0)), "#000000") for name in ("one", "other")]
    drawn = ET.fromstring(draw("t", Axis("x", UNIT), Axis("y", UNIT), series))  # noqa: S314
    height = float(drawn.attrib["viewBox"].split()[3])
    legend = [each for each in drawn if each.text in ("one", "other")]
    axis = next(each for each in drawn if each.text == "x")
    heights = [float(each.attrib["y"]) for each in legend]
    assert float(axis.attrib["y"]) < heights[0] < heights[1] < height


def test_names_take_the_place_of_numbers() -> None:
    axis = Axis("", UNIT, names=("low", "middle", "high"))
    svg = draw("t", Axis("x", (2.0, 3.0)), axis, ())
    assert [svg.count(f">{each}<") for each in ("low", "middle", "high", "0.5")] == [1, 1, 1, 0]


def test_reliability_shows_both_sides_with_their_errors() -> None:
    before = measure_reliability([(0.9, place < 50) for place in range(100)])
    after = measure_reliability([(0.5, place < 50) for place in range(100)])
    svg = draw_reliability(ScoreCheck(before, after))
    assert "before calibration, error 0.400" in svg
    assert "after calibration, error 0.000" in svg
    assert len(circles(svg)) == len(before.bins) + len(after.bins)


def test_names_of_points_at_the_right_edge_stand_before_them() -> None:
    axis = Axis("x", (0.0, 1.0))
    drawn = draw(
        "t", axis, axis, [Series("s", [(0.0, 0.5), (1.0, 0.5)], "#000000", labels=["a", "b"])]
    )
    assert re.search(r'text-anchor="start"[^>]*>a<', drawn)
    assert re.search(r'text-anchor="end"[^>]*>b<', drawn)


def test_names_of_points_in_one_place_stand_below_each_other() -> None:
    series = [
        Series(name, ((0.5, 0.99),), "#000000", [name], joined=False) for name in ("p", "q", "r")
    ]
    drawn = ET.fromstring(draw("t", Axis("x", UNIT), Axis("y", UNIT), series))  # noqa: S314
    named = [each for each in drawn if each.text in ("p", "q", "r")][:3]
    heights = sorted(float(each.attrib["y"]) for each in named)
    assert heights[1] - heights[0] >= 12
    assert heights[2] - heights[1] >= 12
    assert min(heights) > 34
