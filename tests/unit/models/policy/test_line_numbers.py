"""Where the keys of a policy stand."""

import time

import pytest

from deidstream.models.policy.line_numbers import Lines

TEXT = '''\
# a comment = 1
technique = "x"
allow = [
  "operators.DATE = 1",
  "[operators]",
]
note = """
[operators]
DATE = 1
"""
[operators]
"DATE" = "redact"  # = "x"
AGE = "keep"

[risk]
on_red.x = 1
'''


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("technique", 2),
        ("allow", 3),
        ("note", 7),
        ("operators", 11),
        ("operators.DATE", 12),
        ("operators.AGE", 13),
        ("risk", 15),
        ("risk.on_red", 16),
        ("risk.red", 15),
        ("colour", None),
    ],
)
def test_the_line_of_a_key_is_found(key: str, line: int | None) -> None:
    assert Lines.of(TEXT).line_of(key) == line


def test_a_key_within_a_line_is_found() -> None:
    lines = Lines.of("a = 1\r\ndeny = { CITY = 3 }\r\ndates.max = 2\r\n")
    assert (lines.line_of("deny.CITY"), lines.line_of("dates.max")) == (2, 3)
    assert lines.place("p.toml", "a") == "p.toml:1"
    assert lines.place("p.toml", "b") == "p.toml"


def test_a_long_file_takes_little_time() -> None:
    terms = "".join(f'  "Term {number}",\n' for number in range(5_000))
    text = f"a = 1\nb = [\n{terms}]\n[c]\nd = 1\n"
    started = time.perf_counter()
    assert Lines.of(text).line_of("c.d") == 5_005
    assert time.perf_counter() - started < 5
