"""Laws of every operator, whatever the text."""

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from types import MappingProxyType

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from deidstream.models.keyring import Keyring, canonical
from deidstream.models.mention import Draws, Identity, Mention, NoteFacts
from deidstream.models.operators.operator import Operator
from deidstream.models.operators.shift_date import SHIFT
from deidstream.models.operators.table import operators
from deidstream.models.phi.names.credentials import KEPT_CREDENTIALS
from deidstream.models.phi.names.kept_words import (
    COMMON,
    NEWBORN,
    PARTICLES,
    SUFFIXES,
    SURELY_NEWBORN,
)
from deidstream.models.text.titles import KEPT
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName, Policy, Technique

RING = Keyring(b"k" * 32, 1, "tenant")
NAMED: Mapping[str, OperatorName] = MappingProxyType(
    dict.fromkeys(PhiLabel, OperatorName.SURROGATE)
)
OPERATORS: Mapping[str, Operator] = operators(
    Policy("laws", Technique.SURROGATE, frozenset(), NAMED)
)
MAY_STAY = {PhiLabel.AGE, PhiLabel.DATE}
CODES = [
    label
    for label in PhiLabel
    if label.value
    in {"MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID", "IDNUM"}
]
PROBES = 12

labels = st.sampled_from(list(PhiLabel))
WORDS = (
    "James Thomas Mary SMITH o'brien Achterberg-Nwosu van der St. Lake Hospital 4 West 7B Jr. III "
    "MD P.O. Box 555-0172 May 2024 3rd the of \u00c9va \u738b \u0410\u043d\u043d\u0430 J.S. "
    "\u0663\u0664 @ :// x.y ninety"
)
words = st.sampled_from(WORDS.split())
phrases = st.lists(words, min_size=1, max_size=6).flatmap(
    lambda some: st.sampled_from([" ", ", ", "-", "\n", "^", ""]).map(lambda gap: gap.join(some))
)
texts = st.text(min_size=1, max_size=40) | phrases
scopes = st.text(st.characters(codec="ascii"), min_size=1, max_size=8)


def replaced(label: PhiLabel, text: str, scope: str = "patient") -> str:
    mention = Mention(text, label)
    operator = OPERATORS[label]
    named = operator.identities(mention)
    return operator.render(mention, {one: _derived(operator, one, text, scope) for one in named})


def _derived(operator: Operator, identity: Identity, text: str, scope: str) -> str:
    """Probe as the pipeline does, until the surrogate is no original of the note."""
    taken = set(re.findall(r"[^\W\d_]{3,}", canonical(text)))
    drawn = ""
    for probe in range(PROBES):
        drawn = operator.derive(identity, Draws(RING, scope, probe))
        if not taken & set(re.findall(r"[^\W\d_]{3,}", canonical(drawn))):
            break
    return drawn


@given(labels, texts, scopes)
@example(PhiLabel.STATE, "Qu\u00e9bec", "a")
@example(PhiLabel.PATIENT, "van der", "a")
@example(PhiLabel.URL, "example.org", "a")
def test_a_surrogate_is_never_the_original(label: PhiLabel, text: str, scope: str) -> None:
    assume(label not in MAY_STAY)
    assert canonical(replaced(label, text, scope)) != canonical(text) or not canonical(text)


@given(labels, texts, scopes)
def test_the_same_key_and_text_give_the_same_output(label: PhiLabel, text: str, scope: str) -> None:
    assert replaced(label, text, scope) == replaced(label, text, scope)


@given(labels, texts, scopes)
def test_a_surrogate_does_not_depend_on_what_stands_beside_it(
    label: PhiLabel, text: str, scope: str
) -> None:
    operator, draws = OPERATORS[label], Draws(RING, scope)
    for identity in operator.identities(Mention(text, label)):
        alone = operator.derive(Identity(identity.kind, identity.value), draws)
        assert alone == operator.derive(identity, draws)
        assert alone != identity.value or not alone


@given(labels, st.text(max_size=20), st.text(max_size=20))
def test_what_cannot_be_read_does_not_pass(label: PhiLabel, before: str, after: str) -> None:
    written = replaced(label, f"{before}Zyxquathorne 73194628{after}")
    assert "zyxquathorne" not in written.casefold()
    assert "73194628" not in written


@given(st.sampled_from([PhiLabel.PATIENT, PhiLabel.DOCTOR]), phrases | st.text(max_size=40))
def test_no_word_of_a_name_comes_back(label: PhiLabel, text: str) -> None:
    kept = SUFFIXES | KEPT_CREDENTIALS | KEPT | PARTICLES | COMMON | NEWBORN | SURELY_NEWBORN
    before = set(re.findall(r"[^\W\d_]{3,}", canonical(text))) - kept
    assert not before & set(re.findall(r"[^\W\d_]{3,}", canonical(replaced(label, text))))


@pytest.mark.slow
@given(
    st.sampled_from(CODES), st.from_regex(r"[A-Za-z0-9]+([-/ .][A-Za-z0-9]+){0,4}", fullmatch=True)
)
def test_the_shape_of_an_identifier_stays(label: PhiLabel, text: str) -> None:
    assume(len(re.findall(r"[A-Za-z]{3,}", text)) < 3)
    assert _shape(replaced(label, text)) == _shape(text)


def _shape(text: str) -> str:
    return re.sub(r"[A-Z]", "A", re.sub(r"[a-z]", "a", re.sub(r"[0-9]", "0", text)))


FORMS = ["%Y-%m-%d", "%m/%d/%Y", "%B %d, %Y", "%d-%b-%Y", "%A, %d %B %Y", "%Y%m%d", "%d%b%Y"]
# A year in which somebody was born who is over 89 now becomes a label.
days = st.dates(date(1940, 1, 1), date(2099, 12, 31))
shifts = st.integers(-2000, 2000).filter(bool)


@given(days, days, st.sampled_from(FORMS), st.sampled_from(FORMS), shifts)
def test_intervals_between_dates_stay(
    one: date, other: date, form: str, other_form: str, shift: int
) -> None:
    moved = _moved(one, form, shift), _moved(other, other_form, shift)
    assert moved[1] - moved[0] == other - one
    assert moved[0] - one == timedelta(shift)


def _moved(day: date, form: str, shift: int) -> date:
    mention = Mention(day.strftime(form), PhiLabel.DATE)
    written = OPERATORS[PhiLabel.DATE].render(mention, {SHIFT: f"{shift:+d}"})
    # Reading the weekday back fails where it does not agree with its date.
    read = datetime.strptime(written, form).date()  # noqa: DTZ007
    assert "%A" not in form or read.strftime("%A") == written.partition(",")[0]
    return read


@given(st.dates(date(1950, 1, 1), date(2030, 12, 31)), shifts, st.booleans())
def test_two_digit_years_and_day_first_move_alike(day: date, shift: int, day_leads: bool) -> None:  # noqa: FBT001
    form = "%d/%m/%y" if day_leads else "%m/%d/%y"
    mention = Mention(day.strftime(form), PhiLabel.DATE, NoteFacts(day_leads))
    written = OPERATORS[PhiLabel.DATE].render(mention, {SHIFT: f"{shift:+d}"})
    assert written == (day + timedelta(shift)).strftime(form)


@pytest.mark.slow
@pytest.mark.parametrize(
    "hostile", [" ", "a", "1-", "a1", "a'", "w ", "A ", "one ", "\u00e9\u0301"]
)
def test_hostile_text_takes_linear_time(hostile: str) -> None:
    for label in (PhiLabel.PATIENT, PhiLabel.STREET, PhiLabel.PHONE, PhiLabel.DATE, PhiLabel.AGE):
        assert replaced(label, hostile * (20_000 // len(hostile)))
