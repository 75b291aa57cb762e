import pytest

from deidstream.models.operators.operator import Mention
from deidstream.models.operators.table import operators
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName, Policy, RedactStyle, Technique


def policy(named: dict[PhiLabel, OperatorName], style: RedactStyle = RedactStyle.LABEL) -> Policy:
    return Policy("test", Technique.SURROGATE, frozenset(), named, redact_style=style)


def test_every_label_has_an_operator_and_the_unnamed_are_redacted() -> None:
    table = operators(policy({PhiLabel.DATE: OperatorName.SHIFT}))
    assert set(table) == set(PhiLabel)
    assert table[PhiLabel.DATE].name == "shift"
    assert table[PhiLabel.PATIENT].render(Mention("Jo", PhiLabel.PATIENT), {}) == "[PATIENT]"


def test_the_redact_style_is_the_policys() -> None:
    table = operators(policy({}, RedactStyle.XXX))
    assert table[PhiLabel.CITY].render(Mention("Cork", PhiLabel.CITY), {}) == "XXX-Location"


def test_keep_keeps() -> None:
    table = operators(policy({PhiLabel.STATE: OperatorName.KEEP}))
    assert table[PhiLabel.STATE].render(Mention("NH", PhiLabel.STATE), {}) == "NH"


@pytest.mark.parametrize("label", [PhiLabel.DATE, PhiLabel.AGE, PhiLabel.ZIP])
def test_some_labels_can_be_generalised(label: PhiLabel) -> None:
    assert operators(policy({label: OperatorName.GENERALISE}))[label].name == "generalise"


def test_every_wrong_operator_is_named_at_once() -> None:
    wrong = {PhiLabel.CITY: OperatorName.SHIFT, PhiLabel.SSN: OperatorName.GENERALISE}
    with pytest.raises(InvalidPolicy, match=r"CITY has no shift\nSSN has no generalise"):
        operators(policy(wrong))
