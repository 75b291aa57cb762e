"""F1 of a model that is trained on outputs and tested on plain notes, and what is lost of it.

Source: Larbi et al., section 4.1: train on what is anonymized, test on what is not; tables 1 and 6
have the change in percent of the F1 on plain notes, and mark what is significant. The task is the
class of a note, where the paper has five; the model is that of ``text_classifier``. Notes of a fold
are told by a model of the other folds' outputs, and F1 is averaged over the classes. The paper
trains five times, for its models begin at random; this one is the same each time, so that the notes
asked are drawn anew instead (paired bootstrap): a change is significant where its interval has no
0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.study.measures.measure import Figure, Judged, Side
from deidstream.study.measures.text_classifier import FEWEST_CLASSES, TextClassifier
from deidstream.study.techniques.technique import Output, StudyNote

ROUNDS: Final = 1_000
_INTERVAL: Final = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class LearntAnswers:
    """What a model says of plain notes, as numbers of classes."""

    true: NDArray[np.int64] = field(repr=False)
    told: NDArray[np.int64] = field(repr=False)
    classes: int


@dataclass(slots=True)
class OutputLearner:
    """Learns from outputs; measures that share it learn from those of a technique once."""

    _judged: Judged | None = field(default=None, repr=False)
    _answers: LearntAnswers | None = field(default=None, repr=False)

    def of(self, judged: Judged) -> LearntAnswers | None:
        """Return the answers; none where some fold has fewer than two classes to learn from."""
        if self._judged is not judged:
            self._judged, self._answers = judged, learn_answers(judged.notes, judged.outputs)
        return self._answers


def learn_answers(notes: Sequence[StudyNote], outputs: Sequence[Output]) -> LearntAnswers | None:
    """Return what models of the other folds' outputs say of the plain notes of each fold."""
    numbers = {kind: n for n, kind in enumerate(sorted({note.kind for note in notes} - {""}))}
    told, true = list[int](), list[int]()
    for fold in sorted({note.fold for note in notes}):
        taught = [one for one in outputs if _teaches(notes, one, fold)]
        asked = [note for note in notes if note.fold == fold and note.kind]
        if len({notes[one.own].kind for one in taught}) < FEWEST_CLASSES or not asked:
            return None
        kinds = [notes[one.own].kind for one in taught]
        model = TextClassifier.learn([one.text for one in taught], kinds)
        told += [numbers[kind] for kind in model.tell([note.text for note in asked])]
        true += [numbers[note.kind] for note in asked]
    return LearntAnswers(np.array(true), np.array(told), len(numbers))


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
    name: str = "F1"
    side: Side = Side.UTILITY
    meaning: str = "macro F1 on plain notes of a classifier that was trained on outputs"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs; none where some fold has fewer than two classes to learn from."""
        answers = self.learner.of(judged)
        if answers is None:
            return None
        value = score_answers(answers.true, answers.told, answers.classes)
        return Figure(value, len(answers.true))


@dataclass(slots=True)
class LearntChange:
    """What is lost of it, as a share of the F1 of a classifier that was trained on plain notes."""

    learner: OutputLearner = field(repr=False)
    seed: int
    name: str = "F1 change"
    side: Side = Side.UTILITY
    meaning: str = (
        "how much less, as a share, than of one that was trained on plain notes; its interval says "
        "whether that is chance"
    )
    _plain: LearntAnswers | None = field(default=None, repr=False)

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs; none where some fold has fewer than two classes to learn from."""
        answers = self.learner.of(judged)
        if self._plain is None:
            every = [Output(note.text, number) for number, note in enumerate(judged.notes)]
            self._plain = learn_answers(judged.notes, every)
        if answers is None or self._plain is None:
            return None
        asked = len(answers.true)
        rng = np.random.default_rng(self.seed)
        changes = [
            _change(self._plain, answers, rng.integers(0, asked, asked)) for _ in range(ROUNDS)
        ]
        low, high = np.percentile(changes, _INTERVAL)
        value = _change(self._plain, answers, np.arange(asked))
        return Figure(value, asked, float(low), float(high))


def _change(plain: LearntAnswers, answers: LearntAnswers, drawn: NDArray[np.int64]) -> float:
    before, after = (
        score_answers(one.true[drawn], one.told[drawn], one.classes) for one in (plain, answers)
    )
    return after / before - 1 if before else 0.0


def _teaches(notes: Sequence[StudyNote], output: Output, fold: int) -> bool:
    """Return whether an output has a class and nothing of the notes of a fold."""
    return bool(notes[output.own].kind) and all(notes[n].fold != fold for n in output.members)
