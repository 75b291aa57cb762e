"""A surrogate must not be what it stands for."""

from dataclasses import replace

import pytest

from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.surrogates.substitute import substitute
from deidstream.models.verification.verifier import find_leak
from deidstream.schemas.errors import LeakKind
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName, Policy
from support.outputs import output

POLICY = read_shipped_policy("surrogate")
NEVER_THE_SAME = sorted(set(PhiLabel) - {PhiLabel.AGE, PhiLabel.DATE})


def standing_for(original: str, text: str, label: str, policy: Policy = POLICY) -> LeakKind | None:
    """The verdict on an output in which ``text`` stands for ``original``."""
    made = output(f"Of {{{label}:{original}}}.", policy)
    (one,) = made.replacements
    written, placed = substitute(made.planned.note.text, [replace(one, text=text)])
    return find_leak(replace(made, text=written, replacements=placed), policy)


@pytest.mark.parametrize("label", NEVER_THE_SAME)
def test_no_label_may_keep_its_original(label: PhiLabel) -> None:
    assert standing_for("Zyxwv 4471", "Zyxwv 4471", label) is LeakKind.UNCHANGED


@pytest.mark.parametrize(
    "written",
    ["ZYXWV4471", "zyx-wv 44.71", "Z\u00fdxwv 4471", "Zyx\u200bwv 4471", "\uff3ayxwv 4471"],
)
def test_another_way_to_write_it_is_no_other_text(written: str) -> None:
    assert standing_for("Zyxwv 4471", written, "IDNUM") is LeakKind.UNCHANGED


def test_another_text_passes() -> None:
    assert standing_for("Zyxwv 4471", "Zyxwv 4472", "IDNUM") is None


def test_a_country_whose_towns_stay_in_it_may_stay_but_is_nobodys_name() -> None:
    assert standing_for("Canada", "Canada", "COUNTRY") is None
    assert standing_for("Jordan", "Jordan", "PATIENT") is LeakKind.UNCHANGED


@pytest.mark.parametrize("label", ["AGE", "DATE"])
def test_a_shift_may_keep_a_year(label: str) -> None:
    assert standing_for("1968", "1968", label) is None


@pytest.mark.parametrize(
    ("operator", "stays"),
    [
        (OperatorName.REDACT, False),
        (OperatorName.MASK, True),
        (OperatorName.GENERALISE, True),
        (OperatorName.KEEP, True),
        (OperatorName.SURROGATE, False),
        (OperatorName.HASH, False),
    ],
)
def test_what_the_operator_is_meant_to_keep_may_stay(
    operator: OperatorName, *, stays: bool
) -> None:
    policy = replace(POLICY, operators={**POLICY.operators, PhiLabel.CITY: operator})
    assert (standing_for("Zyxwv", "Zyxwv", "CITY", policy) is None) == stays


def test_a_label_in_the_place_of_a_surrogate_tells_nothing() -> None:
    assert standing_for("HOSPITAL", "[HOSPITAL]", "HOSPITAL") is None
