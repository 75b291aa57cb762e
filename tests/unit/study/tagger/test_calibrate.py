"""Which thresholds are chosen, and on what."""

from collections.abc import Sequence

import numpy as np
import pytest

from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.recognizers.label_scores import (
    COLUMNS,
    LABELS,
    Thousandths,
)
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.tagger.calibrate import FEWEST, Judged, calibrate_thresholds, judge
from support.checkpoints import encoder

DATE, CITY = (LABELS.index(label) for label in (PhiLabel.DATE, PhiLabel.CITY))


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Pieces:
    return Pieces.load(encoder(tmp_path_factory.mktemp("calibrate")))


def _scores(phi: Sequence[int], label: int = DATE) -> Thousandths:
    scores = np.zeros((len(phi), COLUMNS), dtype=np.int16)
    scores[:, 0] = scores[:, 1 + label] = phi
    return scores


def _judged(pieces: Pieces, text: str, phi: Sequence[int], *spans: tuple[int, int]) -> Judged:
    (encoding,) = pieces.encode([text])
    marked = [Span(start, end, PhiLabel.DATE) for start, end in spans]
    return judge([(text, encoding, _scores(phi))], [marked])


def _words(*groups: tuple[int, int, bool], label: int = DATE) -> Judged:
    """Words of one label: how many, how probable, whether they are PHI."""
    counts = [count for count, _, _ in groups]
    return Judged(
        np.full(sum(counts), label, dtype=np.int64),
        np.repeat([phi for _, phi, _ in groups], counts).astype(np.int16),
        np.repeat([is_phi for _, _, is_phi in groups], counts),
    )


def _together(*parts: Judged) -> Judged:
    return Judged(
        np.concatenate([part.likely for part in parts]),
        np.concatenate([part.phi for part in parts]),
        np.concatenate([part.is_phi for part in parts]),
    )


def test_words_are_judged_not_pieces(pieces: Pieces) -> None:
    judged = _judged(pieces, "john xhn.", [10, 20, 300, 40], (0, 4))
    assert judged.phi.tolist() == [10, 300]
    assert judged.is_phi.tolist() == [True, False]
    assert judged.likely.tolist() == [DATE, DATE]


def test_marks_are_not_judged(pieces: Pieces) -> None:
    judged = _judged(pieces, "1/1", [500, 600, 500], (0, 3))
    assert judged.phi.tolist() == [500, 500]


def test_a_word_that_is_phi_in_part_is_phi(pieces: Pieces) -> None:
    judged = _judged(pieces, "seen xhn", [0, 0, 0, 700], (6, 8))
    assert judged.is_phi.tolist() == [False, True]


def test_notes_are_judged_in_their_order_and_blank_ones_not_at_all(pieces: Pieces) -> None:
    texts = ["john", " ", "march 1"]
    scores = [_scores([100]), _scores([]), _scores([200, 300], CITY)]
    spans: list[list[Span]] = [[Span(0, 4, PhiLabel.DATE)], [], []]
    answers = zip(texts, pieces.encode(texts), scores, strict=True)
    judged = judge(answers, spans)
    assert judged.phi.tolist() == [100, 200, 300]
    assert judged.likely.tolist() == [DATE, CITY, CITY]
    assert judged.is_phi.tolist() == [True, False, False]


def test_without_any_words_a_word_must_be_more_likely_phi_than_not(pieces: Pieces) -> None:
    (encoding,) = pieces.encode([" "])
    for judged in (judge([], []), judge([(" ", encoding, _scores([]))], [[]])):
        assert calibrate_thresholds(judged) == dict.fromkeys(PhiLabel, 0.5)


def test_the_highest_threshold_that_parts_phi_from_the_rest_is_chosen() -> None:
    judged = _words((100, 300, True), (100, 290, False))
    assert calibrate_thresholds(judged)[PhiLabel.DATE] == 0.3


def test_a_leak_costs_more_than_a_false_alarm() -> None:
    judged = _words((100, 400, True), (10, 200, True), (12, 200, False))
    assert calibrate_thresholds(judged)[PhiLabel.DATE] == 0.2


def test_a_leak_is_not_avoided_at_any_price() -> None:
    judged = _words((100, 400, True), (1, 200, True), (1000, 200, False))
    assert calibrate_thresholds(judged)[PhiLabel.DATE] == 0.4


@pytest.mark.parametrize(("phi", "threshold"), [(50, 0.05), (1, 0.5), (1000, 0.5)])
def test_thresholds_are_bounded(phi: int, threshold: float) -> None:
    assert calibrate_thresholds(_words((FEWEST, phi, True)))[PhiLabel.DATE] == threshold


def test_each_label_has_its_own_threshold_where_it_has_words_enough() -> None:
    dates = _words((500, 400, True), (500, 100, False))
    cities = _words((FEWEST, 110, True), label=CITY)
    few = _words((FEWEST - 1, 110, True), label=CITY)
    both = calibrate_thresholds(_together(dates, cities))
    assert (both[PhiLabel.DATE], both[PhiLabel.CITY]) == (0.4, 0.11)
    # All words together: every one of 110 is PHI, and none of 100.
    rare = calibrate_thresholds(_together(dates, few))
    assert rare[PhiLabel.CITY] == rare[PhiLabel.ZIP] == 0.11


def test_every_label_has_a_threshold() -> None:
    assert set(calibrate_thresholds(_words((1, 300, True)))) == set(PhiLabel)
