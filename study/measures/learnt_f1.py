"""F1 of a model that is trained on outputs, and what is lost of it.

Source: Larbi et al., section 4.1: train on what is anonymized, test on what is not; tables 1 and 6
have the change in percent of the F1 on plain notes, and mark what is significant. Abdalla et al.,
"Extrinsic evaluation", train and test on notes that were all made anonymous: there outputs of the
fold are asked. The task is the class of a note, where the papers have several; the model is that of
``text_classifier`` or ``vector_classifier``. Notes of a fold are told by a model of the other
folds' outputs, and F1 is averaged over the classes. Larbi et al. train five times, for their models
begin at random; these are the same each time, so that the notes asked are drawn anew instead
(paired bootstrap): a change is significant where its interval has no 0.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from deidstream.study.measures.measure import Figure, Judged, Side
from deidstream.study.measures.text_classifier import FEWEST_CLASSES, TextClassifier
from deidstream.study.measures.vector_classifier import ReadVectors, VectorClassifier
from deidstream.study.techniques.technique import Output, StudyNote

ROUNDS: Final = 1_000
_INTERVAL: Final = (2.5, 97.5)


class Asked(StrEnum):
    """What a model is tested on."""

    PLAIN = "plain notes"
    OUTPUTS = "outputs"


class Classifier(Protocol):
    """Tells the class of a text."""

    def tell(self, texts: Sequence[str]) -> list[str]:
        """Return the most likely class of each text."""
        ...


Learn = Callable[[Sequence[str], Sequence[str], int], Classifier]
"""Learns from texts and their classes, for the notes of a fold."""


def read_words(texts: Sequence[str], classes: Sequence[str], _fold: int) -> Classifier:
    """Learn from the words of texts."""
    return TextClassifier.learn(texts, classes)


@dataclass(frozen=True, slots=True)
class LearnVectors:
    """Learns from the vectors of the words of texts."""

    read: ReadVectors = field(repr=False)

    def __call__(self, texts: Sequence[str], classes: Sequence[str], fold: int) -> Classifier:
        """Learn by the vectors for a fold."""
        return VectorClassifier.learn(texts, classes, self.read(fold))


@dataclass(frozen=True, slots=True)
class LearntAnswers:
    """What a model says of notes, as numbers of classes."""

    notes: NDArray[np.int64] = field(repr=False)
    """Number of the note that is asked; of an output that of its first note."""
    true: NDArray[np.int64] = field(repr=False)
    told: NDArray[np.int64] = field(repr=False)
    classes: int


@dataclass(slots=True)
class OutputLearner:
    """Learns from outputs; measures that share it learn from those of a technique once."""

    learn: Learn = read_words
    reads: str = "words"
    """What the model sees of a text."""
    _judged: Judged | None = field(default=None, repr=False)
    _answers: dict[Asked, LearntAnswers] = field(
        default_factory=dict[Asked, LearntAnswers], repr=False
    )
    _plain: LearntAnswers | None = field(default=None, repr=False)

    def of(self, judged: Judged, asked: Asked) -> LearntAnswers | None:
        """Return the answers; none where some fold has fewer than two classes to learn from."""
        if self._judged is not judged:
            self._judged = judged
            self._answers = learn_answers(judged.notes, judged.outputs, self.learn)
        return self._answers.get(asked)

    def of_plain(self, notes: Sequence[StudyNote]) -> LearntAnswers | None:
        """Return the answers of a model that learnt from the plain notes; of all, in order."""
        if self._plain is None:
            every = [Output(note.text, number) for number, note in enumerate(notes)]
            self._plain = learn_answers(notes, every, self.learn).get(Asked.PLAIN)
        return self._plain


def learn_answers(
    notes: Sequence[StudyNote], outputs: Sequence[Output], learn: Learn = read_words
) -> dict[Asked, LearntAnswers]:
    """Return what models of the other folds' outputs say of the notes and outputs of each fold."""
    told = {asked: list[tuple[int, str]]() for asked in Asked}
    for fold in sorted({note.fold for note in notes}):
        taught = [one for one in outputs if _teaches(notes, one, fold)]
        kinds = [notes[one.own].kind for one in taught]
        texts = {
            Asked.PLAIN: {n: one.text for n, one in enumerate(notes) if _is_asked(one, fold)},
            Asked.OUTPUTS: {o.own: o.text for o in outputs if _is_asked(notes[o.own], fold)},
        }
        if len(set(kinds)) < FEWEST_CLASSES or not all(texts.values()):
            return {}
        model = learn([one.text for one in taught], kinds, fold)
        for asked, of_note in texts.items():
            told[asked] += zip(of_note, model.tell(list(of_note.values())), strict=True)
    return {asked: _number_answers(notes, pairs) for asked, pairs in told.items()}


def _is_asked(note: StudyNote, fold: int) -> bool:
    return note.fold == fold and bool(note.kind)


def _number_answers(notes: Sequence[StudyNote], told: Sequence[tuple[int, str]]) -> LearntAnswers:
    classes = {kind: n for n, kind in enumerate(sorted({note.kind for note in notes} - {""}))}
    ordered = sorted(told)
    return LearntAnswers(
        notes=np.array([number for number, _ in ordered]),
        true=np.array([classes[notes[number].kind] for number, _ in ordered]),
        told=np.array([classes[kind] for _, kind in ordered]),
        classes=len(classes),
    )


def score_answers(true: NDArray[np.int64], told: NDArray[np.int64], classes: int) -> float:
    """Return the F1 of each class, averaged over those that are true or told of some note.

    >>> round(score_answers(np.array([0, 0, 1]), np.array([0, 1, 1]), 3), 4)
    0.6667
    """
    hits = np.bincount(true[true == told], minlength=classes)
    every = np.bincount(true, minlength=classes) + np.bincount(told, minlength=classes)
    return float(np.mean(2 * hits[every > 0] / every[every > 0]))


@dataclass(frozen=True, slots=True)
class LearntF1:
    """What a classifier learns of the outputs."""

    learner: OutputLearner = field(repr=False)
    asked: Asked = Asked.PLAIN
    side: Side = Side.UTILITY

    @property
    def name(self) -> str:
        """What the model reads, and what it is asked; words and plain notes are not said."""
        read = "" if self.learner.reads == "words" else f" {self.learner.reads}"
        return f"F1{read}{' of outputs' if self.asked is Asked.OUTPUTS else ''}"

    @property
    def meaning(self) -> str:
        """What it is."""
        return (
            f"macro F1 on {self.asked} of a classifier that reads {self.learner.reads} and was "
            "trained on outputs"
        )

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs; none where some fold has fewer than two classes to learn from."""
        answers = self.learner.of(judged, self.asked)
        if answers is None:
            return None
        value = score_answers(answers.true, answers.told, answers.classes)
        return Figure(value, len(answers.true))


@dataclass(frozen=True, slots=True)
class LearntChange:
    """What is lost of it, as a share of the F1 of one that was trained on plain notes, on these."""

    measured: LearntF1 = field(repr=False)
    seed: int
    side: Side = Side.UTILITY
    meaning: str = (
        "how much less, as a share, than of one that was trained on plain notes and is asked them; "
        "its interval says whether that is chance"
    )

    @property
    def name(self) -> str:
        """That of the F1."""
        return f"{self.measured.name} change"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs; none where some fold has fewer than two classes to learn from."""
        learner = self.measured.learner
        answers, plain = learner.of(judged, self.measured.asked), learner.of_plain(judged.notes)
        if answers is None or plain is None:
            return None
        same = np.searchsorted(plain.notes, answers.notes)
        before = LearntAnswers(answers.notes, plain.true[same], plain.told[same], plain.classes)
        asked = len(answers.true)
        rng = np.random.default_rng(self.seed)
        changes = [_change(before, answers, rng.integers(0, asked, asked)) for _ in range(ROUNDS)]
        low, high = np.percentile(changes, _INTERVAL)
        value = _change(before, answers, np.arange(asked))
        return Figure(value, asked, float(low), float(high))


def _change(plain: LearntAnswers, answers: LearntAnswers, drawn: NDArray[np.int64]) -> float:
    before, after = (
        score_answers(one.true[drawn], one.told[drawn], one.classes) for one in (plain, answers)
    )
    return after / before - 1 if before else 0.0


def _teaches(notes: Sequence[StudyNote], output: Output, fold: int) -> bool:
    """Return whether an output has a class and nothing of the notes of a fold."""
    return bool(notes[output.own].kind) and all(notes[n].fold != fold for n in output.members)
