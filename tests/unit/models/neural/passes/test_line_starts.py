import pytest

from deidstream.models.neural.passes.line_starts import find_line_starts
from deidstream.models.neural.tokenizer import Pieces
from support.checkpoints import encoder


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Pieces:
    return Pieces.load(encoder(tmp_path_factory.mktemp("lines")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("seen march", []),
        ("seen\nmarch", [1]),
        ("seen\r\nmarch\n \n1 march", [1, 2]),
        ("\n\nseen\n", []),
        ("\n", []),
        ("seen\rmarch", [1]),
    ],
)
def test_a_line_starts_after_an_end_of_line(pieces: Pieces, text: str, expected: list[int]) -> None:
    (encoding,) = pieces.encode([text])
    assert find_line_starts(text, encoding) == expected
