r"""Show what escapes hide: text as hexadecimal digits, and in other character sets.

``\X4A6F65\`` is ``Joe``, which no recognizer would see. Source: HL7 v2.5.1, section 2.7.
"""

import re

from deidstream.models.phi.hl7.message_grammar import Signs
from deidstream.models.surrogates.hl7_escape import escape


def show_hidden(written: str, signs: Signs) -> str:
    r"""Return a value with hexadecimal text as characters, and without other character sets.

    A line end becomes ``\.br\``; other control characters become blanks. Escapes of separators and
    of layout stay. The bytes are UTF-8, else those of Windows; one character may have several
    escapes (``\XC3\\XA9\``).
    """
    if signs.escape not in written:
        return written
    sign = re.escape(signs.escape)
    hidden = re.compile(f"(?:{sign}[Xx][0-9A-Fa-f]*{sign})+|{sign}[CMZ][0-9A-Fa-f]+{sign}")
    return hidden.sub(lambda found: _show(found[0], signs), written)


def _show(escapes: str, signs: Signs) -> str:
    parts = re.findall("[Xx]([0-9A-Fa-f]*)", escapes)
    text = _decode(bytes.fromhex("".join(part for part in parts if len(part) % 2 == 0)))
    return f"{signs.escape}.br{signs.escape}".join(
        escape("".join(sign if sign.isprintable() else " " for sign in line), signs)
        for line in re.split(r"\r\n?|\n", text)
    )


def _decode(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
