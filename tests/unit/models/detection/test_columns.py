"""A cell counts if it is written as the identifiers of its column."""

import pytest

from deidstream.models.detection.columns import find_alike_in_columns
from deidstream.models.detection.sweep import sweep
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

NURSES = """\
time  | what               | by  | pump
0600  | obs, NBM           | QT  | K-4471
0800  | turned, skin ok    | OT  | K-4498
1000  | drain 40 ml        | WVB | K-4502
1200  | mobilised with PT  | ICU | none
"""
CENSUS = """\
Ward    Name               Age   Plan
Fern 4  Ottilie Vance      71    MRI
MICU    Bo Strand          64    wean
K7      (empty)
B12     Ines Marlowe       9     home
"""


def place(text: str, words: dict[str, PhiLabel], score: float = 0.9) -> list[Span]:
    return sorted(
        Span(start := text.index(word), start + len(word), label, score, "tagger")
        for word, label in words.items()
    )


def found_in(text: str, spans: list[Span]) -> list[str]:
    return [text[one.start : one.end] for one in find_alike_in_columns(text, spans)]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        (NURSES, {"QT": PhiLabel.DOCTOR, "WVB": PhiLabel.DOCTOR}, ["OT"]),
        (NURSES, {"K-4471": PhiLabel.DEVICE, "K-4502": PhiLabel.DEVICE}, ["K-4498"]),
        (NURSES.replace(" | ", "\t"), {"OT": PhiLabel.DOCTOR, "WVB": PhiLabel.DOCTOR}, ["QT"]),
        (CENSUS, {"71": PhiLabel.AGE, "64": PhiLabel.AGE}, ["Fern 4", "K7", "B12", "9"]),
        (
            CENSUS.replace("Ward", "Site"),
            {"Fern 4": PhiLabel.HOSPITAL, "K7": PhiLabel.HOSPITAL},
            ["B12"],
        ),
        (
            CENSUS.replace("Ward", "Site"),
            {"Ottilie Vance": PhiLabel.PATIENT, "Bo Strand": PhiLabel.PATIENT},
            ["Ines Marlowe"],
        ),
        (
            "no;dt;init/age;op;asa\n1;3/2;JM 74;TUR;3\n2;3/2;SO'N 5;T&A;1\n3;4/2;TR-W 45;lap;2\n",
            {},
            ["JM", "SO'N", "TR-W"],
        ),
        (
            "1;3/2;JM 74;TURP;3;x\n2;3/2;PD 66;TUR;1;y\n3;4/2;TW 45;lap;2;z\n4;5/2;KA 31;CS;1;x\n",
            {"PD": PhiLabel.PATIENT, "KA": PhiLabel.PATIENT},
            ["TW"],
        ),
        (
            "A | JK / 0812\nB | LD / 7745\nC | TW / 3390 (moved)\n",
            {"JK": PhiLabel.PATIENT, "TW": PhiLabel.PATIENT, "0812": PhiLabel.MEDICALRECORD,
             "3390": PhiLabel.MEDICALRECORD},
            ["LD", "7745"],
        ),
        (
            "P/881  Ada\nP/902  Bo\nP/640  Cy\nQ9  Di\n",
            {"P/881": PhiLabel.IDNUM, "902": PhiLabel.MEDICALRECORD},
            ["P/902", "P/640"],
        ),
    ],
)  # fmt: skip
def test_what_is_written_as_its_column_counts(
    text: str, words: dict[str, PhiLabel], expected: list[str]
) -> None:
    assert sorted(found_in(text, place(text, words))) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # One identifier, or the same twice, is no column.
        (NURSES, {"QT": PhiLabel.DOCTOR}),
        (NURSES.replace("WVB", "QT "), {"QT": PhiLabel.DOCTOR}),
        # So are two among many other cells.
        (NURSES + "1400  | x | HR | y\n" * 4, {"QT": PhiLabel.DOCTOR, "WVB": PhiLabel.DOCTOR}),
        # A line of prose between them ends a table.
        (
            "QT  x\n" + "Seen at home.\n" * 4 + "WVB  y\nOT  z",
            {"QT": PhiLabel.DOCTOR, "WVB": PhiLabel.DOCTOR},
        ),
        # The beds of an intensive care unit are no wards.
        (
            "Fern 4  a\nElm 2  b\nICU 3  c\nED 12  d",
            {"Fern 4": PhiLabel.HOSPITAL, "Elm 2": PhiLabel.HOSPITAL},
        ),
        # One letter, as in a chart of doses, is held or refused.
        ("a |JB| x\nb | H | x\nc |RS| x", {"JB": PhiLabel.DOCTOR, "RS": PhiLabel.DOCTOR}),
        # Lines of one cell are no table.
        ("Rosa Lind\nTom Bell\nZorvik", {"Rosa": PhiLabel.PATIENT, "Tom": PhiLabel.DOCTOR}),
    ],
)
def test_other_cells_do_not(text: str, words: dict[str, PhiLabel]) -> None:
    assert found_in(text, place(text, words)) == []


def test_a_number_that_begins_in_another_cell_makes_no_column() -> None:
    text = "4471  1908  a\n4474  2049  b\n4476  0102  c"

    words = dict.fromkeys(["4471  1908", "4474  2049"], PhiLabel.IDNUM)

    assert found_in(text, place(text, words)) == []


def test_doubtful_spans_make_no_column() -> None:
    words = {"QT": PhiLabel.DOCTOR, "WVB": PhiLabel.DOCTOR}

    assert found_in(NURSES, place(NURSES, words, score=0.4)) == []


def test_the_sweep_adds_the_cells_of_a_column() -> None:
    spans = place(NURSES, {"QT": PhiLabel.DOCTOR, "WVB": PhiLabel.DOCTOR})

    added = [span for span in sweep(NURSES, spans) if span.source == "sweep"]

    assert [(NURSES[span.start : span.end], span.label) for span in added] == [
        ("OT", PhiLabel.DOCTOR)
    ]
