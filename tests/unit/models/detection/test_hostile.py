"""Hostile notes pass through the whole detector in time that grows as they do.

CPU time at one size and at four times that size: what is quadratic takes sixteen times as long.
"""

import gc
import time

import pytest

from deidstream.models.detection.detector import Detector
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.recognizers.dictionary.dictionary import DictionaryRecognizer
from deidstream.models.recognizers.known import KnownRecognizer
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.span import Span

MEGABYTE = 1_000_000
TIMES = 4
BOUND = 9
"""Generous: linear is 4, quadratic 16."""
NOISE = 0.5
"""Seconds that a small measurement may be off."""
KNOWN = KnownIdentifiers(
    names=("Quillon Abernathy-Voss",),
    identifiers=("00-77-2391",),
    dates=("1961-04-17",),
    phones=("(200) 555-0143",),
    addresses=("12 Larkspur Court, Boston",),
)
RECOGNIZERS = (DictionaryRecognizer.build({}), KnownRecognizer(), RulesRecognizer())
DETECTOR = Detector(read_shipped_policy("surrogate"), RECOGNIZERS)
UNITS = (
    " ",
    "\n",
    "a",
    "A",
    "1",
    "1-1-1-",
    "a@a@a@",
    "\"'\u201c",
    "-",
    "A. ",
    "1\n",
    "a-\n",
    "J o h n ",
    "5 5-5 ",
    "Dr. A\n",
    "MRN 1\n2a\n",
    "\u200b",
    "\u0430",
    "a\u0430\u2013",
    "S\u00ad\n",
    "\uff21\u200d",
    "x@y\n.z ",
)


def spans(text: str) -> tuple[Span, ...]:
    return DETECTOR.detect([RawNote("note-1", "P-4471", text, known=KNOWN)])[0].spans


def seconds(text: str) -> float:
    # One collection of a whole run's objects may take longer than the smaller of two sizes.
    gc.disable()
    try:
        begin = time.process_time()
        spans(text)
        return time.process_time() - begin
    finally:
        gc.enable()


def grows_linearly(unit: str, size: int) -> bool:
    small = unit * (size // len(unit))
    spans(small[:1000])
    return seconds(small * TIMES) <= BOUND * seconds(small) + NOISE


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_a_long_run_of_anything_takes_linear_time(unit: str) -> None:
    assert grows_linearly(unit, 25_000)


@pytest.mark.slow
@pytest.mark.parametrize("unit", [" ", "1-1-1-", "a"])
def test_a_megabyte_takes_linear_time(unit: str) -> None:
    assert grows_linearly(unit, MEGABYTE // TIMES)


@pytest.mark.parametrize("unit", ["A", "7", "ab", "Smith", "A1", "AAAAQUFB"])
def test_a_name_or_number_as_long_as_its_note_takes_linear_time(unit: str) -> None:
    def taken(length: int) -> float:
        word = unit * (length // len(unit))
        known = KnownIdentifiers(names=(word,), identifiers=(word,))
        note = RawNote("note-1", "P-4471", f"Mr. {word} was seen.", known=known)
        begin = time.process_time()
        (found,) = DETECTOR.detect([note])
        assert any(span.end - span.start == len(word) for span in found.spans)
        return time.process_time() - begin

    taken(100)
    assert taken(10_000 * TIMES) <= BOUND * taken(10_000) + 0.1


@pytest.mark.slow
def test_a_note_of_fifty_thousand_entities_takes_linear_time() -> None:
    unit = "Mr. Quillon Abernathy-Voss, MRN 00-77-2391, seen 3/4/2024, call 200-555-0143.\n"
    few, many = unit * (50_000 // 4 // TIMES), unit * (50_000 // 4)
    spans(unit)
    small, begin = seconds(few), time.process_time()
    found = spans(many)
    assert time.process_time() - begin <= BOUND * small + NOISE
    assert len(found) >= 50_000


@pytest.mark.slow
def test_a_note_of_many_different_names_takes_linear_time() -> None:
    def names(count: int) -> str:
        letters = "bdfgklmnprstvz"
        made = (
            letters[n % 14] + "o" + letters[n // 14 % 14] + "i" + letters[n // 196 % 14] + "ex"
            for n in range(count)
        )
        return "".join(f"Seen by Dr. {name.capitalize()} today.\n" for name in made)

    small, large = names(600), names(600 * TIMES)
    spans(small)
    assert seconds(large) <= BOUND * seconds(small) + NOISE


@pytest.mark.slow
def test_a_planted_name_is_found_anywhere_in_a_long_note() -> None:
    name = "Quillon Abernathy-Voss"
    line = "Heart sounds normal, lungs clear, no oedema; continue aspirin and rest at home. \n"
    filler = line * (50_000 // len(line))
    for place in range(0, len(filler), len(filler) // 23):
        at = filler.find(" ", place) + 1
        text = f"{filler[:at]}Mr. {name} {filler[at:]}"
        start = at + len("Mr. ")
        found = DETECTOR.detect([RawNote("note-1", "", text)])[0].spans
        assert any(s.start <= start and start + len(name) <= s.end for s in found)
