"""Draws points and lines over two axes as SVG, and the reliability of scores by it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from deidstream.study.evaluation.evaluation import ScoreCheck
from deidstream.study.scoring.reliability import Reliability

WIDTH, HEIGHT = 520, 400
LEFT, RIGHT, TOP, BOTTOM = 62, 16, 34, 50
_INK, _QUIET, _GRID = "#1c2430", "#5b6675", "#d8dee6"
_ROW = 18
_ROOM_FOR_LABEL = 120
"""What a name beside a point takes at most."""
_LABEL_ROW = 13
_DASHES = ' stroke-dasharray="5 4"'
BEFORE, AFTER, THIRD = "#c0561f", "#0b6b5d", "#4553a8"

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: what it shows, and where it is marked; the first and the last mark are its ends."""

    title: str
    marks: Sequence[float]
    digits: int = 1
    names: Sequence[str] = ()
    """Written at the marks of an upward axis in place of numbers, inside the diagram."""


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one kind."""

    title: str
    points: Sequence[Point]
    colour: str
    labels: Sequence[str] = ()
    """Written beside the points, one for each; empty: none."""
    dashed: bool = False
    """A line without points."""
    joined: bool = True


def draw(title: str, x: Axis, y: Axis, series: Sequence[Series]) -> str:
    """Draw a diagram; it needs no font, script or file beside it.

    The legend stands below, where it covers nothing.

    Args:
        title: Stands above it.
        x: The axis across.
        y: The axis up.
        series: What is drawn, in this order.
    """
    height = HEIGHT + _ROW * sum(bool(one.title) for one in series)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'aria-label="{escape(title)}" font-family="system-ui, sans-serif" font-size="12">'
        ),
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(LEFT, 20, title, _INK, weight="600"),
        *_draw_axes(x, y),
        *(part for one in series for part in _draw_series(one, x, y)),
        *_draw_labels(series, x, y),
        *_draw_legend(series),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def draw_reliability(check: ScoreCheck) -> str:
    """Draw the share of spans that touch PHI over their mean score, before and after."""
    marks = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    series = (
        Series("as claimed", ((0.0, 0.0), (1.0, 1.0)), _QUIET, dashed=True),
        Series(_title_of("before", check.before), _points_of(check.before), BEFORE),
        Series(_title_of("after", check.after), _points_of(check.after), AFTER),
    )
    title = f"Reliability of scores, {check.after.spans:,} spans"
    return draw(title, Axis("score", marks), Axis("share that touches PHI", marks), series)


def _title_of(name: str, side: Reliability) -> str:
    return f"{name} calibration, error {side.error or 0.0:.3f}"


def _points_of(side: Reliability) -> list[Point]:
    return [(one.score, one.right) for one in side.bins]


def _draw_axes(x: Axis, y: Axis) -> Iterator[str]:
    bottom, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    for mark in x.marks:
        at = _across(mark, x)
        yield _line((at, TOP), (at, bottom))
        yield _text(at, bottom + 17, f"{mark:.{x.digits}f}", _QUIET, anchor="middle")
    for mark in y.marks:
        yield _line((LEFT, _up(mark, y)), (end, _up(mark, y)))
        if not y.names:
            yield _text(LEFT - 7, _up(mark, y) + 4, f"{mark:.{y.digits}f}", _QUIET, anchor="end")
    for mark, name in zip(y.marks, y.names, strict=False):
        yield _text(LEFT + 6, _up(mark, y) + 4, name, _QUIET)
    yield _text((LEFT + end) / 2, HEIGHT - 12, x.title, _INK, anchor="middle")
    middle = (TOP + bottom) / 2
    turned = _text(0, 0, y.title, _INK, anchor="middle")
    yield f'<g transform="translate(15 {middle:.1f}) rotate(-90)">{turned}</g>'


def _draw_series(series: Series, x: Axis, y: Axis) -> Iterator[str]:
    places = [(_across(each, x), _up(other, y)) for each, other in series.points]
    if series.joined:
        line = " ".join(f"{across:.1f},{up:.1f}" for across, up in places)
        dashes = _DASHES if series.dashed else ""
        stroke = f'stroke="{series.colour}" stroke-width="1.6"{dashes}'
        yield f'<polyline points="{line}" fill="none" {stroke}/>'
    if series.dashed:
        return
    for across, up in places:
        yield f'<circle cx="{across:.1f}" cy="{up:.1f}" r="3.4" fill="{series.colour}"/>'


def _draw_labels(series: Sequence[Series], x: Axis, y: Axis) -> Iterator[str]:
    """Write names beside their points; one that would cover another moves down or up."""
    taken: list[Point] = []
    for one in series:
        for label, point in zip(one.labels, one.points, strict=False):
            across, up = _across(point[0], x), _up(point[1], y) - 6
            # To the right of its point it would leave the diagram at the right edge.
            late = across > WIDTH - _ROOM_FOR_LABEL
            place, anchor = (across - 7, "end") if late else (across + 7, "start")
            up = _find_row(place, up, taken)
            taken.append((place, up))
            yield _text(place, up, label, one.colour, anchor=anchor)


def _find_row(place: float, wanted: float, taken: Sequence[Point]) -> float:
    """Return the height nearest to the wanted one at which a name covers no other."""
    lowest, highest = HEIGHT - BOTTOM, TOP + _LABEL_ROW
    wanted = min(max(wanted, highest), lowest)
    near = [up for across, up in taken if abs(across - place) < _ROOM_FOR_LABEL]
    for steps in range(2 * len(near) + 1):
        for up in (wanted + steps * _LABEL_ROW, wanted - steps * _LABEL_ROW):
            inside = highest <= up <= lowest
            if inside and all(abs(up - other) >= _LABEL_ROW for other in near):
                return up
    return wanted


def _draw_legend(series: Sequence[Series]) -> Iterator[str]:
    named = [one for one in series if one.title]
    for place, one in enumerate(named):
        at = HEIGHT + _ROW * place
        if one.dashed:
            yield _line((LEFT, at + 1), (LEFT + 20, at + 1), one.colour, _DASHES)
        else:
            yield f'<rect x="{LEFT + 5}" y="{at - 4}" width="10" height="10" fill="{one.colour}"/>'
        yield _text(LEFT + 28, at + 5, one.title, _INK)


def _across(value: float, axis: Axis) -> float:
    low, high = axis.marks[0], axis.marks[-1]
    return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)


def _up(value: float, axis: Axis) -> float:
    low, high = axis.marks[0], axis.marks[-1]
    return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM)


def _line(start: Point, end: Point, colour: str = _GRID, dashes: str = "") -> str:
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="{colour}"{dashes}/>'
    )


def _text(
    across: float, up: float, text: str, colour: str, *, anchor: str = "start", weight: str = "400"
) -> str:
    return (
        f'<text x="{across:.1f}" y="{up:.1f}" fill="{colour}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )
