"""Measure whether few notes are donors of many, and what a correction of it changes.

    python benchmarks/privacy/hubs.py --data FOLDER --work FOLDER [--notes N] [--json FILE]

In spaces of many dimensions a few points, the hubs, are among the nearest of many. Two corrections
are tried on the likeness of a note and a reference note, of which everything is known when an index
is loaded: cross-domain similarity local scaling (Conneau et al., ICLR 2018), and mutual proximity
(Schnitzer et al., JMLR 13, 2012) with normal distributions.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from collection import FOLDS, collect
from frontier import Bench
from kept_rows import KeptRows
from numpy.typing import NDArray
from scipy.stats import norm, skew
from techniques import build_indices, exchange_sentences

from deidstream.agents.runtime.load_embedder import load_embedder
from deidstream.agents.settings import read_settings
from deidstream.models.kneo.donors import DonorChooser, Donors
from deidstream.models.kneo.index import Index
from deidstream.models.kneo.kneo_query import KneoQuery
from deidstream.models.kneo.sentence_kneo import SentenceKneo
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.references.note_likeness import NoteLikeness
from deidstream.models.references.own_attack import NoteTrace
from deidstream.schemas.kneo_policy import KneoPolicy
from deidstream.schemas.ports import Embedder

Likeness = NDArray[np.float64]
_NEIGHBOURS = 10
"""Nearest reference notes that local scaling takes the mean of."""
_TOP = 20
"""One in so many reference notes: those that are donors oftenest."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A likeness with its correction, in the place of ``NoteLikeness``."""

    inner: NoteLikeness
    among: Likeness = field(repr=False)
    """How like each reference note is to each, without itself; ascending in each row."""
    correct: Callable[[Likeness, Likeness], Likeness]

    @property
    def compared(self) -> Any:  # noqa: ANN401
        return self.inner.compared

    def compare(self, trace: NoteTrace) -> Likeness:
        return np.round(self.correct(self.inner.compare(trace), self.among), 6)


def leave(like: Likeness, _: Likeness) -> Likeness:
    return like


def scale_locally(like: Likeness, among: Likeness) -> Likeness:
    """Take from twice the likeness how like the reference note is to its own nearest ones.

    The same of the note itself is a constant, which no order depends on.
    """
    scaled: Likeness = 2 * like - among[:, -_NEIGHBOURS:].mean(axis=1)
    return scaled


def find_mutual_proximity(like: Likeness, among: Likeness) -> Likeness:
    """Multiply the shares of notes that are less like the note, and less like the reference."""
    own = norm.cdf(like, like.mean(), max(float(like.std()), 1e-9))
    theirs = norm.cdf(like, among.mean(axis=1), np.maximum(among.std(axis=1), 1e-9))
    shared: Likeness = own * theirs
    return shared


CORRECTIONS = {
    "none": leave,
    "local scaling": scale_locally,
    "mutual proximity": find_mutual_proximity,
}


def compare_references(likeness: NoteLikeness) -> Likeness:
    """Return how like reference notes are to each other; each row ascending, without itself."""
    notes = likeness.compared.notes
    rows = np.array(
        [
            likeness.compare(NoteTrace(notes.words.of(number), notes.vectors[number]))
            for number in range(len(notes))
        ]
    )
    np.fill_diagonal(rows, -np.inf)
    ordered: Likeness = np.sort(rows, axis=1)[:, 1:]
    return ordered


@dataclass(slots=True)
class Hubs:
    """Counts how often each reference note may be the donor, and how often it is the first."""

    correct: Callable[[Likeness, Likeness], Likeness]
    possible: dict[str, Counter[int]] = field(default_factory=dict[str, Counter[int]])
    references: dict[str, int] = field(default_factory=dict[str, int])

    def make(self, index: Index, embedder: Embedder, policy: KneoPolicy) -> SentenceKneo:
        kneo = SentenceKneo(index, embedder, policy)
        chooser = kneo.chooser
        if chooser is None:
            msg = "the policy has no donors"
            raise ValueError(msg)
        likeness = Corrected(chooser.likeness, compare_references(chooser.likeness), self.correct)
        counted = self.possible[index.digest] = Counter()
        self.references[index.digest] = len(index.notes)
        watched = _Watched(replace(chooser, likeness=likeness), counted)  # type: ignore[arg-type]
        object.__setattr__(kneo, "chooser", watched)
        return kneo

    def figures(self) -> dict[str, float]:
        counts = np.concatenate(
            [
                [self.possible[digest][number] for number in range(total)]
                for digest, total in self.references.items()
            ]
        )
        ordered = np.sort(counts)[::-1]
        return {
            "skew": float(skew(counts)),
            "never": float(np.mean(counts == 0)),
            "top": float(ordered[: len(ordered) // _TOP].sum() / max(1, ordered.sum())),
            "most": int(ordered[0]),
        }


@dataclass(frozen=True, slots=True)
class _Watched:
    chooser: DonorChooser
    counted: Counter[int]

    def choose(self, query: KneoQuery, original: NoteTrace, digest: str) -> Iterator[Donors]:
        every = list(self.chooser.choose(query, original, digest))
        self.counted.update(number for donors in every for number in donors.drawn)
        yield from every


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--notes", type=int, help="how many notes: all")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    minilm = load_embedder(read_settings({}))
    embedder = KeptRows.open(minilm, given.work / "rows.npz")
    notes = collect(given.data, given.notes)
    bench = Bench(notes, embedder, minilm.pieces, given.work)
    indices = build_indices(notes, [embedder] * FOLDS, given.work)
    embedder.save()
    policy = read_shipped_policy("kneo-notes").kneo
    rows = list[dict[str, Any]]()
    for wanted in (0, policy.deniability):
        for name, correct in CORRECTIONS.items():
            hubs = Hubs(correct)
            way = replace(policy, deniability=wanted)
            run = partial(exchange_sentences, notes, indices, way, lambda _: None, hubs.make)
            rows.append(bench.measure(f"{name}, k = {wanted}", run()) | hubs.figures())
            print({key: value for key, value in rows[-1].items() if key != "outputs"}, flush=True)
    if given.json:
        given.json.write_bytes(orjson.dumps(rows, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
