"""Answers are messages that both parsers read, and repeat what the protocol asks for alone."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hl7.parser import parse
from hl7apy.parser import parse_message

from deidstream.models.messages.hl7.answers import AnsweredHeader, write_answers
from deidstream.models.messages.hl7.message import read_message
from deidstream.models.messages.hl7.message_faults import ANSWERS, MessageFault
from support.hl7_samples import NAMES, admission

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


@pytest.mark.parametrize("fault", [None, *MessageFault])
def test_an_answer_is_a_message(fault: MessageFault | None) -> None:
    asked = AnsweredHeader.by(read_message(admission()))
    (answer,) = write_answers(asked, fault, "OWN1", NOW)
    read: Any = parse(answer)
    assert str(read.segment("MSH")[7]) == "20260304050607+0000"
    assert str(read.segment("MSA")[2]) == "M1"
    assert str(read.segment("MSA")[1]) == (ANSWERS[fault].code if fault else "AA")
    again: Any = parse_message(answer, find_groups=False)
    assert again.msh.msh_10.to_er7() == "OWN1"
    assert not [name for name in NAMES if name in answer]
    if fault:
        assert again.err.err_5.to_er7().startswith(fault)


def test_what_is_repeated_cannot_change_the_answer() -> None:
    text = admission(control_id=r"M\F\1\E\2").replace("|REG|", r"|R\S\G|")
    (answer,) = write_answers(AnsweredHeader.by(read_message(text)), None, "OWN1", NOW)
    assert answer.split("\r")[1] == r"MSA|AA|M\F\1\E\2"
    assert r"|R\S\G|HGH|" in answer


def test_a_message_without_a_header_is_answered_too() -> None:
    (answer,) = write_answers(AnsweredHeader(), MessageFault.NO_HEADER, "OWN1", NOW)
    read: Any = parse(answer)
    assert read.segment("MSA") is not None
    assert "\rMSA|AR||NO_HEADER\r" in answer
