from deidstream.models.kneo.guards.drugs import find_drugs
from deidstream.models.kneo.guards.tokens import tokens_of


def drugs(text: str) -> set[str]:
    return set(find_drugs(tokens_of(text)))


def test_listed_drugs_are_found_in_any_case() -> None:
    assert drugs("ASPIRIN with Tylenol") == {"aspirin", "tylenol"}


def test_drugs_of_two_words_are_found() -> None:
    assert {"folic acid", "solu medrol"} <= drugs("folic acid, Solu-Medrol")


def test_unlisted_drugs_are_found_by_their_stem() -> None:
    assert drugs("on zoxirimab and qualopril") == {"zoxirimab", "qualopril"}


def test_ordinary_words_are_no_drugs() -> None:
    assert drugs("high cholesterol, an april person, severe pain") == set()
