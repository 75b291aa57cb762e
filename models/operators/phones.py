"""Replace telephone, fax and pager numbers by numbers that ring nowhere."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from deidstream.models.keyring import Draw, canonical
from deidstream.models.operators.letters import DIGITS
from deidstream.models.operators.number_words import speak, spoken_digits
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.redact import redacted
from deidstream.models.operators.runs import glued, runs, safe_separators
from deidstream.models.operators.wordlists import listed

_EXTENSIONS = frozenset({"ext", "extn", "extension", "x", "xt"})
_WORDS = _EXTENSIONS | frozenset(
    listed("tel telephone phone cell mobile home work office fax pager or main direct")
)
_OCR = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1", "|": "1"})
_KEYPAD = str.maketrans("abcdefghijklmnopqrstuvwxyz", "22233344455566677778889999")
_LOCAL, _NATIONAL, _SHORT = 7, 10, 6
_UK_LENGTH = 11


@dataclass(frozen=True, slots=True)
class Dialled:
    """The digits of a number and of its extension."""

    number: str
    extension: str


@dataclass(frozen=True, slots=True)
class ReplacePhone:
    """North American numbers move to 555-0100 to 555-0199 of another area, British ones to Ofcom's
    drama ranges, others change digit by digit; leading zeros and the written form stay.

    Extensions and pager numbers of up to six digits change digit by digit and agree with each
    other. Words for letters (``1-800-FLOWERS``) are written in digits.
    """  # noqa: D205

    name: str = "surrogate"

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the number by its digits, and the extension."""
        dialled = _dialled(mention.text)
        pairs = (("phone", _subscriber(dialled.number)), ("phone.ext", dialled.extension))
        return tuple(
            Identity("phone.ext" if len(value) <= _SHORT else kind, value)
            for kind, value in pairs
            if value
        )

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw as many digits."""
        drawn = identity.value
        draw = draws.own(identity)
        while drawn == identity.value:
            drawn = _draw_number(identity, draw)
        return drawn

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the drawn digits over the mention's."""
        identities = self.identities(mention)
        if not identities:
            return redacted(mention.label)
        drawn = "".join(surrogates[identity] for identity in identities)
        if spoken_digits(mention.text):
            return speak(drawn)
        dialled = _dialled(mention.text)
        country = dialled.number[: len(dialled.number) - len(_subscriber(dialled.number))]
        return "".join(_write(mention.text, iter(country + drawn)))


def _pieces(text: str) -> list[str]:
    """Digits and letters apart; letters that stand for digits read as such, other words kept."""
    return [piece for token in glued(runs(_plain(text))) for piece in _read(token)]


def _plain(text: str) -> str:
    """Read compatibility forms such as full-width digits plainly; spaces stay."""
    return "".join(canonical(c) or c for c in text) if not text.isascii() else text


def _read(token: str) -> list[str]:
    digits = token.translate(_OCR)
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
    """Digits of other scripts as digits; other letters and marks vanish; separators stay."""
    if not any(map(str.isalnum, token)):
        return token
    return "".join(str(int(c)) for c in token if c.isdecimal())


def _dialled(text: str) -> Dialled:
    spoken = spoken_digits(text)
    if spoken:
        return Dialled(spoken, "")
    pieces = _pieces(text)
    cut = next((i for i, piece in enumerate(pieces) if piece.casefold() in _EXTENSIONS), None)
    cut = len(pieces) if cut is None else cut
    return Dialled(_digits(pieces[:cut]), _digits(pieces[cut:]))


def _digits(pieces: list[str]) -> str:
    return "".join(piece for piece in pieces if piece.isdigit())


def _subscriber(number: str) -> str:
    """The number without the American country code, so that both ways of writing it agree."""
    return number[1:] if len(number) == _NATIONAL + 1 and number[0] == "1" else number


def _draw_number(identity: Identity, draw: Draw) -> str:
    value = identity.value
    fictional = f"55501{draw.below(100):02d}"
    if identity.kind == "phone" and len(value) == _LOCAL:
        return fictional
    if identity.kind == "phone" and len(value) == _NATIONAL and value[0] not in "01":
        return f"{2 + draw.below(8)}{draw.below(9)}{2 + draw.below(8)}{fictional}"
    british = _british(value, draw)
    if british:
        return british
    leading = len(value) - len(value.lstrip("0")) if len(value) > _SHORT else 0
    drawn = "".join(draw.pick(DIGITS) for _ in value[leading + 1 :])
    first = draw.pick(DIGITS[1:] if len(value) > _SHORT else DIGITS)
    return "0" * leading + (first + drawn if leading < len(value) else "")


def _british(value: str, draw: Draw) -> str:
    """Ofcom's numbers for drama: 07700 900xxx and 01632 960xxx; empty for other numbers."""
    national = "0" + value[2:] if value.startswith("44") else value
    if len(national) != _UK_LENGTH or national[:2] not in {"01", "02", "07"}:
        return ""
    block = "07700900" if national[1] == "7" else "01632960"
    drawn = f"{block}{draw.below(1000):03d}"
    return "44" + drawn[1:] if value.startswith("44") else drawn


def _write(text: str, digits: Iterator[str]) -> Iterator[str]:
    for piece in _pieces(text):
        if piece.isdigit():
            yield from (next(digits) for _ in piece)
        elif piece.casefold() in _WORDS:
            yield piece
        else:
            yield "".join(c if c == "+" else safe_separators(c) for c in piece)
