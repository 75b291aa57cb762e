import time

from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.models.kneo.guards.tokens import codes_of_terms, tokens_of


def test_marks_between_words_are_no_tokens_but_ends_are() -> None:
    assert tokens_of("(left-sided) 5%; T2/T3.") == ["left", "sided", "5", "%", ";", "t2", "t3", "."]


def test_codes_are_the_same_in_every_process() -> None:
    assert codes_of_terms(["aspirin", "5 mg"]) == {3_416_760_201, 3_715_723_390}


@settings(max_examples=30)
@given(st.text(max_size=30))
def test_any_text_can_be_cut(text: str) -> None:
    assert codes_of_terms(tokens_of(text)) is not None


def test_time_is_linear_on_hostile_text() -> None:
    began = time.process_time()
    for text in ("1,." * 200_000, "a" * 600_000, "a1" * 300_000, "'" * 600_000):
        tokens_of(text)
    assert time.process_time() - began < 5
