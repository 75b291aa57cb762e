"""A block finds what it states, however it is written, and leaves other words of a note alone."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.recognizers.known import KnownRecognizer
from deidstream.schemas.note import KnownIdentifiers, RawNote

CLINICAL = (
    "Unknown aetiology. None of the 3 tests given. Street drugs: no. Home O2 1 L, BP 120/80. "
    "A patient may walk 1/2 mile; not recorded. No other complaints. Test strips pending. B12 low."
)
SILLY = st.sampled_from(
    (
        "A", "Unknown", "UNKNOWN UNKNOWN", "N/A", "none", "0", "1", "1/2", "Street", "Home", "No",
        "00000", "Not recorded", "Test Patient", "MA", "x", "-", "", " ", "3", "other", "pending",
        "n", "patient",
    )
)  # fmt: skip
SILLY_VALUES = st.lists(SILLY, max_size=6).map(tuple)
NUMBERS = st.from_regex(r"[1-9][0-9]{6,10}", fullmatch=True)


def covered(text: str, known: KnownIdentifiers, patient: str = "p") -> str:
    """Return a text with a full stop for each character that is found."""
    (spans,) = KnownRecognizer().recognize([RawNote("n", patient, text, known=known)])
    left = list(text)
    for span in spans:
        left[span.start : span.end] = "." * (span.end - span.start)
    return "".join(left)


@pytest.mark.slow
@given(st.builds(KnownIdentifiers, *[SILLY_VALUES] * 6), SILLY)
def test_values_that_say_nothing_leave_the_note(known: KnownIdentifiers, patient: str) -> None:
    assert covered(CLINICAL, known, patient) == CLINICAL


@pytest.mark.slow
@given(NUMBERS, st.sampled_from(["xxx-xx-", "****", "ending in ", "last 4 ", "XXXXXX"]))
def test_the_last_digits_of_a_number_are_found(number: str, before: str) -> None:
    text = f"card {before}{number[-4:]} on file"
    left = covered(text, KnownIdentifiers(identifiers=(number,)))
    assert not any(map(str.isdigit, left.replace("last 4 ", "")))


@pytest.mark.slow
@given(NUMBERS, st.sampled_from(["-", " ", ".", "\n", "-\n  ", ""]), st.integers(1, 6))
def test_a_number_is_found_however_it_is_cut(number: str, sign: str, at: int) -> None:
    text = f"id {number[:at]}{sign}{number[at:]} on file"
    left = covered(text, KnownIdentifiers(identifiers=(number,)))
    assert not any(map(str.isdigit, left))


@pytest.mark.slow
@pytest.mark.parametrize(
    "sign", ["x", "9 ", "x-", "1-", "nine ", "Zoar ", "12 Zoar ", "Bo ", "ext "]
)
def test_time_grows_no_faster_than_the_note(sign: str) -> None:
    known = KnownIdentifiers(
        names=("Bo Ng", "Dot Zoar"),
        identifiers=("99999999999", "447-10-9381"),
        phones=("(410) 555-0163 x212",),
        addresses=("12 Zoar Street, Zoar, Zoar Zoar MA 02111",),
    )

    def seconds(length: int) -> float:
        # The collector may walk what all tests of this process hold: once, and not again at once.
        text, best = sign * (length // len(sign)), float("inf")
        for _ in range(2):
            started = time.process_time()
            covered(text, known)
            best = min(best, time.process_time() - started)
        return best

    seconds(1_000)
    assert seconds(80_000) < 20 * seconds(10_000) + 0.5
