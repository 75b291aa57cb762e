"""The plain text of a note, and the readings around its torn lines."""

import pytest

from deidstream.models.detection.obfuscation.line_ends import find_joins
from deidstream.models.detection.obfuscation.plain_text import plain_text_of
from deidstream.models.detection.obfuscation.readings import read_obfuscated_note
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span


def shown(text: str) -> str:
    return plain_text_of(text).text


def read(text: str, form: int = 0) -> str:
    """The text with every join made in one form."""
    for join in reversed(find_joins(text)):
        text = text[: join.start] + join.forms[min(form, len(join.forms) - 1)] + text[join.end :]
    return text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Sm\u200bi\u200dt\u2060h", "Smith"),
        ("\u202eSmith\u202c \ufeffJones", "Smith Jones"),
        ("Sm\u00adith", "Smith"),
        ("Sm\x00i\x01th", "Smith"),
        ("Sm\ufe0fi\u034fth\U000e0041", "Smith"),
        ("S\u0336m\u0336ith, e\u20dd", "Smith, e"),
        ("Dr.\u00a0Lal\u2003saw\u2800him", "Dr. Lal saw him"),
        ("one\u2028two\x0bthree\x85four", "one\ntwo\nthree\nfour"),
        ("Smith\x07denies\x1fpain\x7fnow", "Smith denies pain now"),
        ("Smith\u200bDenies, Sm\u200bith, SM\u200bITH", "Smith Denies, Smith, SMITH"),
        ("\ud800 seen", "? seen"),
    ],
)
def test_invisible_characters_go_and_spaces_become_plain(text: str, plain: str) -> None:
    assert shown(text) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("\u041ekafor", "Okafor"),
        ("Ok\u0430f\u043er", "Okafor"),
        ("M\u03b1ry Ann\u03b1", "Mary Anna"),
        ("\u0421\u043e\u0445 was seen", "Cox was seen"),
        ("\uff33\uff4d\uff49\uff54\uff48", "Smith"),
        ("\U0001d412\U0001d426\U0001d422\U0001d42d\U0001d421", "Smith"),
        ("\u24e2\u24dc\u24d8\u24e3\u24d7 \U0001f142\U0001f15c", "smith SM"),
        ("S\u1d0d\u026a\u1d1b\u029c", "Smith"),
        ("\u13deew\u13e6s", "LewKs"),
        ("Ale\u00d7ander", "Alexander"),
        ("\ufb01sher", "fisher"),
    ],
)
def test_look_alikes_in_latin_words_become_what_they_look_like(text: str, plain: str) -> None:
    assert shown(text) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("\uff11\u0662\u06f3-\U0001d7d2\u096b", "123-45"),
        ("12\u0417-45-67\u041e9", "123-45-6709"),
        ("MRN \u041023\u04174", "MRN A2334"),
        ("200\u2013555\u20110143", "200-555-0143"),
        ("(200)\u2012555\u22120143", "(200)-555-0143"),
        ("2024\u201401", "2024-01"),
    ],
)
def test_numbers_become_ascii(text: str, plain: str) -> None:
    assert shown(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "Seen today; no change.\nPlan - rest.",
        "TNF\u03b1, IFN-\u03b3, \u03b2-blocker, \u03b11-antitrypsin, NF-\u03baB",
        "5 \u00b5g, 3 \u03bcL, \u03b12 and \u03b22 agonists",
        "10\u00b3/\u00b5L, m\u00b2, \u00bd tablet, 37 \u00b0C, 2\u00d72 cm, \u2265 5",
        "Jos\u00e9 Garc\u00eda-N\u00fa\u00f1ez, Y\u0131ld\u0131z, \u0141ukasz, \u00d8ystein",
        "pain \u2014 severe \u2013 since noon\u2026",
        "\u041f\u0430\u0446\u0438\u0435\u043d\u0442 \u0441\u043e\u0440 \u041d\u043e\u0440\u0430",
        "\u039f \u03b1\u03c3\u03b8\u03b5\u03bd\u03ae\u03c2",
        "\u4e2d\u6587 \u0639\u0631\u0628\u064a",
        "- item\n- item\n5 -\n6",
    ],
)
def test_ordinary_text_is_its_own_plain_text(text: str) -> None:
    assert shown(text) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Mr. Oka-\nfor left", "Mr. Okafor left"),
        ("Mr. Oka- \r\n   for left", "Mr. Okafor left"),
        ("Mr. Oka\u00ad\nfor left", "Mr. Okafor left"),
        ("Mr. Oka\u2010\u200b\nfor left", "Mr. Okafor left"),
        ("Mr. Oka-\u00ad\nfor left", "Mr. Okafor left"),
    ],
)
def test_a_word_hyphenated_over_two_lines_is_whole(text: str, plain: str) -> None:
    assert shown(text) == plain


def test_a_soft_hyphen_in_a_number_is_none() -> None:
    assert shown("47-\u00ad\n1743") == "47-\n1743"


def test_a_span_maps_back_with_all_that_is_invisible_in_it() -> None:
    text = "by Dr. S\u200bm\u00adi\u0336th\u0336, seen"
    found = plain_text_of(text)
    at = found.text.index("Smith")
    start, end = found.origin(at, at + 5)
    assert text[start:end] == "S\u200bm\u00adi\u0336th\u0336"
    assert found.image(start, end) == (at, at + 5)


def test_a_hyphenated_word_maps_back_with_its_break_and_no_more() -> None:
    text = "Mr. Oka-\n  for left"
    found = plain_text_of(text)
    assert [text[slice(*found.origin(4, n))] for n in (7, 10)] == ["Oka", "Oka-\n  for"]


def test_what_does_not_show_has_no_image() -> None:
    start, end = plain_text_of("a\u200b\u200bb").image(2, 3)
    assert start >= end or (start, end) == (0, 1)


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("MRN: 0077\n2391 adm", "MRN: 00772391 adm"),
        ("phone 555-010-\n4477, call", "phone 555-010-4477, call"),
        ("SSN 123-45\n-6789.", "SSN 123-45-6789."),
        ("on 12/\n03/2024 he", "on 12/03/2024 he"),
        ("since 12 March\n2024 he", "since 12 March 2024 he"),
        ("since March\n  12, 2024", "since March 12, 2024"),
        ("on 1\n1 August 2024", "on 11 August 2024"),
        ("DOB:\n03/04/1961", "DOB: 03/04/1961"),
        ("call (200)\n555-0143", "call (200) 555-0143"),
        ("mail jo.roe@exam\nple.org now", "mail jo.roe@example.org now"),
        ("mail jo.roe@example\n.org now", "mail jo.roe@example.org now"),
        ("mail jo.\nroe@example.org now", "mail jo.roe@example.org now"),
        ("by Dr. Quillon\nAbernathy today", "by Dr. Quillon Abernathy today"),
        ("by Dr. Abernathy-\nVoss today", "by Dr. Abernathy-Voss today"),
        ("Mr. Quil\nlon left", "Mr. Quillon left"),
        ("Mr. Abernathy\n-Voss left", "Mr. Abernathy-Voss left"),
        ("seen by J.\r\n  Fenn RN", "seen by J. Fenn RN"),
        ("Patient: Quillon\n  Abernathy\n", "Patient: Quillon Abernathy\n"),
        ("moved to Mercy\nHospital today", "moved to Mercy Hospital today"),
        ("moved to Brookmere\nGeneral Hospital today", "moved to Brookmere General Hospital today"),
        ("born in Au\ngust", "born in August"),
        ("since 2/1\n4 he", "since 2/14 he"),
        ("card ending 09\n91, paid", "card ending 0991, paid"),
        ("Flat 3,\n12 Elm Rd and 1\n04 Elm Lane", "Flat 3,\n12 Elm Rd and 104 Elm Lane"),
        ("at 12 Larkspur\nCourt, quiet", "at 12 Larkspur Court, quiet"),
        ("at 4 Elm Rd, Boston,\nMA 02118", "at 4 Elm Rd, Boston, MA 02118"),
        ("J o h n  S m i t h", "John Smith"),
        ("5 5 5 - 0 1 0 - 4 4 7 7", "555-010-4477"),
    ],
)
def test_what_looks_torn_is_joined(text: str, joined: str) -> None:
    assert read(text) == joined


def test_a_number_is_read_with_a_space_too() -> None:
    assert read("call 200 555\n0143 now", 1) == "call 200 555 0143 now"


def test_a_hyphen_between_capitals_is_read_both_ways() -> None:
    both = {read("MR. OKA-\nFOR LEFT", form) for form in (0, 1)}
    assert both == {"MR. OKA-FOR LEFT", "MR. OKAFOR LEFT"}


@pytest.mark.parametrize(
    "text",
    [
        "Sodium 140\nPotassium 4.1\nChloride 101",
        "140\n4.1\n101\n98765",
        "MRN 00772391\nDate of birth: unknown",
        "ID HT0098213\nStudy of the chest",
        "0213 EPI #2\n0214 ETT placed",
        "shock 200 J\n0222 organised rhythm",
        "Attending: Dr. Lal\nCardiology follow-up",
        "Dr. Lal\nService: Medicine",
        "Chief Complaint\nCough",
        "the patient\nwas seen and\nwent home",
        "Allergies: none.\n2. Continue aspirin 81\nmg daily",
        "see note.\njo.roe@example.org",
        "Kind regards\nEsq.\njo@example.org",
        "\n\n \n\t\n",
        "A B C of care",
        "Lisinopril\n-Aspirin\n-Metoprolol",
        "Discharge Letter\nBrookmere General Hospital",
        "Plan\nHospital course: uneventful",
        "strength 5/5\n4/5 on the left",
        "Kind regards\nQuillon Abernathy",
        "ph. 780-555-0147\n6. Kim",
        "ph. 780-555-0147\n9) tbc",
        "ph. 780-555-0147\n13 | Osei",
        "ph. 780-555-0147\n6     no ID",
        "ph. 780-555-0147\n02:11 log-in",
        "GRACE 138\n66 M, BMI 31",
        "HD 3\n1/2/2024",
        "9 Policy WY0088140327\n10 Contact: sister",
        "303; bag no. 0917\n304; G2P1",
        "712 cell 919 555 0151\n714 off service",
        "1640 K 3.1, line 14\n1705 138/72",
    ],
)
def test_lines_that_stand_for_themselves_are_not_joined(text: str) -> None:
    assert find_joins(text) == []


def test_an_ordinary_note_has_no_readings() -> None:
    readings = read_obfuscated_note("Mr. Roe was seen.\nHe is well, \u2265 5 \u00b5g; caf\u00e9.\n")
    assert readings.parts == ()
    assert readings.whole is None


def test_a_reading_holds_only_what_surrounds_its_joins() -> None:
    filler = "Nothing of note here. " * 500
    text = f"{filler}MRN: 0077\n2391. {filler}on 12/\n03/2024. {filler}"
    first = read_obfuscated_note(text).parts[0]
    assert "00772391" in first.plain.text
    assert "12/03/2024" in first.plain.text
    assert len(first.plain.text) < 1000


def found(text: str, *terms: str) -> list[str]:
    """Return the texts that the first reading gives for spans on ``terms``."""
    part = read_obfuscated_note(text).parts[0]
    spans = [
        Span(at, at + len(term), PhiLabel.IDNUM)
        for term in terms
        if (at := part.plain.text.find(term)) >= 0
    ]
    assert len(spans) == len(terms)
    return [text[span.start : span.end] for span in part.place_in_note(spans)]


def test_only_what_touches_a_join_counts() -> None:
    text = "Seen 2/2/2024. MRN: 0077\n2391 adm"
    assert found(text, "00772391", "2/2/2024") == ["0077\n2391"]


def test_neighbours_of_what_touches_a_join_count() -> None:
    text = "at 4 Elm Rd, Boston,\nMA 02118 now"
    assert found(text, "Boston", "MA", "02118") == ["Boston", "MA", "02118"]


def test_no_span_reaches_over_a_parting() -> None:
    filler = "Nothing of note here. " * 50
    text = f"MRN: 0077\n2391. {filler}on 12/\n03/2024."
    part = read_obfuscated_note(text).parts[0]
    span = Span(0, len(part.plain.text), PhiLabel.IDNUM)
    longest = max(moved.end - moved.start for moved in part.place_in_note([span]))
    assert longest < len(text) / 2


@pytest.mark.parametrize("sign", ["\u2044", "\u2215"])
def test_the_slash_of_a_fraction_is_a_slash(sign: str) -> None:
    assert plain_text_of(f"DOB 03{sign}04{sign}1962").text == "DOB 03/04/1962"
