"""HL7 v2 comes out as HL7 v2: the same segments, fields and codes, with other people in them."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from deidstream.models.phi.hl7 import hl7_guard, message_grammar
from deidstream.models.phi.hl7.hl7_guard import Hl7Guard
from deidstream.models.phi.hl7.message_grammar import Hl7Segment
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized
from deidstream.schemas.span import Replacement, Span
from deidstream.schemas.wire import encode_note
from deidstream.study.corpus.marked import read_folder
from support.hl7_messages import messages_in, named_fields, shape
from support.pipeline import pipeline, service

STYLE = Path(__file__).parents[5] / "training" / "styles" / "hl7v2-dump"
FOLDER = Path(__file__).parents[4] / "hl7"
DUMPS = {each.note.note_id: each.note.text for each in read_folder(STYLE)}
MESSAGES = {name: (FOLDER / f"{name}.txt").read_text("utf-8") for name in ("admission", "order")}
ADMISSION = MESSAGES["admission"]
WITHOUT_HEADER = (FOLDER / "fragment.txt").read_text("utf-8")
CODES = (
    "ADT^A01^ADT_A01",
    "2.16.840.1.113883.9.44.2&ISO",
    "2106-3^White^CDCREC",
    "SPO^Spouse^HL70063",
    "EC^Emergency contact^HL70131",
    "7980^PENICILLIN^RXN|MO|RASH",
    "L03.115^Cellulitis of right lower limb^I10",
    "PPO01^Preferred plan",
    "8867-4^Heart rate^LN||104|/min^per minute^UCUM|60-100|H",
    "72166-2^Tobacco^LN||266919005^Never smoker^SCT",
    "pain 7/10.",
    r"\.br\Wound 3 x 4 cm",
    r" \T\ ",
    "|MED||||7|A0||",
    '|DAU|""|',
)
NAMES = (
    "MERWE",
    "LINDIWE",
    "PIETER",
    "OKAFOR",
    "ADEYEMI",
    "KOWAL",
    "PELLWOOD",
    "CARROWBY",
    "DAVIES",
)
NUMBERS = ("7741902", "900214417", "900-21-4417", "55102938", "V9004417", "BLM00441782")


@pytest.fixture(scope="module", params=["surrogate", "safe-harbor"])
def outputs(request: pytest.FixtureRequest) -> dict[str, str]:
    texts = {**DUMPS, **MESSAGES, "fragment": WITHOUT_HEADER}
    values = [encode_note(RawNote(name, name, text)) for name, text in texts.items()]
    found = asyncio.run(service(pipeline(request.param)).run(values))
    assert [outcome for outcome in found if not isinstance(outcome, Anonymized)] == []
    notes = [outcome.note.text for outcome in found if isinstance(outcome, Anonymized)]
    return dict(zip(texts, notes, strict=True))


@pytest.mark.parametrize("name", [*DUMPS, *MESSAGES])
def test_a_message_has_the_same_segments_fields_and_components(
    outputs: dict[str, str], name: str
) -> None:
    given, made = messages_in((DUMPS | MESSAGES)[name]), messages_in(outputs[name])
    assert [*map(shape, made)] == [*map(shape, given)]
    assert outputs[name] != (DUMPS | MESSAGES)[name]


@pytest.mark.parametrize("name", MESSAGES)
def test_another_parser_reads_the_same_fields(outputs: dict[str, str], name: str) -> None:
    (given,), (made,) = messages_in(MESSAGES[name]), messages_in(outputs[name])
    assert named_fields(made) == named_fields(given)


def test_codes_units_escapes_and_values_stay(outputs: dict[str, str]) -> None:
    assert [code for code in CODES if code not in outputs["admission"]] == []


def test_what_the_standard_names_is_gone(outputs: dict[str, str]) -> None:
    text = outputs["admission"].upper()
    assert [one for one in (*NAMES, *NUMBERS) if one in text] == []


def test_segments_without_a_header_keep_their_form(outputs: dict[str, str]) -> None:
    made, given = outputs["fragment"], WITHOUT_HEADER
    assert [line[:4] for line in made.splitlines()] == [line[:4] for line in given.splitlines()]
    for sign in "|^~&":
        assert made.count(sign) == given.count(sign)
    assert "|SPO" in made
    assert not any(name in made for name in ("SHAW", "ANNELIESE", "FEINGOLD", "44-10982", "COPPER"))


def test_a_time_stamp_moves_with_its_day_and_keeps_its_form() -> None:
    (given,) = messages_in(ADMISSION)
    value = encode_note(RawNote("n", "p", ADMISSION))
    (found,) = asyncio.run(service(pipeline()).run([value]))
    assert isinstance(found, Anonymized)
    (made,) = messages_in(found.note.text)
    before, after = given.split("\r")[0].split("|")[6], made.split("\r")[0].split("|")[6]
    assert len(before) == len(after)
    assert (before[:8] != after[:8], before[8:]) == (True, after[8:])
    assert made.split("\r")[1].split("|")[2][:8] == after[:8]


def test_a_note_and_its_output_are_each_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[str] = Counter()
    read = message_grammar.read_hl7

    def count(text: str) -> list[Hl7Segment]:
        counts[text] += 1
        return read(text)

    monkeypatch.setattr(hl7_guard, "read_hl7", count)
    (found,) = asyncio.run(service(pipeline()).run([encode_note(RawNote("n", "p", ADMISSION))]))
    assert isinstance(found, Anonymized)
    assert counts == {ADMISSION: 1, found.note.text: 1}


def spans_of(text: str, *given: Span) -> list[tuple[str, PhiLabel]]:
    kept = Hl7Guard.read(text).keep_form(given)
    return [(text[span.start : span.end], span.label) for span in kept]


def whole(text: str, source: str = "tagger") -> Span:
    return Span(0, len(text), PhiLabel.PATIENT, 0.9, source)


def test_a_span_is_cut_at_separators_and_leaves_codes() -> None:
    text = "PID|1||44||SHAW^ANN\rNTE|1|L|Ann came\\.br\\at noon|RE\rZZZ|A b^C d"
    assert spans_of(text, whole(text)) == [
        ("44", PhiLabel.MEDICALRECORD),
        ("SHAW", PhiLabel.PATIENT),
        ("ANN", PhiLabel.PATIENT),
        ("Ann came", PhiLabel.PATIENT),
        ("at noon", PhiLabel.PATIENT),
        ("A b", PhiLabel.PATIENT),
        ("C d", PhiLabel.PATIENT),
    ]


def test_what_the_sender_knows_counts_also_in_a_code() -> None:
    text = "PID|1||44||SHAW^ANN\rNK1|1|SHAW^BO|MINDY"
    start = text.index("MINDY")
    for source, kept in (("known", True), ("tagger", False)):
        span = Span(start, len(text), PhiLabel.PATIENT, 0.9, source)
        assert (("MINDY", PhiLabel.PATIENT) in spans_of(text, span)) is kept


def test_a_name_of_the_message_counts_also_where_a_field_is_missing() -> None:
    text = "PID|1||44||SHAW^ANN\rPV1|1|I|||||88104^FEINGOLD^ARI|||FEINGOLD"
    start = text.rindex("FEINGOLD")
    found = spans_of(text, Span(start, len(text), PhiLabel.PATIENT, 0.8, "sweep"))
    assert found.count(("FEINGOLD", PhiLabel.DOCTOR)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "Seen by Ann Shaw.",
        "BP 120/80 | HR 70 | RR 12\nTemp | 37 | oral | now",
        "PID|only one line|of it|all",
        "The MSH segment was missing.",
    ],
)
def test_a_text_without_messages_keeps_its_spans(text: str) -> None:
    span = whole(text)
    assert Hl7Guard.read(text).keep_form([span]) == (span,)


def test_dates_of_software_stay() -> None:
    text = "MSH|^~\\&|A|B\rSFT|Vendor|6.0|ECLIPSE|b1||20211201081500\rEVN|A01|20211201081500"
    assert [found for found, label in spans_of(text) if label is PhiLabel.DATE] == [
        "20211201081500"
    ]


def test_a_number_between_two_backslashes_is_no_escape() -> None:
    text = "MSH|^~\\&|A\rNTE|1||\\\\share\\P4410987\\ Ward \\T\\ \\X41\\ Sons"
    number = Span(text.index("P44"), text.index("P44") + 8, PhiLabel.IDNUM, 0.9, "rules:x")
    assert Hl7Guard.read(text).cut_at_signs([number]) == (number,)
    whole = Span(text.index("Ward"), len(text), PhiLabel.HOSPITAL, 0.9, "rules:x")
    cut = Hl7Guard.read(text).cut_at_signs([whole])
    assert [text[span.start : span.end] for span in cut] == ["Ward", "Sons"]


def test_escapes_are_those_of_the_header() -> None:
    text = "MSH|*!$%|A\rNTE|1||$H$Ann$N$ Shaw$.BR$Bo$X41$"
    assert spans_of(text, whole(text)) == [
        ("Ann", PhiLabel.PATIENT),
        ("Shaw", PhiLabel.PATIENT),
        ("Bo", PhiLabel.PATIENT),
    ]


def test_surrogates_are_escaped_inside_a_message_alone() -> None:
    text = "Mail of Ward\nMSH|^~\\&|A|GH\nPID|1||44||SHAW^ANN\nWard again"
    places = (text.index("SHAW"), text.index("Ward"), text.rindex("Ward"))
    spans = (Span(place, place + 4, PhiLabel.HOSPITAL) for place in places)
    given = [Replacement(span, "Ward & Sons", "surrogate") for span in spans]
    written = [one.text for one in Hl7Guard.read(text).escape(given)]
    assert written == ["Ward \\T\\ Sons", "Ward & Sons", "Ward & Sons"]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("\\E\\", []),
        ("OKORO\\T\\", ["OKORO"]),
        (r"OKORO \T\ BELL", ["OKORO", "BELL"]),
        (r"OK\XCF\RO", [r"OK\XCF\RO"]),
    ],
)
def test_a_sign_that_a_name_escapes_is_no_part_of_it(name: str, parts: list[str]) -> None:
    text = f"MSH|^~\\&|A|B\rPID|1||||{name}^ANN"
    stated = Hl7Guard.read(text).stated
    named = [text[one.start : one.end] for one in stated if one.label is PhiLabel.PATIENT]
    assert named == [*parts, "ANN"]


def test_what_merely_resembles_a_stated_number_is_no_code() -> None:
    text = "MSH|^~\\&|A|B\rOBX|1|NM|N||881|mg"
    at = text.index("881")
    read = Hl7Guard.read(text)
    span = Span(at, at + 3, PhiLabel.IDNUM, 1.0, "known")
    assert span in read.keep_form([span])
    similar = Span(at, at + 3, PhiLabel.IDNUM, 0.6, "known:similar")
    assert similar not in read.keep_form([similar])
