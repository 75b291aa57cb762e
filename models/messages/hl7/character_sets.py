"""Decode the bytes of a message by the character set that it names in MSH-18.

Source: HL7 v2.5.1, section 2.15.9.18 and table 0211.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from deidstream.models.messages.hl7.message_faults import MessageFault, MessageRefused

UTF_8 = "UNICODE UTF-8"
"""The name of UTF-8, the character set of all outputs."""
_HEADER = re.compile(rb"MSH([^\w\s])[^\r\n]*", re.ASCII)
_FIELD = 18
_CODECS: Mapping[str, str] = MappingProxyType(
    {
        "": "utf-8",
        "ASCII": "ascii",
        UTF_8: "utf-8",
        "UTF-8": "utf-8",
        # Notes have no control characters of this set; such bytes are letters of Windows-1252.
        "8859/1": "cp1252",
        **{f"8859/{part}": f"iso8859-{part}" for part in (*range(2, 10), 15)},
    }
)
"""Names of codecs; a message that names none is read as UTF-8, of which ASCII is a part."""


def decode_message(body: bytes) -> str:
    """Decode a message.

    Raises:
        MessageRefused: It has no header, names a character set that is not read here or more than
            one, or is not of the one that it names.
    """
    header = _HEADER.match(body)
    if header is None:
        raise MessageRefused(MessageFault.NO_HEADER)
    # Fields before the name may hold any characters; in Latin-1 every byte is one of them.
    fields = header[0].decode("latin-1").split(header[1].decode("latin-1"))
    named = fields[_FIELD - 1] if len(fields) >= _FIELD else ""
    codec = _CODECS.get(named.strip().upper())
    if codec is None:
        raise MessageRefused(MessageFault.UNKNOWN_CHARACTER_SET)
    try:
        return body.decode(codec)
    except UnicodeDecodeError:
        raise MessageRefused(MessageFault.BAD_CHARACTERS) from None
