import pytest

from deidstream.models.kneo.words.words_and_numbers import cut_words, normal_word


@pytest.mark.parametrize(
    ("text", "words", "numbers"),
    [
        ("No chest pain.", ["No", "chest", "pain"], []),
        ("BP 120/80, T 38.5", ["BP", "T"], ["120", "80", "38.5"]),
        ("T2DM, 500mg", ["T", "DM", "mg"], ["2", "500"]),
        ("1,200 steps; 3. next", ["steps", "next"], ["1,200", "3"]),
        ("didn\u2019t eat", ["didn\u2019t", "eat"], []),
        ("patient's PATIENT\u2019S son's", ["patient", "PATIENT", "son"], []),
        ("Mu\u0308ller na\u00efve", ["Mu\u0308ller", "na\u00efve"], []),
        ("\u24bf\u24de\u24d7\u24dd", ["\u24bf\u24de\u24d7\u24dd"], []),
        ("\u0417\u0434\u0440\u0430\u0432 \u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22", None, []),
        ("10\u00b2 \u0663", [], ["10\u00b2", "\u0663"]),
        ("\u2022 -- _ * \n\t", [], []),
    ],
)
def test_words_and_numbers_are_told(text: str, words: list[str] | None, numbers: list[str]) -> None:
    found = list(cut_words(text))
    assert [one.text for one in found if one.is_number] == numbers
    assert [one.text for one in found if not one.is_number] == (words or text.split()) or (
        words == []
    )
    assert all(text[one.start : one.end] == one.text for one in found)


@pytest.mark.parametrize(
    ("word", "normal"),
    [("PAIN", "pain"), ("Na\u00efve", "naive"), ("Didn\u2019t", "didn't"), ("\u24bf\u24de", "jo")],
)
def test_words_have_a_normal_form(word: str, normal: str) -> None:
    assert normal_word(word) == normal
