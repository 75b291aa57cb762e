"""A list of terms that a site declares in its policy: names, wards, codes."""

from dataclasses import dataclass
from enum import StrEnum


class Spelling(StrEnum):
    """Which differences between a term and a text do not count."""

    FOLD = "fold"
    """Case, accents, and kinds of dash and apostrophe."""
    FOLD_CASE = "fold-case"
    """Case alone."""
    EXACT = "exact"
    """None."""


@dataclass(frozen=True, slots=True)
class SiteList:
    """Terms that always are one label, as a policy file declares them."""

    label: str
    """What each of the terms is: one of the 28 labels, or one of ``[labels]``."""
    terms: tuple[str, ...] = ()
    """Terms in the policy itself."""
    files: tuple[str, ...] = ()
    """Files that list terms, one a line; paths count from the policy."""
    spelling: Spelling = Spelling.FOLD
    """Which differences do not count."""


@dataclass(frozen=True, slots=True)
class ListedTerms:
    """A list of a policy with all its terms, those of its files too."""

    label: str
    spelling: Spelling
    terms: tuple[str, ...]
