"""Write the answer to a message: that it was taken, or why not.

Source: HL7 v2.5.1, sections 2.9 (original and enhanced mode), 2.15.5 (ERR) and 2.15.8 (MSA).
"""

from dataclasses import dataclass, field
from datetime import datetime

from deidstream.models.messages.hl7.message import WrittenMessage
from deidstream.models.messages.hl7.message_faults import ANSWERS, MessageFault
from deidstream.models.phi.hl7.message_grammar import SEGMENT_END, Signs, escape

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
