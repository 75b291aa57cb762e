"""F1 of what is learnt of outputs: its formula by hand, who is asked, and what is read."""

from collections.abc import Sequence

import numpy as np
import pytest

from deidstream.models.kneo.words.word_vectors import (
    WordFacts,
    WordModel,
    WordVectors,
    build_word_vectors,
)
from deidstream.study.measures.learnt_f1 import (
    Asked,
    LearntChange,
    LearntF1,
    LearnVectors,
    OutputLearner,
    learn_answers,
    score_answers,
)
from deidstream.study.measures.measure import Figure, Judged, Measure
from deidstream.study.measures.vector_classifier import read_means
from deidstream.study.techniques.technique import Output
from support.study_notes import judged, study_note

KNEE, HEART = "knee joint pain knee fracture", "heart rhythm chest murmur heart"
NOTES = [
    study_note(text, kind=kind, fold=fold)
    for fold in range(2)
    for kind, text in (("bone", KNEE), ("heart", HEART), ("bone", KNEE), ("heart", HEART))
]
PLAIN = judged(NOTES, *(note.text for note in NOTES))
# Every output has the words of the other class.
EXCHANGED = judged(NOTES, *([HEART, KNEE] * 4))


def test_f1_is_the_mean_of_the_classes_that_occur() -> None:
    # Class 0: 1 hit of 2 + 1; class 1: 1 hit of 1 + 2; class 2 occurs nowhere.
    assert score_answers(np.array([0, 0, 1]), np.array([0, 1, 1]), 3) == pytest.approx(
        (2 / 3 + 2 / 3) / 2
    )


def test_without_classes_there_is_no_figure() -> None:
    notes = [study_note(KNEE, fold=fold) for fold in (0, 1)]
    given, measured = judged(notes, KNEE, KNEE), LearntF1(OutputLearner())
    assert measured.measure(given) is None
    assert LearntChange(measured, seed=1).measure(given) is None


def test_plain_notes_are_told_wrong_and_outputs_right_by_a_model_of_outputs() -> None:
    learner = OutputLearner()
    plain, outputs = (LearntF1(learner, asked) for asked in Asked)
    assert (plain.name, outputs.name) == ("F1", "F1 of outputs")
    assert [_measure(one, PLAIN).value for one in (plain, outputs)] == [1, 1]
    assert [_measure(one, EXCHANGED).value for one in (plain, outputs)] == [0, 1]


def test_the_change_of_f1_is_a_share_of_that_of_plain_notes() -> None:
    learner = OutputLearner()
    plain, outputs = (LearntChange(LearntF1(learner, asked), seed=1) for asked in Asked)
    assert _measure(plain, PLAIN).value == 0
    exchanged = _measure(plain, EXCHANGED)
    # Every answer is wrong, whatever notes are drawn.
    assert (exchanged.value, exchanged.low, exchanged.high) == (-1, -1, -1)
    exchanged = _measure(outputs, EXCHANGED)
    assert (exchanged.value, exchanged.low, exchanged.high) == (0, 0, 0)


def test_a_change_is_of_the_notes_that_have_outputs() -> None:
    # Plain, the third note is told wrong; it has no output, and so is no part of the change.
    notes = [*NOTES[:2], study_note(HEART, kind="bone", fold=0), *NOTES[3:]]
    outputs = [Output(note.text, number) for number, note in enumerate(notes) if number != 2]
    given = Judged(notes, outputs)
    answers = learn_answers(notes, outputs)
    assert answers[Asked.PLAIN].notes.tolist() == list(range(len(notes)))
    assert answers[Asked.OUTPUTS].notes.tolist() == [0, 1, *range(3, len(notes))]
    measured = LearntF1(OutputLearner(), Asked.OUTPUTS)
    assert _measure(LearntChange(measured, seed=1), given) == Figure(0, len(notes) - 1, 0, 0)


def test_a_merged_output_teaches_for_no_fold_of_its_notes() -> None:
    merged = [Output(KNEE, 0, frozenset({4})), *(Output(NOTES[n].text, n) for n in (1, 2, 3, 5))]
    merged += [Output(NOTES[n].text, n) for n in (6, 7)]
    taught: list[Sequence[str]] = []

    class Deaf:
        def tell(self, texts: Sequence[str]) -> list[str]:
            return ["bone"] * len(texts)

    def learn(texts: Sequence[str], _classes: Sequence[str], _fold: int) -> Deaf:
        taught.append(texts)
        return Deaf()

    learn_answers(NOTES, merged, learn)
    assert [len(texts) for texts in taught] == [3, 3]


BODY = ("knee", "elbow", "heart", "lung")
# Two pairs of near words: the cosine within a pair is .98, and .28 at most between them.
ROWS = np.array([[1, 0], [0.98, 0.2], [0, 1], [0.1, 0.99]], np.float32)


def _body() -> WordVectors:
    facts = WordFacts(WordModel.WORD2VEC, 2, len(BODY), 0, 0, 0, {})
    return build_word_vectors(facts, BODY, ROWS, np.zeros((0, 2), np.float32))


def test_a_text_is_the_mean_of_the_vectors_of_its_words() -> None:
    vectors = _body()
    mean, empty = read_means(["Knee 12 [NUMBER], knee heart qqqq", "[UNK] 5"], vectors)
    assert mean == pytest.approx([2 / 3, 1 / 3], abs=1e-3)
    assert not empty.any()


def test_who_reads_vectors_takes_a_neighbour_for_nearly_the_same_word() -> None:
    classes = ("knee knee", "heart heart") * 2
    kinds = ("bone", "heart") * 2
    notes = [
        study_note(text, kind=kind, fold=fold)
        for fold in range(2)
        for kind, text in zip(kinds, classes, strict=True)
    ]
    exchanged = judged(notes, *(["elbow elbow", "lung lung"] * 4))
    vectors = OutputLearner(LearnVectors(lambda _fold: _body()), "vectors")
    measured, words = LearntF1(vectors), LearntF1(OutputLearner())
    assert measured.name == "F1 vectors"
    assert _measure(measured, exchanged).value == 1
    # To whoever reads words, no word of the plain notes is known.
    assert _measure(words, exchanged).value == pytest.approx(1 / 3)


def _measure(measure: Measure, given: Judged) -> Figure:
    figure = measure.measure(given)
    assert figure is not None
    return figure
