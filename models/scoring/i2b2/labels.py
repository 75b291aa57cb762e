"""Make a labelled note of an i2b2 2014 file, and count what that loses."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from deidstream.models.detection.reconcile import resolve
from deidstream.models.scoring.i2b2.tags import OTHER, WIDENED, I2b2Note, InvalidI2b2, label_of
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

DROPPED = f"{OTHER} dropped"
REPEATED = "tag that repeats another dropped"
UNITED = "tag united with one that it overlaps"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A labelled note, and how many tags it does not hold as the file did."""

    note: LabelledNote
    lost: Mapping[str, int]


def label_i2b2(tagged: I2b2Note, note_id: str, patient_id: str) -> Labelled:
    """Turn tags into spans: sorted and disjoint, under our labels.

    Lost are, and counted: tags ``OTHER``, dropped; ``ROOM`` and ``DEPARTMENT``, which become
    ``HOSPITAL``; tags of the same label and place, which become one; tags that overlap, which
    become one span over the characters of both with the label of the longer. Lost and not counted:
    ids, comments, the letter case of types, and whether the element agreed with the type.

    Raises:
        InvalidI2b2: A type is none of 2014.
    """
    lost = Counter[str]()
    found = list(_spans(tagged, lost))
    distinct = set(found)
    spans = resolve(distinct, length=len(tagged.text))
    lost[REPEATED] += len(found) - len(distinct)
    lost[UNITED] += len(distinct) - len(spans)
    note = LabelledNote(RawNote(note_id, patient_id, tagged.text), spans)
    return Labelled(note, +lost)


def _spans(tagged: I2b2Note, lost: Counter[str]) -> Iterator[Span]:
    for tag in tagged.tags:
        try:
            label = label_of(tag.type_name)
        except InvalidI2b2 as invalid:
            msg = f"the tag at [{tag.start}, {tag.end}) {invalid}"
            raise InvalidI2b2(msg) from None
        if label is None:
            lost[DROPPED] += 1
            continue
        if tag.type_name.upper() in WIDENED:
            lost[f"{tag.type_name.upper()} became {label}"] += 1
        yield Span(tag.start, tag.end, label)
