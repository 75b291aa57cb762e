"""The report of a study: one page that needs nothing else, and the same figures as a record.

The layout is the template ``static/study.html``, whose engine escapes every value.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any, Final

from jinja2 import Template
from markupsafe import Markup

from deidstream.agents.runtime.terminal import Row
from deidstream.study.comparison.cells import Cells
from deidstream.study.comparison.study_corpus import Corpus
from deidstream.study.evaluation.diagram import Axis, Series, draw
from deidstream.study.evaluation.layouts import open_layouts
from deidstream.study.measures.measure import Figure, Measure, Side
from deidstream.study.techniques.technique import Technique

SCHEMA: Final = 1
ABSENT: Final = "-"
COLOURS: Final = (
    "#5b6675",
    "#0b6b5d",
    "#c0561f",
    "#4553a8",
    "#9a6700",
    "#8a3ffc",
    "#b3261e",
    "#00727a",
    "#7a5195",
    "#3f7d20",
    "#a4508b",
)
_MARKS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True, slots=True)
class PlotOfTwo:
    """Which measures a plot shows, privacy across and use upwards."""

    title: str
    across: str
    up: str
    across_is: str
    up_is: str


PLOTS: Final = (
    PlotOfTwo(
        "Identifiers that recognition overlooks against information",
        "survivors",
        "JSC",
        "overlooked direct identifiers left whole (survivors): the less the better",
        "JSC",
    ),
    PlotOfTwo(
        "Re-identification against utility",
        "found, words",
        "F1",
        "originals found, by words: the less the better",
        "F1 of the class",
    ),
    PlotOfTwo(
        "Likeness to the original against information",
        "a-o",
        "JSC",
        "words shared with the original (a-o): the less the better",
        "JSC",
    ),
    PlotOfTwo(
        "Direct identifiers against information",
        "LRDI",
        "JSC",
        "notes without a direct identifier (LRDI): the more the better",
        "JSC",
    ),
)


@dataclass(frozen=True, slots=True)
class StudyReport:
    """What a report is written of."""

    corpus: Corpus
    techniques: Sequence[Technique] = field(repr=False)
    measures: Sequence[Measure] = field(repr=False)
    cells: Cells = field(repr=False)

    def figure(self, technique: str, measure: str) -> Figure | None:
        """Return the figure of a cell."""
        return self.cells.figures.get(technique, {}).get(measure)

    def record(self) -> dict[str, Any]:
        """Return every figure, for machines."""
        corpus = self.corpus
        return {
            "schema": SCHEMA,
            "kind": "study",
            "corpus": {
                "title": corpus.title,
                "notes": len(corpus.notes),
                "planted": corpus.planted,
                "unread": corpus.unread,
                "identifiers": sum(len(note.spans) for note in corpus.notes),
                "classes": len({note.kind for note in corpus.notes if note.kind}),
            },
            "settings": self.cells.settings,
            "seconds": round(self.cells.seconds, 1),
            "processor_seconds": round(self.cells.processor_seconds, 1),
            "measures": {one.name: {"side": one.side, "is": one.meaning} for one in self.measures},
            "techniques": [self._record(one) for one in self.techniques],
        }

    def _record(self, technique: Technique) -> dict[str, Any]:
        figures: dict[str, dict[str, Any] | None] = {}
        for measure in self.measures:
            figure = self.figure(technique.name, measure.name)
            figures[measure.name] = None if figure is None else asdict(figure)
        run = self.cells.runs[technique.name]
        return {
            "name": technique.name,
            "family": technique.family,
            **asdict(run),
            "figures": figures,
        }


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table of the page."""

    anchor: str
    title: str
    heads: Row
    rows: Sequence[Row]
    meanings: Sequence[tuple[str, str]]


def write_page(report: StudyReport) -> str:
    """Write the page."""
    record = report.record()
    return _template().render(
        corpus=record["corpus"],
        # They are our own drawings, of numbers and names of techniques.
        plots=[Markup(one) for one in draw_plots(report)],  # noqa: S704
        tables=list(_list_tables(report)),
        costs=(
            ("technique", "outputs", "seconds", "of processor time", "ms of it an output"),
            list(_list_costs(report)),
        ),
        settings=list(_flatten(record["settings"])),
        seconds=f"{report.cells.seconds:,.0f}",
        processor_seconds=f"{report.cells.processor_seconds:,.0f}",
    )


@cache
def _template() -> Template:
    return open_layouts().get_template("study.html")


def draw_plots(report: StudyReport) -> Iterator[str]:
    """Draw each plot whose measures were taken; a line joins the settings of one family."""
    taken = {measure.name for measure in report.measures}
    for plot in PLOTS:
        if {plot.across, plot.up} <= taken:
            series = list(_list_series(report, plot))
            if series:
                across, up = Axis(plot.across_is, _MARKS), Axis(plot.up_is, _MARKS)
                yield draw(plot.title, across, up, series)


def _list_series(report: StudyReport, plot: PlotOfTwo) -> Iterator[Series]:
    families = list(dict.fromkeys(technique.family for technique in report.techniques))
    for number, family in enumerate(families):
        points, labels = list[tuple[float, float]](), list[str]()
        for technique in report.techniques:
            across = report.figure(technique.name, plot.across)
            up = report.figure(technique.name, plot.up)
            if technique.family == family and across is not None and up is not None:
                points.append((across.value, up.value))
                labels.append(technique.name)
        if points:
            named = labels if family == "deidstream" else []
            colour = COLOURS[number % len(COLOURS)]
            title = family if len(labels) == 1 else f"{family}: {len(labels)} settings"
            yield Series(title, points, colour, labels=named, joined=False)


def _list_tables(report: StudyReport) -> Iterator[ShownTable]:
    for side in Side:
        measures = [measure for measure in report.measures if measure.side is side]
        if measures:
            yield ShownTable(
                anchor=side.value,
                title=side.value.capitalize(),
                heads=("technique", *(measure.name for measure in measures)),
                rows=list(_list_rows(report, measures)),
                meanings=[(measure.name, measure.meaning) for measure in measures],
            )


def _list_rows(report: StudyReport, measures: Sequence[Measure]) -> Iterator[Row]:
    for technique in report.techniques:
        figures = (report.figure(technique.name, measure.name) for measure in measures)
        yield (technique.name, *map(show_figure, figures))


def show_figure(figure: Figure | None) -> str:
    """Return a figure as a table has it, with its interval.

    >>> show_figure(Figure(0.5, 10, 0.25, 0.75)), show_figure(Figure(1.0, 3)), show_figure(None)
    ('.500 (.250-.750)', '1.000', '-')
    """
    if figure is None:
        return ABSENT
    shown = _show_number(figure.value)
    if figure.low is None or figure.high is None:
        return shown
    return f"{shown} ({_show_number(figure.low)}-{_show_number(figure.high)})"


def _show_number(value: float) -> str:
    return f"{value:.3f}".removeprefix("0") if value >= 0 else f"{value:.3f}"


def _list_costs(report: StudyReport) -> Iterator[Row]:
    for technique in report.techniques:
        run = report.cells.runs[technique.name]
        each = 1000 * run.processor_seconds / run.outputs if run.outputs else 0.0
        spent = f"{run.seconds:,.1f}", f"{run.processor_seconds:,.1f}"
        yield technique.name, f"{run.outputs:,}", *spent, f"{each:,.1f}"


def _flatten(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _flatten(value)
        else:
            yield name, str(value)
