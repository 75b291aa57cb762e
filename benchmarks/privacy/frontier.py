"""Measure what each technique hides and what it keeps, on MTSamples with invented identifiers.

    python benchmarks/privacy/frontier.py --data FOLDER --work FOLDER [--rows NAME,NAME]
        [--json FILE] [--plot FILE.svg]

FOLDER of --data holds ``mtsamples``. --work keeps vectors, indices and the figures of each row, so
that rows can be measured one after the other. found@1 is measured among the notes of the fold,
among those of them that state the same kind, and among all notes but the donors of the output.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from collection import FOLDS, TASKS, CollectedNote, collect, folds_of
from figures import Candidates, Output, attack, share_within, utility
from kept_rows import KeptRows
from learnt_vectors import exchange_words, learn_documents, learn_words
from techniques import (
    FoldIndices,
    Written,
    build_indices,
    exchange_sentences,
    merge,
    redact,
    rows_of,
    surrogate,
)

from deidstream.agents.runtime.load_embedder import load_embedder
from deidstream.agents.settings import read_settings
from deidstream.models.kneo.units import cut_units
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.schemas.kneo_policy import KneoPolicy, OnUndeniable, Take
from deidstream.schemas.ports import TokenCounter
from deidstream.schemas.word_policy import WordPolicy
from deidstream.study.evaluation.diagram import AFTER, BEFORE, THIRD, Axis, Series, draw

sys.path.insert(0, str(Path(__file__).parents[1]))
from kneo_conflicts import find_conflicts

KINDS = ("negation", "laterality", "number")
_COLUMNS = {
    "found@1 of a fold": ("jaccard", "fold", 1),
    "found@5": ("jaccard", "fold", 5),
    "of its kind": ("jaccard", "kind", 1),
    "of all but donors": ("jaccard", "all", 1),
    "TF-IDF": ("tfidf", "fold", 1),
    "dense": ("dense", "fold", 1),
    "dense, all": ("dense", "all", 1),
}


def _with_ranks(name: str) -> tuple[str, ...]:
    return tuple(f"{name}, k = {wanted}" for wanted in (5, 20, 100))


@dataclass(slots=True)
class Conflicts:
    """Counts what replaced sentences say that their originals do not."""

    indices: FoldIndices
    folds: Mapping[str, int]
    sentences: int = 0
    withheld: int = 0
    units: int = 0
    undeniable: int = 0
    counts: Counter[str] = field(default_factory=Counter[str])

    def add(self, written: Written) -> None:
        query, result = written.query, written.result
        rows = rows_of(self.indices.indices[self.folds[query.note_id]])
        units = {u.start: u for u in cut_units(query.text, query.replacements, 1)}
        self.units += result.report.units
        self.withheld += result.report.withheld
        report = result.report.deniability
        self.undeniable += report is not None and not report.reached
        if len(result.sources) == 1:  # the sentences drawn stand alone, beside none of the note's
            return
        for (start, _), (begin, end) in zip(result.sources, result.substituted, strict=True):
            theirs = result.text[begin:end]
            if theirs in rows and start in units:
                self.sentences += 1
                self.counts.update(set(find_conflicts(units[start].query, theirs)))

    def figures(self) -> dict[str, float]:
        share = {f"conflicts_{kind}": self.counts[kind] / max(1, self.sentences) for kind in KINDS}
        withheld = self.withheld / max(1, self.units)
        notes = max(1, len(self.folds))
        return share | {"withheld": withheld, "undeniable": self.undeniable / notes}


def _policies() -> Iterator[tuple[str, KneoPolicy]]:
    """Yield the KNEO rows: the shipped policies, each without and with deniability."""
    sentences, notes = (read_shipped_policy(name).kneo for name in ("kneo", "kneo-notes"))
    aligned = replace(notes, take=Take.ALIGNED)
    ways = {"sentences": sentences, "notes": notes, "notes, aligned": aligned}
    for name, policy in ways.items():
        yield name, replace(policy, deniability=0)
        for wanted in (5, 20, 100):
            way = replace(policy, deniability=wanted, on_undeniable=OnUndeniable.REDACT)
            yield f"{name}, k = {wanted}", way
    for among in (100, 200, 400):
        way = replace(notes, donors_among=among, on_undeniable=OnUndeniable.REDACT)
        yield f"notes, 1 of {among}, k = 20", way


@dataclass(slots=True)
class Bench:
    """Everything that rows share."""

    notes: Sequence[CollectedNote]
    embedder: KeptRows
    pieces: TokenCounter
    work: Path

    def measure(self, name: str, outputs: Iterable[Output]) -> dict[str, Any]:
        began = time.perf_counter()
        made = list(outputs)
        seconds = time.perf_counter() - began
        kinds = {kind: number for number, kind in enumerate({n.kind for n in self.notes})}
        among = Candidates(folds_of(self.notes), np.array([kinds[n.kind] for n in self.notes]))
        originals = [note.redacted for note in self.notes]
        tallies = attack(originals, made, among, self.embedder.embed, self.embedder.dimension)
        self.embedder.save()
        found = {
            column: share_within(getattr(tallies[attack_name], where), most)
            for column, (attack_name, where, most) in _COLUMNS.items()
        }
        means = {
            "a-o": float(np.mean(tallies["jaccard"].own)),
            "avg-sim": float(np.mean(tallies["jaccard"].mean)),
            "similarity": float(np.mean(tallies["dense"].own)),
        }
        cost = {"outputs": len(made), "ms_a_note": 1000 * seconds / len(made)}
        return {"row": name, **cost, **found, **means, **utility(self.notes, made)}


def rows(bench: Bench) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    notes = bench.notes
    yield "redact", lambda: bench.measure("redact", redact(notes))
    yield "surrogate", lambda: bench.measure("surrogate", surrogate(notes))
    for members in (2, 3, 4):
        name = f"merged {members}"
        yield name, partial(_merge, bench, name, members)
    for degree in (3, 5, 7):
        words = WordPolicy(degree=degree, degree_to=degree)
        yield f"words, N = {degree}", partial(_exchange_words, bench, f"words, N = {degree}", words)
    shipped = read_shipped_policy("kneo-words").words
    yield "words, N = 3-14", partial(_exchange_words, bench, "words, N = 3-14", shipped)
    for name, policy in _policies():
        yield name, partial(_exchange, bench, name, policy)
    policy = read_shipped_policy("kneo").kneo
    for wanted in (0, 5, 20, 100):
        name = "sentences, Doc2Vec" + (f", k = {wanted}" if wanted else "")
        way = replace(policy, deniability=wanted, on_undeniable=OnUndeniable.REDACT)
        yield name, partial(_exchange_by_documents, bench, name, way)


def _merge(bench: Bench, name: str, members: int) -> dict[str, Any]:
    return bench.measure(name, (one for one in merge(bench.notes, members)))


def _exchange_words(bench: Bench, name: str, policy: WordPolicy) -> dict[str, Any]:
    near = learn_words(bench.notes, bench.work)
    return bench.measure(name, exchange_words(bench.notes, near, policy))


def _exchange(bench: Bench, name: str, policy: KneoPolicy) -> dict[str, Any]:
    embedders = [bench.embedder] * FOLDS
    return _exchange_by(bench, name, policy, build_indices(bench.notes, embedders, bench.work))


def _exchange_by_documents(bench: Bench, name: str, policy: KneoPolicy) -> dict[str, Any]:
    learnt = (learn_documents(bench.notes, fold, bench.work, bench.pieces) for fold in range(FOLDS))
    kept = [KeptRows.open(one, bench.work / f"documents-{n}.npz") for n, one in enumerate(learnt)]
    indices = build_indices(bench.notes, kept, bench.work / "documents")
    figures = _exchange_by(bench, name, policy, indices)
    for one in kept:
        one.save()
    return figures


def _exchange_by(
    bench: Bench, name: str, policy: KneoPolicy, indices: FoldIndices
) -> dict[str, Any]:
    bench.embedder.save()
    conflicts = Conflicts(indices, {note.note_id: note.fold for note in bench.notes})
    outputs = exchange_sentences(bench.notes, indices, policy, conflicts.add)
    return bench.measure(name, outputs) | conflicts.figures()


FAMILIES = {
    "identifiers alone: redact, surrogate": ("#5b6675", ("redact", "surrogate")),
    "merging of 2, 3, 4 notes (Larbi et al.)": (BEFORE, ("merged 2", "merged 3", "merged 4")),
    "words, N = 3, 5, 7, 3-14": ("#9a6700", tuple(f"words, N = {n}" for n in (3, 5, 7, "3-14"))),
    "sentences, k = 0, 5, 20, 100": (THIRD, ("sentences", *_with_ranks("sentences"))),
    "notes, k = 0, 5, 20, 100": (AFTER, ("notes", *_with_ranks("notes"))),
    "notes, aligned, k = 0, 5, 20, 100": (
        "#8a3ffc",
        ("notes, aligned", *_with_ranks("notes, aligned")),
    ),
}


def draw_frontier(figures: Sequence[Mapping[str, Any]]) -> str:
    """Draw F1 of the specialty over found@1; a line joins the settings of one technique."""
    by_name = {row["row"]: row for row in figures}
    series = list[Series]()
    for title, (colour, names) in FAMILIES.items():
        rows = [by_name[name] for name in names if name in by_name]
        points = [(row["found@1 of a fold"], row["f1_specialty"]) for row in rows]
        series.append(Series(title, points, colour, joined=len(points) > 1))
    x = Axis("found@1 among the notes of a fold, by Jaccard", (0.0, 0.2, 0.4, 0.6, 0.8, 1.0))
    y = Axis("F1 of the specialty", (0.5, 0.6, 0.7, 0.8, 0.9, 1.0))
    return draw("What is hidden and what is kept", x, y, series)


def show(figures: Sequence[Mapping[str, Any]]) -> str:
    names = [*_COLUMNS, "a-o", "avg-sim", "similarity", *(f"f1_{task}" for task in TASKS)]
    names += ["words_kept", *(f"conflicts_{kind}" for kind in KINDS), "withheld", "undeniable"]
    lines = [" | ".join(["| technique", *names, "ms a note |"]), "|---" * (len(names) + 2) + "|"]
    for row in figures:
        cells = [f"{row[name]:.3f}" if name in row else "" for name in names]
        lines.append(" | ".join([f"| {row['row']}", *cells, f"{row['ms_a_note']:.0f} |"]))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--rows", default="", help="names with ; between them: all")
    parser.add_argument("--notes", type=int, help="how many notes: all")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    minilm = load_embedder(read_settings({}))
    embedder = KeptRows.open(minilm, given.work / "rows.npz")
    notes = collect(given.data, given.notes)
    bench = Bench(notes, embedder, minilm.pieces, given.work)
    wanted = [name for name in given.rows.split(";") if name]
    kept = given.work / "figures.json"
    figures: dict[str, Any] = orjson.loads(kept.read_bytes()) if kept.exists() else {}
    for name, measure in rows(bench):
        if wanted and name not in wanted:
            continue
        if name not in figures:
            figures[name] = measure()
            kept.write_bytes(orjson.dumps(figures, option=orjson.OPT_INDENT_2))
            print(name, figures[name], flush=True)
    ordered = [figures[name] for name, _ in rows(bench) if name in figures]
    print(show(ordered))
    if given.json:
        given.json.write_bytes(orjson.dumps(ordered, option=orjson.OPT_INDENT_2) + b"\n")
    if given.plot:
        given.plot.write_text(draw_frontier(ordered))


if __name__ == "__main__":
    main()
