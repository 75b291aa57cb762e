"""The tags of i2b2/UTHealth 2014, and how they become labelled notes.

Source: A. Stubbs, C. Kotfila, O. Uzuner, Journal of Biomedical Informatics 58 (2015), S11-S19; the
elements and types are those that the challenge's evaluation scripts read.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from deidstream.models.detection.reconcile import resolve
from deidstream.schemas.errors import Refused
from deidstream.schemas.label import LABELS, OF_I2B2, PhiLabel, own_name
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

OTHER = "OTHER"
"""An element and a type for which we have no label."""
PHI = "PHI"
"""An element of an earlier challenge that a few tags of 2014 still have; the type gives the
label."""
ELEMENTS = ("NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "CONTACT", "ID", OTHER)
"""The elements of 2014, in the order in which they are shown."""
WIDENED: Mapping[str, PhiLabel] = MappingProxyType(
    {"ROOM": PhiLabel.HOSPITAL, "DEPARTMENT": PhiLabel.HOSPITAL}
)
"""Types without a label of their own, and the label that takes them in."""


class InvalidI2b2(Refused):
    """A file is not of the format, or a note does not fit into it; the message quotes no text."""


@dataclass(frozen=True, slots=True, order=True)
class Tag:
    """One tag, as a file has it."""

    start: int
    """In code points of the text, as is the end."""
    end: int
    element: str
    type_name: str
    """The attribute ``TYPE`` in the letter case of the file."""


@dataclass(frozen=True, slots=True)
class I2b2Note:
    """The text and the tags of one file."""

    text: str = field(repr=False)
    tags: tuple[Tag, ...] = field(repr=False)
    """In the order of the file; they may overlap and repeat each other."""


def element_of(label: PhiLabel) -> str:
    """Name the element of a label."""
    return LABELS[label].deidclinic.upper()


def type_of(name: str) -> str:
    """Name the type of a label, by its name: the name itself, but for ``LOCATION-OTHER``."""
    return name.replace("_", "-")


def name_of(type_name: str, labels: Mapping[str, PhiLabel] = OF_I2B2) -> str:
    """Name the label of a type in any letter case; empty for ``OTHER``.

    Raises:
        InvalidI2b2: The type is not one of 2014, and none of ``labels``.
    """
    upper = type_name.upper()
    if upper == OTHER:
        return ""
    name = WIDENED[upper] if upper in WIDENED else upper.replace("-", "_")
    if name not in labels:
        msg = (
            "has a TYPE that i2b2 2014 does not have; those of your own are read with the "
            "--policy whose [labels] declare them"
        )
        raise InvalidI2b2(msg)
    return name


DROPPED = f"{OTHER} dropped"
REPEATED = "tag that repeats another dropped"
UNITED = "tag united with one that it overlaps"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A labelled note, and how many tags it does not hold as the file did."""

    note: LabelledNote
    lost: Mapping[str, int]


def label_i2b2(
    tagged: I2b2Note, note_id: str, patient_id: str, labels: Mapping[str, PhiLabel] = OF_I2B2
) -> Labelled:
    """Turn tags into spans: sorted and disjoint, under our labels.

    Lost are, and counted: tags ``OTHER``, dropped; ``ROOM`` and ``DEPARTMENT``, which become
    ``HOSPITAL``; tags of the same label and place, which become one; tags that overlap, which
    become one span over the characters of both with the label of the longer. Lost and not counted:
    ids, comments, the letter case of types, and whether the element agreed with the type.

    Raises:
        InvalidI2b2: A type is not one of 2014, and none of ``labels``.
    """
    lost = Counter[str]()
    found = list(_spans(tagged, lost, labels))
    distinct = set(found)
    spans = resolve(distinct, length=len(tagged.text))
    lost[REPEATED] += len(found) - len(distinct)
    lost[UNITED] += len(distinct) - len(spans)
    note = LabelledNote(RawNote(note_id, patient_id, tagged.text), spans)
    return Labelled(note, +lost)


def _spans(tagged: I2b2Note, lost: Counter[str], labels: Mapping[str, PhiLabel]) -> Iterator[Span]:
    for tag in tagged.tags:
        try:
            name = name_of(tag.type_name, labels)
        except InvalidI2b2 as invalid:
            msg = f"the tag at [{tag.start}, {tag.end}) {invalid}"
            raise InvalidI2b2(msg) from None
        if not name:
            lost[DROPPED] += 1
            continue
        if tag.type_name.upper() in WIDENED:
            lost[f"{tag.type_name.upper()} became {name}"] += 1
        yield Span(tag.start, tag.end, labels[name], own=own_name(name))
