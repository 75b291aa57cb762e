"""What an attack found, as a table, as JSON and as a plot; none of them holds an id or text."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from deidstream.agents.runtime.terminal import align_columns
from deidstream.study.attacks.attack_figures import AttackFigures, Found
from deidstream.study.attacks.runs.attack_notes import AttackFiles
from deidstream.study.attacks.runs.findings import Findings, name_artefact, record_found
from deidstream.study.evaluation.diagram import AFTER, BEFORE, Axis, Series, draw
from deidstream.study.evaluation.read_gold import identify
from deidstream.study.evaluation.tables import interval, share

WITHIN = (1, 5)
"""found@1 and found@5."""
MOST_SHOWN = 50
"""Ranks of the plot."""

KEY = """\
found@k: share of outputs whose own original is among the k most similar candidates
95 %: Wilson interval; MRR: mean of 1 / rank of the own original
a-o: similarity of an output to its own original; avg-sim: to all candidates; both are means
tied: outputs for which another candidate is as similar as the own original, counted as found"""


@dataclass(frozen=True, slots=True)
class AttackCounts:
    """How many notes an attack was about."""

    outputs: int
    originals: int
    candidates: int


@dataclass(frozen=True, slots=True)
class AttackReport:
    """An attack that looks for one note among many, and its figures."""

    attack: str
    files: AttackFiles
    counts: AttackCounts
    figures: AttackFigures
    facts: Mapping[str, object]
    """What else the JSON says, such as the digest of the embedder."""
    heading: str = ""
    """Replaces the usual one."""
    key: str = KEY


def report_attack(report: AttackReport) -> Findings:
    """Write table, record and plot.

    Raises:
        MissingArtefact: A file cannot be read any more.
    """
    return Findings(
        report.attack, _write_table(report), _record_figures(report), _draw_found(report)
    )


def _write_table(report: AttackReport) -> str:
    figures, counts, files = report.figures, report.counts, report.files
    head = report.heading or (
        f"{counts.outputs:,} outputs of {files.outputs.name} among {counts.candidates:,} "
        f"candidates, {counts.originals:,} of them of {files.originals.name}"
    )
    found = [cell for within in WITHIN for cell in _cells(figures.found(within))]
    heads = [head for within in WITHIN for head in (f"found@{within}", "95 %")]
    means = (figures.mean_reciprocal_rank, figures.own_similarity, figures.average_similarity)
    row = (report.attack, *found, *map(share, means), f"{figures.tied:,}")
    table = align_columns(("attack", *heads, "MRR", "a-o", "avg-sim", "tied"), [row])
    opening = f"attack {report.attack}: {head}; paired by {files.pairing}"
    return f"{opening}\n\n{table}\n\n{report.key}\n"


def _record_figures(report: AttackReport) -> dict[str, object]:
    figures = report.figures
    return {
        **report.facts,
        "originals": name_artefact(identify(report.files.originals)),
        "outputs": name_artefact(identify(report.files.outputs)),
        "pairing": report.files.pairing,
        "counts": asdict(report.counts),
        **{f"found_at_{within}": record_found(figures.found(within)) for within in WITHIN},
        "mean_reciprocal_rank": figures.mean_reciprocal_rank,
        "a_o": figures.own_similarity,
        "avg_sim": figures.average_similarity,
        "tied": figures.tied,
        "ranks": list(figures.ranks),
    }


def _draw_found(report: AttackReport) -> str:
    """Draw the share of outputs found among the k nearest candidates, beside that of guessing."""
    candidates = report.counts.candidates
    last = max(2, min(MOST_SHOWN, candidates))
    points = [(float(k), report.figures.found(k).share) for k in range(1, last + 1)]
    guessed = [(float(k), min(1.0, k / candidates)) for k in (1, last)]
    series = (
        Series("guessing", guessed, BEFORE, dashed=True),
        Series(f"{report.attack}: {report.files.outputs.name}", points, AFTER),
    )
    x = Axis("k, nearest candidates that the attacker takes", _marks(last), 0)
    y = Axis("found@k, share of outputs", (0.0, 0.2, 0.4, 0.6, 0.8, 1.0))
    title = f"Outputs found among {candidates:,} candidates by {report.attack}"
    return draw(title, x, y, series)


def _cells(found: Found) -> Iterator[str]:
    yield share(found.share)
    yield interval(found.interval)


def _marks(last: int) -> list[float]:
    inner = [mark for mark in (5, 10, 20, 30, 40) if mark < last]
    return [float(mark) for mark in (1, *inner, last)]
