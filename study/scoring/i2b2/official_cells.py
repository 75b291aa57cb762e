"""The cells that the evaluation scripts of i2b2/UTHealth 2014 count.

Source: classes ``Evaluate``, ``PHITrackEvaluation``, ``PHITokenSequence`` (classes.py) and
``PHITag`` (tags.py) of the scripts. Where they do not do as expected, the difference is kept and
noted in place.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from types import MappingProxyType

from deidstream.study.scoring.i2b2.tags import ELEMENTS, Tag


class I2b2Criterion(StrEnum):
    """The items that are compared."""

    STRICT = "strict"
    """Tags: same start, same end."""
    RELAXED = "relaxed"
    """Tags: same start, end within 2 characters."""
    TOKEN = "token"  # noqa: S105 - no password
    """The pieces ``[a-zA-Z0-9]+`` of tags: same start, same end."""


class I2b2Scope(StrEnum):
    """Which tags count."""

    ALL = "all"
    HIPAA_SCRIPT = "hipaa-script"
    """The script writes ``"IDNUM "``, with a space, and so never counts ``IDNUM``."""
    HIPAA_MENDED = "hipaa-mended"
    """The same list with ``IDNUM`` counted."""


@dataclass(frozen=True, slots=True)
class I2b2Cell:
    """One way of scoring."""

    criterion: I2b2Criterion
    scope: I2b2Scope
    typed: bool
    """Whether element and type must agree too; otherwise the script calls it binary."""
    element: str = ""
    """Count the tags of this element alone; empty: of every element."""

    @property
    def name(self) -> str:
        """Such as ``strict typed all`` or ``token typed all NAME``."""
        typed = "typed" if self.typed else "binary"
        return f"{self.criterion} {typed} {self.scope} {self.element}".rstrip()

    @property
    def printed_as(self) -> str | None:
        """The heading under which the script prints it; ``None``: the script does not."""
        if self.scope is I2b2Scope.HIPAA_MENDED:
            return None
        named = _HEADINGS.get((self.criterion, self.scope, self.typed, bool(self.element)))
        return f"{self.element} {named}".lstrip() if named else None

    def counts(self, tag: Tag) -> bool:
        """Return whether a tag is of the cell's element and scope."""
        if self.element not in {"", tag.element}:
            return False
        return self.scope is I2b2Scope.ALL or is_hipaa(
            tag, mended=self.scope is I2b2Scope.HIPAA_MENDED
        )


_HEADINGS: Mapping[tuple[I2b2Criterion, I2b2Scope, bool, bool], str] = MappingProxyType(
    {
        (I2b2Criterion.TOKEN, I2b2Scope.ALL, True, False): "Token",
        (I2b2Criterion.STRICT, I2b2Scope.ALL, True, False): "Strict",
        (I2b2Criterion.RELAXED, I2b2Scope.ALL, True, False): "Relaxed",
        (I2b2Criterion.TOKEN, I2b2Scope.HIPAA_SCRIPT, True, False): "HIPPA Token",
        (I2b2Criterion.STRICT, I2b2Scope.HIPAA_SCRIPT, True, False): "HIPAA Strict",
        (I2b2Criterion.RELAXED, I2b2Scope.HIPAA_SCRIPT, True, False): "HIPAA Relaxed",
        (I2b2Criterion.TOKEN, I2b2Scope.ALL, False, False): "Binary Token",
        (I2b2Criterion.STRICT, I2b2Scope.ALL, False, False): "Binary Strict",
        (I2b2Criterion.TOKEN, I2b2Scope.HIPAA_SCRIPT, False, False): "Binary HIPPA Token",
        (I2b2Criterion.STRICT, I2b2Scope.HIPAA_SCRIPT, False, False): "Binary HIPAA Strict",
        (I2b2Criterion.TOKEN, I2b2Scope.ALL, True, True): "Token",
        (I2b2Criterion.STRICT, I2b2Scope.ALL, True, True): "Strict",
        (I2b2Criterion.TOKEN, I2b2Scope.HIPAA_SCRIPT, True, True): "HIPPA Token",
        # Here the types do count, despite the heading.
        (I2b2Criterion.STRICT, I2b2Scope.HIPAA_SCRIPT, True, True): "Binary HIPAA Strict",
    }
)
"""With the script's own spelling."""

CELLS: tuple[I2b2Cell, ...] = tuple(
    I2b2Cell(criterion, scope, typed)
    for scope, typed, criterion in product(I2b2Scope, (True, False), I2b2Criterion)
)
"""The cells over every element, in the order in which they are shown."""
ELEMENT_CELLS: tuple[I2b2Cell, ...] = tuple(
    I2b2Cell(criterion, scope, typed=True, element=element)
    for element, scope, criterion in product(
        ELEMENTS, I2b2Scope, (I2b2Criterion.STRICT, I2b2Criterion.TOKEN)
    )
)
"""The cells of one element each; ``PHI`` has none, as in the script."""

_ANY = ("",)
_HIPAA: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "NAME": ("PATIENT",),
        "LOCATION": ("CITY", "STREET", "ZIP", "ORGANIZATION"),
        "AGE": _ANY,
        "DATE": _ANY,
        "CONTACT": ("PHONE", "FAX", "EMAIL"),
        "ID": (
            "SSN",
            "MEDICALRECORD",
            "HEALTHPLAN",
            "ACCOUNT",
            "LICENSE",
            "VEHICLE",
            "DEVICE",
            "BIOID",
            "IDNUM ",
        ),
    }
)
"""How the types of each element begin that count; the script's IDNUM among them."""


def is_hipaa(tag: Tag, *, mended: bool) -> bool:
    """Return whether a tag is on the script's HIPAA list.

    A type is on it if it begins like one of the list, in capitals: so the script matches. Nothing
    under the element ``PHI`` is.

    Args:
        tag: The tag.
        mended: Count IDNUM, which the script means to count and does not.
    """
    listed = _HIPAA.get(tag.element, ())
    if mended and tag.element == "ID":
        listed = (*listed, "IDNUM")
    return tag.type_name.startswith(listed)
