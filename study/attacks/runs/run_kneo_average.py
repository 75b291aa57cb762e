"""Run ``deidstream attack kneo-average``: combine several outputs of each original."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from deidstream.agents.runtime.terminal import align_columns
from deidstream.schemas.errors import Refused
from deidstream.study.attacks.attack_figures import AttackFigures, measure_attack
from deidstream.study.attacks.ranking import rank_originals
from deidstream.study.attacks.releases import choose_counts, intersect_releases, join_releases
from deidstream.study.attacks.runs.attack_notes import AttackFiles, AttackNotes, read_attack_notes
from deidstream.study.attacks.runs.findings import (
    Destination,
    Findings,
    name_artefact,
    publish,
    record_found,
)
from deidstream.study.attacks.runs.note_comparison import (
    Likeness,
    NoteComparison,
    compare_notes,
    show_progress,
)
from deidstream.study.evaluation.diagram import AFTER, BEFORE, Axis, Series, draw
from deidstream.study.evaluation.read_gold import identify
from deidstream.study.evaluation.tables import interval, share

COMMON = "common"
"""The words that all releases of an original hold, compared by TF-IDF."""

_KEY = """\
releases: outputs of each original that are combined; found@k: share of originals found by them
95 %: Wilson interval; a-o: similarity to the own original; avg-sim: to all candidates
distinct: different outputs among those combined, mean over originals; 1: they are replays"""


@dataclass(frozen=True, slots=True)
class ReleaseFiles:
    """The files of the attack."""

    originals: Path
    outputs: Sequence[Path]
    """One for each release; line n of each came from line n of the originals."""
    candidates: Path | None = None


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """What some releases together give away."""

    releases: int
    figures: AttackFigures = field(repr=False)
    distinct: float
    """Different outputs of an original, on average."""


def run_kneo_average(files: ReleaseFiles, destination: Destination, *, by: str) -> int:
    """Attack with several outputs of each original, and publish what is found; return 0.

    Args:
        files: Originals and at least two files of outputs.
        destination: Where the findings go.
        by: A likeness, or ``common``.

    Raises:
        MissingArtefact: A file cannot be read or written, or the embedder cannot be loaded.
        Refused: A line is no note, there is one release alone, or one has another number of notes
            than the originals.
    """
    destination.check()
    if len(files.outputs) < 2:  # noqa: PLR2004 - one has nothing to be combined with
        msg = "give two files of outputs or more, one for each release"
        raise Refused(msg)
    notes = [
        read_attack_notes(AttackFiles(files.originals, path, files.candidates))
        for path in files.outputs
    ]
    counts = choose_counts(len(notes))
    compared = _compare(notes, counts, by)
    rows = _rank(notes, counts, compared)
    head = (
        f"attack kneo-average: {len(files.outputs):,} releases of {notes[0].originals:,} notes of "
        f"{files.originals.name} by {by}, among {len(notes[0].candidates):,} candidates"
    )
    table = f"{head}\n\n{_write_table(rows)}\n\n{_KEY}\n"
    record = {
        "by": by,
        **compared.facts,
        "originals": name_artefact(identify(files.originals)),
        "outputs": [name_artefact(identify(path)) for path in files.outputs],
        "candidates": len(notes[0].candidates),
        "rows": [_record_row(row) for row in rows],
    }
    plot = _draw(rows, len(notes[0].candidates))
    return publish(Findings("kneo-average", table, record, plot), destination)


def _gather(notes: Sequence[AttackNotes], count: int) -> list[tuple[str, ...]]:
    """Return the first outputs of each original."""
    return list(zip(*(each.outputs for each in notes[:count]), strict=True))


def _compare(notes: Sequence[AttackNotes], counts: Sequence[int], by: str) -> NoteComparison:
    """Compare what the first releases give together: all originals, for each count of them."""
    combine = intersect_releases if by == COMMON else join_releases
    likeness = Likeness.TFIDF if by == COMMON else Likeness(by)
    combined = [combine(texts) for count in counts for texts in _gather(notes, count)]
    # At once, so that a sentence of several releases is embedded once.
    return compare_notes(likeness, notes[0].candidates, combined)


def _rank(
    notes: Sequence[AttackNotes], counts: Sequence[int], compared: NoteComparison
) -> list[ReleaseRow]:
    own = notes[0].own
    shown = show_progress(compared.rows, len(counts) * len(own))
    rows: list[ReleaseRow] = []
    for count in counts:
        figures = measure_attack(list(rank_originals(islice(shown, len(own)), own)))
        different = [len(set(texts)) for texts in _gather(notes, count)]
        rows.append(ReleaseRow(count, figures, sum(different) / len(different)))
    return rows


def _write_table(rows: Sequence[ReleaseRow]) -> str:
    heads = ("releases", "found@1", "95 %", "found@5", "95 %", "a-o", "avg-sim", "distinct")
    cells: list[tuple[str, ...]] = []
    for row in rows:
        figures = row.figures
        found = [figures.found(within) for within in (1, 5)]
        shares = [cell for one in found for cell in (share(one.share), interval(one.interval))]
        means = (figures.own_similarity, figures.average_similarity)
        cells.append((f"{row.releases:,}", *shares, *map(share, means), f"{row.distinct:.2f}"))
    return align_columns(heads, cells)


def _record_row(row: ReleaseRow) -> dict[str, object]:
    return {
        "releases": row.releases,
        "found_at_1": record_found(row.figures.found(1)),
        "found_at_5": record_found(row.figures.found(5)),
        "a_o": row.figures.own_similarity,
        "avg_sim": row.figures.average_similarity,
        "distinct_outputs": row.distinct,
        "ranks": list(row.figures.ranks),
    }


def _draw(rows: Sequence[ReleaseRow], candidates: int) -> str:
    counts = [float(row.releases) for row in rows]
    shares = [(float(row.releases), row.figures.found(1).share) for row in rows]
    guess = [(counts[0], 1 / candidates), (counts[-1], 1 / candidates)]
    series = (
        Series("guessing", guess, BEFORE, dashed=True),
        Series("kneo-average", shares, AFTER),
    )
    x = Axis("releases that are combined", counts, 0)
    y = Axis("found@1, share of originals", (0.0, 0.2, 0.4, 0.6, 0.8, 1.0))
    return draw(f"Originals found among {candidates:,} candidates by several outputs", x, y, series)
