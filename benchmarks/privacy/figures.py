"""The figures of one technique: who is found, what is kept, and what a model learns of the outputs.

Attacks are those of ``deidstream attack``; nearer candidates are counted as there. A model is
trained on the outputs of the training notes and tested on plain test notes: F1 is macro-averaged.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from collection import TASKS, CollectedNote
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

from deidstream.study.attacks.dense import compare_vectors, embed_notes
from deidstream.study.attacks.jaccard import compare_word_sets
from deidstream.study.attacks.sentence_table import read_sentences
from deidstream.study.attacks.tfidf import compare_rare_words

Similarities = NDArray[np.float64]
Embed = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Output:
    """What one technique wrote for one note."""

    text: str = field(repr=False)
    own: int
    """Number of the note it was made from."""
    donors: frozenset[int] = frozenset()
    """Numbers of the other notes whose sentences it holds."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Which originals an attacker chooses from: the notes of the fold, or all but the donors."""

    folds: NDArray[np.int64]
    kinds: NDArray[np.int64]
    """A number for the stated kind of each note."""

    def in_fold(self, output: Output) -> NDArray[np.bool_]:
        return self.folds == self.folds[output.own]

    def of_kind(self, output: Output) -> NDArray[np.bool_]:
        return self.in_fold(output) & (self.kinds == self.kinds[output.own])

    def but_donors(self, output: Output) -> NDArray[np.bool_]:
        kept = np.ones(len(self.folds), bool)
        kept[list(output.donors)] = False
        return kept


@dataclass(slots=True)
class Tally:
    """Ranks and similarities of one attack."""

    fold: list[int] = field(default_factory=list[int])
    kind: list[int] = field(default_factory=list[int])
    all: list[int] = field(default_factory=list[int])
    own: list[float] = field(default_factory=list[float])
    mean: list[float] = field(default_factory=list[float])

    def add(self, row: Similarities, output: Output, among: Candidates) -> None:
        best = row[output.own]
        self.own.append(float(best))
        self.mean.append(float(row.mean()))
        nearer = row > best
        self.fold.append(1 + int((nearer & among.in_fold(output)).sum()))
        self.kind.append(1 + int((nearer & among.of_kind(output)).sum()))
        self.all.append(1 + int((nearer & among.but_donors(output)).sum()))


def share_within(ranks: Iterable[int], most: int) -> float:
    return float(np.mean([rank <= most for rank in ranks]))


def attack(
    originals: Sequence[str],
    outputs: Sequence[Output],
    among: Candidates,
    embed: Embed,
    dimension: int,
) -> dict[str, Tally]:
    """Attack outputs by words, by rare words and by sentence vectors."""
    texts = [output.text for output in outputs]
    table = read_sentences([*originals, *texts])
    vectors = embed_notes(table, embed, dimension)
    rows: Mapping[str, Iterator[Similarities]] = {
        "jaccard": compare_word_sets(originals, texts),
        "tfidf": compare_rare_words(originals, texts),
        "dense": compare_vectors(vectors[: len(originals)], vectors[len(originals) :]),
    }
    tallies: dict[str, Tally] = {}
    for name, similarities in rows.items():
        tally = tallies[name] = Tally()
        for row, output in zip(similarities, outputs, strict=True):
            tally.add(row, output, among)
    return tallies


def learn(notes: Sequence[CollectedNote], outputs: Sequence[Output], task: str) -> float:
    """Return the F1 of a model that was trained on outputs, tested on plain notes."""
    texts, classes = list[str](), list[str]()
    for output in outputs:
        first = notes[output.own]
        if first.splits.get(task) in {"train", "valid"}:
            texts.append(output.text)
            classes.append(first.classes[task])
    test = [note for note in notes if note.splits.get(task) == "test"]
    reader = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), min_df=2, max_features=60_000)
    rows = reader.fit_transform(texts)
    model = LogisticRegression(C=30, class_weight="balanced", max_iter=400).fit(rows, classes)
    told = model.predict(reader.transform([note.redacted for note in test]))
    return float(f1_score([note.classes[task] for note in test], told, average="macro"))


def count_kept_words(note: CollectedNote, output: Output) -> float:
    """Return the share of the words of a note, each counted once, that its output holds."""
    own, theirs = (set(text.casefold().split()) for text in (note.redacted, output.text))
    return len(own & theirs) / max(1, len(own))


def utility(notes: Sequence[CollectedNote], outputs: Sequence[Output]) -> dict[str, float]:
    figures = {f"f1_{task}": learn(notes, outputs, task) for task in TASKS}
    kept = [count_kept_words(notes[output.own], output) for output in outputs]
    return figures | {"words_kept": float(np.mean(kept))}
