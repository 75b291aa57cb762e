"""Read and write states and countries, alone or within a mention such as ``Boston, MA 02115``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from deidstream.models.keyring import canonical
from deidstream.models.mention import Distinct, Identity, Mention, NotedLands
from deidstream.models.phi.codes.draw_code import code_of
from deidstream.models.phi.places.address import provinces
from deidstream.models.phi.places.cities import CITY, LIES_IN, city_key, fold_place, identify_city
from deidstream.models.phi.places.country_codes import country_code
from deidstream.models.phi.places.place_pools import nation_of_county
from deidstream.models.text.runs import recase
from deidstream.models.text.word_files import lines, split_list
from deidstream.schemas.label import PhiLabel

_CODE, _SHORT = 2, 3
_OCR = str.maketrans("l10", "IIO")
STATE, COUNTRY, ZIP = "region.STATE", "region.COUNTRY", "id.ZIP"
_KINDS = {PhiLabel.CITY: CITY, PhiLabel.STATE: STATE, PhiLabel.COUNTRY: COUNTRY}
REGIONS = frozenset(_KINDS)
"""Labels of mentions that are cut into regions."""
_STATE_TAIL = " State"
"""Behind the name of a state, or part of it: ``Free State``."""
_MOST_TAILS = 2
_DISTRICTS = frozenset(split_list("dist district taluk taluka tehsil mandal"))
"""Behind the name of a part of a state; they stay."""
_NOWHERE = NotedLands()


@dataclass(frozen=True, slots=True)
class WrittenState:
    """A state or province in its full form and its short ones."""

    group: str
    full: str
    code: str
    older: str


@lru_cache(maxsize=1)
def states() -> Mapping[str, WrittenState]:
    """Return the states by every written form, as ``state_key`` has it; earlier groups win."""
    return {form: next(iter(named.values())) for form, named in _states_by_form().items()}


@lru_cache(maxsize=1)
def _states_by_form() -> Mapping[str, Mapping[str, WrittenState]]:
    """Return the states by every written form, then by group; those of a form in their order."""
    found: dict[str, dict[str, WrittenState]] = {}
    for line in lines("places.states.txt"):
        state = WrittenState(*line.split(";"))
        for form in filter(None, (state.full, state.code, state.older)):
            found.setdefault(state_key(form), {}).setdefault(state.group, state)
    return found


def groups_of(text: str) -> frozenset[str]:
    """Return the countries with a state that is written so: ``NT`` is in Australia and Canada."""
    if nation_of_county(state_key(text)):
        return frozenset({"GB"})
    province = _provinces().get(state_key(text))
    return frozenset(
        _states_by_form().get(state_key(text), {province.group: province} if province else ())
    )


def state_key(text: str) -> str:
    """Return the key of a state in ``states``."""
    return fold_place(text).removesuffix(" state").removeprefix("state of ")


def state_of(text: str, land: str = "") -> WrittenState | None:
    """Return the state that is written so, if one has it a state of ``land``.

    A scanner may have misread a code (``Wl``).
    """
    own = _states_by_form().get(state_key(text), {}).get(land)
    found = own or states().get(state_key(text)) or _provinces().get(state_key(text))
    if found is None and len(text) == _CODE:
        return states().get(state_key(text.translate(_OCR)))
    return found


@lru_cache(maxsize=1)
def _provinces() -> Mapping[str, WrittenState]:
    """Return the provinces without short forms, by full name."""
    plain = (one for one in provinces().values() if not country_code(one.full) or one.land == "GB")
    found = {fold_place(one.full): WrittenState(one.land, one.full, "", "") for one in plain}
    island = WrittenState("PR", "Puerto Rico", "PR", "P.R.")
    return found | {state_key(form): island for form in (island.full, island.code)}


def nation_of(text: str) -> WrittenState | None:
    """Return the nation of the United Kingdom that is written so."""
    found = _provinces().get(fold_place(text))
    return found if found and found.group == "GB" else None


def write_state(text: str, state: WrittenState) -> str:
    """Write a code for a code, an old abbreviation for one, a full name for the rest."""
    length = len(text.replace(".", "").strip())
    if length <= _SHORT and text.isupper() and "." not in text and state.code:
        return state.code
    if text.endswith(".") and len(text) == _CODE + 1 and text[:-1].isupper() and state.code:
        return state.code + "."
    if "." in text:
        spelled = any(len(part) > 1 for part in text.split("."))
        return recase(state.older or state.full, text if spelled or text.islower() else "Xx")
    if length <= _CODE:
        return recase(state.code or state.full, text)
    own = state_of(text, state.group)
    named = any(one.full.endswith(_STATE_TAIL) for one in (own, state) if one)
    says_state = text.casefold().endswith(_STATE_TAIL.casefold()) and not named
    return recase(state.full, text) + (text[-len(_STATE_TAIL) :] if says_state else "")


def write_country(text: str, name: str) -> str:
    """Write a country in the case of ``text``, but in full for an abbreviation."""
    bare = text.replace(".", "").strip()
    return name if len(bare) <= _SHORT and bare.isupper() else recase(name, text)


@dataclass(frozen=True, slots=True)
class RegionPart:
    """A part of a mention, and the text before it."""

    before: str = field(repr=False)
    text: str = field(repr=False)
    identity: Identity | None


def cut_mention(mention: Mention) -> list[RegionPart]:
    """Cut a mention as its note says where its regions lie."""
    first = not mention.before
    return cut_regions(mention.text, mention.label, first=first, lands=mention.facts.lands)


def cut_regions(
    text: str, label: PhiLabel, *, first: bool = True, lands: NotedLands = _NOWHERE
) -> list[RegionPart]:
    """Cut a mention; the befores and texts joined are the mention.

    Args:
        text: The mention.
        label: Its label.
        first: No city stands before it, of which it may be the state: ``Melbourne, Victoria``.
        lands: Where its note says that its towns lie.

    >>> [part.identity.kind for part in cut_regions("Cork, Ireland", PhiLabel.CITY)]
    ['region.CITY', 'region.COUNTRY']
    """
    found: list[RegionPart] = []
    for place, chunk in enumerate(text.split(",")):
        comma = "," if place else ""
        core = chunk.strip()
        lead, trail = chunk[: len(chunk) - len(chunk.lstrip())], chunk[len(chunk.rstrip()) :]
        if core:
            lone = first and not place
            found += _parts(core, comma + lead, _KINDS[label], lands, first=lone)
            found += [RegionPart(trail, "", None)] if trail else []
        else:
            found.append(RegionPart(comma + chunk, "", None))
    return found


def _parts(
    core: str, before: str, kind: str, lands: NotedLands, *, first: bool
) -> list[RegionPart]:
    """Take a postcode, then a state's code, off the end."""
    tails: list[RegionPart] = []
    for _ in range(_MOST_TAILS):
        head, gap, tail = _last_word(core)
        if gap and tail.casefold().strip(".") in _DISTRICTS:
            tails.append(RegionPart(gap, tail, None))
            core = head
            continue
        if not gap or not (_is_numbered(tail) or (kind == CITY and first and _is_code(tail))):
            break
        tail_kind = ZIP if _is_numbered(tail) else STATE
        tails.append(RegionPart(gap, tail, _identity_of(tail, tail_kind, lands)))
        core = head
    return [
        RegionPart(before, core, _identity_of(core, _kind(core, kind, first=first), lands)),
        *reversed(tails),
    ]


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
    if state_of(core) or nation_of_county(state_key(core)):
        return STATE
    return COUNTRY if country_code(core) else kind


def _identity_of(text: str, kind: str, lands: NotedLands) -> Identity | None:
    value = _value(text, kind, lands.land) or canonical(text)
    if kind == CITY:
        named = any(map(str.isalnum, text))
        return identify_city(value, lands.towns.get(value, "")) if named else None
    recurs = kind in {STATE, COUNTRY}
    if kind == STATE and (said := lands.states.get(value)):
        kind += LIES_IN + said
    distinct = Distinct.FROM_NOTHING if recurs else Distinct.FROM_ALL
    return Identity(kind, value, distinct) if any(map(str.isalnum, text)) else None


def is_state(identity: Identity) -> bool:
    """Return whether an identity is that of a state."""
    return identity.kind.partition(LIES_IN)[0] == STATE


def _value(text: str, kind: str, land: str) -> str:
    if kind == CITY:
        return city_key(text)
    if kind == ZIP:
        return code_of(text)
    if kind == STATE:
        known = state_of(text, land)
        return fold_place(known.full) if known else state_key(text)
    return country_code(text).casefold() or fold_place(text)
