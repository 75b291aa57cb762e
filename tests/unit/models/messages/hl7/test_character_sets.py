"""Bytes are read by the character set that MSH-18 names."""

import pytest

from deidstream.models.messages.hl7.character_sets import decode_message
from deidstream.models.messages.hl7.message_faults import MessageFault, MessageRefused


def header(name: str) -> str:
    return "MSH|^~\\&|A|Gr\xfcn|||20240311||ADT^A01|1|P|2.5||||||" + name


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("", "utf-8"),
        ("UNICODE UTF-8", "utf-8"),
        ("unicode utf-8", "utf-8"),
        ("8859/1", "latin-1"),
        ("8859/2", "iso8859-2"),
        ("8859/9", "iso8859-9"),
        ("8859/15", "iso8859-15"),
    ],
)
def test_the_named_character_set_is_read(name: str, codec: str) -> None:
    text = header(name) + "|EN\rPID|1||4410||M\xfcller"
    assert decode_message(text.encode(codec)) == text


@pytest.mark.parametrize("name", ["UNICODE", "ISO IR87", "8859/1~8859/2", "UTF-16", "KLINGON"])
def test_another_one_is_refused(name: str) -> None:
    with pytest.raises(MessageRefused) as refused:
        decode_message(header(name).encode())
    assert refused.value.fault is MessageFault.UNKNOWN_CHARACTER_SET


@pytest.mark.parametrize("name", ["", "ASCII", "UNICODE UTF-8"])
def test_bytes_that_are_not_of_it_are_refused(name: str) -> None:
    with pytest.raises(MessageRefused) as refused:
        decode_message(header(name).encode("latin-1"))
    assert refused.value.fault is MessageFault.BAD_CHARACTERS


def test_windows_letters_under_the_name_of_its_standard_are_read() -> None:
    text = header("8859/1") + "\rPID|1||4410||O\u2019Hare"
    assert decode_message(text.encode("cp1252")) == text
