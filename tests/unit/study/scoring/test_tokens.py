import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.study.scoring.match import Extent, pieces, tokens

DATE = PhiLabel.DATE


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in tokens(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. O'Neil, 03/04/2024", ["Dr", "O", "Neil", "03", "04", "2024"]),
        ("a_b-c", ["a", "b", "c"]),
        ("Ünal, Łukasz Žižek", ["Ünal", "Łukasz", "Žižek"]),
        ("Nguye\u0302\u0303n Thi\u0323", ["Nguye\u0302\u0303n", "Thi\u0323"]),
        ("नमस्ते ٣٤", ["नमस्ते", "٣٤"]),
        ("王芳 x²", ["王芳", "x²"]),
        ("😀 \u0301 --", []),
        ("", []),
    ],
)
def test_tokens_are_runs_of_letters_and_digits(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_pieces_are_the_tokens_within_an_extent() -> None:
    runs = tokens("on 03/04/2024T10")
    assert pieces(runs, [Extent(3, 13, DATE)]) == [
        Extent(3, 5, DATE),
        Extent(6, 8, DATE),
        Extent(9, 13, DATE),
    ]


def test_a_token_across_the_edge_is_cut() -> None:
    assert pieces(tokens("aged58F"), [Extent(4, 6, DATE)]) == [Extent(4, 6, DATE)]


def test_an_extent_of_no_letter_has_no_pieces() -> None:
    assert pieces(tokens("a ** b"), [Extent(1, 5, DATE)]) == []
    assert pieces((), [Extent(0, 5, DATE)]) == []
