"""Find out how a note uses the names of persons: as given names or surnames, and of whom.

A name that is on no list, or is a surname that some have as a given name, is told by its place in
the mentions of the note: before or after a comma, first or last, behind a title or a word of
kinship. The words around also say whether it is a woman's or a man's. What the lists settle no note
decides, so that a person has one surrogate in all notes.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import re2

from deidstream.models.mention import NameUse, NameUses
from deidstream.models.phi.names.identity import (
    GIVEN,
    gender_of,
    identify_name,
    is_listed,
    is_of_both,
    is_open,
    is_rather_given,
    may_be_foreign,
    read_key,
    share_of,
)
from deidstream.models.phi.names.name_forms import tell_forms
from deidstream.models.phi.names.name_lists import (
    ENGLISH,
    SHORT_NAMED,
    births,
    census,
    family_people,
    given_people,
    names_of_either,
    peoples,
)
from deidstream.models.phi.names.parts import Part, Role, parse_name
from deidstream.models.phi.names.spellings import to_plain_letters
from deidstream.models.text.patterns import any_of
from deidstream.models.text.titles import BEFORE_GIVEN, BEFORE_SURNAME, OF_MEN, OF_WOMEN

WINDOW = 160
"""Characters before and behind a mention that are looked at."""
_NEAR = 80
"""Characters behind a mention in which a pronoun may stand for it."""
_SEXES = "fm"
_KIN = {
    "f": any_of("""
wife, mother, mom, mum, mam, mama, mommy, sister, daughter, dtr, dau, niece, aunt, auntie, aunty
grandmother, grandma, nana, gran, granny, granddaughter, girlfriend, gf, widow, girl, goddaughter
godmother, step-?mother, stepmom, step-?daughter, step-?sister, half-sister, great-aunt, fiancee
esposa, madre, hija, hermana, abuela, t\xeda, nuera, nieta, suegra, m\xe3e, filha, irm\xe3, fille
femme, \xe9pouse, conjointe, m\xe8re, s\u0153ur, soeur, moglie, figlia, Tochter, Mutter, Ehefrau
"""),
    "m": any_of("""
husband, hubby, father, dad, daddy, papa, brother, son, nephew, uncle, grandfather, grandpa
grandad, granddad, grandson, boyfriend, bf, widower, boy, godson, godfather, step-?father, stepdad
step-?son, step-?brother, half-brother, great-uncle, husb, esposo, marido, padre, hijo, hermano
abuelo, t\xedo, yerno, nieto, biznieto, suegro, pai, filho, irm\xe3o, mari, conjoint, p\xe8re, fils
fr\xe8re, marito, figlio, Sohn, Vater, Ehemann
"""),
    "": any_of("""
partner, spouse, cousin, twins?, child, children, kids?, baby, siblings?, friend, neighbou?r
roommate, flatmate, housemate, carer, caregiver, companion, toddler, infant, newborn, fianc[e\xe9]
sons, daughters, sisters, brothers, nieces, nephews, aunts, uncles, grandchild, grandchildren
boys, girls, lads, nurse, midwife, care ?assistant, hca, cna, porter, receptionist, clerk, doula
interpreter, interp, housekeeper, scribe, sr, sn
"""),
}
"""Words before given names, by the sex that they tell."""
_KIN_BEFORE = {
    sex: re2.compile(
        rf"(?i)\b{words}(?:[- ]in[- ]law)?(?:'s name is|,| named| called)?[ ][\"\x{{201c}}]?$"
    )
    for sex, words in _KIN.items()
}
_KIN_JOINED = re2.compile(
    rf"(?i)\b(?:{'|'.join(_KIN.values())}) (?-i:\p{{Lu}})\p{{L}}+ ?(?:\([^()]{{1,12}}\) ?)?"
    r"(?:[+&,]|and) ?$"
)
"""Kinship, a name, perhaps an age, and what joins the next name: ``twins Ross + ``."""
_OF_RELATIVE = re2.compile(r"(?i)\b[wsd]/o\.? ?$")
"""Wife, son or daughter of, before a man's name."""
_RELATIVE_OF = {"f": r"(?i:^[ ,]*[wd]/o\.? ?$)", "m": r"(?i:^[ ,]*[sh]/o\.? ?$)"}
"""The same between a name and that of the relative; elsewhere ``w/o`` means without."""
_AGE = (
    r"(?:(?i:aged? )?[0-9]{1,3} ?-?(?i:y/?o|yrs?|years?|y|months?|mo|m/o|wks?|weeks?)?[ -]?"
    r"(?i:old )?)"
)
_LETTERS = {
    sex: rf"(?:(?:(?i:age|sex|gender)[ /:]*)*{_AGE}(?:[ ,/|]+)?{letter}"
    rf"|{letter}[ ,/|]*[0-9]{{1,3}}(?: ?y\w*)?)"
    for sex, letter in (("f", "F"), ("m", "M"))
}
"""The letter of a sex and the age beside it, in either order."""
_FIELDS = {
    sex: rf"(?i:\b(?:sex|gender)(?: ?/ ?age)?[ :]+{word}"
    r"(?: ?/ ?[0-9]|[ ]{0,9}(?:[^ /\w]|$)|  ))"
    for sex, word in (("f", "f(?:emale)?"), ("m", "m(?:ale)?"))
}
"""A filled field between a name and the next person; ``Sex: M / F`` is an empty one."""
_NOUNS = {
    "f": rf"{_AGE}?(?i:female|woman|lady|girl)",
    "m": rf"{_AGE}?(?i:male|man|gentleman|boy)",
}
_IS = (
    r"^(?:[ ,;(|\"\x{201d}\x{2013}-]| is| was)*(?: an? | the | h(?:is|er) |their )?"
    r"(?:(?i:late|elder|eldest|older|oldest|younger|youngest) )?"
)
_BEHIND = {
    sex: re2.compile(rf"{_IS}(?:{_LETTERS[sex]}|{_NOUNS[sex]}|(?i:{_KIN[sex]}))\b")
    for sex in _SEXES
}
_SURELY_BEHIND = {
    sex: re2.compile(
        rf"{_IS}(?:(?:{_LETTERS[sex]}|{_NOUNS[sex]})\b|(?i:{_KIN[sex]})\))"
        rf"|{_FIELDS[sex]}|{_RELATIVE_OF[sex]}"
    )
    for sex in _SEXES
}
"""Without words of kinship that may begin the name of the next person: ``Maria (son Luis)``."""
_PRONOUNS = {"f": re2.compile(r"(?i)\b(?:she|her)\b"), "m": re2.compile(r"(?i)\b(?:he|his|him)\b")}
_FIELD_BEFORE = re2.compile(
    r"(?i)\b(?:(forenames?|first(?: name)?|given(?: names?)?|preferred(?: name)?)"
    r"|surname|(?:last|family|maiden) (?:name|nm))(?: ?\([^()]{1,12}\))?[ \t]*[:=.|]{1,20}[ \t\"]*$"
)
"""A field for given names, which the group is of, or for the surname."""
_COMPONENT_BEFORE = re2.compile(r"[|~^]\p{Lu}[\p{L}'-]*\^$")
"""The surname, which HL7 has before the given names; an id before the surname is a number."""
_TITLE = re2.compile(r"(?i)\b([a-z]{2,8})\.? $")
_TITLES_OF = {"f": OF_WOMEN, "m": OF_MEN}
_OF_MEN_JOINED = frozenset({"jean"})
"""Names of women that with a hyphen behind them begin a man's: ``Jean-Luc``."""
_COMMAS = frozenset(",^;")
_PATRONYMIC = frozenset({"arabic", "indian", "malay"})
"""Peoples of whom many have another given name in the place of a surname."""
_MOST_NAMES = 16
"""Of one person; what has more is no name whose order says anything."""
_SURNAME_AND_SYLLABLES = 3
"""Words of a name whose given name is two syllables."""
_ALSO_SURNAME_PERCENT = 0.005
_RARELY_GIVEN_PERCENT = 0.001
"""How common a given name is at least that is surely one, in percent."""


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A mention of a person with the text around it."""

    text: str = field(repr=False)
    before: str = field(repr=False, default="")
    behind: str = field(repr=False, default="")
    """Up to the next mention of a person."""
    of_staff: bool = False


@dataclass(slots=True)
class _Votes:
    """What the mentions of a name say."""

    kinds: Counter[bool] = field(default_factory=Counter[bool])
    """Whether it is a given name."""
    sure_sexes: Counter[str] = field(default_factory=Counter[str])
    """What outweighs the lists: titles, ages with a letter, kinship right before the name."""
    sexes: Counter[str] = field(default_factory=Counter[str])
    pronouns: Counter[str] = field(default_factory=Counter[str])
    peoples: Counter[str] = field(default_factory=Counter[str])
    """Of what people the names beside it are."""
    alone: bool = False
    """It stands alone for somebody who is not of the staff."""

    def decide(self, name: str) -> NameUse:
        """Return how the note uses the name; what nothing tells, the name itself does."""
        # Of two that are as frequent, the one that came first counts.
        peoples = self.peoples.most_common(1)
        if is_open(name):
            kinds = self.kinds.most_common(1)
            alone = self.alone or is_of_both(name)
            given = kinds[0][0] if kinds else alone and is_rather_given(name)
        else:
            given = identify_name(name).kind == GIVEN
        return NameUse(given, self._decide_sex(name), peoples[0][0] if peoples else "")

    def _decide_sex(self, name: str) -> str:
        """Return the sex of whom it calls, if the lists do not say so already."""
        own = identify_name(name)
        # Emrys is read as Emry, whom it is a spelling of.
        called = read_key(own.value).name if own.kind == GIVEN else name
        listed = "n" if called in names_of_either() else gender_of(called)
        if listed != "n":
            other = _SEXES.replace(listed, "")
            return other if self.sure_sexes[other] > self.sure_sexes[listed] else ""
        for said in (self.sure_sexes, self.sexes, self.pronouns):
            if said["f"] != said["m"]:
                return max(_SEXES, key=said.__getitem__)
        return ""


def find_uses(places: Iterable[NamedPlace]) -> NameUses:
    """Return how a note uses the names that the lists leave open, by plain letters.

    Among them are those that are forms of another name of the note (``name_forms.py``).

    Args:
        places: All mentions of persons of the note.
    """
    votes: dict[str, _Votes] = {}
    read: list[tuple[Part, ...]] = []
    for place in places:
        parts = parse_name(place.text)
        _count_votes(place, parts, votes)
        read.append(parts)
    return tell_forms(read, {name: found.decide(name) for name, found in votes.items()})


def _count_votes(place: NamedPlace, parts: Sequence[Part], votes: dict[str, _Votes]) -> None:
    """Add what a mention says of its names to ``votes``."""
    words = {i: to_plain_letters(p.value) for i, p in enumerate(parts) if p.role is Role.NAME}
    names = {number: word for number, word in words.items() if word}
    groups = _group_words(parts)
    if len(groups) > _MOST_NAMES:
        return
    called = _find_called(parts, groups, names)
    for number, name in names.items():
        found = votes.setdefault(name, _Votes())
        found.peoples.update(_tell_people_beside(names, number))
        found.sure_sexes["m"] += name in _OF_MEN_JOINED and _is_joined(parts, number)
        if is_open(name):
            kind = _tell_kind(parts, groups, number, place)
            if kind is not None:
                found.kinds[kind] += 1
            elif len(groups) == 1 and not place.of_staff:
                found.alone = True
        elif number != called:
            continue
        _tell_sex(place, parts, found)


def _tell_people_beside(names: Mapping[int, str], number: int) -> list[str]:
    """Return the people that the names beside one tell, if it may be foreign."""
    name = names[number]
    if not may_be_foreign(name):
        return []
    others = [one for n, one in names.items() if n != number]
    # Kim alone is no Korean: she is as often an English Kimberly.
    people = _tell_people(others or [name] * (name not in census().female))
    return [people] if people else []


def _is_joined(parts: Sequence[Part], number: int) -> bool:
    """Return whether a hyphen follows a name."""
    return number + 1 < len(parts) and parts[number + 1].text == "-"


def _find_called(
    parts: Sequence[Part], groups: list[list[int]], names: Mapping[int, str]
) -> int | None:
    """Return the place of the name that a person is called by, if the lists settle it as given.

    A further one, as in ``Jose Maria``, and one that is part of a surname, as in ``Ben-Hur`` or
    ``Naserian Ole Sankale``, need not be of the sex of the person.
    """
    for number in (group[0] for group in groups if len(group) == 1):
        name = names.get(number)
        if not name or _tell_kind_by_form(parts, groups, number) is False:
            continue
        if identify_name(name).kind == GIVEN:
            return number
        if is_open(name):
            return None
    return None


def _tell_people(names: Collection[str]) -> str:
    """Return the people of the names of a person that are on its lists, if they are of one.

    Surnames tell it; rare given names only where no surname does, since parents everywhere call
    children by those that are common.
    """
    lists = peoples()
    rare = {name for name in names if share_of(name) <= _ALSO_SURNAME_PERCENT}
    listed = [one for one in names if one in rare or identify_name(one).kind != GIVEN]
    surnames = [lists.family[name] for name in listed if name in lists.family]
    given = {lists.given[name] for name in rare if name in lists.given}
    found = (set(surnames) or given) - {ENGLISH}
    if surnames and found and found <= SHORT_NAMED:
        # Syllables are surnames of more than one of these peoples; the first one is the surname.
        return surnames[0]
    return found.pop() if len(found) == 1 else ""


def _group_words(parts: Sequence[Part]) -> list[list[int]]:
    """Return the places of names and initials; those that a hyphen joins are one."""
    groups: list[list[int]] = []
    joined = False
    for number, part in enumerate(parts):
        if part.role in {Role.NAME, Role.INITIALS}:
            if joined and groups:
                groups[-1].append(number)
            else:
                groups.append([number])
        joined = part.role is Role.SEPARATOR and part.text == "-"
    return groups


def _tell_kind(
    parts: Sequence[Part], groups: list[list[int]], number: int, place: NamedPlace
) -> bool | None:
    """Return whether the place of a name says that it is a given name; ``None``: it does not."""
    own = next(n for n, group in enumerate(groups) if number in group)
    if any(part.role is Role.KEPT and part.text.casefold() == "and" for part in parts):
        return None
    told = _tell_kind_by_form(parts, groups, number)
    told = _tell_kind_by_field(place) if told is None else told
    if told is not None:
        return told
    if len(groups) == 1:
        return _tell_lone_kind(parts, place)
    surname_first = _is_surname_first(parts, groups)
    if surname_first or own < len(groups) - 1:
        return own > 0 or not surname_first
    return _is_surely_surname(parts[groups[0][0]]) and len(groups) == 2  # noqa: PLR2004


def _tell_kind_by_form(parts: Sequence[Part], groups: list[list[int]], number: int) -> bool | None:
    """Return whether capitals or a comma say that a name is a given one; ``None``: neither does."""
    capitals = [parts[group[0]].text.isupper() for group in groups if len(parts[group[0]].text) > 1]
    mixed = any(capitals) and not all(capitals)
    comma = next((n for n, part in enumerate(parts) if _COMMAS & set(part.text)), 0)
    divided = bool(comma) and any(group[0] > comma for group in groups)
    if mixed and (capitals[0] or not divided):
        # Of words in two cases those in capitals are surnames, in whatever order.
        return not parts[number].text.isupper()
    return number > comma if divided else None


def _tell_kind_by_field(place: NamedPlace) -> bool | None:
    """Return whether the field of a name is that of given names; ``None``: it has none."""
    if field := _FIELD_BEFORE.search(place.before):
        return field.group(1) is not None
    if place.behind.startswith("^") or place.before.endswith("^"):
        return _COMPONENT_BEFORE.search(place.before) is not None
    return None


def _is_surname_first(parts: Sequence[Part], groups: list[list[int]]) -> bool:
    """Return whether two or three names begin with the surname.

    The last of two is surely a given name, or the initial of one behind what is rather a surname:
    ``Mere P`` is called Mere. Of three, the first is a surname of a people whose
    surnames come first, and no rarer as one than the last: ``Goh Siew Kim``.
    """
    first, last = parts[groups[0][0]], parts[groups[-1][0]]
    if _is_settled_as_given(first) or is_of_both(to_plain_letters(first.value)):
        return False
    if len(groups) != _SURNAME_AND_SYLLABLES:
        if given_people(to_plain_letters(last.value)) in _PATRONYMIC and not is_listed(
            to_plain_letters(first.value)
        ):
            # Sobia Tariq is called Sobia.
            return False
        called = last.role is Role.INITIALS and _is_listed_as_given(first)
        return len(groups) == 2 and _is_surely_given(last) and not called  # noqa: PLR2004
    shares = census().family
    surname, syllable = to_plain_letters(first.value), to_plain_letters(last.value)
    common = shares.get(surname, 0) >= shares.get(syllable, 0)
    return common and family_people(surname) in SHORT_NAMED


def _tell_lone_kind(parts: Sequence[Part], place: NamedPlace) -> bool | None:
    if any(kin.search(place.before) for kin in (*_KIN_BEFORE.values(), _KIN_JOINED)):
        return True
    titles = _list_titles(parts, place)
    if not titles.isdisjoint(BEFORE_GIVEN):
        return True
    return None if titles.isdisjoint(BEFORE_SURNAME) else False


def _list_titles(parts: Sequence[Part], place: NamedPlace) -> set[str]:
    """Return the words that may be titles, in a mention and right before it."""
    return {p.text.casefold() for p in parts if p.role is Role.KEPT} | {_title_before(place)}


def _title_before(place: NamedPlace) -> str:
    found = _TITLE.search(place.before)
    return place.before[found.start(1) : found.end(1)].casefold() if found else ""


def _is_surely_surname(part: Part) -> bool:
    name = to_plain_letters(part.value)
    listed = part.role is Role.NAME and bool(name) and not is_open(name)
    return listed and identify_name(part.value).kind != GIVEN


def _is_settled_as_given(part: Part) -> bool:
    name = to_plain_letters(part.value) if part.role is Role.NAME else ""
    return bool(name) and not is_open(name) and identify_name(name).kind == GIVEN


def _is_listed_as_given(part: Part) -> bool:
    name = to_plain_letters(part.value)
    if not is_listed(name):
        return False
    return identify_name(name).kind == GIVEN or is_rather_given(name)


def _is_surely_given(part: Part) -> bool:
    name = to_plain_letters(part.value)
    if part.role is Role.INITIALS:
        return True
    also_surname = census().family.get(name, 0.0) >= _ALSO_SURNAME_PERCENT
    also_given = max(census().family.get(name, 0.0), _RARELY_GIVEN_PERCENT)
    lists = census()
    frequent = max(lists.female.get(name, 0.0), lists.male.get(name, 0.0)) >= also_given
    listed = frequent or name in peoples().given or (name in births() and share_of(name) == 0)
    return listed and identify_name(part.value).kind == GIVEN and not also_surname


def _tell_sex(place: NamedPlace, parts: Sequence[Part], votes: _Votes) -> None:
    titles = _list_titles(parts, place)
    votes.sure_sexes["m"] += _OF_RELATIVE.search(place.before) is not None
    for sex in _SEXES:
        kin = _KIN_BEFORE[sex].search(place.before)
        sure = (
            not titles.isdisjoint(_TITLES_OF[sex]),
            kin is not None and "," not in place.before[kin.start() :],
            _SURELY_BEHIND[sex].search(place.behind) is not None,
        )
        votes.sure_sexes[sex] += sum(sure)
        votes.sexes[sex] += kin is not None
        votes.sexes[sex] += _BEHIND[sex].search(place.behind) is not None
    near = place.behind[:_NEAR]
    begins = {s: found.start() for s in _SEXES if (found := _PRONOUNS[s].search(near))}
    if begins:
        votes.pronouns[min(begins, key=begins.__getitem__)] += 1
