"""Replace telephone, fax and pager numbers by numbers that are not in use."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile

import re2

from deidstream.models.keyring import Draw, canonical
from deidstream.models.mention import Distinct, Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.codes.spoken_codes import read_spoken_code, write_spoken_code
from deidstream.models.phi.contacts.phones import Number, draw_number, read_number
from deidstream.models.phi.names.initials import DIGITS
from deidstream.models.text.runs import SCANNED_DIGITS, join_touching, runs, safe_separators
from deidstream.models.text.word_files import split_list
from deidstream.schemas.policy import RedactStyle

_EXTENSIONS = frozenset({"ext", "extn", "extension", "x", "xt"})
_WORDS = _EXTENSIONS | frozenset(
    split_list("tel telephone phone cell mobile home work office fax pager or and main direct")
)
_KEYPAD = str.maketrans("abcdefghijklmnopqrstuvwxyz", "22233344455566677778889999")
_SHORT = 6
_NEXT = re2.compile(
    r"(?i)(\s{0,3}(?:[;,/&\n]|\bor\b|\band\b)\s{0,3})[(+]?\d{3}"
    r"|(\s{1,3})(?:\(\d{3}|\+\d|1-\d{3})"
)
"""Where the next number begins; the text before it must hold a whole one."""


@dataclass(frozen=True, slots=True)
class DialledNumber:
    """A number, and the digits of its extension."""

    number: Number
    extension: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ReplacePhone:
    """Draw a number of the same numbering plan that is not in use, in the same written form.

    The ranges are those of ``phi.contacts.phones``; a number of no known plan gets a beginning that
    is not in use. Leading zeros and country codes stay. Extensions and pager numbers of up to six
    digits change digit by digit and agree with each other. Words for letters (``1-800-FLOWERS``)
    are written in digits.
    """

    name: str = "surrogate"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name each number by its digits, and each extension."""
        return mention.readings.read(_list_identities, mention.text)

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw as many digits."""
        drawn = identity.value
        draw = draws.own(identity)
        while drawn == identity.value:
            drawn = _draw(identity, draws, draw)
        return drawn

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the drawn digits over the mention's."""
        if not self.identities(mention):
            return write_label(mention, self.style)
        return "".join(_write_number(text, surrogates) for text in _numbers(mention.text))


def _list_identities(text: str) -> tuple[Identity, ...]:
    dialled = map(_read_dialled_number, _numbers(text))
    return tuple(dict.fromkeys(one for number in dialled for one in _identities(number)))


def _numbers(text: str) -> list[str]:
    """Cut a text that holds several numbers, or other endings of one: ``664-0172 or 0173``."""
    found, start = list[str](), 0
    for end in (max(match.end(1), match.end(2)) for match in _NEXT.finditer(text)):
        if sum(map(str.isdigit, text[start:end])) > _SHORT:
            found.append(text[start:end])
            start = end
    return [*found, text[start:]]


def _identities(dialled: DialledNumber) -> tuple[Identity, ...]:
    number, extension = dialled.number.value, dialled.extension
    found = [_number(number)] if number else []
    return tuple([*found, _extension(extension)] if extension else found)


def _number(digits: str) -> Identity:
    return Identity("phone", digits) if len(digits) > _SHORT else _extension(digits)


def _extension(digits: str) -> Identity:
    return Identity("phone.ext", digits, Distinct.FROM_NOTHING)


def _write_number(text: str, surrogates: Mapping[Identity, str]) -> str:
    dialled = _read_dialled_number(text)
    drawn = [surrogates[identity] for identity in _identities(dialled)]
    if dialled.number.value:
        drawn[0] = dialled.number.digits(drawn[0])
    if read_spoken_code(text):
        return write_spoken_code(text, "".join(drawn))
    return "".join(_write(text, iter("".join(drawn))))


def _pieces(text: str) -> list[str]:
    """Separate digits and letters; letters in place of digits are read as digits."""
    return [piece for token in join_touching(runs(_plain(text))) for piece in _read_token(token)]


def _plain(text: str) -> str:
    """Replace compatibility forms such as full-width digits by plain ones; spaces stay."""
    return "".join(canonical(c) or c for c in text) if not text.isascii() else text


def _read_token(token: str) -> list[str]:
    digits = token.translate(SCANNED_DIGITS)
    if token.casefold() in _WORDS or (digits.isascii() and digits.isdigit()):
        return [token if token.casefold() in _WORDS else digits]
    cut = [run.text for run in runs(token)]
    if any(piece.casefold() in _EXTENSIONS for piece in cut):
        return cut
    if token.isascii() and token.isalpha() and not token.isupper():
        return [""]
    keyed = token.casefold().translate(_KEYPAD)
    return [keyed if keyed.isascii() and keyed.isdigit() else _foreign(token)]


def _foreign(token: str) -> str:
    """Write digits of other scripts as digits; drop other letters and marks, keep separators."""
    if not any(map(str.isalnum, token)):
        return token
    return "".join(str(int(c)) for c in token if c.isdecimal())


def _read_dialled_number(text: str) -> DialledNumber:
    spoken = read_spoken_code(text)
    if spoken and spoken.isdigit():
        return DialledNumber(read_number(spoken, abroad=False), "")
    pieces = _pieces(text)
    cut = next((i for i, piece in enumerate(pieces) if piece.casefold() in _EXTENSIONS), None)
    cut = len(pieces) if cut is None else cut
    digits = _digits(pieces[:cut])
    abroad = "+" in "".join(takewhile(lambda piece: not piece.isdigit(), pieces[:cut]))
    groups = tuple(len(piece) for piece in pieces[:cut] if piece.isdigit())
    number = read_number(digits, abroad=abroad and len(digits) > _SHORT, groups=groups)
    return DialledNumber(number, _digits(pieces[cut:]))


def _digits(pieces: list[str]) -> str:
    return "".join(piece for piece in pieces if piece.isdigit())


def _draw(identity: Identity, draws: Draws, draw: Draw) -> str:
    if identity.kind == "phone":
        return draw_number(identity.value, draws, draw)
    return "".join(draw.pick(DIGITS) for _ in identity.value)


def _write(text: str, digits: Iterator[str]) -> Iterator[str]:
    for piece in _pieces(text):
        if piece.isdigit():
            yield from (next(digits) for _ in piece)
        elif piece.casefold() in _WORDS:
            yield piece
        else:
            yield "".join(c if c == "+" else safe_separators(c) for c in piece)
