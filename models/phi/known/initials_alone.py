"""Find the initials of stated persons where nothing else of their names stands.

Two or three letters mean much in a clinical note. They count as a person's where the note itself
spells them out (``TW = Tanya Wells``), with full stops (``M.A.S.``), after a word such as
``per``, in brackets before a date, and where people sign: at a line's end, in a column of their
own, before what persons do (``TW to chase``). Once they count somewhere, they do wherever they are
in capitals. An abbreviation or an ordinary word counts only where the note explains it and people
sign, before what persons do, or where most of its places are the beginnings of turns or the ends of
entries.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deidstream.models.phi.known.name_matches import NameMatch
from deidstream.models.phi.known.person_set import PersonSet
from deidstream.models.phi.known.stated_names import StatedNames, WordSort, is_ordinary
from deidstream.models.phi.known.written_words import WrittenText
from deidstream.models.phi.names.signatures import (
    DATED,
    SIGNED_BY,
    TIMED,
    WIDE,
    may_be_signed,
    read_line_before,
)
from deidstream.models.phi.not_phi import clinical_letters
from deidstream.models.text.word_files import split_list
from deidstream.schemas.label import PhiLabel

_SHORTEST, _LONGEST = 2, 4
_PERSON_CUE = re.compile(
    r"(?i)\b(?:patient|pt|re|client|resident|pupil|student|baby|mum|mother|father|son|daughter)"
    r"[ \t]{0,2}[:=.]?[ \t]{0,2}[\"'(]?$"
)
_ABOUT = re.compile(r"\b(?:for|from|of|on|to)[ \t]{1,2}$")
"""Behind these two letters that mean nothing else are a person's: ``Coombs neg on KW``."""
_EXPLAINS = re.compile(r"[\"']?[ \t]{0,3}(?:[=:(\u2013-]|is\b)?[ \t]{0,3}[\"']?")
_EXPLAINED = re.compile(r"[ \t,]{0,3}[=:(\u2013-][ \t]{0,2}[\"']?")
_SURE_CUE = re.compile(
    r"(?i)\b(?:typed|typist|checked|scored|signed|inits?|initials?|dictated|transcribed|entered|"
    r"read ?back|signed off as|consent(?:ed)?)[ \t]{0,2}[:=.]?[ \t]{0,2}[\"'(]?$"
)
_ACTS = re.compile(
    r" (?:will|asked|said|says|saw|rang|called|agrees|explained|reviewed|updated|aware|happy|to "
    r"(?:arrange|ask|book|call|chase|contact|discuss|order|phone|prescribe|refer|review|ring|rv|see"
    r"|speak|update|write))\b"
)
"""What only persons do, behind their initials."""
_SAYS = re.compile(r": {0,2}[^\W\d]")
_SPOKEN = re.compile(r"[ \t]*:[ \t]*[^\W\d]|[ \t]{2,}[^\W\d]|\t[^\W\d]")
_TURNS = 3
"""Lines that begin with the letters of a speaker."""
_ENTRIES = 2
"""Lines that end with the letters of the writer."""
_MOSTLY = 0.75
"""Share of the places of such letters that are of this kind; elsewhere they may mean a thing."""
_NEAR = 16
_ROLES = frozenset(split_list("rt pt ot md rn np pa er ed sw cm hr gp do ma icu ob ent"))
"""What signs, or is rung, beside persons."""
_HEADINGS = frozenset(split_list("hr bp rr pe ap by cc hx ros ecg ekg pcp asap am pm"))
"""Words before a colon, or behind ``per``, that name no person."""
_LONG = 3
"""Letters in capitals that are a person's: anywhere, or behind a cue if they are a word."""


class _Letters(NamedTuple):
    """Letters that may be initials: ``[start, end)``, and whose."""

    start: int
    end: int
    persons: PersonSet
    dotted: bool
    key: str
    """As they are written, without full stops."""


def find_initials(
    written: WrittenText, stated: StatedNames, names: Sequence[NameMatch]
) -> list[NameMatch]:
    """Find initials beside the names that were found already."""
    if not stated.initials:
        return []
    covered = {place for match in names for place in range(match.start, match.end)}
    candidates = [one for one in _find_letters(written, stated) if one.start not in covered]
    explained = {
        one.key: persons
        for one in candidates
        if (persons := _find_explained(written.text, one, names))
    }
    columns = _gather_columns(written.text, candidates)
    counted = [
        one
        for one in candidates
        if one.key in columns
        or _count_as_initials(written, stated, one, explained=one.key in explained)
    ]
    keys = {one.key for one in counted if _are_nothing_else(one.key)}
    counted += [one for one in candidates if one.key in keys and one not in counted]
    return [
        NameMatch(one.start, one.end, explained.get(one.key, one.persons), WordSort.SIMILAR)
        for one in sorted(counted)
    ]


def _are_nothing_else(key: str) -> bool:
    form = key.casefold()
    return key.isupper() and not is_ordinary(form) and form not in clinical_letters()


def _find_letters(written: WrittenText, stated: StatedNames) -> Iterator[_Letters]:
    ended = -1
    for index, word in enumerate(written.words):
        if index <= ended or (len(word.form) > 1 and word.form not in stated.initials):
            continue
        ended = last = _find_last_letter(written, index)
        key = "".join(written.written(each) for each in range(index, last + 1))
        persons = stated.initials.get(key.casefold())
        if persons and (last > index or len(key) >= _SHORTEST) and not key.istitle():
            end = written.words[last].end
            yield _Letters(word.start, end, persons, dotted=last > index, key=key)


def _find_last_letter(written: WrittenText, index: int) -> int:
    """Return the index of the last of single letters with full stops, as in ``M.A.S.``."""
    last, words = index, written.words
    while (
        len(words[last].form) == 1
        and last + 1 < len(words)
        and len(words[last + 1].form) == 1
        and written.gap(last) in {".", ". "}
    ):
        last += 1
    return last


def _find_explained(text: str, one: _Letters, names: Sequence[NameMatch]) -> PersonSet | None:
    """Return whose initials they are if a name of that person is right behind or before."""
    following = bisect_left(names, one.start, key=_start_of)
    for name in names[max(following - 1, 0) : following + 1]:
        shared = name.persons & one.persons
        if not shared or name.sort is WordSort.SIMILAR:
            continue
        behind = one.end <= name.start <= one.end + _NEAR
        before = name.end <= one.start <= name.end + _NEAR
        explains = behind and _EXPLAINS.fullmatch(text, one.end, name.start)
        if explains or (before and _EXPLAINED.fullmatch(text, name.end, one.start)):
            return shared
    return None


def _start_of(name: NameMatch) -> int:
    return name.start


def _count_as_initials(
    written: WrittenText, stated: StatedNames, one: _Letters, *, explained: bool
) -> bool:
    text = written.text
    signs = may_be_signed(text, one.start, one.end)
    before = text[max(0, one.start - 24) : one.start]
    if is_ordinary(one.key.casefold()):
        return ((explained or one.dotted) and signs) or _signs_surely(text, one, before)
    if explained or (one.dotted and one.end - one.start > len("M.A")):
        return True
    enough = len(one.key) >= _LONG or _ABOUT.search(before)
    if enough and _are_nothing_else(one.key) and not written.is_upper(one.start, one.end):
        return True
    if SIGNED_BY.search(before) or (one.key.isupper() and _ACTS.match(text, one.end)):
        return True
    if stated.label_of(one.persons) is PhiLabel.DOCTOR:
        return signs
    return bool(_PERSON_CUE.search(before)) or (one.dotted and signs)


def _signs_surely(text: str, one: _Letters, before: str) -> bool:
    if one.key.casefold() in _ROLES | _HEADINGS:
        return False
    if one.key.isupper():
        entered = TIMED.search(before) and _SAYS.match(text, one.end)
        if entered or (len(one.key) >= _LONG and SIGNED_BY.search(before)):
            return True
        if _ACTS.match(text, one.end):
            return True
    return bool(_SURE_CUE.search(before)) or (
        before[-1:] == "(" and bool(DATED.match(text, one.end))
    )


def _gather_columns(text: str, candidates: Sequence[_Letters]) -> set[str]:
    """Return the letters with which lines begin or end so often that they are a person's."""
    ends, turns, every = Counter[str](), Counter[str](), Counter[str]()
    closing = Counter[str]()
    for one in candidates:
        before, after = read_line_before(text, one.start), text[one.end : one.end + 1]
        closes = not after or after in "\r\n/"
        every[one.key] += 1
        closing[one.key] += closes
        ends[one.key] += closes and (before.endswith((WIDE, "\t", "/")) or not before.strip())
        turns[one.key] += not before.strip() and bool(_SPOKEN.match(text, one.end))
    signed = {k for k, n in ends.items() if n >= _ENTRIES and closing[k] >= _MOSTLY * every[k]}
    return signed | {k for k, n in turns.items() if n >= _TURNS and n >= _MOSTLY * every[k]}
