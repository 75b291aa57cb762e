"""Cut the mention of a city, state or country where it holds several: ``Boston, MA 02115``."""

from dataclasses import dataclass, field

from deidstream.models.keyring import canonical
from deidstream.models.mention import Distinct, Identity
from deidstream.models.phi.codes.draw_code import code_of
from deidstream.models.phi.places.cities import city_key, plain
from deidstream.models.phi.places.region_words import (
    country_code,
    nation_of,
    state_key,
    state_of,
)
from deidstream.schemas.label import PhiLabel

CITY, STATE, COUNTRY, ZIP = "region.CITY", "region.STATE", "region.COUNTRY", "id.ZIP"
_KINDS = {PhiLabel.CITY: CITY, PhiLabel.STATE: STATE, PhiLabel.COUNTRY: COUNTRY}

_MOST_TAILS = 2


@dataclass(frozen=True, slots=True)
class Part:
    """A part, and what stands before it."""

    before: str = field(repr=False)
    text: str = field(repr=False)
    identity: Identity | None


def parse(text: str, label: PhiLabel) -> list[Part]:
    """Cut a mention; the befores and texts joined are the mention.

    >>> [part.identity.kind for part in parse("Cork, Ireland", PhiLabel.CITY)]
    ['region.CITY', 'region.COUNTRY']
    """
    found: list[Part] = []
    for place, chunk in enumerate(text.split(",")):
        comma = "," if place else ""
        core = chunk.strip()
        lead, trail = chunk[: len(chunk) - len(chunk.lstrip())], chunk[len(chunk.rstrip()) :]
        if core:
            found += _parts(core, comma + lead, _KINDS[label], first=not place)
            found += [Part(trail, "", None)] if trail else []
        else:
            found.append(Part(comma + chunk, "", None))
    return found


def _parts(core: str, before: str, kind: str, *, first: bool) -> list[Part]:
    """Take a postcode, then a state's code, off the end."""
    tails: list[Part] = []
    for _ in range(_MOST_TAILS):
        head, gap, tail = _last_word(core)
        if not gap or not (_is_numbered(tail) or (kind == CITY and first and _is_code(tail))):
            break
        tails.append(Part(gap, tail, _named(tail, ZIP if _is_numbered(tail) else STATE)))
        core = head
    return [Part(before, core, _named(core, _kind(core, kind, first=first))), *reversed(tails)]


def _is_numbered(word: str) -> bool:
    return any(map(str.isdigit, word))


def _last_word(core: str) -> tuple[str, str, str]:
    words = core.rsplit(maxsplit=1)
    if len(words) == 1:
        return core, "", ""
    head, tail = words
    return head, core[len(head) : len(core) - len(tail)], tail


def _is_code(word: str) -> bool:
    bare = word.replace(".", "")
    return len(bare) == 2 and bare.isupper() and state_of(word) is not None  # noqa: PLR2004


def _kind(core: str, kind: str, *, first: bool) -> str:
    if _is_numbered(core) and not first:
        return ZIP
    if kind == COUNTRY:
        return STATE if nation_of(core) else COUNTRY
    if first and (kind == CITY or state_of(core)):
        return kind
    if state_of(core):
        return STATE
    return COUNTRY if country_code(core) else kind


def _named(text: str, kind: str) -> Identity | None:
    value = _value(text, kind) or canonical(text)
    recurs = kind in {STATE, COUNTRY}
    distinct = Distinct.FROM_NOTHING if recurs else Distinct.FROM_ALL
    return Identity(kind, value, distinct) if any(map(str.isalnum, text)) else None


def _value(text: str, kind: str) -> str:
    if kind == CITY:
        return city_key(text)
    if kind == ZIP:
        return code_of(text)
    if kind == STATE:
        known = state_of(text)
        return plain(known.full) if known else state_key(text)
    return country_code(text).casefold() or plain(text)
