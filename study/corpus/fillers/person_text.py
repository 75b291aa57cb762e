"""Names of people: of many origins, in every written form, and agreeing within a note."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from deidstream.models.keyring import canonical
from deidstream.models.phi.names.kept_words import PARTICLES
from deidstream.models.phi.names.name_lists import gender, is_given, is_known
from deidstream.models.phi.names.parts import Part, Role, parse_name
from deidstream.models.text.runs import recase
from deidstream.models.text.titles import BEFORE_SURNAME
from deidstream.models.text.word_files import split_list
from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.fillers.word_lists import ALPHABET, Origin, Pen, Site, read_data_lines
from deidstream.study.corpus.noise import mistype

_HELD = frozenset({"given", "family"})
_GENDER_TRIES = 5
_SEX = MappingProxyType(
    dict.fromkeys(
        split_list(
            "wife daughter sister mother mom mum mam mommy aunt auntie aunty niece granddaughter "
            "grandmother grandma nana girlfriend stepdaughter girl mrs mrs. ms ms. miss"
        ),
        "f",
    )
    | dict.fromkeys(
        split_list(
            "husband son brother father dad daddy uncle nephew grandson grandfather grandpa "
            "boyfriend stepson boy mr mr."
        ),
        "m",
    )
)
"""Gender of a person by the word before the name."""
_KIN = _SEX.keys() | set(
    split_list("cousin partner spouse friend neighbor neighbour roommate fiance twin baby infant")
    + split_list("nurse tech aide child children kids")
)
"""Words after which a name alone is a given name."""
_NICKNAMES = split_list(
    "Peanut Bubba Junior Sonny Buddy Ace Red Tiny Big Stan Pops Nana Mimi Gigi Kiki Lulu Coco "
    "Bobo Skeeter Cookie Duke Dutch Slim Smokey Buster Bunny Birdie Dot Babs Bibi Didi Fifi Jojo "
    "Nonna Abuela Tito Chuy Nacho Pepe Paco Beto Memo Lupe Concha Chayo Kiko Quique Sasha Misha "
    "Kolya Tolya"
)  # fmt: skip

_FULL = (
    "{g} {f}", "{g} {f}", "{g} {f}", "{g} {f}", "{f}, {g}", "{f}, {g}", "{F}, {G}", "{f},{g}",
    "{F},{G}", "{g} {m}. {f}", "{g} {m} {f}", "{i}. {f}", "{i} {f}", "{i}. {m}. {f}",
    "{i}.{m}. {f}", "{f}, {g} {m}.", "{f}, {g} {m}", "{F}, {G} {M}", "{F} {g}", "{f} {i}",
    "{f}, {i}.", "{g} {g2} {f}", "{f}, {g} {g2}", '{g} "{n}" {f}', "{g} {f} Jr.", "{g} {f} III",
    "{f} Jr., {g}", "{g} {f}-{f2}", "{G} {F}", "{g} {f} {f2}", "{i}. {g} {f}", "{g} {f}, Sr.",
)  # fmt: skip
_FREE = tuple(form for form in _FULL if "," not in form and form != "{F} {g}")
"""Forms that read well after a title and inside a sentence."""
_FRESH = (*_FULL, "{g}", "{g}", "{g}", "{f}", "{f}", "{f}", "{f}", "{n}", "{I}{J}", "{g} {i}.")


def read_peoples() -> tuple[tuple[Origin, ...], Origin]:
    """Read the names of this project: those of peoples, and those that are ordinary words."""
    files = (read_data_lines(f"names.{file}.txt") for file in ("peoples", "words"))
    plain, words = ("\n".join(part).strip().split("\n\n") for part in files)
    return tuple(map(_read_origin, plain)), _read_origin(words[0])


def _read_origin(block: str) -> Origin:
    given, family = block.split("|")
    return Origin(tuple(_cut_phrases(given)), tuple(_cut_phrases(family)))


def _cut_phrases(text: str) -> Iterator[str]:
    """Cut at spaces; words that begin a name of several words stay with the next."""
    held = ""
    for word in text.split():
        if word in _LEADING:
            held += word + " "
        else:
            yield held + word
            held = ""


_LEADING = frozenset(
    split_list(
        "Abu Ben dela de van der Te Yellow Red Two Many Little Standing Ma. Big Ka Siew Wing Mei "
        "Boon Hui Kok Pui Thị Văn Minh Thu Quốc Pa Soo Su"
    )
)


@dataclass(frozen=True, slots=True)
class _Person:
    """The person of a mention."""

    origin: Origin = field(repr=False)
    sex: str
    """``f``, ``m``, or empty if the words around do not show it."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Parts of a mention that are replaced together."""

    kind: str
    """``given``, ``family``, ``initials`` or ``kept``."""
    parts: tuple[Part, ...] = field(repr=False)

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)


def _cut_groups(text: str, alone: str) -> tuple[_Group, ...]:
    """Cut a mention; ``Last, First`` and ``LAST First`` are distinguished from ``First Last``.

    ``alone`` is the kind of a name that is all of the mention.
    """
    parts = parse_name(text)
    kinds = ["initials" if p.role in {Role.INITIALS, Role.DIGITS} else "kept" for p in parts]
    named = [place for place, part in enumerate(parts) if part.role is Role.NAME]
    family = _family_places(parts, named, alone)
    for place in named:
        kinds[place] = "family" if place in family else "given"
    for place in range(len(parts) - 2, 0, -1):
        if kinds[place + 1] in _HELD and _binds(parts, place, kinds[place + 1]):
            kinds[place] = kinds[place - 1] = kinds[place + 1]
    return tuple(_join_groups(kinds, parts))


def _join_groups(kinds: Sequence[str], parts: Sequence[Part]) -> Iterator[_Group]:
    """Join the parts of one name to a group."""
    held: list[Part] = []
    for place, part in enumerate(parts):
        held.append(part)
        if kinds[place] not in _HELD or kinds[place + 1 : place + 2] != [kinds[place]]:
            yield _Group(kinds[place], tuple(held))
            held = []


def _family_places(parts: Sequence[Part], named: Sequence[int], alone: str) -> set[int]:
    if not named:
        return set()
    comma = next((i for i, part in enumerate(parts) if "," in part.text or "^" in part.text), 0)
    before = {place for place in named if place < comma}
    if before and (len(before) < len(named) or parts[-1].role is Role.INITIALS):
        return before
    first, last = parts[named[0]], parts[named[-1]]
    if len(named) == 1:
        lonely = not any(part.role is Role.INITIALS for part in parts)
        return set() if lonely and alone == "given" else set(named)
    shouted = first.text.isupper() and not last.text.isupper()
    return {named[0] if shouted else named[-1]}


def _binds(parts: Sequence[Part], place: int, kind: str) -> bool:
    """Return whether a gap and the part before it belong to the name after it."""
    gap, before = parts[place], parts[place - 1]
    if gap.role is not Role.SEPARATOR:
        return False
    if gap.text == "-":
        return before.role is Role.NAME
    leads = before.role is Role.KEPT and _is_particle(before)
    return kind == "family" and not gap.text.strip() and leads


def _is_particle(part: Part) -> bool:
    return canonical(part.text) in PARTICLES


def like_person(pen: Pen, site: Site) -> str:
    """Write another name in the form of this one; parts known to the note come out as before."""
    person = _Person(pen.draw_origin(), _SEX.get(_word_before(site), ""))
    return "".join(_write(pen, group, person) for group in _cut_site(site))


def _word_before(site: Site) -> str:
    return (site.before.split()[-1:] or [""])[0].casefold().strip('("')


def _cut_site(site: Site) -> tuple[_Group, ...]:
    """Cut the mention; a name alone is given or family by the word before and the label."""
    word = (site.before.split()[-1:] or [""])[0].casefold().strip('("')
    if word.removesuffix(".") in BEFORE_SURNAME:
        return _cut_groups(site.text, "family")
    value = canonical(site.text)
    stranger = site.label is PhiLabel.PATIENT and not is_known(value)
    personal = word in _KIN or stranger or is_given(value)
    return _cut_groups(site.text, "given" if personal else "family")


def reform_person(pen: Pen, site: Site) -> str | None:
    """Write another name in another form; ``None`` for a mention that is no full name.

    Parts known to the pen come out as before. Inside a sentence the name has no comma.
    """
    groups = {group.kind: group for group in _cut_site(site)}
    if not {"given", "family"} <= groups.keys():
        return None
    person = _Person(pen.draw_origin(), _SEX.get(_word_before(site), ""))
    given, family = (_write(pen, groups[kind], person) for kind in ("given", "family"))
    form = pen.pick(_FREE if site.is_in_sentence else _FULL)
    return recase(
        _write_form(
            pen, form, person.origin, (_write_in_title_case(given), _write_in_title_case(family))
        ),
        site.text,
    )


def _write_in_title_case(name: str) -> str:
    return name.title() if name.isupper() or name.islower() else name


def fresh_person(pen: Pen) -> str:
    """Write a name in any form."""
    origin = pen.draw_origin()
    names = pen.pick(origin.given), pen.pick(origin.family)
    name = _write_form(pen, pen.pick(_FRESH), origin, names)
    if pen.chance(0.03):
        name = mistype(pen.rng, name)
    return pen.pick((name,) * 8 + (name.upper(), name.lower()))


def _write_form(pen: Pen, form: str, origin: Origin, names: tuple[str, str]) -> str:
    given, family = names
    middle = pen.pick(ALPHABET)
    return form.format_map(
        {
            "g": given, "f": family, "G": given.upper(), "F": family.upper(), "m": middle,
            "M": middle, "i": given[0], "I": given[0], "J": family[0],
            "g2": pen.pick(origin.given), "f2": pen.pick(origin.family),
            "n": pen.pick(_NICKNAMES),
        }
    )  # fmt: skip


def _write(pen: Pen, group: _Group, person: _Person) -> str:
    if group.kind == "kept":
        return group.text
    if group.kind == "initials":
        return "".join(_write_initial(pen, c) for c in group.text)
    values = [part.value for part in group.parts if part.role is Role.NAME]
    name = _replace_name(pen, values, group.kind, person)
    return recase(" ".join(name) if group.parts[0].spelled else name, group.text)


def _replace_name(pen: Pen, values: Sequence[str], kind: str, person: _Person) -> str:
    """Return the replacement of a name; a double name may become a single one for both halves."""
    if len(values) == 1:
        return pen.recall("name", values[0], lambda: _draw_name(pen, values[0], kind, person))
    if kind == "given":
        whole = "-".join(values)
        return pen.recall("name", whole, lambda: _draw_name(pen, values[0], kind, person))
    if pen.chance(0.3):
        known = pen.recall("name", values[0], lambda: _draw_name(pen, values[0], kind, person))
        for value in values[1:]:
            pen.memory.setdefault(("name", value), known)
    halves = dict.fromkeys(_replace_name(pen, [value], kind, person) for value in values)
    return pen.recall("name", "-".join(values), lambda: "-".join(halves))


def _draw_name(pen: Pen, value: str, kind: str, person: _Person) -> str:
    """Draw a surname, or a given name of the same gender as far as the lists have it."""
    if kind == "family":
        drawn = pen.pick(person.origin.family)
    else:
        drawn = pen.pick(person.origin.given)
        wanted = person.sex or (gender(value) if is_given(value) else "n")
        for _ in range(_GENDER_TRIES):
            if wanted == "n" or gender(drawn.casefold()) in {wanted, "n"}:
                break
            drawn = pen.pick(person.origin.given)
    pen.memory.setdefault(("initial", value[0]), drawn[0])
    return drawn


def _write_initial(pen: Pen, char: str) -> str:
    """Write an initial: the first letter of the replacement of a name that began with it."""
    if char.isdecimal():
        return pen.code("#")
    letter = pen.recall("initial", canonical(char), lambda: pen.pick(ALPHABET))
    return letter.lower() if char.islower() else letter.upper()
