"""Laws of the operators of dates."""

import time
from datetime import date, timedelta

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws, Mention, NoteFacts
from deidstream.models.operators.relative_date import ORIGIN, RelativeDate
from deidstream.models.operators.shift_date import SHIFT, ShiftDate
from deidstream.models.phi.dates.calendar import suffix
from deidstream.models.surrogates.mentions import mentions
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Weekday
from deidstream.schemas.span import Span

MOVES, COUNTS = ShiftDate(), RelativeDate()
PADDED = (
    "%Y-%m-%d", "%m/%d/%Y", "%m-%d-%y", "%m.%d.%Y", "%Y%m%d", "%Y%m%d1207", "%Y/%m/%d",
    "%d-%b-%Y", "%d%b%y", "%Y-%m-%dT12:07:31+02:00", "%m/%d/%Y 14:30", "%Y-%m-%d - %Y-%m-%d",
    "%a %m/%d/%y",
)  # fmt: skip
WORDED = ("%B %d, %Y", "%A, %B %d, %Y", "the %d of %B %Y", "%d %B %Y at 2 pm")
LISTED = (
    "{b} {o}-{p}, {y}", "{b} {o} - {p}, {y}", "{b} {d}-{f}, {y}", "{b} {d}, {e} & {f}, {y}",
    "{b} {d}, {e}, and {f}, {y}", "{d}, {e} and {f} {b} {y}", "{o}\u2013{q} of {b} {y}",
    "{d}, {e} {b} {y}", "{d}.-{f}.{m}.{y}", "{d}-{f}/{m}/{y}",
)  # fmt: skip
TIMES = (
    "%m/%d/%Y 7:30-9:30", "%m/%d/%y 0730-0930", "%m/%d/%Y 07:30 PM EST", "0730 %m/%d/%Y",
    "%Y/%m/%d 1430 CST", "%Y%m%d 0730", "%Y-%m-%dT14", "noon on %m/%d/%Y",
)  # fmt: skip
# Moved by any of the shifts they stay within 1950 to 2049, the century of years of two digits.
days = st.dates(date(1952, 1, 1), date(2047, 12, 31))
shifts = st.integers(-700, 700).filter(bool)


def shifted(text: str, shift: int, facts: NoteFacts | None = None) -> str:
    mention = Mention(text, PhiLabel.DATE, facts or NoteFacts())
    assert MOVES.identities(mention) == (SHIFT,)
    return MOVES.render(mention, {SHIFT: f"{shift:+d}"})


def unpadded(day: date, form: str) -> str:
    return day.strftime(form).replace(" 0", " ").lstrip("0")


def mask(text: str) -> str:
    return "".join("0" if c.isdigit() else "a" if c.isalpha() else c for c in text)


@given(days, st.sampled_from(PADDED), shifts)
def test_there_and_back_is_the_original(day: date, form: str, shift: int) -> None:
    text = day.strftime(form)
    moved = shifted(text, shift)
    assert moved == (day + timedelta(shift)).strftime(form)
    assert shifted(moved, -shift) == text


@given(days, st.sampled_from(PADDED), shifts)
def test_the_mask_of_digits_and_letters_stays(day: date, form: str, shift: int) -> None:
    text = day.strftime(form)
    assert mask(shifted(text, shift)) == mask(text)


@given(days, st.sampled_from(WORDED), shifts)
def test_names_of_months_and_weekdays_change_with_the_date(
    day: date, form: str, shift: int
) -> None:
    text = unpadded(day, form)
    moved = shifted(text, shift)
    assert moved == unpadded(day + timedelta(shift), form)
    assert shifted(moved, -shift) == text


@given(days, st.integers(1, 20), shifts)
@example(date(2024, 12, 30), 5, 40)
def test_a_range_keeps_its_length_over_ends_of_months(day: date, length: int, shift: int) -> None:
    last = day + timedelta(length)
    assume(day.month == last.month)
    moved = shifted(f"{day:%B} {day.day}-{last.day}, {last.year}", shift)
    first, last = day + timedelta(shift), last + timedelta(shift)
    month = "" if first.month == last.month else f"{last:%B} "
    assert moved == f"{first:%B} {first.day}-{month}{last.day}, {last.year}"


@given(st.dates(date(1951, 1, 1), date(2048, 12, 20)), st.sampled_from(LISTED), shifts)
@example(date(2024, 5, 3), "{b} {o}-{p}, {y}", 10)
@example(date(2024, 5, 3), "{d}, {e} and {f} {b} {y}", 10)
def test_every_day_of_a_list_moves_by_the_shift(day: date, form: str, shift: int) -> None:
    to = day + timedelta(shift)
    assume(max(day.day, to.day) < 27)
    facts = NoteFacts(day_first=True)
    assert shifted(_listed(day, form), shift, facts) == _listed(to, form)


def _listed(day: date, form: str) -> str:
    first, second, third = (day.day + step for step in range(3))
    ordinals = (f"{n}{suffix(n)}" for n in (first, second, third))
    named = dict(zip("opq", ordinals, strict=True))
    plain = dict(zip("def", (first, second, third), strict=True))
    return form.format(b=f"{day:%B}", m=day.month, y=day.year, **named, **plain)


@given(days, st.sampled_from(TIMES), shifts)
def test_a_time_beside_a_date_stays(day: date, form: str, shift: int) -> None:
    text = day.strftime(form)
    assert shifted(text, shift) == (day + timedelta(shift)).strftime(form)


@given(days, days, st.sampled_from(PADDED[:6]), st.sampled_from(WORDED), st.text(max_size=5))
def test_counted_intervals_are_exact_over_all_notes(
    one: date, other: date, form: str, other_form: str, patient: str
) -> None:
    origin = COUNTS.derive(ORIGIN, Draws(Keyring(b"k" * 32, 1, "tenant"), patient))
    counts = [
        int(COUNTS.render(Mention(text, PhiLabel.DATE), {ORIGIN: origin}).split(" ")[1])
        for text in (one.strftime(form), other.strftime(other_form))
    ]
    assert counts[1] - counts[0] == (other - one).days


@given(st.integers(1, 2000), st.sampled_from(Weekday), st.text(max_size=8))
def test_a_shift_is_within_its_limit_and_never_zero(
    limit: int, weekday: Weekday, patient: str
) -> None:
    operator = ShiftDate(limit, weekday)
    drawn = int(operator.derive(SHIFT, Draws(Keyring(b"k" * 32, 1, "tenant"), patient)))
    assert 0 < abs(drawn) <= max(limit, 7 if weekday is Weekday.KEEP else 1)
    assert (drawn % 7 == 0) is (weekday is Weekday.KEEP)


@given(days, shifts, st.booleans())
def test_partial_dates_beside_whole_ones_move_alike(day: date, shift: int, before: bool) -> None:  # noqa: FBT001
    partial, whole = f"{day:%m/%d}", f"{day:%m/%d/%Y}"
    text = f"{partial} {whole}" if before else f"{whole} {partial}"
    cut = text.index(" ")
    spans = [Span(0, cut, PhiLabel.DATE), Span(cut + 1, len(text), PhiLabel.DATE)]
    found = mentions(RawNote("note", "patient", text), spans)
    moved = {len(m.text): MOVES.render(m, {SHIFT: f"{shift:+d}"}) for m in found}
    assert moved[10].startswith(moved[5])


@given(st.text(max_size=90), st.text(max_size=20), shifts)
@example("5" * 80, "", 3)
@example("Q" * 80, "Q3", 3)
@example("May 31-", "-1", 30)
def test_any_text_is_written_or_redacted(text: str, other: str, shift: int) -> None:
    mention = Mention(text, PhiLabel.DATE, NoteFacts(noted=date(2024, 2, 29)), other, other)
    for operator, surrogate in ((MOVES, f"{shift:+d}"), (COUNTS, "730000")):
        named = operator.identities(mention)
        assert operator.render(mention, dict.fromkeys(named, surrogate))


@pytest.mark.slow
@pytest.mark.parametrize("hostile", [" ", "a", "1-", "1 to ", "Q3 ", "may ", "twenty ", "-", "5/"])
def test_hostile_notes_take_linear_time(hostile: str) -> None:
    text = hostile * (200_000 // len(hostile))
    spans = [Span(0, len(text) // 2, PhiLabel.DATE)]
    spans += [Span(i, i + 70, PhiLabel.DATE) for i in range(len(text) // 2, len(text) - 80, 80)]
    started = time.process_time()
    for mention in mentions(RawNote("note", "patient", text), spans):
        MOVES.render(mention, dict.fromkeys(MOVES.identities(mention), "+10"))
    assert time.process_time() - started < 10
