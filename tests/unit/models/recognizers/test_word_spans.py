import time
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import BPE

from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.recognizers.label_scores import (
    COLUMNS,
    COUNT,
    LABELS,
    Thousandths,
)
from deidstream.models.recognizers.word_spans import (
    Thresholds,
    Words,
    possible_spans,
    read_spans,
)
from deidstream.schemas.label import PhiLabel
from support.checkpoints import encoder

DATE = 1 + LABELS.index(PhiLabel.DATE)
CITY = 1 + LABELS.index(PhiLabel.CITY)
CITY_BEGINS = CITY + COUNT
HALVES = Thresholds(np.full(COUNT, 500, dtype=np.int16))


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Pieces:
    return Pieces.load(encoder(tmp_path_factory.mktemp("words")))


def _scores(*rows: dict[int, int]) -> Thousandths:
    scores = np.zeros((len(rows), COLUMNS), dtype=np.int16)
    for score, row in zip(scores, rows, strict=True):
        for column, thousandths in row.items():
            score[column] = thousandths
    return scores


def _read(pieces: Pieces, text: str, *rows: dict[int, int]) -> list[tuple[str, PhiLabel, float]]:
    (encoding,) = pieces.encode([text])
    words = Words.of(text, encoding)
    spans = read_spans(text, words, words.take_largest(_scores(*rows)), HALVES)
    return [(text[span.start : span.end], span.label, span.score) for span in spans]


def test_labels_that_are_unsure_of_each_other_are_still_phi(pieces: Pieces) -> None:
    row = {0: 600, DATE: 350, CITY: 250}
    assert _read(pieces, "john", row) == [("john", PhiLabel.DATE, 0.6)]


def test_a_tie_goes_to_the_first_label(pieces: Pieces) -> None:
    assert CITY < DATE
    assert _read(pieces, "john", {0: 500, DATE: 250, CITY: 250}) == [("john", PhiLabel.CITY, 0.5)]


def test_below_the_threshold_nothing_is_found(pieces: Pieces) -> None:
    assert _read(pieces, "john", {0: 499, DATE: 499}) == []


def test_different_labels_are_different_spans(pieces: Pieces) -> None:
    rows = {0: 900, DATE: 900}, {0: 800, CITY: 800, CITY_BEGINS: 700}
    assert _read(pieces, "john smith", *rows) == [
        ("john", PhiLabel.DATE, 0.9),
        ("smith", PhiLabel.CITY, 0.8),
    ]


@pytest.mark.parametrize(
    ("label", "text", "found"),
    [
        (PhiLabel.MEDICALRECORD, "4471923 4471924", ["4471923", "4471924"]),
        (PhiLabel.MEDICALRECORD, "4471923/4471924 x", ["4471923", "4471924 x"]),
        (PhiLabel.SSN, "219-09-9999 219-09-9998", ["219-09-9999", "219-09-9998"]),
        (PhiLabel.PHONE, "617-555-0100 / 617-555-0101", ["617-555-0100", "617-555-0101"]),
        (PhiLabel.EMAIL, "a.b@c.org d@e.org", ["a.b@c.org", "d@e.org"]),
        (PhiLabel.IDNUM, "943 476 5919", ["943 476 5919"]),
        (PhiLabel.ACCOUNT, "4012 8888 8888 1881", ["4012 8888 8888 1881"]),
        (PhiLabel.PATIENT, "Ann Ann", ["Ann Ann"]),
        (PhiLabel.MEDICALRECORD, "4471923", ["4471923"]),
    ],
)
def test_numbers_of_one_form_are_apart(
    pieces: Pieces, label: PhiLabel, text: str, found: list[str]
) -> None:
    (encoding,) = pieces.encode([text])
    rows = [{0: 900, 1 + LABELS.index(label): 900}] * len(encoding.ids)
    assert [(word, kind) for word, kind, _ in _read(pieces, text, *rows)] == [
        (one, label) for one in found
    ]


def test_a_date_begins_within_a_line_only_if_that_is_certain(pieces: Pieces) -> None:
    certain, doubtful = ({0: 900, DATE: 900, DATE + COUNT: begins} for begins in (800, 600))
    assert [word for word, _, _ in _read(pieces, "1 2 3", certain, certain, doubtful)] == [
        "1", "2 3",
    ]  # fmt: skip


def test_a_label_starts_only_where_something_begins(pieces: Pieces) -> None:
    rows = {0: 900, DATE: 900}, {0: 800, CITY: 500, DATE: 300}
    assert _read(pieces, "john smith", *rows) == [("john smith", PhiLabel.DATE, 0.9)]


def test_each_label_has_its_own_threshold(pieces: Pieces) -> None:
    (encoding,) = pieces.encode(["john smith"])
    thresholds = HALVES.by_label.copy()
    thresholds[LABELS.index(PhiLabel.CITY)] = 200
    scores = _scores({0: 300, DATE: 300}, {0: 300, CITY: 300})
    words = Words.of("john smith", encoding)
    best = words.take_largest(scores)
    spans = list(read_spans("john smith", words, best, Thresholds(thresholds)))
    assert [(span.start, span.label) for span in spans] == [(5, PhiLabel.CITY)]


def test_a_score_is_that_of_the_surest_word(pieces: Pieces) -> None:
    rows = {0: 900, DATE: 900}, {0: 700, DATE: 600}, {0: 800, DATE: 800}
    assert _read(pieces, "john seen smith", *rows) == [("john seen smith", PhiLabel.DATE, 0.9)]


def test_white_space_ends_a_word_even_where_the_tokenizer_knows_none() -> None:
    letters = Tokenizer(BPE({"a": 0, "b": 1, " ": 2}, []))
    text = "ab ba"
    encoding = letters.encode(text)
    assert set(encoding.word_ids) == {0}
    words = Words.of(text, encoding)
    found = [text[start:end] for start, end in zip(words.starts, words.ends, strict=True)]
    assert [word.strip() for word in found if word.strip()] == ["ab", "ba"]


def test_each_possible_word_is_reported_with_its_own_score(pieces: Pieces) -> None:
    (encoding,) = pieces.encode(["john seen smith"])
    scores = _scores({0: 900, DATE: 900}, {0: 5, DATE: 5}, {0: 4, CITY: 4})
    words = Words.of("john seen smith", encoding)
    spans = possible_spans(words, words.take_largest(scores), 5)
    assert [(span.start, span.end, span.score) for span in spans] == [(0, 4, 0.9), (5, 9, 0.005)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["1-" * 100_000, "a" * 200_000, "a " * 100_000, "a\u0301" * 100_000]
)
def test_long_monotonous_notes_take_linear_time(pieces: Pieces, text: str) -> None:
    (encoding,) = pieces.encode([text])
    scores = _scores(*[{0: 900, DATE: 900}] * len(encoding.ids))
    before = time.process_time()
    words = Words.of(text, encoding)
    spans = list(read_spans(text, words, words.take_largest(scores), HALVES))
    assert time.process_time() - before < 5
    assert [(span.start, span.end) for span in spans] == [(0, len(text.rstrip()))]


@pytest.mark.parametrize(("begins", "found"), [(501, ["john", "smith"]), (500, ["john\nsmith"])])
def test_a_span_ends_with_its_line_where_the_model_sees_another_begin(
    pieces: Pieces, begins: int, found: list[str]
) -> None:
    rows = {0: 1000, CITY: 1000, CITY_BEGINS: 1000}, {0: 1000, CITY: 1000, CITY_BEGINS: begins}
    assert [text for text, _, _ in _read(pieces, "john\nsmith", *rows)] == found
    assert [text for text, _, _ in _read(pieces, "john smith", *rows)] == ["john smith"]


@given(st.lists(st.integers(1, 5), min_size=1, max_size=12), st.integers(0, 2**32 - 1))
def test_a_word_has_the_largest_score_of_its_pieces(sizes: list[int], seed: int) -> None:
    first = np.array([0, *accumulate(sizes)][:-1], dtype=np.int64)
    pieces = np.random.default_rng(seed).integers(0, 1000, (sum(sizes), 3), dtype=np.int16)
    largest = Words(first, [], []).take_largest(pieces)
    assert largest.tolist() == np.maximum.reduceat(pieces, first, axis=0).tolist()
