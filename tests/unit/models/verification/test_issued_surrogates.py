"""The places of our surrogates in an output, to the character."""

from dataclasses import replace

import pytest

from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.verification.issued_surrogates import IssuedSurrogates
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName
from support.outputs import output

ISSUED = IssuedSurrogates([(2, 4), (4, 5), (8, 9)])


@pytest.mark.parametrize(
    ("place", "covered", "touched"),
    [
        ((0, 2), False, False),
        ((0, 3), False, True),
        ((1, 2), False, False),
        ((2, 3), True, True),
        ((2, 4), True, True),
        ((2, 5), False, True),
        ((3, 4), True, True),
        ((4, 5), True, True),
        ((5, 8), False, False),
        ((5, 9), False, True),
        ((8, 9), True, True),
        ((8, 10), False, True),
        ((9, 10), False, False),
    ],
)
def test_what_lies_within_and_what_touches(
    place: tuple[int, int], *, covered: bool, touched: bool
) -> None:
    assert ISSUED.cover(*place) is covered
    assert ISSUED.touch(*place) is touched
    assert not IssuedSurrogates([]).touch(*place)


def test_each_character_of_a_surrogate_is_blanked_and_no_other() -> None:
    assert ISSUED.blank("ab1234cd5e") == "ab|||4cd|e"
    assert IssuedSurrogates([(0, 1)]).blank("1a") == "|a"
    assert IssuedSurrogates([]).blank("ab") == "ab"


def test_what_the_policy_keeps_is_none_of_ours() -> None:
    policy = read_shipped_policy("surrogate")
    kept = {**policy.operators, PhiLabel.DEVICE: OperatorName.KEEP}
    made = output("Of {CITY:Zyxwv}, pump {DEVICE:TS-9163}.", replace(policy, operators=kept))
    city, pump = ((one.out_start, one.out_end) for one in made.replacements)
    assert IssuedSurrogates.of_output(made.replacements).places == [city]
    assert IssuedSurrogates.with_kept(made.replacements).places == [city, pump]


def test_places_are_not_shown() -> None:
    assert repr(ISSUED) == "IssuedSurrogates()"
