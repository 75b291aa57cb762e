"""Measure what the ``known`` block of a note brings, with blocks made from labelled notes.

    python benchmarks/recognition/known_identifiers.py GOLD... [--policy NAME] [--out FILE.json]

Each GOLD is a file of labelled notes or a folder of marked ones. Every note is read three times:
without a block, with a narrow one (the patient's name, number and birth date) and with a broad one
(every name, number, phone, address and whole date of the note). A block states each person once, by
the fullest form, and no user names, addresses of mail or web pages: what a registration system can
state. The other recognizers run once on each text.
"""

import argparse
import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from deidstream.agents.runtime.load_models import load_recognizers
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.settings import read_settings
from deidstream.models.detection.detector import Detector
from deidstream.models.phi.dates.date_forms import whole_date_forms
from deidstream.models.text.folding import words_of
from deidstream.schemas.label import NUMBERS, PHONES, PhiLabel, is_direct
from deidstream.schemas.labelled import LabelledNote, decode_labelled
from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.policy import RecognizerName
from deidstream.schemas.ports import Recognizer
from deidstream.schemas.span import Span
from deidstream.study.corpus.marked import read_folder
from deidstream.study.scoring.match import prepare_reference
from deidstream.study.scoring.score import score
from deidstream.study.scoring.totals import Score, total

CHUNK = 16
BLOCKS = ("without", "narrow", "broad")
BIRTH = re.compile(r"(?i)\b(?:dob|born|birth|b\.|d\.o\.b)[^\n]{0,24}$")
ADDRESS = (PhiLabel.STREET, PhiLabel.CITY, PhiLabel.STATE, PhiLabel.ZIP)
JOINED_NAME = re.compile(r"\^{1,2}|[;,|]")
JOINED_ADDRESS = re.compile(r"[\s,|^]{1,4}")


@dataclass(frozen=True, slots=True)
class RememberedReports:
    """A recognizer that reads each text once, however often its note comes."""

    recognizer: Recognizer
    reports: dict[str, tuple[Span, ...]] = field(default_factory=dict[str, tuple[Span, ...]])

    @property
    def name(self) -> str:
        return self.recognizer.name

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        new = [note for note in notes if note.text not in self.reports]
        for note, spans in zip(new, self.recognizer.recognize(new), strict=True):
            self.reports[note.text] = spans
        return [self.reports[note.text] for note in notes]


@dataclass(frozen=True, slots=True)
class BlockFigures:
    """What detection gave with one kind of block."""

    notes: int
    recall: float
    direct_recall: float
    precision: float
    leak_free: float
    direct_leak_free: float
    direct_spans_leaking: int
    seconds: float
    """Processor time of detection, the other recognizers of the first reading included."""


def make_block(labelled: LabelledNote, kind: str) -> KnownIdentifiers:
    """Make the block of a note from its labels."""
    if kind == "without":
        return KnownIdentifiers()
    text = labelled.note.text
    names = list(keep_fullest(joined(labelled, (PhiLabel.PATIENT,), JOINED_NAME)))
    numbers = [text_of(text, s) for s in labelled.spans if s.label in NUMBERS]
    dates = [s for s in labelled.spans if s.label is PhiLabel.DATE]
    if kind == "narrow":
        own = [name for name in names if len(words_of(name)) > 1] or names
        records = [text_of(text, s) for s in labelled.spans if s.label is PhiLabel.MEDICALRECORD]
        births = [text_of(text, s) for s in dates if BIRTH.search(text[: s.start])]
        return KnownIdentifiers(tuple(own[:1]), tuple(records[:1]), tuple(births[:1]))
    staff = tuple(keep_fullest(joined(labelled, (PhiLabel.DOCTOR,), JOINED_NAME)))
    return KnownIdentifiers(
        names=tuple(names),
        identifiers=tuple(keep_longest(numbers)),
        dates=tuple({text_of(text, s): None for s in dates if whole_date_forms(text_of(text, s))}),
        phones=tuple(keep_longest(text_of(text, s) for s in labelled.spans if s.label in PHONES)),
        addresses=tuple(
            one for one in joined(labelled, ADDRESS, JOINED_ADDRESS) if len(words_of(one)) > 1
        ),
        staff=staff,
    )


def text_of(text: str, span: Span) -> str:
    return text[span.start : span.end]


def joined(
    labelled: LabelledNote, labels: Sequence[PhiLabel], between: re.Pattern[str]
) -> Iterator[str]:
    """Yield the spans of some labels, those united that only certain signs separate."""
    text, parts, end = labelled.note.text, list[str](), -1
    for span in labelled.spans:
        if span.label not in labels:
            continue
        if parts and not between.fullmatch(text, end, span.start):
            yield " ".join(parts)
            parts = []
        parts.append(text_of(text, span))
        end = span.end
    if parts:
        yield " ".join(parts)


def keep_fullest(names: Iterable[str]) -> Iterator[str]:
    """Yield the names, except those that a longer one holds by its words or initials.

    Of whom the note has nothing but initials, such as ``RT``, a sender knows the name. ``R. T.``
    takes its place: only the initials of it are in the note.
    """
    every = {tuple(words_of(name)): name for name in names}
    for words, name in every.items():
        letters = "".join(words)
        initials = len(letters) < 4 and not name.istitle()  # noqa: PLR2004
        own = tuple(letters) if initials else words
        fuller = (other for other in every if len("".join(other)) > len(letters))
        if words and not any(holds(other, own) for other in fuller):
            yield ". ".join(own).upper() if initials else name


def holds(fuller: Sequence[str], words: Sequence[str]) -> bool:
    return all(
        word in fuller or (len(word) == 1 and any(other.startswith(word) for other in fuller))
        for word in words
    )


def keep_longest(numbers: Iterable[str]) -> Iterator[str]:
    """Yield the numbers, except those that are part of another."""
    every = {"".join(words_of(number)): number for number in numbers}
    for plain, number in every.items():
        if plain and not any(plain != other and other.endswith(plain) for other in every):
            yield number


def measure_block(
    detector: Detector, labelled: Sequence[LabelledNote], kind: str
) -> tuple[BlockFigures, list[tuple[Span, ...]]]:
    notes = [replace(one.note, known=make_block(one, kind)) for one in labelled]
    started = time.process_time()
    found = [
        detected.spans
        for start in range(0, len(notes), CHUNK)
        for detected in detector.detect(notes[start : start + CHUNK])
    ]
    seconds = time.process_time() - started
    scores: list[Score] = []
    leaking = holding = 0
    for one, spans in zip(labelled, found, strict=True):
        scores.append(score(prepare_reference(one), spans))
        left = sum(1 for _ in leaking_spans(one, spans))
        leaking += left
        holding += left > 0
    every = total(scores)
    return BlockFigures(
        len(notes),
        every.redact.recall or 0.0,
        every.redact_direct.recall or 0.0,
        every.redact.precision or 0.0,
        1 - every.leaks.leaking_notes / len(notes),
        1 - holding / len(notes),
        leaking,
        seconds,
    ), found


def leaking_spans(labelled: LabelledNote, found: Iterable[Span]) -> Iterator[Span]:
    """Yield the direct identifiers of which a token is not wholly found."""
    covered = bytearray(len(labelled.note.text))
    for span in found:
        covered[span.start : span.end] = b"\1" * (span.end - span.start)
    for span in labelled.spans:
        text = labelled.note.text
        if is_direct(span.label) and any(
            text[place].isalnum() and not covered[place] for place in range(span.start, span.end)
        ):
            yield span


def read_gold(path: Path) -> list[LabelledNote]:
    if path.is_dir():
        return list(read_folder(path))
    return [decode_labelled(line) for line in path.read_bytes().splitlines() if line.strip()]


def load_detector(policy_name: str | None) -> Detector:
    settings = read_settings(os.environ, {"policy": policy_name})
    policy = find_policy(settings.policy)
    recognizers, _ = load_recognizers(settings, policy)
    return Detector(
        policy,
        tuple(
            one if one.name == RecognizerName.KNOWN else RememberedReports(one)
            for one in recognizers
        ),
    )


def show(name: str, figures: Mapping[str, BlockFigures]) -> None:
    print(f"{name}, {figures[BLOCKS[0]].notes} notes")
    for kind, one in figures.items():
        print(
            f"  {kind:8} recall {one.recall:.4f} direct {one.direct_recall:.4f} "
            f"precision {one.precision:.4f} leak-free {one.leak_free:.3f} "
            f"direct leak-free {one.direct_leak_free:.3f} ({one.direct_spans_leaking} spans)"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", nargs="+", type=Path)
    parser.add_argument("--policy")
    parser.add_argument("--every", type=int, default=1, help="read every n-th note only")
    parser.add_argument("--out", type=Path, help="write the figures to this file")
    wanted = parser.parse_args()
    detector = load_detector(wanted.policy)
    figures: dict[str, dict[str, BlockFigures]] = {}
    for path in wanted.gold:
        labelled = read_gold(path)[:: wanted.every]
        measured = {kind: measure_block(detector, labelled, kind)[0] for kind in BLOCKS}
        figures[str(path)] = measured
        show(str(path), measured)
    if wanted.out:
        plain = {name: {k: asdict(v) for k, v in each.items()} for name, each in figures.items()}
        wanted.out.write_text(json.dumps(plain, indent=1) + "\n")


if __name__ == "__main__":
    main()
