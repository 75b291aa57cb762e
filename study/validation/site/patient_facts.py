"""What a note tells of its patient, so that leaks can be compared between groups of people.

The facts are read from the original that was marked and stay coarse: nothing of the text is kept.
The people of a name describes how it is spelled (``name_lists``), and not what its bearer is.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

import re2

from deidstream.models.phi.names.name_lists import ENGLISH, family_people, given_people
from deidstream.models.phi.names.parts import Role, parse_name
from deidstream.models.phi.names.spellings import to_plain_letters
from deidstream.models.phi.read_age import read_age
from deidstream.models.text.word_files import split_list
from deidstream.schemas.label import PhiLabel
from deidstream.study.validation.site.judged_notes import JudgedNote
from deidstream.study.validation.site.population import UNKNOWN

PATIENT_FACTS = ("sex", "age", "names")
FEMALE, MALE = "female", "male"
_SEXED: Mapping[str, str] = {
    **dict.fromkeys(split_list("she her hers herself mrs ms miss female woman girl lady"), FEMALE),
    **dict.fromkeys(split_list("he his him himself mr male man boy gentleman"), MALE),
}
_WORD = re2.compile(r"[A-Za-z]+")
_BANDS = ((18, "0 to 17"), (40, "18 to 39"), (65, "40 to 64"), (90, "65 to 89"))
_OLDEST = "90 and over"
_MAJORITY = 2
"""Words of one sex for each of the other, from which on the text is taken to tell it."""


def describe_patient(one: JudgedNote) -> dict[str, str]:
    """Return sex, age band and people of the names, each ``unknown`` where the text is silent."""
    return {
        "sex": _tell_sex(one.note.text),
        "age": next(_tell_ages(one), UNKNOWN),
        "names": next(_tell_peoples(one), UNKNOWN),
    }


def _tell_sex(text: str) -> str:
    words = (_SEXED.get(word.casefold()) for word in _WORD.findall(text))
    counts = Counter(sex for sex in words if sex is not None)
    ranked = counts.most_common()
    if not ranked or (len(ranked) > 1 and ranked[0][1] < _MAJORITY * ranked[1][1]):
        return UNKNOWN
    return ranked[0][0]


def _tell_ages(one: JudgedNote) -> Iterator[str]:
    """Yield the band of each age that can be read; the first is mostly the patient's own."""
    for text in _list_texts(one, PhiLabel.AGE):
        if age := read_age(text):
            yield next((band for below, band in _BANDS if age.years < below), _OLDEST)


def _tell_peoples(one: JudgedNote) -> Iterator[str]:
    """Yield the people of each name of the patient: of the surname, else of a given name."""
    for text in _list_texts(one, PhiLabel.PATIENT):
        names = [to_plain_letters(part.text) for part in parse_name(text) if part.role is Role.NAME]
        if names:
            family = family_people(names[-1])
            yield given_people(names[0]) if family == ENGLISH else family


def _list_texts(one: JudgedNote, label: PhiLabel) -> Iterator[str]:
    """Yield what stands in the original under a label, found or missed, in its order."""
    found = [(span.start, span.end) for span in one.note.spans if span.label is label]
    found += [(place.start, place.end) for place in one.places if place.label is label]
    yield from (one.note.text[start:end] for start, end in sorted(found))
