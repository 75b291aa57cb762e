"""Run ``deidstream attack parrot``: tell surrogates from originals, label by label."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.runtime.terminal import align_columns
from deidstream.schemas.label import PhiLabel
from deidstream.study.attacks.parrot import FEWEST, Specimen, tell_apart
from deidstream.study.attacks.runs.attack_notes import AttackFiles
from deidstream.study.attacks.runs.findings import (
    Destination,
    Findings,
    name_artefact,
    publish,
    record_auc,
)
from deidstream.study.attacks.runs.replaced_identifiers import (
    Fate,
    ReplacedIdentifier,
    read_by_audit,
    read_by_gold,
)
from deidstream.study.evaluation.diagram import AFTER, BEFORE, Axis, Series, draw
from deidstream.study.evaluation.read_gold import identify
from deidstream.study.evaluation.tables import ABSENT, interval, share
from deidstream.study.scoring.auc import Auc

_KEY = f"""\
AUC: chance that the classifier ranks an original above a surrogate; .5: they cannot be told apart
95 %: interval of DeLong; {ABSENT}: fewer than {FEWEST} different strings of either kind
exchanged: identifiers with a surrogate in their place; kept: with themselves; labelled: with their
label, or nothing; lost: the output lacks the words beside them, so nobody can say"""


@dataclass(frozen=True, slots=True)
class LabelParrot:
    """How well originals and surrogates of one label can be told apart."""

    label: PhiLabel
    auc: Auc | None
    fates: Mapping[Fate, int]


def run_parrot(files: AttackFiles, destination: Destination, *, audit: bool) -> int:
    """Attack, print the figures and write what was asked for; return 0.

    Args:
        files: The originals and, after ``audit``, labelled notes and outputs, or notes and audit.
        destination: Where the findings go.
        audit: Whether the outputs are an audit, which says where surrogates stand.

    Raises:
        MissingArtefact: A file cannot be read or written.
        Refused: A line is no record of its file, or outputs and originals cannot be paired.
    """
    destination.check()
    read = read_by_audit(files.originals, files.outputs) if audit else read_by_gold(files)
    rows = _attack_labels(read)
    table = _write_table(files, rows, "replaced spans" if audit else "gold spans")
    record = {
        "originals": name_artefact(identify(files.originals)),
        "outputs": name_artefact(identify(files.outputs)),
        "spans": "audit" if audit else "gold",
        "labels": {row.label.value: _record_row(row) for row in rows},
    }
    return publish(Findings("parrot", table, record, _draw_rows(rows)), destination)


def _attack_labels(replaced: Iterable[ReplacedIdentifier]) -> list[LabelParrot]:
    by_label: dict[PhiLabel, list[ReplacedIdentifier]] = defaultdict(list)
    for each in replaced:
        by_label[each.label].append(each)
    rows: list[LabelParrot] = []
    with progress("labels") as bar:
        task = bar.add_task("classify", total=len(by_label))
        for label, identifiers in sorted(by_label.items()):
            rows.append(_attack_label(label, identifiers))
            bar.advance(task)
    return rows


def _attack_label(label: PhiLabel, identifiers: Sequence[ReplacedIdentifier]) -> LabelParrot:
    exchanged = [each for each in identifiers if each.fate is Fate.EXCHANGED]
    real = [Specimen(each.original, each.patient) for each in exchanged]
    surrogates = [Specimen(each.output or "", each.patient) for each in exchanged]
    fates = [each.fate for each in identifiers]
    return LabelParrot(label, tell_apart(real, surrogates), {f: fates.count(f) for f in Fate})


def _write_table(files: AttackFiles, rows: Sequence[LabelParrot], spans: str) -> str:
    total = sum(sum(row.fates.values()) for row in rows)
    head = f"attack parrot: {total:,} {spans} of {files.originals.name} in {files.outputs.name}"
    cells = [
        (
            row.label.value,
            share(row.auc.area if row.auc else None),
            interval((row.auc.low, row.auc.high) if row.auc else None),
            *(f"{row.fates[fate]:,}" for fate in Fate),
        )
        for row in rows
    ]
    table = align_columns(("label", "AUC", "95 %", *Fate), cells)
    return f"{head}\n\n{table}\n\n{_KEY}\n"


def _record_row(row: LabelParrot) -> dict[str, object]:
    return {"told_apart": record_auc(row.auc), **{f.value: n for f, n in row.fates.items()}}


def _draw_rows(rows: Sequence[LabelParrot]) -> str:
    measured = [(row.label, row.auc) for row in rows[::-1] if row.auc is not None]
    last = len(measured) + 1.0
    series = (
        Series("cannot be told apart", ((0.5, 0.0), (0.5, last)), BEFORE, dashed=True),
        *_draw_intervals([auc for _, auc in measured]),
        Series(
            "originals and surrogates, with the 95 % interval",
            [(auc.area, place) for place, (_, auc) in enumerate(measured, 1)],
            AFTER,
            joined=False,
        ),
    )
    names = ["", *(label.value for label, _ in measured), ""]
    y = Axis("", [float(place) for place in range(len(names))], names=names)
    x = Axis("area under the curve of a classifier of characters", [i / 5 for i in range(6)])
    return draw("How well surrogates can be told from originals", x, y, series)


def _draw_intervals(measured: Sequence[Auc]) -> Iterator[Series]:
    for place, auc in enumerate(measured, 1):
        yield Series("", ((auc.low, place), (auc.high, place)), AFTER, dashed=True)
