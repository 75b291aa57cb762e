import pytest

from deidstream.models.phi.names.signatures import is_signature, may_be_signed


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("1620 wound dry. AB\n", True),
        ("AB  took over", True),
        ("dry; AB; moved", True),
        ("see chart (AB)", True),
        ("[typed 2.9.25 AB]\n", True),
        ("[at the AB]\n", False),
        ("the AB ratio is", False),
        ("flushed 100 ml AB\n", False),
        ("2000 | CD | AB | H* |", True),
    ],
)
def test_people_sign_at_the_ends_of_entries_and_in_fields(text: str, *, signs: bool) -> None:
    start = text.index("AB")
    assert is_signature(text, start, start + 2) is signs
    assert may_be_signed(text, start, start + 2) is signs


@pytest.mark.parametrize(
    "text",
    [
        "seen by AB who",
        "SHO AB spoke",
        "appy under AB, well",
        "home AB 1/2/25",
        "0430 AB. Next",
        "told (done, AB, sorry)",
        "removed 04.02 AB, s/n",
        "out 4/2/25 AB; dry",
    ],
)
def test_letters_behind_who_did_it_or_when_may_be_signed(text: str) -> None:
    start = text.index("AB")
    assert not is_signature(text, start, start + 2)
    assert may_be_signed(text, start, start + 2)


def test_the_last_cell_of_a_row_may_be_signed() -> None:
    row = "| 0931 | wound dry | AB\n| 0945 | moved | CD\n"
    assert may_be_signed(row, row.index("AB"), row.index("AB") + 2)


def test_letters_behind_a_value_are_how_it_was_measured() -> None:
    text = "29w3d by AB, well"
    assert not may_be_signed(text, text.index("AB"), text.index("AB") + 2)


def test_a_value_is_no_date_before_who_signs() -> None:
    text = "stable 90/45 AB. Next"
    assert not may_be_signed(text, text.index("AB"), text.index("AB") + 2)
