"""Policies from TOML."""

import pytest

from deidstream.models.policy_reader import read, read_shipped, shipped
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import LABELS, PhiLabel
from deidstream.schemas.policy import OperatorName, Technique

LEAST = b'technique = "surrogate"\nrecognizers = ["rules"]\n'


def mistakes(source: bytes) -> list[str]:
    with pytest.raises(InvalidPolicy) as caught:
        read(source, name="p")
    return str(caught.value).splitlines()


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_policy_names_an_operator_for_every_label(name: str) -> None:
    policy = read_shipped(name)
    assert set(policy.operators) == set(PhiLabel) == set(LABELS)
    assert OperatorName.KEEP not in policy.operators.values()


def test_the_shipped_policies_are_these() -> None:
    assert {"surrogate", "redact", "kneo"} <= set(shipped())
    assert read_shipped("kneo").technique is Technique.KNEO_SENTENCES


def test_every_mistake_is_reported_with_its_place() -> None:
    source = b"""
technique = "magic"
recognizers = ["rules", "oracle"]
colour = 1
[operators]
NAME = "redact"
DATE = "vanish"
PATIENT = "shift"
[dates]
max_shift_days = 0
[kneo]
neighbours = 2.5
[risk]
red = 2
on_red = "panic"
[thresholds]
DATE = "high"
[deny]
CITY = "Ankh"
"""
    heads = [line.split(":")[1].strip() for line in mistakes(source)]
    assert sorted(heads) == sorted(
        [
            "technique",
            "recognizers",
            "colour",
            "operators.NAME",
            "operators.DATE",
            "operators.PATIENT",
            "dates.max_shift_days",
            "kneo.neighbours",
            "risk.red",
            "risk.on_red",
            "thresholds.DATE",
            "deny.CITY",
        ]
    )


def test_what_is_not_toml_is_refused() -> None:
    assert "not TOML" in mistakes(b"=")[0]
    assert "not TOML" in mistakes(b"\xff")[0]


def test_the_digest_is_that_of_the_file() -> None:
    one, other = read(LEAST, name="p"), read(LEAST + b"\n", name="p")
    assert one.sha256 != other.sha256
    assert len(one.sha256) == 64


def test_an_unknown_name_says_which_there_are() -> None:
    with pytest.raises(InvalidPolicy, match="surrogate"):
        read_shipped("nothing")
