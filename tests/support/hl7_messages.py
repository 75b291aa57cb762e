"""HL7 v2 messages out of texts of notes, read by parsers that are not ours."""

import re
from itertools import pairwise
from typing import Any

from hl7.parser import parse as parse_segments
from hl7apy.parser import parse_message

Shape = list[tuple[str, list[list[list[int]]]]]
_HEADER = re.compile(r"(?i)\b(?:MSH|FHS|BHS)\|")


def messages_in(text: str) -> list[str]:
    """Cut a text at its headers, and keep the lines that are segments.

    What a log writes around a message is left out.
    """
    plain = re.sub(r"<(?:0B|0D|1C)>", "", text)
    starts = [found.start() for found in _HEADER.finditer(plain)] + [len(plain)]
    cut = [plain[start:end] for start, end in pairwise(starts)]
    return ["\r".join(_segments(message)) for message in cut]


def _segments(message: str) -> list[str]:
    lines = (line for line in message.splitlines() if re.match(r"[A-Za-z][A-Za-z0-9]{2}\|", line))
    return [line[:3].upper() + line[3:] for line in lines]


def shape(message: str) -> Shape:
    """Count what ``hl7`` reads: segments, fields, repetitions, components and their parts."""
    return [
        (str(segment[0]), [_count(each) for each in segment]) for segment in parse_segments(message)
    ]


def _count(field: Any) -> list[list[int]]:
    if isinstance(field, str):
        return [[1]]
    return [_components(repetition) for repetition in field]


def _components(repetition: Any) -> list[int]:
    if isinstance(repetition, str):
        return [1]
    return [1 if isinstance(part, str) else len(part) for part in repetition]


def named_fields(message: str) -> list[tuple[str, list[str]]]:
    """Return what ``hl7apy`` reads: segments, and the names of their fields that are filled."""
    read = parse_message(message, find_groups=False)
    return [
        (str(segment.name), [str(field.name) for field in segment.children if field.to_er7()])
        for segment in read.children or ()
    ]
