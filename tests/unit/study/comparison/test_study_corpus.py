"""The notes of a study: shipped ones, those of a site, and MTSamples."""

import csv
import json
import lzma
from pathlib import Path

import pytest

from deidstream.agents.note_files.open_notes import Reading
from deidstream.schemas.errors import MissingArtefact, Refused
from deidstream.schemas.label import is_direct
from deidstream.study.comparison.mtsamples import NOTES, TASKS, read_mtsamples
from deidstream.study.comparison.study_corpus import (
    FEWEST,
    choose_notes,
    read_corpus,
    read_shipped_corpus,
)


def _line(number: int, **more: object) -> str:
    fields = {"note_id": f"n{number}", "patient_id": f"P{number % 7}", "text": f"Note {number}."}
    return json.dumps(fields | more)


def _write_lines(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


def test_shipped_notes_have_identifiers_classes_and_folds() -> None:
    corpus = read_shipped_corpus(4)
    assert len(corpus.notes) == 135
    assert corpus.planted == 0
    assert {note.fold for note in corpus.notes} == set(range(4))
    assert all(note.kind for note in corpus.notes)
    assert (
        corpus.notes[0].text[slice(*_first(corpus.notes[0].spans))] == "KESTREL BAY MEDICAL CENTER"
    )


def _first(spans: object) -> tuple[int, int]:
    assert isinstance(spans, tuple)
    return spans[0].start, spans[0].end


def test_notes_of_a_patient_are_in_one_fold() -> None:
    folds: dict[str, set[int]] = {}
    for note in read_shipped_corpus(4).notes:
        folds.setdefault(note.labelled.note.patient_id, set()).add(note.fold)
    assert {len(each) for each in folds.values()} == {1}


def test_lines_with_spans_are_taken_as_they_are(tmp_path: Path) -> None:
    spans = [{"start": 5, "end": 6, "type": "IDNUM"}]
    lines = [_line(n % 10, spans=spans, note_type="letter") for n in range(FEWEST)]
    corpus = read_corpus(_write_lines(tmp_path / "a.jsonl", lines), Reading(), 2, 1)
    assert (corpus.planted, corpus.unread) == (0, 0)
    assert corpus.notes[3].with_labels() == "Note [IDNUM]."
    assert corpus.notes[3].kind == "letter"


def test_other_notes_get_invented_identifiers(tmp_path: Path) -> None:
    path = _write_lines(tmp_path / "a.jsonl", [*map(_line, range(FEWEST)), "no note"])
    corpus = read_corpus(path, Reading(), 2, 1)
    assert (corpus.planted, corpus.unread) == (FEWEST, 1)
    first = corpus.notes[0]
    assert "\n\nNote 0.\n\nDictated by: Dr. [DOCTOR]\n" in first.with_labels()
    assert sum(is_direct(span.label) for span in first.spans) == 3
    again = read_corpus(path, Reading(), 2, 1)
    assert again.digest == corpus.digest
    assert read_corpus(path, Reading(), 2, 2).digest != corpus.digest


def test_a_table_is_read_by_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["note_id", "patient_id", "BODY", "note_type"])
        table.writerows([n, n % 7, f"Note {n}.", "letter"] for n in range(FEWEST))
    corpus = read_corpus(path, Reading(columns={"text": "BODY"}), 2, 1)
    assert len(corpus.notes) == FEWEST
    assert {note.kind for note in corpus.notes} == {"letter"}


def test_too_few_notes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="at least 20 notes, and 1 could be read"):
        read_corpus(_write_lines(tmp_path / "a.jsonl", [_line(1)]), Reading(), 2, 1)


def test_notes_are_drawn_in_their_order() -> None:
    corpus = read_shipped_corpus(4)
    drawn = choose_notes(corpus, 30, seed=1)
    assert len(drawn.notes) == 30
    places = [corpus.notes.index(note) for note in drawn.notes]
    assert places == sorted(places)
    assert choose_notes(corpus, 1_000, seed=1) is corpus


def test_mtsamples_has_classes_and_groups(tmp_path: Path) -> None:
    rows = [json.dumps({"id": f"m{n}", "text": f"SUBJECTIVE:,  Note {n}."}) for n in range(FEWEST)]
    (tmp_path / NOTES).write_bytes(lzma.compress("\n".join(rows).encode()))
    task = {"id": "m0", "label": "Urology", "split": "train", "group": 3}
    _write_lines(tmp_path / TASKS[0], [json.dumps(task)])
    _write_lines(tmp_path / TASKS[1], [json.dumps({**task, "id": "m1", "label": "Radiology"})])
    corpus = read_mtsamples(tmp_path, 2, 1)
    assert [note.kind for note in corpus.notes[:3]] == ["Urology", "Radiology", ""]
    assert corpus.notes[0].fold == corpus.notes[1].fold
    assert corpus.planted == FEWEST


def test_a_folder_without_mtsamples_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingArtefact, match="task_specialty"):
        read_mtsamples(tmp_path, 2, 1)
