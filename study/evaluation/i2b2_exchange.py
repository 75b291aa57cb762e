"""Brings i2b2/UTHealth 2014 files in, writes them out, and scores one folder against another."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

import orjson

from deidstream.agents.runtime.lines import read_lines, write_whole
from deidstream.agents.runtime.terminal import say
from deidstream.schemas.errors import InvalidNote, MissingArtefact
from deidstream.schemas.label import OF_I2B2, PhiLabel
from deidstream.schemas.labelled import InvalidLabelled, LabelledNote, encode_labelled
from deidstream.schemas.span import Span
from deidstream.study.evaluation.i2b2_table import Compared, encode_scores, table
from deidstream.study.evaluation.read_gold import Predictions, read_gold, read_predictions
from deidstream.study.scoring.i2b2.official_cells import CELLS, ELEMENT_CELLS
from deidstream.study.scoring.i2b2.official_score import check_texts, score_i2b2
from deidstream.study.scoring.i2b2.tags import I2b2Note, InvalidI2b2, Labelled, label_i2b2
from deidstream.study.scoring.i2b2.xml_files import (
    FileName,
    name_notes,
    read_i2b2,
    read_name,
    write_i2b2,
)

MOST_BYTES = 64 << 20
"""The size limit of one file."""
_MOST_SAID = 50
_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class I2b2File:
    """One file that was read."""

    name: FileName
    file: str
    """Its name with the ending, without the folder."""
    note: I2b2Note = field(repr=False)


def read_folder(folder: Path) -> Mapping[str, I2b2File]:
    """Read every ``*.xml`` of a folder, by note id, in the order of the file names.

    Raises:
        MissingArtefact: The folder or a file cannot be read.
        InvalidI2b2: Files are not of the format, two are of the same note, or the folder is
            empty.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".xml")
    except OSError as error:
        msg = f"{folder}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    files = each(_read_file, paths, [path.name for path in paths])
    by_note = {file.name.note_id: file for file in files}
    if not files or len(by_note) < len(files):
        msg = f"{folder}: holds {'two files of one note' if files else 'no .xml file'}"
        raise InvalidI2b2(msg)
    return by_note


def each(
    make: Callable[[_Given], _Made], things: Iterable[_Given], names: Iterable[str]
) -> Sequence[_Made]:
    """Make something of each thing.

    Raises:
        InvalidI2b2: Some could not be made; one line for each, under its name.
    """
    made: list[_Made] = []
    wrong: list[str] = []
    for thing, name in zip(things, names, strict=True):
        try:
            made.append(make(thing))
        except InvalidI2b2 as invalid:
            wrong.append(f"{name}: {invalid}")
    if wrong:
        more = [f"and {len(wrong) - _MOST_SAID} more"] if len(wrong) > _MOST_SAID else []
        raise InvalidI2b2("\n".join(wrong[:_MOST_SAID] + more))
    return made


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder that is new or empty.

    Raises:
        MissingArtefact: It holds something, or cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            msg = f"{folder}: is not empty, and its files would be scored too"
            raise MissingArtefact(msg)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    except OSError as error:
        msg = f"{folder}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _read_file(path: Path) -> I2b2File:
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            msg = f"is not a file of at most {MOST_BYTES >> 20} MiB"
            raise InvalidI2b2(msg)
        xml = path.read_bytes()
    except OSError as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    return I2b2File(read_name(path.name), path.name, read_i2b2(xml))


DONE, SOME_LEFT_OUT = 0, 1


def import_i2b2(folder: Path, out: Path, labels: Mapping[str, PhiLabel] = OF_I2B2) -> int:
    """Make labelled notes of a folder, and say what that lost.

    Args:
        folder: The files.
        out: The labelled notes.
        labels: Those that types may name, by name; others than the 28 are the site's own.

    Raises:
        Refused: A file cannot be read or is not of the format, or ``out`` cannot be written. Then
            nothing was written.
    """
    files = list(read_folder(folder).values())
    labelled = each(partial(_label, labels=labels), files, [file.file for file in files])
    write_whole(out, b"".join(encode_labelled(one.note) + b"\n" for one in labelled))
    lost = sum((Counter(one.lost) for one in labelled), Counter[str]())
    spans = sum(len(one.note.spans) for one in labelled)
    say(f"{len(labelled):,} notes with {spans:,} spans")
    for what, count in sorted(lost.items()):
        say(f"lost: {count:,} x {what}")
    say(f"{out} holds text of notes: keep it where the notes are kept")
    return DONE


def export_i2b2(
    gold: Path, predictions: Path | None, out: Path, *, own_labels: bool = False
) -> int:
    """Write labelled notes as a folder of XML files, with the gold or with predicted spans.

    Files of the same notes in the same order have the same names, whatever the spans. With
    ``own_labels`` types are the names of a site's own labels, where spans have such ones.

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
    write = partial(_write_file, own_labels=own_labels)
    made = each(write, list(zip(texts, spans, strict=True)), names)
    write_folder(out, dict(zip(names, made, strict=True)))
    say(f"{len(names):,} files in {out} hold text of notes: keep them where the notes are kept")
    _keep_names(out, notes, names)
    return DONE if found is None else _report_mismatches(found, notes)


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
    each(_check_pair, pairs, [theirs[note_id].file for note_id in both])
    scores = score_i2b2(pairs, (*CELLS, *ELEMENT_CELLS))
    compared = Compared(len(both), len(ours) - len(both), len(theirs) - len(both))
    if json is not None:
        write_whole(json, encode_scores(scores, compared))
    sys.stdout.write(table(scores, compared))
    return _left_out(compared)


def _label(file: I2b2File, labels: Mapping[str, PhiLabel]) -> Labelled:
    return label_i2b2(file.note, file.name.note_id, file.name.patient_id, labels)


def _gold(path: Path) -> Sequence[LabelledNote]:
    notes: list[LabelledNote] = []
    for number, line in read_lines(path):
        try:
            notes.append(read_gold(line))
        except InvalidNote as invalid:
            why = f": {invalid.why}" if isinstance(invalid, InvalidLabelled) else ""
            msg = f"{path}: line {number + 1}: {invalid.reason}{why}"
            raise InvalidI2b2(msg) from None
    return notes


def _write_file(text_and_spans: tuple[str, Sequence[Span]], *, own_labels: bool) -> bytes:
    return write_i2b2(*text_and_spans, own_labels=own_labels)


def _keep_names(out: Path, notes: Sequence[LabelledNote], names: Sequence[str]) -> None:
    """Beside the folder, not in it: the scripts take every file of a gold folder for a note."""
    given = [labelled.note.note_id for labelled in notes]
    if all(f"{note_id}.xml" == name for note_id, name in zip(given, names, strict=True)):
        return
    path = out.with_name(f"{out.name}.names.jsonl")
    rows = ({"file": name, "note_id": one} for name, one in zip(names, given, strict=True))
    write_whole(path, b"".join(orjson.dumps(row) + b"\n" for row in rows))
    say(f"the notes were numbered; {path} says which file is which note")


def _report_mismatches(found: Predictions, notes: Sequence[LabelledNote]) -> int:
    ids = {labelled.note.note_id for labelled in notes}
    _say_count(len(ids - found.spans.keys()), "notes have no predictions: written without spans")
    _say_count(len(found.spans.keys() - ids), "notes of the predictions are not in gold: left out")
    _say_reasons(found.unreadable)
    return SOME_LEFT_OUT if found.unreadable else DONE


def _check_pair(pair: tuple[I2b2Note, I2b2Note]) -> None:
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
