"""Laws of every operator that a policy may name for a label, surrogates aside."""

from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.keyring import Keyring, canonical
from deidstream.models.mention import Draws, Mention, NoteFacts, NoteYears
from deidstream.models.operators.operator import Operator
from deidstream.models.operators.table import offers
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import AgePolicy, OperatorName, Policy, RedactStyle, Technique

RING = Keyring(b"k" * 32, 1, "tenant")
OFFERS = offers(
    Policy(
        "laws",
        Technique.SURROGATE,
        frozenset(),
        MappingProxyType({}),
        redact_style=RedactStyle.XXX,
        ages=AgePolicy(band=5),
    )
)
ASIDE = {OperatorName.KEEP, OperatorName.SURROGATE}
pairs = st.sampled_from(
    [(label, name) for label in PhiLabel for name in OFFERS[label] if name not in ASIDE]
)
YEARS = NoteFacts(years=NoteYears(2024, 2024, 93))


def written(operator: Operator, label: PhiLabel, text: str) -> str:
    mention = Mention(text, label, YEARS)
    named = operator.identities(mention)
    return operator.render(
        mention, {one: operator.derive(one, Draws(RING, "patient")) for one in named}
    )


@given(pairs, st.text(max_size=20), st.text(max_size=20))
def test_what_cannot_be_read_does_not_pass(
    pair: tuple[PhiLabel, OperatorName], before: str, after: str
) -> None:
    label, name = pair
    left = written(OFFERS[label][name], label, f"{before}Zyxquathorne 73194628{after}")
    assert "zyxquathorne" not in left.casefold()
    assert "73194628" not in left


@given(pairs, st.text(min_size=1, max_size=30))
def test_whatever_comes_out_is_the_same_twice_and_not_empty(
    pair: tuple[PhiLabel, OperatorName], text: str
) -> None:
    label, name = pair
    left = written(OFFERS[label][name], label, text)
    assert left == written(OFFERS[label][name], label, text)
    assert left


CHANGING = [OperatorName.REDACT, OperatorName.MASK, OperatorName.HASH]


@given(st.sampled_from(list(PhiLabel)), st.sampled_from(CHANGING), st.text(min_size=1, max_size=30))
def test_nothing_stays_what_it_was(label: PhiLabel, name: OperatorName, text: str) -> None:
    assert canonical(written(OFFERS[label][name], label, text)) != canonical(text)


@given(st.integers(90, 200), st.sampled_from(["{}", "{} years 8 months", "{}-year-old", "{}th"]))
def test_no_age_over_the_cap_is_told(age: int, form: str) -> None:
    for name in (OperatorName.GENERALISE, OperatorName.SHIFT, OperatorName.SURROGATE):
        left = written(OFFERS[PhiLabel.AGE][name], PhiLabel.AGE, form.format(age))
        assert left.startswith("90")


@given(st.integers(1800, 1934), st.sampled_from(["{}", "3/4/{}", "May {}", "{}-03-04", "{}s"]))
def test_no_year_over_the_cap_is_told(year: int, form: str) -> None:
    years = NoteFacts(years=NoteYears(2024))
    mention = Mention(form.format(year), PhiLabel.DATE, years)
    left = OFFERS[PhiLabel.DATE][OperatorName.GENERALISE].render(mention, {})
    # The decade of the last year over the cap holds some under it.
    assert left in {"1934 or earlier", "XXX-Date"} | ({"1930s"} if form == "{}s" else set())


@pytest.mark.slow
@pytest.mark.parametrize("hostile", [" ", "a", "1-", "1 year ", "one ", "9\u00bd", "\u0301", "1."])
def test_hostile_text_takes_linear_time(hostile: str) -> None:
    for label in (PhiLabel.AGE, PhiLabel.DATE, PhiLabel.ZIP, PhiLabel.CITY, PhiLabel.PATIENT):
        for name in OFFERS[label]:
            assert written(OFFERS[label][name], label, hostile * (20_000 // len(hostile)))
