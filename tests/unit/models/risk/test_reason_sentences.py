import pytest

from deidstream.models.risk.reason_sentences import explain_failure, explain_risk
from deidstream.schemas.errors import LeakKind, Reason


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_of_a_failure_has_a_sentence(reason: Reason) -> None:
    assert explain_failure(reason).endswith(".")


@pytest.mark.parametrize("kind", LeakKind)
def test_a_leak_is_said_after_its_reason(kind: LeakKind) -> None:
    alone = explain_failure(Reason.LEAK_DETECTED)
    said = explain_failure(Reason.LEAK_DETECTED, kind)
    assert said.startswith(alone)
    assert len(said) > len(alone)


def test_an_unknown_code_of_the_risk_is_said_as_it_is() -> None:
    assert explain_risk("NEW_CODE:DATE") == "NEW_CODE:DATE"
