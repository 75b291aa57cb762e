"""Figures worked out by hand from the rules of the 2014 scripts."""

import pytest

from deidstream.study.scoring.i2b2.official_cells import (
    CELLS,
    ELEMENT_CELLS,
    I2b2Cell,
    I2b2Criterion,
    I2b2Scope,
    is_hipaa,
)
from deidstream.study.scoring.i2b2.official_score import CellScore, score_i2b2
from deidstream.study.scoring.i2b2.tags import I2b2Note, InvalidI2b2, Tag

TEXT = "Ann Lee seen 2031-04-05 by Bo, id 77-B."
GOLD = (
    Tag(0, 7, "NAME", "PATIENT"),
    Tag(13, 23, "DATE", "DATE"),
    Tag(27, 29, "NAME", "DOCTOR"),
    Tag(34, 38, "ID", "IDNUM"),
)
FOUND = (
    Tag(0, 7, "NAME", "PATIENT"),
    Tag(13, 21, "DATE", "DATE"),
    Tag(27, 29, "NAME", "PATIENT"),
    Tag(34, 38, "ID", "MEDICALRECORD"),
    Tag(8, 12, "LOCATION", "CITY"),
)
AGE = I2b2Note("Age 91.", (Tag(4, 6, "AGE", "AGE"),))
BARE = I2b2Note("Age 91.", ())
Counted = tuple[int, int, int]


def scores(*pairs: tuple[I2b2Note, I2b2Note]) -> dict[str, CellScore]:
    made = score_i2b2(pairs, (*CELLS, *ELEMENT_CELLS))
    return {score.cell.name: score for score in made}


def counted(gold: tuple[Tag, ...], found: tuple[Tag, ...], cell: str) -> Counted:
    hits = scores((I2b2Note(TEXT, gold), I2b2Note(TEXT, found)))[cell].hits
    return hits.found, hits.spurious, hits.missed


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("strict typed all", (1, 4, 3)),
        ("relaxed typed all", (2, 3, 2)),
        ("token typed all", (4, 4, 4)),
        ("strict binary all", (3, 2, 1)),
        ("relaxed binary all", (4, 1, 0)),
        ("token binary all", (7, 1, 1)),
        ("strict typed hipaa-script", (1, 4, 1)),
        ("relaxed typed hipaa-script", (2, 3, 0)),
        ("token typed hipaa-script", (4, 4, 1)),
        ("strict binary hipaa-script", (1, 4, 1)),
        ("relaxed binary hipaa-script", (2, 3, 0)),
        ("token binary hipaa-script", (4, 4, 1)),
        ("strict typed hipaa-mended", (1, 4, 2)),
        ("relaxed typed hipaa-mended", (2, 3, 1)),
        ("token typed hipaa-mended", (4, 4, 3)),
        ("strict binary hipaa-mended", (2, 3, 1)),
        ("relaxed binary hipaa-mended", (3, 2, 0)),
        ("token binary hipaa-mended", (6, 2, 1)),
        ("strict typed all NAME", (1, 1, 1)),
        ("token typed all NAME", (2, 1, 1)),
        ("strict typed hipaa-script NAME", (1, 1, 0)),
        ("strict typed hipaa-script ID", (0, 1, 0)),
        ("strict typed hipaa-mended ID", (0, 1, 1)),
        ("token typed all LOCATION", (0, 1, 0)),
    ],
)
def test_a_cell_counts_as_by_hand(cell: str, expected: Counted) -> None:
    assert counted(GOLD, FOUND, cell) == expected


def test_macro_is_over_notes_and_an_empty_note_is_zero() -> None:
    pairs = [(I2b2Note(TEXT, GOLD), I2b2Note(TEXT, FOUND)), (AGE, BARE), (BARE, BARE)]
    strict = scores(*pairs)["strict typed all"]
    assert (strict.micro.precision, strict.micro.recall, strict.micro.f1) == pytest.approx(
        (1 / 5, 1 / 5, 1 / 5)
    )
    assert (strict.macro.precision, strict.macro.recall) == pytest.approx((1 / 15, 1 / 12))
    assert strict.macro.f1 == pytest.approx(2 / 27)
    # 0.2, 0, 0 and 0.25, 0, 0, divided by three notes.
    assert strict.precision_deviation == pytest.approx(0.0942809)
    assert strict.recall_deviation == pytest.approx(0.1178511)


def test_nothing_to_divide_by_is_zero() -> None:
    score = scores((BARE, BARE))["strict typed all"]
    assert (score.micro.f1, score.macro.f1, score.recall_deviation) == (0, 0, 0)
    assert score_i2b2([], CELLS)[0].macro.f1 == 0


def test_repeated_tags_collapse() -> None:
    assert counted(GOLD * 2, GOLD * 3, "strict typed all") == (4, 0, 0)
    assert counted(GOLD * 2, GOLD * 3, "token typed all") == (8, 0, 0)


def test_tags_are_compared_in_capitals_and_tokens_as_written() -> None:
    small = (Tag(0, 7, "NAME", "patient"),)
    assert counted(GOLD[:1], small, "strict typed all") == (1, 0, 0)
    assert counted(GOLD[:1], small, "token typed all") == (0, 2, 2)
    assert counted(GOLD[:1], small, "strict typed hipaa-script") == (0, 0, 1)


def test_elements_count_unless_binary() -> None:
    moved = (Tag(0, 7, "ID", "PATIENT"),)
    assert counted(GOLD[:1], moved, "strict typed all") == (0, 1, 1)
    assert counted(GOLD[:1], moved, "strict binary all") == (1, 0, 0)


def test_the_element_phi_stays_typed_in_binary_tags_and_is_never_hipaa() -> None:
    phi = (Tag(0, 7, "PHI", "PATIENT"),)
    assert counted(GOLD[:1], phi, "strict binary all") == (0, 1, 1)
    assert counted(GOLD[:1], phi, "token binary all") == (2, 0, 0)
    assert counted(GOLD[:1], phi, "strict binary hipaa-script") == (0, 0, 1)


def test_a_tag_without_letters_is_one_token_at_its_end() -> None:
    dash, comma = (Tag(17, 18, "DATE", "DATE"),), (Tag(29, 31, "DATE", "DATE"),)
    assert counted(dash, dash, "token typed all") == (1, 0, 0)
    assert counted(dash, comma, "token typed all") == (0, 1, 1)
    # It ends where the other does, and is not the token that begins there.
    assert counted(dash, (Tag(18, 20, "DATE", "DATE"),), "token typed all") == (0, 1, 1)


def date(end: int, start: int = 0) -> Tag:
    return Tag(start, end, "DATE", "DATE")


def test_relaxed_lets_the_end_differ_by_two_and_the_start_by_none() -> None:
    for end, start, expected in ((12, 0, 1), (8, 0, 1), (13, 0, 0), (7, 0, 0), (10, 1, 0)):
        assert counted((date(10),), (date(end, start),), "relaxed typed all")[0] == expected


def test_relaxed_sets_drop_what_is_near_what_came_before() -> None:
    assert counted((date(10), date(12), date(14)), (), "relaxed typed all") == (0, 0, 2)
    assert counted((date(12), date(10), date(14)), (), "relaxed typed all") == (0, 0, 1)


def test_relaxed_true_positives_are_those_of_the_smaller_set() -> None:
    two = (date(8), date(12))
    assert counted((date(10),), two, "relaxed typed all") == (1, 0, 0)
    assert counted((date(10), date(30, 20)), two, "relaxed typed all") == (2, 0, 1)
    assert counted(two, (date(10),), "relaxed typed all") == (1, 0, 0)


def test_the_list_of_hipaa_matches_beginnings() -> None:
    assert is_hipaa(Tag(0, 1, "LOCATION", "ZIPCODE"), mended=False)
    assert is_hipaa(Tag(0, 1, "DATE", "anything"), mended=False)
    assert is_hipaa(Tag(0, 1, "ID", "IDNUM "), mended=False)
    assert not is_hipaa(Tag(0, 1, "ID", "IDNUM"), mended=False)
    assert is_hipaa(Tag(0, 1, "ID", "IDNUM"), mended=True)
    assert not is_hipaa(Tag(0, 1, "NAME", "IDNUM"), mended=True)
    for element, name in (
        ("NAME", "DOCTOR"),
        ("NAME", "USERNAME"),
        ("LOCATION", "HOSPITAL"),
        ("LOCATION", "STATE"),
        ("LOCATION", "LOCATION-OTHER"),
        ("CONTACT", "URL"),
        ("CONTACT", "IPADDR"),
        ("PROFESSION", "PROFESSION"),
        ("OTHER", "OTHER"),
    ):
        assert not is_hipaa(Tag(0, 1, element, name), mended=True)


def test_the_script_prints_forty_two_of_the_cells() -> None:
    printed = [cell.printed_as for cell in (*CELLS, *ELEMENT_CELLS) if cell.printed_as]
    assert len(printed) == len(set(printed)) == 42
    assert I2b2Cell(I2b2Criterion.RELAXED, I2b2Scope.ALL, typed=False).printed_as is None
    assert I2b2Cell(I2b2Criterion.STRICT, I2b2Scope.HIPAA_MENDED, typed=True).printed_as is None


def test_other_texts_are_refused() -> None:
    with pytest.raises(InvalidI2b2, match="not that of gold"):
        score_i2b2([(AGE, I2b2Note("Age 91", ()))], CELLS)
