"""What of a Word document may stay beside its text: ``models/data/docx.elements.txt``.

Deny by default: names, targets, paths and notes hide in attributes, so one that is not listed, or
whose value could be a name, does not leave.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from deidstream.models.messages.attachments.markup_text import Element
from deidstream.models.text.word_files import lines

NAMESPACES: Mapping[str, str] = MappingProxyType(
    {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "wpg": "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup",
        "wpc": "http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas",
        "v": "urn:schemas-microsoft-com:vml",
        "w10": "urn:schemas-microsoft-com:office:word",
    }
)
"""Those that leave, by their prefixes."""
_NUMBER = r"-?(?:\d{1,10}(?:\.\d{0,8})?|\.\d{1,8})(?:%|[a-z]{1,2})?"
_VALUE = re.compile(
    rf"{_NUMBER}(?:,{_NUMBER}){{0,3}}|[0-9A-F]{{4}}|#?(?:[0-9A-F]{{6}}|[0-9a-f]{{6}})"
    r"|[a-z][A-Za-z0-9]{0,31}|[a-z]{2,3}(?:-[A-Za-z0-9]{2,4}){1,2}"
)
"""Numbers, with units or several of them; colours; words of the standard; languages."""
_SIGN = re.compile(r"[^\w\s]")
_SWITCHES = re.compile(r"(?:\s+\\\*\s+(?:MERGEFORMAT|Arabic|arabic|roman|ROMAN|CHARFORMAT))*")
_DIGITS = frozenset("123456789")


def clark(name: str) -> str:
    """Return ``w:p`` as lxml writes it."""
    prefix, _, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


def may_stay(element: Element) -> bool:
    """Return whether an element is listed."""
    return str(element.tag) in _listed().elements


def kept_attributes(element: Element) -> Iterator[tuple[str, str]]:
    """Yield the attributes of a listed element that may stay, as they are."""
    tag = str(element.tag)
    listed, space = _listed().elements[tag], tag.partition("}")[0]
    formula = space == f"{{{NAMESPACES['m']}"
    for name, value in element.attrib.items():
        stated, _, local = str(name).rpartition("}")
        if local not in listed or (stated and stated != space):
            continue
        if local == "style":
            yield local, _keep_properties(value)
        elif is_plain(value) or (formula and _SIGN.fullmatch(value)):
            yield str(name), value


def is_plain(value: str) -> bool:
    """Return whether a value is a number, a colour or a word of the standard."""
    return _VALUE.fullmatch(value) is not None or value in _listed().values


def is_font(name: str) -> bool:
    """Return whether a font is one of those that many have; others are named by their makers."""
    return name in _listed().fonts


def name_field(code: str) -> str | None:
    """Return the name of a field that may stay, of the code of any."""
    name, _, switches = code.strip().partition(" ")
    known = name.upper() in _listed().fields
    return name.upper() if known and _SWITCHES.fullmatch(f" {switches}".rstrip()) else None


def is_style_of_word(name: str) -> bool:
    """Return whether the name of a style consists of words that Word's own styles have."""
    words = name.casefold().split()
    return all(word in _listed().styles or word in _DIGITS for word in words)


def keep_signs(numbering: str) -> str:
    """Return how a level is numbered, such as ``%1.%2)``, without words and other numbers."""
    kept = re.findall(r"%\d|[^\w\s]|\s|(?<![^\W_])[A-Za-z](?![^\W_])", numbering)
    return "".join(kept)


def _keep_properties(style: str) -> str:
    stated = (one.partition(":") for one in style.split(";"))
    kept = ((name.strip(), value.strip()) for name, _, value in stated)
    known = _listed().shapes
    return ";".join(
        f"{name}:{value}"
        for name, value in kept
        if name in known and re.fullmatch(rf"{_NUMBER}|[a-z-]{{1,24}}", value)
    )


class _Listed:
    """``models/data/docx.elements.txt``."""

    def __init__(self) -> None:
        groups: dict[str, list[str]] = {}
        own: list[str] = []
        for line in lines("docx.elements.txt"):
            if line.startswith("["):
                own = groups.setdefault(line.strip("[]"), [])
            else:
                own.append(line)
        self.elements: dict[str, frozenset[str]] = {}
        for prefix in NAMESPACES.keys() & groups.keys():
            for line in groups[prefix]:
                attributes, _, names = line.partition(":")
                for name in names.split():
                    tag = clark(f"{prefix}:{name}")
                    before = self.elements.get(tag, frozenset())
                    self.elements[tag] = before | frozenset(attributes.split())
        self.values = frozenset(groups["values"])
        self.fonts = frozenset(groups["fonts"])
        self.fields = frozenset(" ".join(groups["fields"]).split())
        self.styles = frozenset(" ".join(groups["styles"]).split())
        self.shapes = frozenset(" ".join(groups["shapes"]).split())


@cache
def _listed() -> _Listed:
    return _Listed()
