import time
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.phi.gazetteers import Kind, gazetteers
from deidstream.models.recognizers.dictionary.dictionary import DictionaryRecognizer
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.site_list import ListedTerms, Spelling

PATIENT, DOCTOR = PhiLabel.PATIENT, PhiLabel.DOCTOR
CITY, STATE, COUNTRY = PhiLabel.CITY, PhiLabel.STATE, PhiLabel.COUNTRY


@cache
def plain() -> DictionaryRecognizer:
    return DictionaryRecognizer.build({})


@cache
def denying() -> DictionaryRecognizer:
    deny: dict[str, tuple[str, ...]] = {
        PhiLabel.HOSPITAL: ("Hill Unit", "the annexe"),
        PhiLabel.DEVICE: ("X-7/b",),
    }
    return DictionaryRecognizer.build(deny)


def found(text: str, recognizer: DictionaryRecognizer | None = None) -> set[tuple[str, PhiLabel]]:
    (spans,) = (recognizer or plain()).recognize([RawNote("n", "p", text)])
    return {(text[span.start : span.end], span.label) for span in spans}


def test_it_is_called_dictionary() -> None:
    assert plain().name == "dictionary"


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("seen with Margaret Zellweger today", "Margaret Zellweger", PATIENT),
        ("seen with Margaret J. Smith today", "Margaret J. Smith", PATIENT),
        ("NAME: SMITH, MARGARET A", "SMITH, MARGARET A", PATIENT),
        ("MARGARET COLON WAS SEEN", "MARGARET COLON", PATIENT),
        ("Hope Zimmerman called", "Hope Zimmerman", PATIENT),
        ("note of R. Zimmerman here", "R. Zimmerman", PATIENT),
        ("her sister Margaret came", "Margaret", PATIENT),
        ("told Mrs. Young so", "Young", PATIENT),
        ("told Dr. Young so", "Young", DOCTOR),
        ("Margaret Smith, MD", "Margaret Smith", DOCTOR),
        ("Attending: Margaret Smith", "Margaret Smith", DOCTOR),
        ("Mar\u00eda Zimmerman\u2019s leg", "Mar\u00eda Zimmerman", PATIENT),
        ("for Margaret O\u2019Brien-Smith", "Margaret O\u2019Brien-Smith", PATIENT),
    ],
)
def test_a_supported_name_is_found(text: str, name: str, label: PhiLabel) -> None:
    assert (name, label) in found(text)


@given(
    st.lists(st.sampled_from(["Margaret", "O'Brien", "SMITH", "R", "-", "'s", ",", ".", " ", "1"]))
)
def test_a_character_far_away_changes_no_name(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert found(text + "\n\n; \u4e2d") == found(text + "\n\n; x")


@pytest.mark.parametrize(
    ("text", "place", "label"),
    [
        ("from Boston, MA 02111", "Boston", CITY),
        ("from Boston, MA 02111", "MA", STATE),
        ("moved to San Antonio", "San Antonio", CITY),
        ("lives in Reading, England", "Reading", CITY),
        ("lives in Reading, England", "England", COUNTRY),
        ("born in Nigeria", "Nigeria", COUNTRY),
        ("trip to Jordan", "Jordan", COUNTRY),
        ("flew to Massachusetts", "Massachusetts", STATE),
    ],
)
def test_a_place_is_found(text: str, place: str, label: PhiLabel) -> None:
    assert (place, label) in found(text)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("samples sent to Accra.", 1.0),
        ("ref -> Zomba. No transport", 1.0),
        ("flew in from Rzeszow", 1.0),
        ("admitted in Accra", 0.75),
        ("in Zomba", 0.6),
        ("spoke to Houston", 0.75),
        ("sent to OSH", 0.75),
    ],
)
def test_a_town_that_one_goes_to_is_certain(text: str, score: float) -> None:
    (spans,) = plain().recognize([RawNote("n", "p", text)])
    assert [span.score for span in spans if span.label is CITY] == [score]


@pytest.mark.parametrize(
    "text",
    [
        "She may go home. Will follow. Reading glasses. Long history.",
        "Colon normal. Rose to stand. A nice mobile patient.",
        "patient is stable in or at ok condition, in me, hi",
        "Quackenbush",
        "ANA, ECG, MRI and CT. AKI on CKD.",
        "German measles. Spanish interpreter. English only.",
        "E. coli and S. aureus grew. Vitamin D. Calcium low.",
        "FOLEY IN, OUT TOMORROW",
        "Turkey sandwich",
    ],
)
def test_ordinary_words_are_passed_over(text: str) -> None:
    assert found(text) == set()


def test_a_name_does_not_go_on_into_an_abbreviation() -> None:
    assert ("Margaret Smith", PATIENT) in found("Margaret Smith PE ruled out")


def test_a_month_before_its_year_is_no_surname() -> None:
    assert not found("PMH: MI March 2006, CABG.")
    assert found("Mr. Ian March, 61")


def test_a_given_name_alone_is_only_half_believed() -> None:
    (spans,) = plain().recognize([RawNote("n", "p", "then Margaret came")])
    assert [span.score for span in spans] == [0.5]


def test_a_given_name_in_an_eponym_does_not_count() -> None:
    assert found("the Margaret score") == found("Margaret 4.5") == set()


@pytest.mark.parametrize(
    "text", ["did the Stanford-Binet then", "with Dall-Miles cables", "Milan IVa,"]
)
def test_two_names_of_an_eponym_and_a_numeral_are_no_given_name(text: str) -> None:
    assert found(text) == set()


def test_a_double_given_name_counts_alone() -> None:
    assert found("then Anne-Marie came") == {("Anne-Marie", PATIENT)}


@pytest.mark.parametrize("text", ["the HILL UNIT", "hill  unit's", "The Annexe", "the\nannexe"])
def test_a_denied_term_is_found_wherever_it_stands(text: str) -> None:
    (spans,) = denying().recognize([RawNote("n", "p", text)])
    assert {(span.label, span.score, span.source) for span in spans} >= {
        (PhiLabel.HOSPITAL, 1.0, "dictionary:deny")
    }


def test_a_denied_term_with_odd_characters_is_found() -> None:
    assert ("X-7/B", PhiLabel.DEVICE) in found("no. X-7/B.", denying())
    assert found("no. AX-7/B.", denying()) == set()


def test_each_note_is_read_alone() -> None:
    notes = [RawNote("1", "p", "Margaret"), RawNote("2", "p", "Smith")]
    assert plain().recognize([]) == []
    alone = [plain().recognize([note])[0] for note in notes]
    assert plain().recognize(notes) == alone


def test_the_gazetteers_know_what_a_term_may_be() -> None:
    assert gazetteers()["\0jordan\0"] & Kind.COUNTRY
    assert gazetteers()["\0jordan\0"] & Kind.GIVEN
    assert gazetteers()["\0new\0 \0york\0"] & Kind.LARGE_CITY
    assert len(gazetteers()) > 100_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", [" ", "A", "1-", "Mary ", "A. ", "Boston, MA\n", "Jordan\u2019s "]
)
def test_half_a_megabyte_of_one_thing_takes_linear_time(piece: str) -> None:
    started = time.process_time()
    plain().recognize([RawNote("n", "p", piece * (500_000 // len(piece)))])
    assert time.process_time() - started < 12


def listing(spelling: Spelling, *terms: str) -> DictionaryRecognizer:
    return DictionaryRecognizer.build({}, {"own": ListedTerms(PhiLabel.DEVICE, spelling, terms)})


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        (Spelling.FOLD, ["Zörbo pump", "ZÖRBO PUMP", "Zorbo\npump", "zörbo  pump"]),
        (Spelling.FOLD_CASE, ["Zörbo pump", "ZÖRBO PUMP", "zörbo  pump"]),
        (Spelling.EXACT, ["Zörbo pump"]),
    ],
)
def test_a_list_is_found_as_it_says(spelling: Spelling, expected: list[str]) -> None:
    text = "Zörbo pump, ZÖRBO PUMP, Zorbo\npump, zörbo  pump, xZörbo pump"
    (spans,) = listing(spelling, "Zörbo pump").recognize([RawNote("n", "p", text)])
    assert [text[s.start : s.end] for s in spans if s.source == "list:own"] == expected


def test_a_term_may_be_in_several_lists() -> None:
    codes = ListedTerms(PhiLabel.DEVICE, Spelling.EXACT, ("ZOR", "Zor"))
    wards = ListedTerms(PhiLabel.HOSPITAL, Spelling.FOLD, ("zor",))
    made = DictionaryRecognizer.build(
        {PhiLabel.ORGANIZATION: ("Zor",)}, {"codes": codes, "wards": wards}
    )
    (spans,) = made.recognize([RawNote("n", "p", "ZOR zor")])
    stated = {(s.start, s.source) for s in spans}
    assert stated == {
        (0, "dictionary:deny"),
        (0, "list:codes"),
        (0, "list:wards"),
        (4, "dictionary:deny"),
        (4, "list:wards"),
    }
