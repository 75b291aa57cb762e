"""The terms of a note that must not stand in its output."""

from collections.abc import Callable, Collection

from deidstream.models.detection.sweep import leak_terms
from deidstream.models.records import Planned
from deidstream.models.text.folding import words_of
from deidstream.models.text.search import MOST_WORDS, Term, occurrences
from deidstream.schemas.policy import OperatorName, Policy


def originals(planned: Planned, policy: Policy) -> tuple[Term, ...]:
    """What the spans of a note betray, those left out that the policy keeps or allows.

    They are the terms that the sweep looked for, so whatever is found of them in the output was
    overlooked or put there.
    """
    kept = OperatorName.KEEP
    spans = [s for s in planned.detected.spans if policy.operators[s.label] is not kept]
    return leak_terms(spans, planned.note.text, policy.allow)


def holds_any(terms: Collection[Term]) -> Callable[[str], bool]:
    """Return a test of short texts for any of ``terms``: quick to say no, exact when it says yes.

    An occurrence has every word of its term, and a loose one has its letters and digits in a row;
    only a text that may hold one is searched.
    """
    exact = [frozenset(words_of(term.text)[:MOST_WORDS]) for term in terms if not term.loose]
    loose = ["".join(words_of(term.text)) for term in terms if term.loose]

    def holds(text: str) -> bool:
        words = words_of(text)
        found = set(words)
        joined = "".join(words)
        maybe = any(words and words <= found for words in exact) or any(k in joined for k in loose)
        return maybe and bool(occurrences(text, terms))

    return holds
