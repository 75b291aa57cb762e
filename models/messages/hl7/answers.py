"""Write the answer to a message: that it was taken, or why not.

Source: HL7 v2.5.1, sections 2.9 (original and enhanced mode), 2.15.5 (ERR) and 2.15.8 (MSA).
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from deidstream.models.messages.hl7.message import WrittenMessage, read_message
from deidstream.models.messages.hl7.message_faults import ANSWERS, MessageFault, MessageRefused
from deidstream.models.phi.hl7.message_grammar import HEADER, SEGMENT_END, Signs, escape

_LONGEST = 200
"""Characters of a value that is sent back."""
_ALWAYS, _NEVER, _ON_ERROR, _ON_SUCCESS = "AL", "NE", "ER", "SU"
_OURS = Signs()


@dataclass(frozen=True, slots=True)
class AnsweredHeader:
    """The fields of a header that an answer repeats or obeys; its ``repr`` shows none of them."""

    application: str = field(default="", repr=False)
    facility: str = field(default="", repr=False)
    to_application: str = field(default="", repr=False)
    to_facility: str = field(default="", repr=False)
    event: str = field(default="", repr=False)
    control_id: str = field(default="", repr=False)
    processing: str = field(default="P", repr=False)
    version: str = field(default="2.5.1", repr=False)
    accept: str = field(default="", repr=False)
    """MSH-15: on which condition the sender wants an answer that the message is stored."""
    application_answer: str = field(default="", repr=False)
    """MSH-16: on which condition it wants an answer about the result."""

    @classmethod
    def by(cls, message: WrittenMessage) -> "AnsweredHeader":
        """Read the header of a message."""
        numbers = {"application": 3, "facility": 4, "to_application": 5, "to_facility": 6}
        numbers |= {"control_id": 10, "processing": 11, "version": 12}
        numbers |= {"accept": 15, "application_answer": 16}
        values = {name: message.value(message.header, place) for name, place in numbers.items()}
        return cls(event=message.value(message.header, 9, 2), **values)


@dataclass(frozen=True, slots=True)
class AskedBatch:
    """What an answer repeats of the headers of a batch; its ``repr`` shows none of it."""

    header: AnsweredHeader
    """Who sent it; only names of applications and facilities count."""
    batch_id: str = field(default="", repr=False)
    file_id: str | None = field(default=None, repr=False)
    """FHS-11; ``None``: the batch is in no file."""

    @classmethod
    def read(cls, text: str) -> "AskedBatch":
        """Read the headers of a batch, ``FHS`` and ``BHS``, as far as they are there."""
        lines = [line for line in re.split("[\r\n]+", text, maxsplit=3)[:3] if line]
        found: dict[str, WrittenMessage] = {}
        for line in lines:
            if line[:3] in {"FHS", "BHS"}:
                # Their fields 1 to 7 and 11 stand where a message has its own.
                with suppress(MessageRefused):
                    found[line[:3]] = read_message(f"{HEADER}{line[3:]}")
        if not found:
            return cls(AnsweredHeader())
        inner = found.get("BHS") or found["FHS"]
        batch_id = inner.value(inner.header, 11)
        outer = found.get("FHS")
        file_id = outer.value(outer.header, 11) if outer else None
        return cls(AnsweredHeader.by(inner), batch_id, file_id)


def write_batch(asked: AskedBatch, answers: Sequence[str], own_id: str, now: datetime) -> str:
    """Return the answers to the messages of a batch as one batch, in a file if they came in one.

    Args:
        asked: The headers of the batch.
        answers: The answers, each a message.
        own_id: BHS-11 of the batch.
        now: Its time.
    """
    batch = _write_header("BHS", asked, asked.batch_id, own_id, now)
    lines = [batch + SEGMENT_END, *answers, f"BTS|{len(answers)}{SEGMENT_END}"]
    if asked.file_id is not None:
        file = _write_header("FHS", asked, asked.file_id, own_id, now)
        lines = [file + SEGMENT_END, *lines, f"FTS|1{SEGMENT_END}"]
    return "".join(lines)


def _write_header(name: str, asked: AskedBatch, asked_id: str, own_id: str, now: datetime) -> str:
    header = asked.header
    back = (header.to_application, header.to_facility, header.application, header.facility)
    written = (escape(one[:_LONGEST], _OURS) for one in back)
    stamp, reference = now.strftime("%Y%m%d%H%M%S%z"), escape(asked_id[:_LONGEST], _OURS)
    return "|".join((rf"{name}|^~\&", *written, stamp, "", "", "", own_id, reference))


def write_answers(
    asked: AnsweredHeader, fault: MessageFault | None, own_id: str, now: datetime
) -> list[str]:
    """Return the answers to a message, each a message: one in the original mode, else 0 to 2.

    Args:
        asked: The header of the message.
        fault: Why the message was not taken; ``None``: it was.
        own_id: MSH-10 of the answers.
        now: Their time.
    """
    code = ANSWERS[fault].code if fault else "AA"
    if not asked.accept and not asked.application_answer:
        return [_write(asked, code, fault, own_id, now)]
    codes = [f"C{code[1]}"] if _wants(asked.accept, fault) else []
    codes += [code] if _wants(asked.application_answer, fault) else []
    return [_write(asked, one, fault, own_id, now) for one in codes]


def _wants(condition: str, fault: MessageFault | None) -> bool:
    return condition in {_ALWAYS, _ON_ERROR if fault else _ON_SUCCESS}


def _write(
    asked: AnsweredHeader, code: str, fault: MessageFault | None, own_id: str, now: datetime
) -> str:
    back = (asked.to_application, asked.to_facility, asked.application, asked.facility)
    stamp = now.strftime("%Y%m%d%H%M%S%z")
    event = escape(asked.event[:_LONGEST], _OURS)
    header = [
        r"MSH|^~\&",
        *(escape(one[:_LONGEST], _OURS) for one in back),
        stamp,
        "",
        f"ACK^{event}^ACK" if event else "ACK",
        own_id,
        escape(asked.processing[:_LONGEST], _OURS),
        escape(asked.version[:_LONGEST], _OURS),
        *([""] * 5),
        "UNICODE UTF-8",
    ]
    segments = ["|".join(header), f"MSA|{code}|{escape(asked.control_id[:_LONGEST], _OURS)}"]
    if fault is not None:
        answer = ANSWERS[fault]
        condition = f"{answer.condition}^{answer.words}^HL70357"
        segments[-1] += f"|{fault}"
        segments.append(f"ERR|||{condition}|E|{fault}^{answer.words}^L")
    return SEGMENT_END.join(segments) + SEGMENT_END
