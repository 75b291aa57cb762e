"""What people a name belongs to, and the names of a people that surrogates are drawn from.

A people is told by the name alone, so that all notes agree. It is a habit of spelling, nothing
more: who bears the name may be of any.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from deidstream.models.text.word_files import listed, sections

ENGLISH = "english"
BRIEF = frozenset({"chinese", "korean", "vietnamese"})
"""Peoples of few and short surnames, which English registers count as given names too."""
LEAST = 3
"""From fewer names none is drawn; the peoples nearby lend theirs."""
_FILE = "names.peoples.txt"
_NEARBY = (
    listed("chinese korean vietnamese"),
    listed("chinese japanese korean vietnamese"),
    listed("chinese japanese korean vietnamese malay"),
    listed("arabic turkic"),
    listed("hispanic italian french"),
    listed("germanic nordic finnish"),
    listed("slavic hungarian greek caucasian"),
    listed("hispanic italian french germanic nordic finnish slavic hungarian greek caucasian"),
)
"""Groups of peoples that lend each other names, the nearest first."""
_ENDINGS = {
    "hispanic": listed("ez guez nchez"),
    "slavic": listed(
        "ov ev ova eva sky ski skyi skaya ska enko chuk czyk wicz vich vic czak noff koff roff"
    ),
    "greek": listed("opoulos poulos akis idis oulis"),
    "caucasian": listed("yan shvili adze idze"),
    "nordic": listed("sson sdottir qvist kvist strom lund dahl gaard gren"),
    "germanic": listed("mann stein berger baum bacher hoff hauser meier stra huizen veld"),
    "finnish": listed("inen"),
    "italian": listed("elli etti ucci acci iello occhi"),
    "indian": listed("krishnan swamy murthy nathan wala rajan gopal kumar"),
    "arabic": listed("ullah uddin allah zadeh zade pour"),
}  # fmt: skip
_STARTS = {
    "african": listed("nw mb nd nk nt mk ndl oluw adey okon chuk"),
    "arabic": listed("abdul abdel"),
}
_ROOT = 3


@dataclass(frozen=True, slots=True)
class Peoples:
    """The lists, in lower-case plain letters."""

    family: Mapping[str, str]
    """People, by surname."""
    given: Mapping[str, str]
    """People, by given name."""
    gender: Mapping[str, str]
    """``f``, ``m`` or ``n``, by given name."""
    drawn: Mapping[tuple[str, str, str], tuple[str, ...]]
    """What to draw, by people, sort (``family``, ``f``, ``m``) and initial."""
    called: Mapping[tuple[str, str], tuple[str, ...]]
    """Given names with their short forms, such as ``gregory/greg``, by gender and initial."""


@lru_cache(maxsize=1)
def peoples() -> Peoples:
    """Read the lists once."""
    family: dict[str, str] = {}
    given: dict[str, str] = {}
    gender: dict[str, str] = {}
    drawn: dict[tuple[str, str, str], tuple[str, ...]] = {}
    called: dict[tuple[str, str], tuple[str, ...]] = {}
    for people, sort, use, words in _headed():
        if use == "called":
            called |= {(sort, first): tuple(some) for (first, some) in _by_initial(words)}
            continue
        (family if sort == "family" else given).update(dict.fromkeys(words, people))
        if sort != "family":
            gender |= dict.fromkeys(words, sort)
        if not use:
            drawn |= {(people, sort, first): tuple(some) for first, some in _by_initial(words)}
    plain = (family, given, gender, drawn, called)
    return Peoples(*map(MappingProxyType, plain))  # type: ignore[arg-type]


def _headed() -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    for heading, words in sections(_FILE).items():
        people, sort, *use = heading.split()
        yield people, sort, "".join(use), words


def _by_initial(words: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(word[0], []).append(word)
    yield from found.items()


def family_people(name: str) -> str:
    """Tell the people of a surname in plain letters: by the lists, else by how it is formed.

    >>> family_people("martinez"), family_people("wolfenbaum"), family_people("ashgrove")
    ('hispanic', 'germanic', 'english')
    """
    known = peoples().family.get(name)
    return known or next(_formed(name), ENGLISH)


def _formed(name: str) -> Iterator[str]:
    for people, endings in _ENDINGS.items():
        # Nearly no name has any of these endings.
        if name.endswith(endings) and any(name[_ROOT:].endswith(e) for e in endings):
            yield people
    for people, starts in _STARTS.items():
        if name.startswith(starts):
            yield people


def given_people(name: str) -> str:
    """Tell the people of a given name in plain letters, by the lists alone."""
    return peoples().given.get(name, ENGLISH)


def is_brief(name: str) -> bool:
    """Tell a name in plain letters of a people whose names may have two of them.

    >>> is_brief("xu"), is_brief("ja")
    (True, False)
    """
    return family_people(name) in BRIEF or given_people(name) in BRIEF


@lru_cache(maxsize=4096)
def tiers(people: str, sort: str, first: str) -> tuple[tuple[str, ...], ...]:
    """What to draw from, and what next where that is used up: people, its neighbours, English.

    Args:
        people: A people of the lists.
        sort: ``family``, or the gender of a given name: ``f``, ``m`` or ``n`` for either.
        first: Initial of what is drawn.
    """
    circles = ((people,), *(near for near in _NEARBY if people in near), (ENGLISH,))
    found = [_of(circle, sort, first) for circle in circles]
    ample = [some for some in found[:-1] if len(some) >= LEAST]
    return tuple(dict.fromkeys((*ample, found[-1])))


def _of(circle: tuple[str, ...], sort: str, first: str) -> tuple[str, ...]:
    sorts = ("f", "m") if sort == "n" else (sort,)
    drawn = peoples().drawn
    return tuple(
        name for people in circle for one in sorts for name in drawn.get((people, one, first), ())
    )
