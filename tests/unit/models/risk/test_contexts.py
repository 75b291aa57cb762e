import numpy as np
import pytest

from deidstream.models.risk.contexts import (
    FREE,
    Highlighted,
    choose_places,
    snap_to_grid,
    take_contexts,
)

TEXT = "one two three four five six Ada Lane seven eight nine ten eleven twelve"


def mark(text: str, part: str, label: str) -> Highlighted:
    start = text.index(part)
    return Highlighted(start, start + len(part), label)


def test_five_words_on_either_side_without_the_range_itself() -> None:
    (context,) = take_contexts(TEXT, [mark(TEXT, "Ada Lane", "PATIENT")], 5)
    assert context == "two three four five six seven eight nine ten eleven"


def test_at_the_edges_there_are_fewer_words() -> None:
    assert take_contexts(TEXT, [mark(TEXT, "one", "DATE")], 2) == ["two three"]
    assert take_contexts(TEXT, [mark(TEXT, "twelve", "DATE")], 2) == ["ten eleven"]


def test_other_ranges_are_written_as_their_labels() -> None:
    marked = [mark(TEXT, "Ada Lane", "PATIENT"), mark(TEXT, "seven", "DATE")]
    assert take_contexts(TEXT, marked, 2) == ["five six DATE eight", "six PATIENT eight nine"]


def test_contexts_come_in_the_order_of_the_ranges() -> None:
    marked = [mark(TEXT, "nine", "AGE"), mark(TEXT, "two", "AGE")]
    assert take_contexts(TEXT, marked, 1) == ["eight ten", "one three"]


def test_the_rest_of_a_cut_word_counts_and_bare_punctuation_does_not() -> None:
    text = "a ( 58-year-old ) man"
    assert take_contexts(text, [mark(text, "58", "AGE")], 2) == ["a -year-old man"]


def test_a_range_that_is_the_whole_text_has_no_context() -> None:
    assert take_contexts("Ada", [Highlighted(0, 3, "PATIENT")], 5) == [""]


def test_snapped_products_do_not_depend_on_the_batch() -> None:
    draws = np.random.default_rng(1)
    rows = draws.normal(size=(300, 384)).astype(np.float32)
    rows = snap_to_grid(rows / np.linalg.norm(rows, axis=1, keepdims=True))
    together = rows @ rows.T
    exact = (rows.astype(np.float64) @ rows.T.astype(np.float64)).astype(np.float32)
    alone = np.stack([rows[i : i + 1] @ rows.T for i in range(300)])[:, 0]
    assert np.array_equal(together, exact)
    assert np.array_equal(together, alone)


def test_snapping_moves_a_cosine_by_little() -> None:
    draws = np.random.default_rng(2)
    rows = draws.normal(size=(50, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    snapped = snap_to_grid(rows)
    assert np.abs(snapped @ snapped.T - rows @ rows.T).max() < 0.002
    assert np.array_equal(snapped, snapped.astype(np.float16).astype(np.float32))


def test_no_ranges_no_contexts() -> None:
    assert take_contexts(TEXT, [], 5) == []


@pytest.mark.parametrize("words", [1, 5, 100])
def test_many_ranges_in_one_long_text(words: int) -> None:
    text = "w Ada " * 2_000
    marked = [Highlighted(at, at + 3, "PATIENT") for at in range(2, len(text), 6)]
    contexts = take_contexts(text, marked, words)
    assert len(contexts) == 2_000
    assert "Ada" not in " ".join(contexts)


def test_of_what_is_too_long_for_a_word_only_the_beginning_counts() -> None:
    text = "y" * 40 + " " + "x" * 100_000 + " Ada came"
    (context,) = take_contexts(text, [mark(text, "Ada", "PATIENT")], 5)
    assert context == "y" * 40 + " " + "x" * 12 + " came"


def test_every_context_counts_while_together_they_are_no_longer_than_the_text() -> None:
    contexts = [f"{number:050}" for number in range(2_000)]
    assert list(choose_places(contexts, 80_000)) == list(range(2_000))
    assert list(choose_places(contexts[: FREE // 50], 10)) == list(range(FREE // 50))
    assert list(choose_places(contexts[:1] * 5_000, 10)) == list(range(5_000))
    assert list(choose_places([], 10)) == []


def test_of_longer_contexts_those_at_even_distances_count() -> None:
    contexts = [f"{number:050}" for number in range(2_000)]
    assert list(choose_places(contexts, 40_000)) == list(range(0, 2_000, 2))
    places = list(choose_places(contexts, 79_960))
    assert len(places) == 1_999
    assert places == sorted(set(places))
    assert list(choose_places(["x" * 50_000], 10)) == [0]
