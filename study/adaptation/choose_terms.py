"""Choose which terms of a site's master files a policy may list."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deidstream.models.phi.not_phi import abbreviations, clinical_terms, common_words
from deidstream.models.recognizers.dictionary.dictionary import DictionaryRecognizer
from deidstream.models.text.folding import fold_text
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.site_list import ListedTerms, Spelling
from deidstream.schemas.span import BY_LIST
from deidstream.study.adaptation.master_data import MasterData, write_forms

SHORTEST = 3
"""Letters of the shortest term that is listed by itself."""
MOST_WRONG = 0.5
"""Share of a term's places in read notes that readers let stand, from which it is not listed."""
_BESIDE = ("{} ward", "{} unit", "ward {}")
"""How an ordinary word is the name of a ward."""
_LIST = "site_{}"
LONGEST_SIGNATURE = 4
FEWEST_SIGNED = 3
"""Of the staff who must be seen to sign in one way."""
_SIGNATURES: tuple[Callable[[str, str], str], ...] = (
    lambda given, family: given[:1] + family[:2],
    lambda given, family: given[:1] + family[:3],
    lambda given, family: given[:2] + family[:1],
    lambda given, family: given[:2] + family[:2],
    lambda given, family: family[:2] + given[:1],
    lambda given, family: family[:3] + given[:1],
)
"""Letters of somebody's names that may be a signature; two letters are too short to list."""


@dataclass(frozen=True, slots=True)
class ChosenTerms:
    """The lists of an adaptation, by name, and what was left out of them."""

    lists: Mapping[str, ListedTerms] = field(repr=False)
    ordinary: int
    """Names that are ordinary words: listed with other words beside them alone."""
    let_stand: int
    """Terms that readers of notes let stand."""


def choose_terms(master: MasterData, read: Sequence[LabelledNote]) -> ChosenTerms:
    """Choose the terms.

    A name that is a word of ordinary or clinical English is listed with a further name, an initial
    or ``ward`` alone. A term that readers mostly let stand is not listed.

    Args:
        master: What the site states.
        read: Notes in which readers marked all PHI.
    """
    by_label: dict[PhiLabel, set[str]] = {}
    ordinary = 0
    names = {PhiLabel.DOCTOR: {person.family for person in master.people}, **master.terms}
    for label, terms in names.items():
        plain = {term for term in terms if is_ordinary(term)}
        ordinary += len(plain)
        kept = terms - plain
        if label is PhiLabel.HOSPITAL:
            kept |= {form.format(term) for term in plain for form in _BESIDE}
        by_label.setdefault(label, set()).update(kept)
    forms = {form for person in master.people for form in write_forms(person)}
    by_label.setdefault(PhiLabel.DOCTOR, set()).update(forms)
    listed = {label: sorted(terms) for label, terms in by_label.items() if terms}
    every = {
        _LIST.format(label.casefold()): ListedTerms(label, Spelling.FOLD, tuple(terms))
        for label, terms in sorted(listed.items())
    }
    if signed := list_signatures(master, read):
        every[_LIST.format("signatures")] = ListedTerms(PhiLabel.DOCTOR, Spelling.EXACT, signed)
    wrong = set(_find_let_stand(every, read))
    lists = {
        name: replace(one, terms=tuple(t for t in one.terms if fold_text(t) not in wrong))
        for name, one in every.items()
    }
    return ChosenTerms(lists, ordinary, len(wrong))


def list_signatures(master: MasterData, read: Sequence[LabelledNote]) -> tuple[str, ...]:
    """Return how all of the staff sign, if marks show by which letters of their names they do.

    What is a clinical abbreviation or a word too is left out.
    """
    marked = {
        labelled.note.text[span.start : span.end]
        for labelled in read
        for span in labelled.spans
        if span.label is PhiLabel.DOCTOR
    }
    signed = {text for text in marked if text.isupper() and len(text) <= LONGEST_SIGNATURE}
    best: set[str] = set()
    for letters in _SIGNATURES:
        codes = {letters(one.given, one.family).upper() for one in master.people if one.given}
        if len(codes & signed) > max(FEWEST_SIGNED - 1, len(best & signed)):
            best = codes
    return tuple(sorted(code for code in best if not is_ordinary(code)))


def is_ordinary(term: str) -> bool:
    """Return whether a term is one word that may be ordinary or clinical English, or too short."""
    word = fold_text(term)
    if len(word.split()) > 1:
        return False
    if sum(map(str.isalpha, word)) < SHORTEST:
        return True
    return word in common_words() or word in clinical_terms() or word in abbreviations()


def _find_let_stand(
    every: Mapping[str, ListedTerms], read: Sequence[LabelledNote]
) -> Iterator[str]:
    """Yield terms, folded, that readers let stand more often than not."""
    recognizer = DictionaryRecognizer.build({}, every)
    found, stood = Counter[str](), Counter[str]()
    reported = recognizer.recognize([labelled.note for labelled in read])
    for labelled, spans in zip(read, reported, strict=True):
        for span in spans:
            if span.source.startswith(BY_LIST):
                term = fold_text(labelled.note.text[span.start : span.end])
                found[term] += 1
                marked = any(m.start < span.end and span.start < m.end for m in labelled.spans)
                stood[term] += not marked
    yield from (term for term in found if stood[term] > MOST_WRONG * found[term])
