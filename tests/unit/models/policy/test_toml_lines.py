"""Where and why a file is not TOML, and where its keys are."""

import time

import pytest

from deidstream.models.policy.toml_lines import TomlMistake, parse, report
from deidstream.schemas.errors import InvalidPolicy

ITEMS = b"""
[deny]
CITY = ["Ankh", "[x]",
  # "none"
  'one, "two"', \"\"\"
three\"\"\", "four"]
"a[0]" = ['x']
"""


@pytest.mark.parametrize(
    ("key", "item", "told"),
    [
        ("CITY", 0, "p.toml:3: deny.CITY: wrong"),
        ("CITY", 1, "p.toml:3: deny.CITY: item 1: wrong"),
        ("CITY", 2, "p.toml:3: deny.CITY: item 2: wrong"),
        ("CITY", 3, "p.toml:5: deny.CITY: item 3: wrong"),
        ("CITY", 4, "p.toml:5: deny.CITY: item 4: wrong"),
        ("CITY", 5, "p.toml:6: deny.CITY: item 5: wrong"),
        ("CITY", 6, "p.toml:3: deny.CITY: item 6: wrong"),
        ("a[0]", 1, 'p.toml:7: deny."a[0]": item 1: wrong'),
    ],
)
def test_an_item_of_a_list_has_its_own_line(key: str, item: int, told: str) -> None:
    assert report([TomlMistake(("deny", key), "wrong", item=item)], ITEMS, "p.toml") == told


def refusal(source: bytes) -> str:
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
        (b"a = 1\nb = [\n1,\n" + b"1" * 5_000 + b"\n]\n", 2),
    ],
)
def test_the_line_is_that_of_the_fault(source: bytes, line: int) -> None:
    assert refusal(source).startswith(f"{line}: not TOML: ")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"[dates]\nx = 1\n[dates]\ny = 1\n", "3: not TOML: [dates] is already defined"),
        (b"a = 1\n'b' = 2\n'b' = 2\n", "3: not TOML: 'b' is already defined"),
        (b"a = 1\na = [\n1,\n2,\n]\nb = 1\n", "2: not TOML: a is already defined"),
        (b"a = 1\n[deny]\nb.c = 1\n  b.c = 2", "4: not TOML: b.c is already defined"),
        (b"a = {b = 1}\n[a.c]\n", "2: not TOML: [a.c] is already defined"),
        (b"a.b = 1\n[a]\n", "2: not TOML: [a] is already defined"),
    ],
)
def test_what_stands_there_twice_is_named(source: bytes, said: str) -> None:
    assert refusal(source) == said


def test_a_byte_order_mark_is_named() -> None:
    assert "1: not TOML: it begins with a byte order mark (BOM): save it" in refusal(
        b"\xef\xbb\xbfa = 1"
    )


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


def place(key: str, source: str = TEXT) -> str:
    mistake = TomlMistake(tuple(key.split(".")), "wrong")
    return report([mistake], source.encode(), "p.toml")


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
    ],
)
def test_the_line_of_a_key_is_found(key: str, line: int) -> None:
    assert place(key) == f"p.toml:{line}: {key}: wrong"


def test_a_key_that_is_nowhere_has_no_line() -> None:
    assert place("colour") == "p.toml: colour: wrong"


def test_a_key_within_a_line_is_found() -> None:
    source = "a = 1\r\ndeny = { CITY = 3 }\r\ndates.max = 2\r\n"
    assert place("deny.CITY", source) == "p.toml:2: deny.CITY: wrong"
    assert place("dates.max", source) == "p.toml:3: dates.max: wrong"


@pytest.mark.parametrize(
    "value",
    [
        '"[" # [',
        "'{'",
        '"\\"["',
        '"""\n[b]\nc = 1"""',
        '"""x\\"""[\n"""',
        "'''\n[b]\n'''",
        "[ # ]\n1, [2],\n]",
        "{ x = ']' }",
    ],
)
def test_strings_and_arrays_hold_no_statements(value: str) -> None:
    source = f"[a]\nx = {value}\n[b]\nc = 2\n"
    assert place("b.c", source) == f"p.toml:{source.count(chr(10))}: b.c: wrong"


def test_keys_are_written_as_in_the_file() -> None:
    mistake = TomlMistake(("tenants", "st.anne"), "wrong")
    source = b'[tenants]\nmercy = 1\n"st.anne" = 1\n'
    assert report([mistake], source, "t") == 't:3: tenants."st.anne": wrong'


def test_a_long_file_takes_little_time() -> None:
    terms = "".join(f'  "Term {number}",\n' for number in range(20_000))
    text = f"a = 1\nb = [\n{terms}]\n[c]\nd = 1\n"
    started = time.process_time()
    assert place("c.d", text) == "p.toml:20005: c.d: wrong"
    assert time.process_time() - started < 5
