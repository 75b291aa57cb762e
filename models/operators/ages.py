"""Put the ages over the cap into one class, ``90 or older`` (45 CFR 164.514(b)(2)(i)(C))."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.operators.casing import recase
from deidstream.models.operators.number_words import spelled_count
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.redact import redacted
from deidstream.models.operators.runs import Sort, runs, unscanned
from deidstream.models.operators.wordlists import listed

_LONGEST = 60
_PER_YEAR = {
    "y": 1.0, "yr": 1.0, "yrs": 1.0, "year": 1.0, "years": 1.0, "yo": 1.0,
    "m": 12.0, "mo": 12.0, "mos": 12.0, "mth": 12.0, "mths": 12.0, "month": 12.0, "months": 12.0,
    "w": 52.2, "wk": 52.2, "wks": 52.2, "week": 52.2, "weeks": 52.2,
    "d": 365.2, "day": 365.2, "days": 365.2, "h": 8766.0, "hr": 8766.0, "hrs": 8766.0,
    "hour": 8766.0, "hours": 8766.0,
}  # fmt: skip
_DECADES = {
    "teens": 13, "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60,
    "seventies": 70, "eighties": 80, "nineties": 90,
}  # fmt: skip
_AGED = {
    "quadragenarian": 40, "quinquagenarian": 50, "sexagenarian": 60, "septuagenarian": 70,
    "octogenarian": 80, "nonagenarian": 90, "centenarian": 100, "supercentenarian": 110,
}  # fmt: skip
_BETWEEN = frozenset(listed("old o age aged s st nd rd th of in her his their the early mid late"))


@dataclass(frozen=True, slots=True)
class CapAge:
    """Ages up to ``cap`` stay as they are; higher ones become ``90 or older``.

    The form follows the mention: ``91`` and ``91 years`` become ``90 or older``, ``91-year-old``
    becomes ``90-or-older``, ``91st`` becomes ``90th or later``, ``90s`` becomes ``90s or older``.
    What cannot be read becomes ``[AGE]``.
    """

    cap: int = 89
    name: str = "generalise"

    def identities(self, mention: Mention) -> tuple[Identity, ...]:  # noqa: ARG002
        """Rest on nothing."""
        return ()

    def derive(self, identity: Identity, draws: Draws) -> str:  # noqa: ARG002
        """Derive nothing."""
        return ""

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:  # noqa: ARG002
        """Write the age, capped."""
        text = unicodedata.normalize("NFKC", mention.text)
        words = _words(text) if len(text) <= _LONGEST else []
        years = _years(words)
        if years is None:
            return redacted(mention.label)
        if years < self.cap + 1:
            return mention.text
        return recase(_written(text, words, self.cap + 1), text)


def _words(text: str) -> list[str]:
    """Letters and digits of an age apart, scanner's letters read as digits."""
    found: list[str] = []
    for token in text.replace("-", " ").replace("/", " / ").split():
        found += [run.text for run in runs(unscanned(token.strip(".,~<>+()"))) if _tells(run.text)]
    return [word.casefold() for word in found]


def _tells(text: str) -> bool:
    return text == "/" or runs(text)[0].sort is not Sort.OTHER


def _years(words: list[str]) -> float | None:
    """Age in years; of a range the higher, of years and months the years; ``None`` if unread."""
    named = [_DECADES.get(word, _AGED.get(word)) for word in words]
    found = [float(years) for years in named if years is not None]
    left = [word for word, years in zip(words, named, strict=True) if years is None]
    numbers = [place for place, word in enumerate(left) if word.isascii() and word.isdigit()]
    if not numbers:
        return _spelled_years(left, found)
    if any(len(left[place]) > 6 for place in numbers):  # noqa: PLR2004
        return None
    found += [int(left[place]) / _unit(left, place) for place in numbers]
    return max(found) if _all_known(left) else None


def _all_known(words: list[str]) -> bool:
    return all(
        word == "/" or word in _PER_YEAR or word in _BETWEEN or (word.isascii() and word.isdigit())
        for word in words
    )


def _unit(words: list[str], place: int) -> float:
    """How many of the number's units make a year; ``14/12`` counts months, as British notes do."""
    following = words[place + 1 : place + 3]
    if following[:1] == ["/"]:
        return {"12": 12.0, "52": 52.2, "7": 365.2}.get("".join(following[1:]), 1.0)
    if following and following[0] in _PER_YEAR and words[max(place - 1, 0)] != "/":
        return _PER_YEAR[following[0]]
    return 1.0


def _spelled_years(words: list[str], found: list[float]) -> float | None:
    units = [_PER_YEAR[word] for word in words if word in _PER_YEAR]
    count = spelled_count([w for w in words if w not in _PER_YEAR and w not in _BETWEEN])
    numbers = [word for word in words if word not in _PER_YEAR and word not in _BETWEEN]
    if numbers and count is None:
        return None
    if count is not None:
        found = [*found, count / (units[0] if units else 1.0)]
    return max(found, default=None)


def _written(text: str, words: list[str], first: int) -> str:
    if words[-1] == "s" or words[-1] in _DECADES:
        return f"{first}s or older"
    if words[-1] in {"st", "nd", "rd", "th"}:
        return f"{first}th or later"
    if words[-1] in _AGED:
        return f"person aged {first} or older"
    hyphened = "-" in text and any(word in _PER_YEAR for word in words)
    return f"{first}-or-older" if hyphened else f"{first} or older"
