"""Look for the identifiers of a note in its output: those the sender knows, and those found.

One Aho-Corasick pass with the terms of both, in all written forms that the sweep and the recognizer
of known identifiers look for: the order of a name's parts, initials, digits only, forms of dates,
hyphens, blanks, case, look-alike and invisible characters. Words torn over two lines are read too.
"""

from collections.abc import Collection

from deidstream.models.detection.obfuscation.plain_text import PlainText
from deidstream.models.detection.obfuscation.readings import read_obfuscated_note
from deidstream.models.phi.dates.date_forms import whole_date_forms
from deidstream.models.phi.known.find_known import find_stated_names
from deidstream.models.phi.known.known_match import KnownMatch
from deidstream.models.phi.known_terms import is_limited_by_text, known_terms
from deidstream.models.records import Planned
from deidstream.models.text.search import SeenWords, Term, TermKeys, find_keys
from deidstream.models.verification.issued_surrogates import IssuedSurrogates
from deidstream.schemas.errors import LeakKind
from deidstream.schemas.note import KnownIdentifiers
from deidstream.schemas.policy import OperatorName, Policy


def find_identifier(
    text: str, planned: Planned, policy: Policy, issued: IssuedSurrogates
) -> LeakKind | None:
    """Return how an identifier of the note is left in its output, if one is.

    Args:
        text: The output.
        planned: The note.
        policy: Under which it was anonymized; what it keeps is not looked for.
        issued: What of the output is ours.
    """
    hidden = read_obfuscated_note(text).whole
    seen: SeenWords | None = None
    if is_limited_by_text(planned.note.known):
        # A plain text without hidden words is as long as the output; another has other places.
        seen = SeenWords.of_text(f"{text} {hidden.text}" if hidden else issued.blank(text))
    terms = dict.fromkeys(planned.leak_terms, LeakKind.REPEATED)
    # A month or a weekday, known as a date, occurs by chance.
    for term, label in known_terms(planned.note, seen, whole_date_forms).items():
        if policy.operators[label] is not OperatorName.KEEP:
            terms[term] = LeakKind.KNOWN
    found = left_terms(text, terms, issued, hidden)
    if found:
        return terms[min(found)]
    named = _is_name_left(text, planned.note.known, policy, issued, hidden)
    return LeakKind.KNOWN if named else None


def _is_name_left(
    text: str,
    known: KnownIdentifiers,
    policy: Policy,
    issued: IssuedSurrogates,
    hidden: PlainText | None,
) -> bool:
    """Return whether a stated name is left; what merely resembles one occurs by chance."""
    left = [one[:2] for one in _find_names(text, known, policy)]
    if hidden is not None:
        left += [hidden.origin(*one[:2]) for one in _find_names(hidden.text, known, policy)]
    return not all(issued.cover(start, end) for start, end in left)


def _find_names(text: str, known: KnownIdentifiers, policy: Policy) -> list[KnownMatch]:
    kept = OperatorName.KEEP
    found = find_stated_names(text, known)
    return [one for one in found if one.exact and policy.operators[one.label] is not kept]


def left_terms(
    text: str, terms: Collection[Term], issued: IssuedSurrogates, hidden: PlainText | None = None
) -> set[Term]:
    """Return the terms that a text holds outside the issued surrogates.

    Args:
        text: The output.
        terms: What is looked for.
        issued: What of the output is ours.
        hidden: The text with its hidden words made plain, where it hides any.
    """
    keys = TermKeys.of_terms(terms)
    found = {one.term for one in find_keys(text, keys) if not issued.cover(one.start, one.end)}
    if hidden is not None:
        for one in find_keys(hidden.text, keys):
            if not issued.cover(*hidden.origin(one.start, one.end)):
                found.add(one.term)
    return found
