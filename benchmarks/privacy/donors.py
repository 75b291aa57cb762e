"""Measure what ``kneo-notes`` costs a classifier, and why: how many donors, keys and outputs.

    python benchmarks/privacy/donors.py --data FOLDER --work FOLDER [--keys N] [--among N,N]
        [--json FILE]

FOLDER of --data holds ``mtsamples``. The notes with a specialty are taken; those that nothing is
tested on are exchanged, under several keys, for F1 of one draw of donors is chance by some
hundredths. The classifier is that of ``deidstream study``. Beside F1 and found@1: how many distinct
notes stand for those exchanged, for a note that is drawn twice teaches once; what fewer plain notes
teach; and what outputs of several keys teach together. Donors drawn at random, from the notes of
the same class, say what is lost by any choice of them.
"""

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import orjson
from collection import FOLDS, CollectedNote, collect, folds_of
from figures import Candidates, Output, Tally, share_within
from kept_rows import KeptRows
from techniques import FoldIndices, build_indices, exchange_sentences

from deidstream.agents.runtime.load_embedder import load_embedder
from deidstream.agents.settings import read_settings
from deidstream.models.keyring import Keyring
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.schemas.kneo_policy import KneoPolicy
from deidstream.study.attacks.jaccard import compare_word_sets
from deidstream.study.attacks.tfidf import compare_rare_words
from deidstream.study.measures.text_classifier import TextClassifier
from deidstream.study.utility.class_task import score_classes

TASK = "specialty"
SIZES = (650, 250)
"""Notes of the training notes that are learnt from, beside all."""
DRAWS = 2
"""Draws of some of the training notes, for each size."""


@dataclass(frozen=True, slots=True)
class DonorBench:
    """Notes with a specialty, and what is learnt of some of them."""

    train: Sequence[CollectedNote]
    test: Sequence[CollectedNote]

    @property
    def notes(self) -> list[CollectedNote]:
        """Those that are exchanged come first."""
        return [*self.train, *self.test]

    def learn(self, outputs: Sequence[Output]) -> float:
        """Return F1 on the plain test notes."""
        kinds = [self.train[output.own].classes[TASK] for output in outputs]
        model = TextClassifier.learn([output.text for output in outputs], kinds)
        told = model.tell([note.redacted for note in self.test])
        return score_classes([note.classes[TASK] for note in self.test], told)

    def plain(self, numbers: Sequence[int]) -> float:
        return self.learn([Output(self.train[n].redacted, n) for n in numbers])

    def find(self, outputs: Sequence[Output]) -> dict[str, float]:
        """Return the shares of outputs that are found among the notes of their fold."""
        notes = self.notes
        among = Candidates(folds_of(notes), np.zeros(len(notes), np.int64))
        originals = [note.redacted for note in notes]
        texts = [output.text for output in outputs]
        shares: dict[str, float] = {}
        for name, compare in (("words", compare_word_sets), ("rare words", compare_rare_words)):
            tally = Tally()
            for row, output in zip(compare(originals, texts), outputs, strict=True):
                tally.add(row, output, among)
            shares[f"found, {name}"] = share_within(tally.fold, 1)
        return shares

    def draw(self, size: int) -> Iterator[list[int]]:
        """Yield draws of training notes."""
        for seed in range(DRAWS):
            yield random.Random(seed).sample(range(len(self.train)), size)


def draw_at_random(bench: DonorBench, key: int) -> Iterator[Output]:
    """Put another training note of the class, of another fold, in the place of each."""
    rng = random.Random(key)
    for number, note in enumerate(bench.train):
        possible = [
            n
            for n, one in enumerate(bench.train)
            if one.classes[TASK] == note.classes[TASK] and one.fold != note.fold
        ]
        donor = rng.choice(possible)
        yield Output(bench.train[donor].redacted, number, frozenset({donor}))


def exchange_by_policy(
    bench: DonorBench, indices: FoldIndices, policy: KneoPolicy, key: int
) -> Iterator[Output]:
    keyring = Keyring(f"donors {key}".encode().ljust(32), 1, "default")
    return exchange_sentences(bench.train, indices, policy, lambda _: None, keyring=keyring)


def measure_draws(
    bench: DonorBench, draw: Callable[[int], Iterator[Output]], keys: int
) -> Iterator[dict[str, Any]]:
    """Yield the figures of each key, of some of its outputs, and of all keys together."""
    made: list[list[Output]] = []
    for key in range(keys):
        made.append(list(draw(key)))
        f1 = bench.learn(made[-1])
        yield {"key": key, "f1": f1, "distinct": count_donors(made[-1])} | bench.find(made[-1])
    for several in range(2, keys + 1):
        together = [output for outputs in made[:several] for output in outputs]
        yield {"keys": several, "f1": bench.learn(together), "distinct": count_donors(together)}
    for size in SIZES:
        chosen = [
            [output for output in made[draw % keys] if output.own in set(numbers)]
            for draw, numbers in enumerate(bench.draw(size))
        ]
        distinct = round(fmean(map(count_donors, chosen)))
        yield {"outputs": size, "f1": fmean(map(bench.learn, chosen)), "distinct": distinct}


def count_donors(outputs: Sequence[Output]) -> int:
    return len({donor for output in outputs for donor in output.donors})


def measure_all(bench: DonorBench, given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    every = range(len(bench.train))
    yield {"plain notes": len(every), "f1": bench.plain(every)}
    for size in SIZES:
        yield {"plain notes": size, "f1": fmean(map(bench.plain, bench.draw(size)))}
    for row in measure_draws(bench, partial(draw_at_random, bench), given.keys):
        yield {"donors": "at random"} | row
    if not given.among:
        return
    work = given.work / "donors"
    work.mkdir(parents=True, exist_ok=True)
    embedder = KeptRows.open(load_embedder(read_settings({})), work / "rows.npz")
    indices = build_indices(bench.notes, [embedder] * FOLDS, work)
    embedder.save()
    shipped = read_shipped_policy("kneo-notes").kneo
    for among in map(int, given.among.split(",")):
        draw = partial(exchange_by_policy, bench, indices, replace(shipped, donors_among=among))
        for row in measure_draws(bench, draw, given.keys):
            yield {"donors": f"1 of {among}"} | row
    embedder.save()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--keys", type=int, default=3)
    parser.add_argument(
        "--among",
        default="50,400",
        help="nearest notes that donors are drawn among; empty: at random alone",
    )
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    notes = [note for note in collect(given.data) if TASK in note.classes]
    train = [note for note in notes if note.splits[TASK] != "test"]
    test = [note for note in notes if note.splits[TASK] == "test"]
    rows: list[dict[str, Any]] = []
    for row in measure_all(DonorBench(train, test), given):
        rows.append(row)
        print(row, flush=True)
    if given.json:
        given.json.write_bytes(orjson.dumps(rows, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
