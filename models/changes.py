"""Count how much of a note was replaced for the sake of its identifiers."""

import re
from collections.abc import Iterable

from deidstream.models.operators.redact import is_label
from deidstream.models.phi.not_phi import clinical_terms, common_words, eponyms, fold_term
from deidstream.schemas.outcome import Changes
from deidstream.schemas.span import Replacement

_WORD = re.compile(r"[^\W_]+")


def count_changes(text: str, replacements: Iterable[Replacement]) -> Changes:
    """Count the words that replacements changed, the clinical ones of them, and the labels.

    A word of the original that its replacement still has is not changed. A word is clinical if it
    is written small and belongs to the vocabulary of notes, or is the name of a drug, a test, an
    organism or an organ in any case: a name of a person that is also a word (``Fall``) is none.

    Args:
        text: The note as it came.
        replacements: What stands in the output in the place of each span of the note.
    """
    words = clinical = labels = 0
    for each in replacements:
        original = text[each.span.start : each.span.end]
        kept = set(_WORD.findall(each.text))
        changed = [word for word in _WORD.findall(original) if word not in kept]
        words += len(changed)
        clinical += sum(map(_is_clinical, changed))
        labels += is_label(each.text, each.span)
    return Changes(words, clinical, labels)


def _is_clinical(word: str) -> bool:
    folded = fold_term(word)
    if word.islower() and folded in common_words():
        return True
    return folded in clinical_terms() and folded not in eponyms()
