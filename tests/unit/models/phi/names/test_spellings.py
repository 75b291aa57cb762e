import pytest

from deidstream.models.phi.names.spellings import LONGEST, find_nearest, reduce_to_consonants

SHARES = {
    "smith": 1.0,
    "smyth": 0.01,
    "roberto": 0.1,
    "peterson": 0.3,
    "petersen": 0.1,
    "mario": 0.2,
}


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
    assert find_nearest(slip, SHARES, 0.002) == meant


def test_a_rare_name_is_not_what_was_meant() -> None:
    assert find_nearest("smyhth", {"smyhht": 0.01}, 0.02) == ""
    assert find_nearest("smitth", {"smith": 0.01}, 0.02) == ""


def test_a_name_is_no_slip_of_itself() -> None:
    assert find_nearest("smith", SHARES, 0.002) == ""
    assert find_nearest("peterson", SHARES, 0.002) == "petersen"


def test_a_very_long_word_is_no_slip() -> None:
    assert find_nearest("a" * (LONGEST + 1), {"a" * LONGEST: 1.0}, 0.0) == ""


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
