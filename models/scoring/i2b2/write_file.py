"""Write a file of i2b2/UTHealth 2014 that the evaluation scripts read."""

from collections.abc import Collection, Iterable

from deidstream.models.scoring.i2b2.tags import InvalidI2b2, element_of, type_of
from deidstream.schemas.span import Span

_HEAD = '<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n<TEXT>'
_SURROGATES = range(0xD800, 0xE000)
_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "\t": "&#9;",
        "\n": "&#10;",
        "\r": "&#13;",
    }
)


def write_i2b2(text: str, spans: Iterable[Span]) -> bytes:
    """Write a text and its spans; ``read_i2b2`` finds the same characters and places.

    Spans may overlap; equal places of one label are written once. Scores and sources are lost.

    Raises:
        InvalidI2b2: The text holds a character that XML 1.0 (section 2.2) cannot hold, such as a
            form feed or a lone surrogate, or a span ends after it.
    """
    _refuse_unwritable(text)
    places = sorted({(span.start, span.end, span.label) for span in spans})
    _refuse_beyond(len(text), [end for _, end, _ in places])
    tags = "".join(
        f'<{element_of(label)} id="P{number}" start="{start}" end="{end}" '
        f'text="{text[start:end].translate(_ESCAPES)}" TYPE="{type_of(label)}" comment="" />\n'
        for number, (start, end, label) in enumerate(places)
    )
    return f"{_HEAD}{_cdata(text)}</TEXT>\n<TAGS>\n{tags}</TAGS>\n</deIdi2b2>\n".encode()


def _cdata(text: str) -> str:
    # A parser would make a line feed of a carriage return that is not a reference.
    inside = text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    return f"<![CDATA[{inside}]]>"


def _refuse_unwritable(text: str) -> None:
    wrong = [character for character in set(text) if not _writable(ord(character))]
    if wrong:
        first = min(map(text.index, wrong))
        msg = f"the character at {first} is one that XML cannot hold"
        raise InvalidI2b2(msg)


def _writable(code: int) -> bool:
    if code < ord(" "):
        return chr(code) in "\t\n\r"
    return code not in _SURROGATES and code not in {0xFFFE, 0xFFFF}


def _refuse_beyond(length: int, ends: Collection[int]) -> None:
    if max(ends, default=0) > length:
        msg = f"a span ends beyond the {length} characters of the text"
        raise InvalidI2b2(msg)
