"""Read the characters of fonts of symbols, whose codes are no Unicode.

Word writes such a code as it is, or with F000 added to it. Sources: the encoding of Adobe Symbol,
and the signs of Wingdings that notes are written with.
"""

from collections.abc import Mapping
from types import MappingProxyType

_BYTES = range(0x100)
_PRIVATE = range(0xF000, 0xF100)
UNKNOWN = "\ufffd"
"""In the place of a sign without a character: that something stood there is seen."""
_SYMBOL_FROM_SPACE = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?"  # noqa: RUF001 - signs of mathematics
    "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"
    "‾αβχδεφγηιϕκλµνοπθρστυϖωξψζ{|}∼"  # noqa: RUF001 - Greek
)
_SYMBOL_FROM_EURO = (
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵"  # noqa: RUF001 - signs of mathematics
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓"  # noqa: RUF001 - signs of mathematics
    "◊〈®©™∑"
)
_SYMBOL: Mapping[int, str] = MappingProxyType(
    dict(enumerate(_SYMBOL_FROM_SPACE, 0x20)) | dict(enumerate(_SYMBOL_FROM_EURO, 0xA0))
)
_WINGDINGS: Mapping[int, str] = MappingProxyType(
    {
        0x20: " ",
        0x4A: "☺",
        0x4C: "☹",
        0x6C: "●",
        0x6E: "■",
        0x6F: "□",
        0x78: "☒",
        0x9F: "•",
        0xA7: "▪",
        0xA8: "□",
        0xD8: "➢",
        0xDF: "←",
        0xE0: "→",
        0xE1: "↑",
        0xE2: "↓",
        0xFB: "✗",
        0xFC: "✓",
        0xFD: "☒",
        0xFE: "☑",
    }
)
_FONTS: Mapping[str, Mapping[int, str]] = MappingProxyType(
    {"symbol": _SYMBOL, "wingdings": _WINGDINGS}
)


def read_symbol(code: int, font: str) -> str:
    """Return the character of a code in a font; ``UNKNOWN`` if the font is not known.

    A private code in any other font than those of symbols is one of Windows.
    """
    name = font.casefold()
    signs = _FONTS.get(name)
    if signs is not None and (code in _PRIVATE or code in _BYTES):
        return signs.get(code % len(_BYTES), UNKNOWN)
    if code not in _PRIVATE:
        return chr(code) if chr(code).isprintable() else UNKNOWN
    plain = not name.startswith(("wingdings", "webdings", "zapf"))
    return bytes([code % len(_BYTES)]).decode("cp1252", "replace") if plain else UNKNOWN


def read_symbols(text: str, font: str) -> str:
    """Return a text whose private codes are those of a font; without a font that of Symbol."""
    if not any(ord(sign) in _PRIVATE for sign in text):
        return text
    return "".join(
        read_symbol(ord(sign), font or "symbol") if ord(sign) in _PRIVATE else sign for sign in text
    )
