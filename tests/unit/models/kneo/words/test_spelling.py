import pytest

from deidstream.models.kneo.words.spelling import LONGEST, spelling_keys


def are_variants(one: str, other: str) -> bool:
    return not spelling_keys(one).isdisjoint(spelling_keys(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pain", "pains"),
        ("smith", "smyth"),
        ("smith", "smiths"),
        ("smith", "smit"),
        ("smith", "simth"),
        ("allergy", "allergies"),
        ("stop", "stopped"),
        ("deny", "denies"),
        ("pain", "painless"),
        ("hypertension", "hypertensive"),
        ("cirrhosis", "cirrhossis"),
        ("o'brien", "obrien"),
        ("the", "the"),
    ],
)
def test_spelling_variants_share_a_key(one: str, other: str) -> None:
    assert are_variants(one, other)
    assert are_variants(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("of", "or"),
        ("his", "has"),
        ("mg", "ml"),
        ("pain", "fever"),
        ("hypertension", "hypotension"),
        ("smith", "jones"),
    ],
)
def test_other_words_share_none(one: str, other: str) -> None:
    assert not are_variants(one, other)


def test_a_run_of_letters_that_is_no_word_has_one_key() -> None:
    assert len(spelling_keys("ab" * (LONGEST // 2))) > LONGEST
    assert spelling_keys("a" * 10**6) == {"a" * 10**6}
