"""Count what becomes of the dates of generated notes: kept to the day, a label, or wrong.

    python benchmarks/dates.py [--notes N] [--seed N] [--samples N] [--policy NAME] [--odd]

Half of the notes are of a patient with another one, 14 days earlier. A date is exact if the output
has, at its place, the day that lies as many days away as those of all other notes of the patient,
in the form it had: intervals and order are then kept, and the weekday is that of the new day. The
number of days is read off the heads of the notes. Texts are generated, so samples of what is wrong
are printed.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dated_notes import DatedNote, Planted, forget_form, make_pair
from rich.console import Console
from rich.table import Table

from deidstream.agents.deidentifier import DeidentifiedNote, Deidentifier
from deidstream.schemas.span import Replacement

EXACT, LABEL, LEFT, WRONG, HELD = "exact", "label", "left", "wrong", "held back"
FATES = (EXACT, LABEL, LEFT, WRONG, HELD)
_MOST = 800
"""Days; more than any shift."""


@dataclass(slots=True)
class Tally:
    """What became of the dates, and what else changed."""

    fates: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    samples: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    others: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, fate: str, sample: str = "") -> None:
        self.fates[kind][fate] += 1
        if sample and fate != EXACT:
            self.samples[f"{kind}: {fate}"].append(sample)


def find_shift(dated: DatedNote, text: str) -> int | None:
    """Return how far the head of a note has moved; ``None`` if it is no date."""
    head = next(piece for piece in dated.pieces if isinstance(piece, Planted))
    line = text.partition("\n")[0]
    for days in range(-_MOST, _MOST):
        if line.endswith(f" {head.write(days)}"):
            return days
    return None


def read_fates(
    dated: DatedNote, result: DeidentifiedNote, shift: int
) -> Iterator[tuple[str, str, str]]:
    """Yield kind and fate of each date, and before and after where it is not exact."""
    text = dated.note.text
    for start, end, planted in dated.places:
        first, last, found = _cover(start, end, result.replacements)
        if not found:
            yield planted.kind, LEFT, _around(text, start, end)
            continue
        was, now = text[first:last], _output(text, first, last, found)
        expected = _expect(dated, first, last, shift)
        fate = (
            EXACT if forget_form(now) == forget_form(expected) else LABEL if "[" in now else WRONG
        )
        yield (
            planted.kind,
            fate,
            f"{_around(text, first, last)}: {was!r} -> {now!r}, not {expected!r}",
        )


def _cover(
    start: int, end: int, replacements: Sequence[Replacement]
) -> tuple[int, int, list[Replacement]]:
    """Widen a place by the replacements that touch it."""
    found = [one for one in replacements if one.span.start < end and start < one.span.end]
    first = min([start, *(one.span.start for one in found)])
    return first, max([end, *(one.span.end for one in found)]), found


def _output(text: str, first: int, last: int, found: Sequence[Replacement]) -> str:
    written, place = "", first
    for one in found:
        written += text[place : one.span.start] + one.text
        place = one.span.end
    return written + text[place:last]


def _expect(dated: DatedNote, first: int, last: int, shift: int) -> str:
    """Write a stretch of the note with its dates moved."""
    text, written, place = dated.note.text, "", first
    for start, end, planted in dated.places:
        if start >= last or end <= first:
            continue
        written += text[place:start] + planted.write(shift)
        place = end
    return written + text[place:last]


def _around(text: str, start: int, end: int) -> str:
    return repr(f"{text[max(0, start - 24) : start]}[{text[start:end]}]{text[end : end + 12]}")


def count_others(dated: DatedNote, result: DeidentifiedNote) -> Iterator[str]:
    """Yield what was replaced and touches no date."""
    for one in result.replacements:
        touched = any(
            one.span.start < end and start < one.span.end for start, end, _ in dated.places
        )
        if not touched:
            original = dated.note.text[one.span.start : one.span.end]
            yield f"{one.span.label} {original!r} -> {one.text!r}"


def measure(deidentifier: Deidentifier, seeds: Sequence[int], *, odd: bool) -> Tally:
    tally = Tally()
    pairs = [make_pair(seed, odd=odd) for seed in seeds]
    results = iter(deidentifier.deidentify([dated.note for pair in pairs for dated in pair]))
    for pair in pairs:
        shifts: set[int | None] = set()
        for dated in pair:
            result = next(results)
            shift = find_shift(dated, result.text) if isinstance(result, DeidentifiedNote) else None
            if not isinstance(result, DeidentifiedNote) or shift is None:
                for _, _, planted in dated.places:
                    tally.add(planted.kind, HELD)
                continue
            shifts.add(shift)
            for kind, fate, sample in read_fates(dated, result, shift):
                tally.add(kind, fate, sample)
            tally.others.update(count_others(dated, result))
        tally.add("two notes of a patient", EXACT if len(shifts) == 1 else WRONG)
    return tally


def show(tally: Tally, samples: int) -> None:
    table = Table()
    for heading in ("dates", *FATES):
        table.add_column(heading, justify="left" if heading == "dates" else "right")
    total: Counter[str] = Counter()
    for kind, fates in sorted(tally.fates.items()):
        table.add_row(kind, *(str(fates[fate]) for fate in FATES))
        total += fates
    table.add_row("all", *(str(total[fate]) for fate in FATES))
    console = Console(width=120)
    console.print(table)
    for kind, found in sorted(tally.samples.items()):
        for sample in found[:samples]:
            print(f"{kind}: {sample}")
    for other, count in tally.others.most_common(samples * 4):
        print(f"{count} x {other}")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first two notes")
    parser.add_argument("--samples", type=int, default=2, help="of each kind that is not exact")
    parser.add_argument("--policy", default="surrogate")
    parser.add_argument("--odd", action="store_true", help="cultures, scans and dictation")
    return parser.parse_args()


def main() -> None:
    arguments = parse()
    seeds = range(arguments.seed, arguments.seed + arguments.notes // 2)
    with Deidentifier.load(arguments.policy, key=bytes(range(32))) as deidentifier:
        show(measure(deidentifier, seeds, odd=arguments.odd), arguments.samples)


if __name__ == "__main__":
    main()
