import pytest

from deidstream.models.phi.names.initials import ALPHABET
from deidstream.models.phi.names.spellings import (
    LONGEST,
    ListedNames,
    find_nearest,
    reduce_to_consonants,
)

SHARES = {
    "smith": 1.0,
    "smyth": 0.01,
    "roberto": 0.1,
    "peterson": 0.3,
    "petersen": 0.1,
    "mario": 0.2,
}
LISTED = ListedNames.of_shares(SHARES)


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("smtih", "smith"), ("smitth", "smith"), ("petterson", "peterson"),
        ("petreson", "peterson"),
        ("peteson", "peterson"), ("petersn", "peterson"), ("peterzon", "peterson"),
        ("pettersonn", ""), ("roberta", ""), ("msith", ""), ("mairi", ""), ("smit", ""),
    ],
)  # fmt: skip
def test_one_slip_is_undone_and_two_are_not(slip: str, meant: str) -> None:
    assert find_nearest(slip, LISTED, 0.002) == meant


def test_a_rare_name_is_not_what_was_meant() -> None:
    assert find_nearest("smyhth", ListedNames.of_shares({"smyhht": 0.01}), 0.02) == ""
    assert find_nearest("smitth", ListedNames.of_shares({"smith": 0.01}), 0.02) == ""


def test_a_name_is_no_slip_of_itself() -> None:
    assert find_nearest("smith", LISTED, 0.002) == ""
    assert find_nearest("peterson", LISTED, 0.002) == "petersen"


def test_a_very_long_word_is_no_slip() -> None:
    listed = ListedNames.of_shares({"a" * LONGEST: 1.0})
    assert find_nearest("a" * (LONGEST + 1), listed, 0.0) == ""


@pytest.mark.parametrize("letter", ALPHABET)
@pytest.mark.parametrize("at", range(1, len("roberto") - 1))
def test_any_letter_between_the_first_and_the_last_may_be_wrong(at: int, letter: str) -> None:
    head, tail = "roberto"[:at], "roberto"[at:]
    assert find_nearest(head + letter + tail, LISTED, 0.002) == "roberto"
    meant = "" if letter == tail[0] else "roberto"
    assert find_nearest(head + letter + tail[1:], LISTED, 0.002) == meant


@pytest.mark.parametrize("slip", ["achtrebreg", "achterberrg", "acterbergh", "achtorberg"])
def test_consonants_outlast_a_slip(slip: str) -> None:
    assert reduce_to_consonants(slip) == reduce_to_consonants("achterberg")


def test_too_few_consonants_tell_nothing() -> None:
    assert reduce_to_consonants("siasi") == ""


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("shachar", "shacher", True), ("rangihuna", "rangihana", True),
        ("shachar", "shamir", False), ("moana", "mauna", False),
    ],
)  # fmt: skip
def test_a_long_name_is_told_by_fewer_consonants(one: str, other: str, *, agree: bool) -> None:
    assert (reduce_to_consonants(one) == reduce_to_consonants(other) != "") is agree
