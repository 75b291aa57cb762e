"""Counts the clinical content that detection takes for PHI, per 1,000 pieces of each kind.

    python benchmarks/recognition/clinical_content.py GOLD.jsonl [--marked | --bare]

A piece of content is a dose, a drug, a value n/n, a score, a code or a word of anatomy that no
gold span touches; it is destroyed where a found span touches it. Content is read by plain patterns
of this file and by the lists of the package, not by the guard that detection has
(``models/detection/clinical``). ``--bare`` says that the notes have no labels: of their values only
those count that no calendar has. ``GOLD.jsonl`` is labelled as for ``deidstream evaluate``, or,
with ``--marked``, a folder of marked notes. Nothing printed holds text of a note.
"""

import argparse
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from deidstream.agents.runtime.load_models import load_detector
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.settings import read_settings
from deidstream.models.text.word_files import lines
from deidstream.schemas.labelled import LabelledNote, decode_labelled
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.corpus.marked import read_folder

CHUNK = 16
_UNITS = "mg|mcg|g|ml|mL|units?|mmol|mEq|meq|IU|puffs?|tabs?|tablets?"
_SCALES = (
    "GCS|MMSE|MoCA|PHQ-?9|GAD-?7|AUDIT|EPDS|NIHSS|Waterlow|Braden|Barthel|Apgars?|NYHA|ECOG|ASA"
    "|MELD"
)
_FORMS: Mapping[str, re.Pattern[str]] = {
    "doses": re.compile(rf"(?<![\w.,/-])\d+(?:[.,]\d+)?(?:/\d+(?:\.\d+)?)? ?(?:{_UNITS})\b"),
    "values n/n": re.compile(r"(?<![\w.,/-])\d{1,3} ?/ ?\d{1,3}(?![\w/]|\.\d|-\d| ?/ ?\d)"),
    "scores": re.compile(rf"\b(?:{_SCALES})[ :=]{{1,2}}\d{{1,3}}(?![\w/.-])"),
    "days and weeks": re.compile(
        r"\b(?:HD|POD|PPD|DOL) ?#?\d{1,2}(?![\w/])|(?<![\w./+])[1-4]\d\+[0-6](?![\w+])"
    ),
    "stages": re.compile(r"\b(?:[Ss]tage|[Gg]rade|NYHA|class) (?:\d|I{1,3}V?)[A-Ca-c]?\b"),
    "codes": re.compile(
        r"(?<![\w.])[A-TV-Z]\d\d\.\d[0-9A-Z]{0,3}\b|\b(?:CPT|NDC|LOINC|SNOMED)[ :]{1,2}[\d-]{5,18}"
    ),
    "vertebrae": re.compile(r"(?<![\w-])[CTLS]\d{1,2}[-/][CTLS]?\d{1,2}(?![\w/-])"),
}
_LISTS = {"drugs": "allow_drugs.txt", "anatomy": "allow_anatomy.txt"}
_MONTHS, _DAYS = 12, 31


def main() -> None:
    """Count and print one table."""
    parser = argparse.ArgumentParser(description="Count the clinical content taken for PHI.")
    parser.add_argument("gold", type=Path)
    parser.add_argument(
        "--marked", action="store_true", help="the gold is a folder of marked notes"
    )
    parser.add_argument("--bare", action="store_true", help="the notes have no labels")
    parser.add_argument("--json", type=Path, metavar="FILE.json")
    arguments = parser.parse_args()
    notes = list(read_notes(arguments.gold, marked=arguments.marked))
    whole, destroyed = count(notes, detect(notes), bare=arguments.bare)
    print("| kind | pieces | destroyed | per 1,000 |\n|---|--:|--:|--:|")
    for kind in sorted(whole):
        share = 1000 * destroyed[kind] / whole[kind]
        print(f"| {kind} | {whole[kind]} | {destroyed[kind]} | {share:.1f} |")
    if arguments.json:
        arguments.json.write_text(json.dumps({"whole": whole, "destroyed": destroyed}) + "\n")


def read_notes(path: Path, *, marked: bool) -> Iterator[LabelledNote]:
    """Read labelled notes; a line without spans is a note without PHI."""
    if marked:
        yield from read_folder(path)
        return
    for line in path.read_bytes().splitlines():
        fields = json.loads(line)
        fields.setdefault("spans", [])
        yield decode_labelled(json.dumps(fields).encode())


def detect(notes: Sequence[LabelledNote]) -> list[tuple[Span, ...]]:
    """Find the PHI of notes with the policy of the settings."""
    settings = read_settings(os.environ)
    detector, _ = load_detector(settings, find_policy(settings.policy))
    found: list[tuple[Span, ...]] = []
    for start in range(0, len(notes), CHUNK):
        chunk = notes[start : start + CHUNK]
        texts = [RawNote(f"{start + at}", "", one.note.text) for at, one in enumerate(chunk)]
        found += [detected.spans for detected in detector.detect(texts)]
    return found


def count(
    notes: Sequence[LabelledNote], found: Sequence[Sequence[Span]], *, bare: bool
) -> tuple[Counter[str], Counter[str]]:
    """Count the pieces of content of each kind, and those that a found span touches."""
    whole, destroyed = Counter[str](), Counter[str]()
    lists = {kind: listed_words(file) for kind, file in _LISTS.items()}
    for labelled, spans in zip(notes, found, strict=True):
        for kind, start, end in read_content(labelled.note.text, lists, bare=bare):
            if not touches(labelled.spans, start, end):
                whole[kind] += 1
                destroyed[kind] += touches(spans, start, end)
    return whole, destroyed


def read_content(
    text: str, lists: Mapping[str, re.Pattern[str]], *, bare: bool = False
) -> Iterator[tuple[str, int, int]]:
    """Yield the kind and the place of each piece of content."""
    for kind, form in {**_FORMS, **lists}.items():
        for match in form.finditer(text):
            if not (bare and kind == "values n/n" and may_be_date(match[0])):
                yield kind, match.start(), match.end()


def may_be_date(fraction: str) -> bool:
    """Return whether two numbers may be a day and a month in some order, or a month of a year."""
    first, second = (int(part) for part in fraction.split("/"))
    day = min(first, second) in range(1, _MONTHS + 1) and max(first, second) <= _DAYS
    return day or (first in range(1, _MONTHS + 1) and second in range(_DAYS, 100))


def listed_words(file: str) -> re.Pattern[str]:
    """Make a pattern of the single words of a list that are longer than three letters."""
    words = (word for word in lines(file) if word.isalpha() and len(word) > 3)  # noqa: PLR2004
    return re.compile(r"(?i)\b(?:" + "|".join(sorted(words)) + r")\b")


def touches(spans: Sequence[Span], start: int, end: int) -> bool:
    """Return whether a span and a place share a character."""
    return any(span.start < end and start < span.end for span in spans)


if __name__ == "__main__":
    main()
