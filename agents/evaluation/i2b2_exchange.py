"""Brings i2b2/UTHealth 2014 files in, writes them out, and scores one folder against another."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import orjson

from deidstream.agents.evaluation.error_table import write
from deidstream.agents.evaluation.i2b2_folder import I2b2File, each, read_folder, write_folder
from deidstream.agents.evaluation.i2b2_table import Compared, encode_scores, table
from deidstream.agents.evaluation.read_gold import Predictions, read_gold, read_predictions
from deidstream.agents.lines import read_lines, say
from deidstream.models.scoring.i2b2.file_names import name_notes
from deidstream.models.scoring.i2b2.labels import Labelled, label_i2b2
from deidstream.models.scoring.i2b2.official_cells import CELLS, ELEMENT_CELLS
from deidstream.models.scoring.i2b2.official_score import check_texts, score_i2b2
from deidstream.models.scoring.i2b2.tags import I2b2Note, InvalidI2b2
from deidstream.models.scoring.i2b2.write_file import write_i2b2
from deidstream.schemas.errors import InvalidNote
from deidstream.schemas.labelled import LabelledNote, encode_labelled
from deidstream.schemas.span import Span

DONE, SOME_LEFT_OUT = 0, 1


def import_i2b2(folder: Path, out: Path) -> int:
    """Make labelled notes of a folder, and say what that lost.

    Raises:
        Refused: A file cannot be read or is not of the format, or ``out`` cannot be written. Then
            nothing was written.
    """
    files = list(read_folder(folder).values())
    labelled = each(_labelled, files, [file.file for file in files])
    write(out, b"".join(encode_labelled(one.note) + b"\n" for one in labelled))
    lost = sum((Counter(one.lost) for one in labelled), Counter[str]())
    spans = sum(len(one.note.spans) for one in labelled)
    say(f"{len(labelled):,} notes with {spans:,} spans")
    for what, count in sorted(lost.items()):
        say(f"lost: {count:,} x {what}")
    say(f"{out} holds text of notes: keep it where the notes are kept")
    return DONE


def export_i2b2(gold: Path, predictions: Path | None, out: Path) -> int:
    """Write labelled notes as a folder of XML files, with the gold or with predicted spans.

    Files of the same notes in the same order have the same names, whatever the spans.

    Returns:
        0, or 1 when lines of predictions could not be read; the others are written all the same.

    Raises:
        Refused: A file cannot be read or written, is not of its format, or holds what XML cannot.
            Nothing was written, but for a folder that could not be written to its end.
    """
    notes = _gold(gold)
    names = name_notes([labelled.note for labelled in notes])
    found = None if predictions is None else read_predictions(predictions)
    spans = [one.spans if found is None else found.spans.get(one.note.note_id, ()) for one in notes]
    texts = [one.note.text for one in notes]
    made = each(_written, list(zip(texts, spans, strict=True)), names)
    write_folder(out, dict(zip(names, made, strict=True)))
    say(f"{len(names):,} files in {out} hold text of notes: keep them where the notes are kept")
    _keep_names(out, notes, names)
    return DONE if found is None else _unmatched(found, notes)


def score_folders(gold: Path, system: Path, json: Path | None) -> int:
    """Score a system's folder against gold and print every cell.

    Returns:
        0, or 1 when notes are in one folder only: they do not count, as with the scripts.

    Raises:
        Refused: A file is not of the format, texts differ, the system's files are of several
            systems, or no note is in both folders.
    """
    ours, theirs = read_folder(gold), read_folder(system)
    if len({file.name.system for file in theirs.values()}) > 1:
        msg = f"{system}: holds files of several systems"
        raise InvalidI2b2(msg)
    both = [note_id for note_id in ours if note_id in theirs]
    if not both:
        msg = "no note is in both folders"
        raise InvalidI2b2(msg)
    pairs = [(ours[note_id].note, theirs[note_id].note) for note_id in both]
    each(_checked, pairs, [theirs[note_id].file for note_id in both])
    scores = score_i2b2(pairs, (*CELLS, *ELEMENT_CELLS))
    compared = Compared(len(both), len(ours) - len(both), len(theirs) - len(both))
    if json is not None:
        write(json, encode_scores(scores, compared))
    sys.stdout.write(table(scores, compared))
    return _left_out(compared)


def _labelled(file: I2b2File) -> Labelled:
    return label_i2b2(file.note, file.name.note_id, file.name.patient_id)


def _gold(path: Path) -> Sequence[LabelledNote]:
    notes: list[LabelledNote] = []
    for number, line in read_lines(path):
        try:
            notes.append(read_gold(line))
        except InvalidNote as invalid:
            msg = f"{path}: line {number + 1}: {invalid.reason}"
            raise InvalidI2b2(msg) from None
    return notes


def _written(text_and_spans: tuple[str, Sequence[Span]]) -> bytes:
    return write_i2b2(*text_and_spans)


def _keep_names(out: Path, notes: Sequence[LabelledNote], names: Sequence[str]) -> None:
    """Beside the folder, not in it: the scripts take every file of a gold folder for a note."""
    given = [labelled.note.note_id for labelled in notes]
    if all(f"{note_id}.xml" == name for note_id, name in zip(given, names, strict=True)):
        return
    path = out.with_name(f"{out.name}.names.jsonl")
    rows = ({"file": name, "note_id": one} for name, one in zip(names, given, strict=True))
    write(path, b"".join(orjson.dumps(row) + b"\n" for row in rows))
    say(f"the notes were numbered; {path} says which file is which note")


def _unmatched(found: Predictions, notes: Sequence[LabelledNote]) -> int:
    ids = {labelled.note.note_id for labelled in notes}
    _say_count(len(ids - found.spans.keys()), "notes have no line of predictions: written bare")
    _say_count(len(found.spans.keys() - ids), "notes of the predictions are not in gold: left out")
    _say_reasons(found.unreadable)
    return SOME_LEFT_OUT if found.unreadable else DONE


def _checked(pair: tuple[I2b2Note, I2b2Note]) -> None:
    check_texts(*pair)


def _left_out(compared: Compared) -> int:
    _say_count(compared.gold_only, "notes of gold have no file of the system: not scored")
    _say_count(compared.system_only, "files of the system have no gold: not scored")
    return SOME_LEFT_OUT if compared.gold_only or compared.system_only else DONE


def _say_count(count: int, what: str) -> None:
    if count:
        say(f"{count:,} {what}")


def _say_reasons(reasons: Mapping[str, int]) -> None:
    for reason, count in sorted(reasons.items()):
        say(f"{count:,} lines of predictions not read: {reason}")
