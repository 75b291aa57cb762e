"""Labels of a site's own in a policy: what declares them, and what is refused."""

import pytest

from deidstream.models.policy.declaration import policy_schema
from deidstream.models.policy.reader import read_policy
from deidstream.models.policy.term_lists import policy_digest
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import OF_I2B2, PhiLabel
from deidstream.schemas.policy import OperatorName, Policy

BASE = rb"""
extends = "surrogate"
[labels]
STUDY_NUMBER = "IDNUM"
[operators]
IDNUM = "hash"
[patterns.study]
pattern = 'ST-\d{5}'
label = "STUDY_NUMBER"
examples = ["in [[ST-12345]]"]
[deny]
STUDY_NUMBER = ["Zorbo"]
"""


def read(source: bytes) -> Policy:
    return read_policy(source, name="site", bases={"base.toml": BASE})


def refuse(source: bytes) -> list[str]:
    with pytest.raises(InvalidPolicy) as caught:
        read(source)
    return str(caught.value).splitlines()


def test_an_own_label_has_the_operator_of_the_one_it_is_like() -> None:
    policy = read(BASE)
    assert policy.own_labels == {"STUDY_NUMBER": PhiLabel.IDNUM}
    assert policy.operators["STUDY_NUMBER"] is OperatorName.HASH
    assert policy.deny == {"STUDY_NUMBER": ("Zorbo",)}


def test_a_file_that_extends_inherits_labels_adds_some_and_names_operators() -> None:
    policy = read(
        b'extends = "base.toml"\n[labels]\nWARD = "HOSPITAL"\n[operators]\nSTUDY_NUMBER = "redact"'
    )
    assert [*policy.labels] == [*OF_I2B2, "STUDY_NUMBER", "WARD"]
    assert policy.operators["STUDY_NUMBER"] is OperatorName.REDACT
    assert policy.operators["WARD"] is policy.operators["HOSPITAL"]


def test_a_policy_without_own_labels_is_as_it_was() -> None:
    source = b'technique = "redact"\nrecognizers = ["rules"]\n'
    policy = read(source)
    assert policy.labels == OF_I2B2
    assert policy.sha256 == policy_digest(source, {})


@pytest.mark.parametrize(
    ("lines", "place", "remedy"),
    [
        ('[labels]\nDATE = "AGE"', "site.toml:3: labels.DATE:", "choose another name"),
        ('[labels]\nStudy = "AGE"', "site.toml:3: labels.Study:", "capitals, digits and _"),
        ('[labels]\nSTUDY = "CASE"', "site.toml:3: labels.STUDY:", "must be one of PATIENT,"),
        (
            '[labels]\nSTUDY = "IDNUM"\n[operators]\nSTUDY = "shift"',
            "site.toml:5: operators.STUDY:",
            "must be one of redact, mask, surrogate, hash, keep: it is like IDNUM",
        ),
        ('[operators]\nSTUDY = "redact"', "site.toml:3: operators.STUDY:", "[labels]"),
        ('[deny]\nSTUDY = ["x1"]', "site.toml:3: deny.STUDY:", "[labels]"),
        ('[lists.a]\nlabel = "STUDY"\nterms = ["x1"]', "site.toml:3: lists.a.label:", "[labels]"),
        ("[patterns.a]\nlabel = \"STUDY\"\npattern = 'x1'", "site.toml:3:", "[labels]"),
    ],
)
def test_a_mistake_has_its_place_and_the_remedy(lines: str, place: str, remedy: str) -> None:
    (said,) = refuse(f'extends = "surrogate"\n{lines}\n'.encode())
    assert said.startswith(place)
    assert remedy in said


def test_the_schema_for_editors_knows_how_own_labels_are_written() -> None:
    schema = policy_schema()["properties"]
    (pattern,) = schema["labels"]["patternProperties"]
    assert [*schema["operators"]["patternProperties"]] == [pattern]
    assert schema["operators"]["additionalProperties"] is False


def test_what_a_wrong_line_declares_is_a_mistake_of_that_line_alone() -> None:
    (said,) = refuse(
        b'extends = "surrogate"\n[labels]\nSTUDY = "IDNUMM"\n[operators]\nSTUDY = "redact"\n'
        b"[patterns.study]\npattern = 'ST-[0-9]{4}'\nlabel = \"STUDY\"\n"
    )
    assert said.startswith("site.toml:3: labels.STUDY: must be one of PATIENT,")
    assert said.endswith("(did you mean IDNUM?)")
