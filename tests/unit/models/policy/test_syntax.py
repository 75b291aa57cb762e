"""Where and why a file is no TOML."""

import pytest

from deidstream.models.policy.syntax import parse
from deidstream.schemas.errors import InvalidPolicy


def told(source: bytes) -> str:
    with pytest.raises(InvalidPolicy) as caught:
        parse(source, "p.toml")
    return str(caught.value).removeprefix("p.toml:")


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (b"\n=", 2),
        (b"a = 1\n\xff", 2),
        (b"a = [\n1,\n", 3),
        (b"a = " + b"[" * 100_000, 1),
        (b"a = 1\n\nb = " + b"[" * 2_000 + b"]" * 2_000 + b"\nc = 1\n", 3),
        (b"a = 1\n\nb = " + b"{c=" * 2_000, 3),
        (b"a = 1\nb = [\n1,\n" + b"1" * 5_000 + b"\n]\n", 4),
    ],
)
def test_the_line_is_that_of_the_fault(source: bytes, line: int) -> None:
    assert told(source).startswith(f"{line}: not TOML: ")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"[dates]\nx = 1\n[dates]\ny = 1\n", "3: not TOML: [dates] is there already"),
        (b"a = 1\n'b' = 2\n'b' = 2\n", "3: not TOML: 'b' is there already"),
        (b"a = 1\na = [\n1,\n2,\n]\nb = 1\n", "2: not TOML: a is there already"),
        (b"a = 1\n[deny]\nb.c = 1\n  b.c = 2", "4: not TOML: b.c is there already"),
        (b"a = {b = 1}\n[a.c]\n", "2: not TOML: [a.c] is there already"),
        (b"a.b = 1\n[a]\n", "2: not TOML: [a] is there already"),
    ],
)
def test_what_stands_there_twice_is_named(source: bytes, said: str) -> None:
    assert told(source) == said


def test_a_byte_order_mark_is_named() -> None:
    assert "1: not TOML: it begins with a byte order mark (BOM): save it" in told(
        b"\xef\xbb\xbfa = 1"
    )
