"""What KNEO is asked of a note, and what it makes of it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from deidstream.models.keyring import Keyring
from deidstream.models.kneo.unit_kinds import UnitKind
from deidstream.schemas.kneo_report import KneoReport
from deidstream.schemas.span import Replacement


@dataclass(frozen=True, slots=True)
class KneoQuery:
    """A text whose PHI has been replaced and whose sentences are to be replaced."""

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = field(repr=False)
    """Sorted, disjoint, landed in ``text``."""
    note_id: str = field(repr=False)
    donors: frozenset[str] = field(repr=False)
    """Names of the patient in the pool: the patient's own sentences are not drawn."""
    keyring: Keyring
    banned: Callable[[str], bool] = field(repr=False)
    """Returns whether a pool sentence holds a direct identifier of the original note."""
    note_type: str | None = field(default=None, repr=False)
    """The type that the note states."""


@dataclass(frozen=True, slots=True)
class KneoResult:
    """The text of a note after KNEO."""

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = field(repr=False)
    """Those still in the text, at their new places; the others went with their sentence."""
    substituted: tuple[tuple[int, int], ...]
    """``[start, end)`` in ``text`` of what stands in the place of each changed sentence."""
    sources: tuple[tuple[int, int], ...]
    """``[start, end)`` in the query's text of the sentence that each of them replaces."""
    kept: Counter[UnitKind]
    """What stayed as it was, by its kind; prose is without a neighbour and kept by the policy."""
    withheld: int
    """Units that were dropped or redacted; they are in ``sources``."""
    report: KneoReport
