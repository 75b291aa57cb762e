"""Write streets, towns and other places of many countries, institutions and occupations."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from deidstream.models.keyring import canonical
from deidstream.models.phi.dates.calendar import suffix
from deidstream.models.phi.places.country_codes import countries
from deidstream.models.phi.places.regions import WrittenState, states
from deidstream.models.text.runs import Run, Sort, recase, words
from deidstream.models.text.word_files import lines, sections, split_list, words_in
from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.fillers.word_lists import (
    Home,
    Pen,
    Site,
    Words,
    read_provider_words,
    read_symbols,
)

_LONGEST, _GAP, _ACRONYM, _JOB_PARTS = 200, 2, 4, 3
_SAINTLY = frozenset({"st", "saint", "ste", "san", "santa"})
_ORDINAL = frozenset({"st", "nd", "rd", "th"})
_KEPT = {
    PhiLabel.STREET: "streets.kept.txt",
    PhiLabel.LOCATION_OTHER: "places.kept.txt",
    PhiLabel.HOSPITAL: "institutions.kept.txt",
    PhiLabel.ORGANIZATION: "institutions.kept.txt",
}
_SYMBOLS = {PhiLabel.LOCATION_OTHER: "location"}

_KINDS: dict[str, frozenset[str]] = {
    kind: frozenset(found.split())
    for kind, found in {
        "college": "college university polytechnic institute tech seminary",
        "school": "school elementary high middle primary academy prep preschool daycare day "
        "kindergarten nursery institute polytechnic tech grammar charter unified montessori",
        "pharmacy": "pharmacy chemist apothecary drug drugs rx druggist",
        "insurer": "health plan ppo hmo mutual insurance assurance shield advantage benefit "
        "benefits scheme casualty life indemnity care medicaid medicare",
        "church": "church chapel parish synagogue temple mosque masjid gurdwara tabernacle "
        "assembly congregation baptist methodist lutheran zion ministries cathedral gospel",
        "police": "police pd sheriff sheriff's constabulary court jail correctional cps marshal",
        "ems": "ems ambulance medevac rescue fire paramedics",
        "lab": "lab labs laboratory laboratories diagnostics genomics genetics pathology",
        "homecare": "home dme supply visiting oxygen infusion",
        "charity": "foundation society friends shelter charity alliance club trust fund bank",
    }.items()
}
_SPOTS: dict[str, frozenset[str]] = {
    kind: frozenset(found.split())
    for kind, found in {
        "county": "county co. co parish township shire borough",
        "water": "lake river creek reservoir pond bay beach slough inlet falls",
        "way": "highway hwy route interstate road rd exit turnpike i-95 us-1 pike",
        "built": "station airport bridge mall market pier marina square arena stadium stn depot",
        "land": "park forest mount mt. mt trail island canyon valley campground hill point",
    }.items()
}
_UNIT_WORDS = frozenset(
    split_list(
        "ward unit pod tower floor wing bay pavilion hall station level zone north south east west "
        "peds ortho neuro cvu msu tele surg med"
    )
)
_UNIT_LONGEST = 3


def place_words() -> Words:
    """Return the symbols of places."""
    elements = sections("places.words.txt")
    plain = {"stem": "stems", "end": "endings", "feature": "features", "saint": "saints"}
    found = (
        read_symbols("fillers.places.txt") | read_symbols("fillers.work.txt") | {"line": ("\n",)}
    )
    found |= {symbol: elements[name] for symbol, name in plain.items()}
    for symbol in ("stem", "feature", "animal"):
        found[symbol + ".low"] = tuple(map(str.lower, found[symbol]))
    return found | {"country.all": countries()}


def _imitate(pen: Pen, text: str, kept: str) -> str | None:
    """Replace the proper words and the numbers; a word has one replacement throughout a note.

    ``None`` if there is no word or number to replace.
    """
    cut = _cut_runs(text) if len(text) <= _LONGEST else ()
    stay = words_in(kept)
    written = [_replace_run(pen, cut, place, stay) for place in range(len(cut))]
    new = "".join(written)
    return None if new == text else new


@lru_cache(maxsize=8192)
def _cut_runs(text: str) -> tuple[Run, ...]:
    return tuple(words(text))


def _replace_run(pen: Pen, cut: Sequence[Run], place: int, stay: frozenset[str]) -> str:
    run = cut[place]
    if run.sort is Sort.OTHER:
        return run.text
    if run.sort is Sort.DIGITS:
        return pen.recall("number", run.text, lambda: _draw_numeral(pen, cut, place))
    word = canonical(run.text)
    if word in stay or word.replace("'", "") in stay or _is_bound(cut, place, word):
        return run.text
    if len(word) == 1:
        return recase(pen.recall("unit", word, lambda: pen.code("?")), run.text)
    if _is_acronym(cut, place):
        return pen.recall("proper", word, lambda: pen.code("?" * len(word)))
    symbol = "saint" if _is_saint(cut, place) else "proper.one"
    symbol = "proper.next" if _follows(cut, place, stay) else symbol
    body, mark, tail = run.text.partition("'s")
    new = pen.recall("proper", canonical(body), lambda: pen.write(symbol))
    return recase(new + (mark if not tail else ""), run.text)


def _is_acronym(cut: Sequence[Run], place: int) -> bool:
    """Return whether a word in capitals is alone, or among words that are not in capitals."""
    text = cut[place].text
    if not (text.isupper() and text.isascii() and text.isalpha() and len(text) <= _ACRONYM):
        return False
    return len(cut) == 1 or any(any(map(str.islower, run.text)) for run in cut)


def _is_saint(cut: Sequence[Run], place: int) -> bool:
    before = [run.text for run in cut[max(place - 3, 0) : place] if run.sort is Sort.LETTERS]
    return bool(before) and canonical(before[-1]) in _SAINTLY


def _follows(cut: Sequence[Run], place: int, stay: frozenset[str]) -> bool:
    """Return whether the word before is part of the same name."""
    if place < _GAP or cut[place - 1].text != " " or cut[place - _GAP].sort is not Sort.LETTERS:
        return False
    return canonical(cut[place - _GAP].text) not in stay


def _is_bound(cut: Sequence[Run], place: int, word: str) -> bool:
    """Return whether a word is the ending of an ordinal, or the ``s`` of a possessive."""
    return bool(place) and (word in _ORDINAL or word == "s") and cut[place - 1].sort is Sort.DIGITS


def _draw_numeral(pen: Pen, cut: Sequence[Run], place: int) -> str:
    text = cut[place].text
    after = cut[place + 1].text.casefold() if place + 1 < len(cut) else ""
    if after not in _ORDINAL:
        return pen.code("%" + "#" * (len(text) - 1))
    options = [n for n in range(1, 100) if suffix(n) == after]
    return str(pen.rng.choice(options))


def like_place(pen: Pen, site: Site) -> str | None:
    """Write another street, place or institution of the same build; its kind stays."""
    return _imitate(pen, site.text, _KEPT[site.label])


def reform_place(pen: Pen, site: Site) -> str:
    """Write any other value of the label; a county for a county, a lake for a river."""
    symbol = _SYMBOLS.get(site.label, site.label.value.lower())
    if site.label is PhiLabel.LOCATION_OTHER:
        symbol = (_kinds_of(site.text, _SPOTS) or ["spot"])[0]
    return recase(pen.write(symbol), site.text)


def like_city(pen: Pen, site: Site) -> str:
    """Write another town, mostly of the home state of the note."""
    return recase(pen.pick(_home(pen).cities) if pen.chance(0.6) else pen.write("city"), site.text)


def like_state(pen: Pen, site: Site) -> str | None:
    """Write another state of the same country as long or short as this; ``None`` if unknown."""
    known = states().get(canonical(site.text.replace(".", "")))
    if known is None:
        return None
    group = [state for state in _all_states() if state.group == known.group]
    chosen = pen.rng.choice(group)
    if known.group == "US" and pen.recall("state", "", lambda: known.full) == known.full:
        chosen = states().get(_home(pen).code.casefold(), chosen)
    return _state_form(chosen, site.text)


def _all_states() -> tuple[WrittenState, ...]:
    return tuple(dict.fromkeys(states().values()))


def _home(pen: Pen) -> Home:
    return pen.lists.homes[pen.number("home", 0, len(pen.lists.homes) - 1)]


def _state_form(state: WrittenState, text: str) -> str:
    if "." in text:
        return state.older or state.full
    return recase(state.code if len(text) <= 3 and state.code else state.full, text)  # noqa: PLR2004


def fresh_state(pen: Pen) -> str:
    """Write a state or province in full or short."""
    state = pen.rng.choice(_all_states())
    return pen.pick([form for form in (state.full, state.full, state.code, state.older) if form])


def reform_hospital(pen: Pen, site: Site) -> str:
    """Write another ward for a ward, another institution for an institution."""
    return recase(pen.write("unit" if _is_unit(site.text) else "hospital.whole"), site.text)


def _is_unit(text: str) -> bool:
    found = [run.text.casefold() for run in words(text) if run.sort is not Sort.OTHER]
    numbered = any(word.isdigit() or len(word) == 1 for word in found)
    short = len(found) <= _UNIT_LONGEST
    return short and (not _UNIT_WORDS.isdisjoint(found) or (numbered and len(text) < 6))  # noqa: PLR2004


def reform_organization(pen: Pen, site: Site) -> str | None:
    """Write another organisation of the same trade; mostly ``None`` if no word names the trade."""
    kinds = _kinds_of(site.text, _KINDS)
    if not kinds and pen.chance(0.6):
        return None
    return recase(pen.write(kinds[0] if kinds else "employer"), site.text)


def _kinds_of(text: str, kinds: Mapping[str, frozenset[str]]) -> list[str]:
    found = text.casefold().replace(",", " ").split()
    return [kind for kind, known in kinds.items() if not known.isdisjoint(found)]


def work_words() -> Words:
    """Return the symbols of occupations."""
    british = read_provider_words("job", "en_US", ("jobs",))
    turned = (job.lower().split(", ") for job in british if not set("/()") & set(job))
    jobs = tuple(" ".join(reversed(parts)) for parts in turned if len(parts) < _JOB_PARTS)
    return {"job": lines("professions.txt") + jobs}


def like_profession(pen: Pen, site: Site) -> str:
    """Write another occupation in the case of this one."""
    new, text = pen.write("profession"), site.text
    if len(text) <= _ACRONYM and text.isupper():
        return new
    if text.istitle() and " " in text:
        return " ".join(word[:1].upper() + word[1:] for word in new.split(" "))
    return recase(new[:1].upper() + new[1:] if text[:1].isupper() else new, text)
