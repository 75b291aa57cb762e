from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.text.sentences import split_sentences

PARTS = (
    *("Dr.", "q.d.", "e.g.", "3.5", "1.", "(a)", "- ", "PLAN:", "Name:", "pain", "Pain", "J."),
    *(".", "!", "?", " ", "  ", "\t", "\n", "\r\n", "\n\n", "|", "é", "\u00a0", "\u2028", "\x1c"),
)
clinical = st.lists(st.sampled_from(PARTS), max_size=60).map("".join)


@given(st.one_of(st.text(), clinical))
def test_pieces_and_gaps_are_the_text(text: str) -> None:
    end = 0
    rebuilt = ""
    for piece in split_sentences(text):
        assert end <= piece.start < piece.end <= len(text)
        rebuilt += text[end : piece.start] + text[piece.start : piece.end]
        end = piece.end
    assert rebuilt + text[end:] == text


@given(st.one_of(st.text(), clinical))
def test_no_piece_begins_or_ends_with_space(text: str) -> None:
    for piece in split_sentences(text):
        body = text[piece.start : piece.end]
        assert body == body.strip()


@given(clinical)
def test_gaps_hold_no_word(text: str) -> None:
    end = 0
    for piece in split_sentences(text):
        assert not any(word.isalpha() for word in text[end : piece.start].split())
        end = piece.end
    assert not any(word.isalpha() for word in text[end:].split())
