"""Read originals, outputs and further candidates, and which output came from which original.

``deidentify`` names outputs by pseudonym. Without a file of pairs the first output belongs to the
first original, and so on; a quarantined note breaks that order, so counts that differ are refused.
No message holds an id or text of a note.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deidstream.agents.runtime.lines import read_lines
from deidstream.schemas.errors import Refused
from deidstream.schemas.note import RawNote
from deidstream.study.attacks.runs.attack_records import read_note, read_records, wrong_line

LINE_ORDER, PAIRS = "line order", "pairs"


@dataclass(frozen=True, slots=True)
class AttackFiles:
    """The files that an attack reads."""

    originals: Path
    outputs: Path
    candidates: Path | None = None
    """Further notes, from which the originals have to be told."""
    pairs: Path | None = None
    """Lines of a note id of the outputs, a tab, and a note id of the originals."""

    @property
    def pairing(self) -> str:
        """How outputs are paired with originals."""
        return LINE_ORDER if self.pairs is None else PAIRS


@dataclass(frozen=True, slots=True)
class AttackNotes:
    """The texts of an attack."""

    candidates: Sequence[str] = field(repr=False)
    """The originals, and behind them the further candidates."""
    originals: int
    """How many of the candidates are originals."""
    outputs: Sequence[str] = field(repr=False)
    own: Sequence[int]
    """For each output, the number of its own original."""
    repeated: int
    """Further candidates left out because they are originals, by note id."""


def read_attack_notes(files: AttackFiles) -> AttackNotes:
    """Read all files and pair outputs with originals.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A line is no note, or outputs and originals cannot be paired.
    """
    originals = read_records(files.originals, read_note)
    outputs = read_records(files.outputs, read_note)
    own = pair_outputs(files, originals, outputs)
    further = [] if files.candidates is None else read_records(files.candidates, read_note)
    known = {_identity(note) for note in originals}
    others = [note.text for note in further if _identity(note) not in known]
    return AttackNotes(
        candidates=[*(note.text for note in originals), *others],
        originals=len(originals),
        outputs=[note.text for note in outputs],
        own=own,
        repeated=len(further) - len(others),
    )


def pair_outputs(
    files: AttackFiles, originals: Sequence[RawNote], outputs: Sequence[RawNote]
) -> Sequence[int]:
    """Return the number of each output's own original.

    Raises:
        MissingArtefact: The pairs cannot be read.
        Refused: Outputs and originals cannot be paired.
    """
    if files.pairs is None:
        return _pair_by_order(files, len(originals), len(outputs))
    return _pair_by_id(files, files.pairs, originals, outputs)


def _identity(note: RawNote) -> Hashable:
    return note.tenant, note.note_id


def _pair_by_order(files: AttackFiles, originals: int, outputs: int) -> range:
    if originals != outputs:
        msg = (
            f"{files.originals} holds {originals:,} notes, {files.outputs} {outputs:,}: line n of "
            "one must be line n of the other. Quarantined notes have no output: take their lines "
            "out of the originals, or name the pairs (--pairs)"
        )
        raise Refused(msg)
    return range(originals)


def _pair_by_id(
    files: AttackFiles, pairs: Path, originals: Sequence[RawNote], outputs: Sequence[RawNote]
) -> list[int]:
    places = _number_ids(files.originals, originals)
    wanted = _number_ids(files.outputs, outputs)
    own: dict[int, int] = {}
    for number, output, original in _read_pairs(pairs):
        if output not in wanted:
            raise wrong_line(pairs, number, f"its first id is not one of {files.outputs}")
        if original not in places:
            raise wrong_line(pairs, number, f"its second id is not one of {files.originals}")
        if wanted[output] in own:
            raise wrong_line(pairs, number, "its first id is repeated")
        own[wanted[output]] = places[original]
    if len(own) < len(outputs):
        msg = f"{pairs}: {len(outputs) - len(own):,} notes of {files.outputs} have no pair"
        raise Refused(msg)
    return [own[number] for number in range(len(outputs))]


def _number_ids(path: Path, notes: Sequence[RawNote]) -> dict[str, int]:
    numbers = {note.note_id: number for number, note in enumerate(notes)}
    if len(numbers) < len(notes):
        msg = f"{path}: {len(notes) - len(numbers):,} note ids are repeated: no pair can name them"
        raise Refused(msg)
    return numbers


def _read_pairs(path: Path) -> Iterator[tuple[int, str, str]]:
    for number, line in read_lines(path):
        columns = line.decode(errors="replace").split("\t")
        if len(columns) != 2:  # noqa: PLR2004 - of the output, of the original
            raise wrong_line(path, number, "must be two note ids with a tab between them")
        yield number, columns[0], columns[1]
