"""Terms that are never PHI: drop the spans that are nothing but such a term.

This runs after all recognizers, so that it applies to each of them.
"""

import re
from collections.abc import Collection, Iterable
from enum import StrEnum
from functools import lru_cache

from deidstream.models.phi.contacts.standards import names_standard
from deidstream.models.phi.gazetteers import gazetteers
from deidstream.models.phi.names import credentials
from deidstream.models.phi.names.name_lists import is_known, is_listed
from deidstream.models.phi.places.institution_words import GENERIC
from deidstream.models.text import titles
from deidstream.models.text.context import follows_title, last_word
from deidstream.models.text.eponyms import EPONYMS
from deidstream.models.text.folding import EDGE, fold_all, fold_short
from deidstream.models.text.word_files import lines, words_in
from deidstream.schemas.label import INSTITUTIONS, PERSONS, LabelGroup, PhiLabel, labels_of
from deidstream.schemas.span import BY_PATTERN, Span

CERTAIN = 0.95
"""A rule this sure outweighs the built-in terms: it saw a title, a cue or a checksum."""
BY_FORM = frozenset({"rules", BY_PATTERN})
"""What finds by written form: the shipped rules, and the site's patterns."""
TAGGED_EPONYM = 0.95
"""A tagger this sure outweighs an eponym: it learnt "Mrs. Pugh" and "Child-Pugh" in context.
On the development notes 16 of 16 such spans were names, below it none of 5."""
TAGGED_ABBREVIATION = 0.85
"""A tagger this sure outweighs an abbreviation: it is also the initials of somebody. It takes those
it has not learnt for initials: nine in ten of such spans below it were no PHI."""
TAGGED_TERM = 0.999
"""A tagger this sure outweighs any built-in term: Colon, Marrow and Bone are also surnames."""
_NEVER = 1.1
"""No tagger outweighs a degree, nor a people, an eponym or a product of which no person is named,
nor makes a place of a product."""
_INITIALS = 3
"""Letters of most people's initials."""
NAMES = labels_of(
    LabelGroup.PERSON,
    LabelGroup.PROFESSION,
    LabelGroup.INSTITUTION,
    LabelGroup.REGION,
    LabelGroup.PLACE,
) | {PhiLabel.USERNAME}
"""Labels whose spans may be mistaken for a clinical term; a number never is."""
_THINGS = NAMES - PERSONS - {PhiLabel.USERNAME}
"""Labels of what a thing may be taken for."""
_READ = _THINGS | {PhiLabel.URL}
"""Labels of which more than whole terms are judged."""
_JUDGED = NAMES | {PhiLabel.URL}
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_TITLE_BACK = 24
"""Characters before a title in which another leads to it: ``Coach Boeta``."""
_POSSESSIVE = "'s"
_LETTERS = re.compile(r"[^\W\d_]+")
_CLASSED = re.compile(r"(.+) (?:[a-d]?[0-9][a-c]?|[ivxl]{1,4}[abc]?)")
_DIRECTIONS = frozenset({"north", "south", "east", "west"})
_NUMBER_BEHIND = re.compile(r"[ :#./-]{1,6}(?=\S*[0-9])[0-9A-Z]")
_DOTTED_LETTERS = re.compile(r"(?:[a-z]\.){1,5}[a-z]\.?")


class TermList(StrEnum):
    """The lists of terms that are never PHI."""

    ALLOW = "allow"
    """That of the policy."""
    CLINICAL = "clinical"
    """Eponyms, drugs, tests, organisms, organs, abbreviations, products and peoples."""
    EQUIPMENT = "equipment"
    GENERIC = "generic"
    """Words of kinds and units, which name no institution by themselves, nor a licence."""
    SHORTHAND = "shorthand"
    """Words cut short."""
    SPEECH = "speech"
    """Fillers and marks of transcripts, greetings, and words of other languages."""
    TITLES = "titles"
    """Titles and words of kinship, beside which no name stands."""
    STANDARDS = "standards"
    """Web addresses of terminologies."""


def drop_terms_not_phi(
    text: str, spans: Iterable[Span], allow: Collection[str]
) -> tuple[Span, ...]:
    """Drop the spans of allowed or built-in terms; keep the others in their order.

    A term of ``allow`` (the policy's) drops every span that is wholly that term, in whatever
    case, except what the sender knows to be PHI, and, if it is a possessive, a name behind a
    title. A built-in eponym, drug, test, organism or organ drops a span of a name or place unless
    the sender knows it, the site denies it, a rule or the tagger is certain of it, or the sweep
    found it for the sake of a person of that name; an abbreviation drops one of any label, as a
    date or a number is never written so, and so does a word cut short. A filler of a transcript is
    never a name, nor is a walker a profession, nor names the web address of a terminology anybody.
    A unit that most hospitals have, such as the maternity ward, is no hospital, and the board
    before the number of a licence, or the make before a plate, is none.
    """
    terms = fold_terms(tuple(allow))
    kept: list[Span] = []
    for span in spans:
        # The term of most labels decides nothing, and folding it takes longer than all the rest.
        worded = text[span.start : span.end].isalpha()
        if terms or worded or span.label in _JUDGED:
            term = fold_term(text[span.start : span.end])
            # Nearly every span is on no list, whatever else is asked of it.
            listed = term in terms or _is_built_in(term) or span.label in _READ
            lettered = worded and span.label in {PhiLabel.LICENSE, PhiLabel.VEHICLE}
            if (listed or lettered) and _find_list(text, span, term, allow) is not None:
                continue
        kept.append(span)
    return tuple(kept)


def find_term_list(text: str, span: Span, allow: Collection[str]) -> TermList | None:
    """Return the list by which ``drop_terms_not_phi`` drops a span; ``None`` if it keeps it."""
    return _find_list(text, span, fold_term(text[span.start : span.end]), allow)


def _find_list(text: str, span: Span, term: str, allow: Collection[str]) -> TermList | None:
    source = span.source.partition(":")[0]
    terms = tuple(allow)
    titled = span.label in PERSONS and follows_title(text, span.start)
    possessive = titled and term in _fold_possessives(terms)
    if term in fold_terms(terms) and source != "known" and not possessive:
        return TermList.ALLOW
    if source in {"known", "sweep"} or span.is_denied:
        return None
    if span.label is PhiLabel.URL and names_standard(term):
        return TermList.STANDARDS
    if _is_lone_title(text, span, term):
        return TermList.TITLES
    certain = titled or _is_certain(span, source, term)
    if not certain and _is_kind(text, span, term):
        return TermList.GENERIC
    written = text[span.start : span.end]
    return _find_built_in(span, written, term, certain=certain)


def _find_built_in(span: Span, written: str, term: str, *, certain: bool) -> TermList | None:
    if term in shorthand():
        return None if certain else TermList.SHORTHAND
    named, person = span.label in NAMES, span.label in PERSONS
    if named and term in (speech() if person else equipment()):
        return TermList.SPEECH if person else TermList.EQUIPMENT
    judged = named or term in abbreviations()
    if certain or not judged or (person and _is_name_in_form(written, term)):
        return None
    if term in words_abroad():
        return TermList.SPEECH
    clinical = term in clinical_terms() or is_drug(term) or _tells_thing(span, term)
    return TermList.CLINICAL if clinical else None


def _is_lone_title(text: str, span: Span, term: str) -> bool:
    """Return whether a person is called by a title alone, ``Kuya``; ``NR`` may be initials."""
    if span.label not in PERSONS or term not in titles.NEVER_NAMES or len(term) < _INITIALS:
        return False
    before = last_word(text[max(0, span.start - _TITLE_BACK) : span.start])
    return text[span.start + 1 : span.end].islower() and before not in titles.TITLES


def _is_name_in_form(written: str, term: str) -> bool:
    """Return whether an abbreviation is written as the name that it is too: ``Koos``, no KOOS."""
    short = written.istitle() and len(term) > _INITIALS and term in abbreviations()
    return short and is_known(term)


def _is_certain(span: Span, source: str, term: str) -> bool:
    if source == "tagger":
        product = span.label in _THINGS and _tells_product(term)
        return not product and span.score >= _least_score(term)
    return source in BY_FORM and span.score >= CERTAIN


def _least_score(term: str) -> float:
    """Return the score from which a tagger outweighs a built-in term."""
    short = term in _short_forms() or (term in abbreviations() and is_known(term))
    if short and len(term) <= _INITIALS:
        return TAGGED_ABBREVIATION
    people = term in _terms("allow_peoples.txt") and not is_known(term)
    thing = term in eponyms() or term in _terms("allow_products.txt")
    # The parts of a double name or of a whole term may be names: together they are this one thing.
    unheard = thing and len(term) > _INITIALS and not _is_any_name(term)
    if people or unheard or (term in credentials.NEVER_NAMES and len(term) > _INITIALS):
        return _NEVER
    return TAGGED_EPONYM if term in eponyms() or term in words_abroad() else TAGGED_TERM


def _is_any_name(term: str) -> bool:
    """Return whether a list of names or places has a term."""
    return is_listed(term) or f"{EDGE}{term}{EDGE}" in gazetteers()


def _is_kind(text: str, span: Span, term: str) -> bool:
    """Return whether a term says a kind of unit, ``delivery suite``, or of the number behind it."""
    if span.label is PhiLabel.LICENSE or (span.label is PhiLabel.VEHICLE and _is_product(term)):
        return term.isalpha() and _NUMBER_BEHIND.match(text, span.end) is not None
    words = _WORD.findall(term) if span.label in INSTITUTIONS else []
    kinds = GENERIC.intersection(words)
    alike = kinds and all(word in kinds or word in abbreviations() for word in words)
    # A number or a direction tells one of several units.
    numbered = text[span.end : span.end + 2].lstrip(" ")[:1].isdigit()
    return bool(alike) and not numbered and _DIRECTIONS.isdisjoint(words[1:][-1:])


def _tells_thing(span: Span, term: str) -> bool:
    """Return whether a term says a product, or an eponym with its class: ``Vancouver B2``."""
    classed = _CLASSED.fullmatch(term)
    eponym = classed is not None and classed[1] in eponyms()
    return span.label in _THINGS and (eponym or _tells_product(term))


def _tells_product(term: str) -> bool:
    """Return whether a term is a product or a drug, besides numbers and ordinary words.

    A ward or a clinic is called by it: ``Curam Ward``.
    """
    words = {*_LETTERS.findall(term)}
    products = {word for word in words if _is_product(word)}
    beside = words - products
    alone = common_words().issuperset(beside) and GENERIC.isdisjoint(beside)
    return _is_product(term) or (bool(products) and alone)


def _is_product(term: str) -> bool:
    listed = term in _terms("allow_products.txt") or term in _terms("allow_drugs.txt")
    ordinary = term in words_in("lexicon.txt") or is_known(term)
    return not ordinary and (listed or is_drug(term))


def fold_term(term: str) -> str:
    """Return the form under which terms are compared: folded, no possessive, no outer blanks.

    Of letters with a dot behind each, the dots are left out too: ``B.P.`` is ``BP``.
    """
    folded = fold_short(term).removesuffix(_POSSESSIVE)
    dotted = "." in folded and _DOTTED_LETTERS.fullmatch(folded)
    return folded.replace(".", "") if dotted else folded


@lru_cache(maxsize=8)
def fold_terms(terms: tuple[str, ...]) -> frozenset[str]:
    """Return the forms of a list of terms; cached, as every note needs those of its policy."""
    return frozenset(map(fold_term, terms))


@lru_cache(maxsize=8)
def _fold_possessives(terms: tuple[str, ...]) -> frozenset[str]:
    """Return the forms of those terms that are written as a possessive."""
    return frozenset(fold_term(term) for term in terms if fold_short(term).endswith(_POSSESSIVE))


def _is_built_in(term: str) -> bool:
    return term in _every_term() or is_drug(term)


def is_drug(term: str) -> bool:
    """Return whether a folded word is formed as the international name of a drug."""
    return _drug_names().fullmatch(term) is not None


@lru_cache(maxsize=1)
def _drug_names() -> re.Pattern[str]:
    return re.compile(rf"[a-z]{{2,}}(?:{'|'.join(lines('drugs.stems.txt'))})")


@lru_cache(maxsize=1)
def _every_term() -> frozenset[str]:
    """Return every built-in term that drops some span."""
    lists = (clinical_terms(), equipment(), speech(), words_abroad(), shorthand())
    return titles.NEVER_NAMES.union(*lists)


@lru_cache(maxsize=1)
def clinical_terms() -> frozenset[str]:
    """Return every built-in term that is never PHI by itself."""
    plain = ("allow_drugs.txt", "allow_anatomy.txt", "allow_peoples.txt", "allow_products.txt")
    return eponyms().union(abbreviations(), *map(_terms, plain))


@lru_cache(maxsize=1)
def eponyms() -> frozenset[str]:
    """Return the built-in terms that are also names of persons or places."""
    return _normals(EPONYMS)


def equipment() -> frozenset[str]:
    """Return what a patient uses or is in an event, which is no profession and no place."""
    return _terms("allow_equipment.txt")


def speech() -> frozenset[str]:
    """Return the fillers and marks of transcripts, and greetings."""
    return _terms("allow_speech.txt")


def words_abroad() -> frozenset[str]:
    """Return ordinary words of other languages, which English notes are mixed with."""
    return _terms("allow_abroad.txt")


def shorthand() -> frozenset[str]:
    """Return words cut short, which are nobody's initials."""
    return _terms("allow_shorthand.txt")


@lru_cache(maxsize=1)
def abbreviations() -> frozenset[str]:
    """Return the built-in tests, abbreviations and organisms."""
    return _terms("allow_labs.txt") | _short_forms()


def clinical_letters() -> frozenset[str]:
    """Return two letters that clinical texts abbreviate with."""
    return _terms("allow_letters.txt")


@lru_cache(maxsize=1)
def _short_forms() -> frozenset[str]:
    long = (word for word in credentials.NEVER_NAMES if len(word) >= _INITIALS)
    return _terms("allow_abbreviations.txt").union(long)


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    """Return the folded words of ordinary clinical English, which are no evidence of a name."""
    lists = ("lexicon.txt", "allow_drugs.txt", "allow_anatomy.txt", "allow_peoples.txt")
    return frozenset().union(*map(_terms, lists))


@lru_cache(maxsize=1)
def ordinary_words() -> frozenset[str]:
    """Return the common words, and the names of people that are words besides."""
    return common_words() | words_in("names.words.txt")


@lru_cache(maxsize=16)
def _terms(file: str) -> frozenset[str]:
    return _normals(lines(file))


def _normals(terms: tuple[str, ...]) -> frozenset[str]:
    return frozenset(form.removesuffix(_POSSESSIVE) for form in fold_all(terms))
