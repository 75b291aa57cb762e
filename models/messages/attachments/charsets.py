"""Decode the bytes of a text: by what they begin with, by what is stated, or by trial."""

import codecs
import re
from types import MappingProxyType

from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_TRIED = ("utf-8", "cp1252")
_READ = (
    "utf-8 utf-16 utf-16le utf-16be utf-32 us-ascii windows-874 macintosh koi8-r koi8-u big5 "
    "gb2312 gbk gb18030 shift_jis euc-jp iso-2022-jp euc-kr "
    + " ".join(f"windows-125{number}" for number in range(9))
    + " "
    + " ".join(f"iso-8859-{number}" for number in (*range(1, 12), 13, 14, 15, 16))
)
_PYTHON_NAMES = {"macintosh": "mac_roman", "windows-874": "cp874", "iso-8859-1": "cp1252"}
"""Where Python has another name. Senders that state ISO 8859-1 mean Windows-1252 (WHATWG
Encoding)."""
_ALIASES = {"utf8": "utf-8", "ascii": "us-ascii", "latin1": "iso-8859-1", "cp1252": "windows-1252"}
_CODECS = MappingProxyType({name: _PYTHON_NAMES.get(name, name) for name in _READ.split()})
"""By the name that is stated: codecs that are no character sets, or take more than linear time,
are not among them."""
_META = re.compile(
    rb"""(?i)<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?([\w-]{1,40})"""
)
_HEAD = 1_024
"""Bytes in which a page states its character set (HTML, section 4.2.5.4)."""


def decode_text(data: bytes, charset: str | None = None) -> str:
    """Decode ``data``.

    A byte order mark counts more than ``charset``. Without either, it is UTF-8 if it can be, and
    else Windows-1252.

    Raises:
        UnscannableAttachment: The character set is not read, or the bytes are not of it.
    """
    try:
        for mark, name in _MARKS:
            if data.startswith(mark):
                return data.decode(name)
        if charset is not None:
            return data.decode(_find_codec(charset))
        return _decode_by_trial(data)
    except UnicodeDecodeError:
        raise UnscannableAttachment(AttachmentFault.BAD_CHARSET) from None


def stated_in_markup(data: bytes) -> str | None:
    """Return the character set that an HTML page or an XML document states of itself."""
    found = _META.search(data[:_HEAD])
    return found[1].decode("ascii") if found else None


def _find_codec(charset: str) -> str:
    folded = charset.strip().strip("\"'").lower()
    codec = _CODECS.get(_ALIASES.get(folded, folded))
    if codec is None:
        raise UnscannableAttachment(AttachmentFault.BAD_CHARSET)
    return codec


def _decode_by_trial(data: bytes) -> str:
    try:
        return data.decode(_TRIED[0])
    except UnicodeDecodeError:
        return data.decode(_TRIED[1])
