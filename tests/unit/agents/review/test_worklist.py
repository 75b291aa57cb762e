"""Work lists are bounded and forgotten; edits are kept by place or by term, and taken back."""

from dataclasses import replace
from pathlib import Path

import pytest

from deidstream.agents.review.marking import clear, mark, undo
from deidstream.agents.review.policy_draft import PolicyDraft, ReviewTerms
from deidstream.agents.review.uploads import UploadedFile, read_uploads
from deidstream.agents.review.worklist import ReviewVerdict, Worklist, WorklistShelf
from deidstream.models.detection.review_marks import ReviewMarks
from deidstream.models.policy.reader import read_policy
from deidstream.schemas.errors import InvalidSpan
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span


def worklist(*texts: str) -> Worklist:
    made = Worklist("t", "upload", PolicyDraft.read("redact", None))
    for number, text in enumerate(texts):
        made.add(f"{number}.txt", RawNote(f"n{number}", "p", text))
    return made


RESOURCE = b"""{"resourceType": "DiagnosticReport", "id": "r1", "status": "final",
 "code": {"text": "CT"}, "subject": {"reference": "Patient/p1"}, "conclusion": "Seen."}"""
REPORT = "DiagnosticReport\nCode: CT\nConclusion: Seen.\n"


SITE = r"""
technique = "redact"
recognizers = ["rules", "dictionary"]
[lists.codes]
label = "HOSPITAL"
terms = ["ACE"]
files = ["codes.txt"]
spelling = "exact"
[patterns.badge]
pattern = 'B-\d{4}'
label = "IDNUM"
before = ["badge"]
"""


def verdict_of(worklist: Worklist) -> ReviewVerdict:
    return worklist.notes[1].verdict


def test_list_that_is_not_used_is_forgotten() -> None:
    now = [0.0]
    shelf = WorklistShelf(20, 100, lambda: now[0])
    kept = worklist("a text of a note")
    shelf.put(kept)
    assert not shelf.has_room(5)
    now[0] = 90
    assert shelf.find(kept.id) is kept
    now[0] = 180
    assert shelf.all() == [kept]
    now[0] = 191
    assert shelf.find(kept.id) is None
    assert shelf.has_room(5)


def test_edit_everywhere_concerns_the_notes_that_hold_the_term() -> None:
    made = worklist("Zorbo pump", "no such thing", "a ZORBO again")
    affected = mark(made, 1, Span(0, 5, PhiLabel.DEVICE), everywhere=True)
    assert [held.number for held in affected] == [1, 3]
    assert made.terms.deny == {PhiLabel.DEVICE: ("Zorbo",)}
    assert verdict_of(made) is ReviewVerdict.CORRECTED
    assert [held.number for held in undo(made)] == [1, 3]
    assert made.terms == ReviewTerms()
    assert made.notes[1].marks == ReviewMarks()
    assert verdict_of(made) is ReviewVerdict.OPEN
    assert undo(made) == []


def test_later_edit_outweighs_an_earlier_one() -> None:
    made = worklist("Zorbo pump and Zorbo")
    mark(made, 1, Span(0, 5, PhiLabel.DEVICE), everywhere=False)
    clear(made, 1, Span(0, 5, PhiLabel.DEVICE), everywhere=True)
    assert made.terms.allow == ("Zorbo",)
    assert made.notes[1].marks.marked == ()
    mark(made, 1, Span(0, 5, PhiLabel.DOCTOR), everywhere=True)
    assert made.terms == ReviewTerms((), {PhiLabel.DOCTOR: ("Zorbo",)})
    assert made.notes[1].marks.cleared == ()


@pytest.mark.parametrize("span", [Span(5, 6, PhiLabel.DATE), Span(0, 99, PhiLabel.DATE)])
def test_places_without_a_term_are_refused(span: Span) -> None:
    made = worklist("Zorbo pump")
    with pytest.raises(InvalidSpan):
        mark(made, 1, span, everywhere=True)
    assert made.steps == []


def test_draft_keeps_what_the_form_does_not_show() -> None:
    draft = PolicyDraft.read("deidclinic", None)
    own, shipped = draft.policy(), PolicyDraft.read("deidclinic", None).policy()
    assert own == shipped
    assert own.dates.max_shift_days == 60
    marked = ReviewTerms(("St. Odile",), {PhiLabel.CITY: ("Ardenport",)})
    policy = draft.policy(marked)
    assert policy.allow == ("St. Odile",)
    assert policy.deny == {PhiLabel.CITY: ("Ardenport",)}


def test_draft_holds_the_terms_of_its_lists_and_the_patterns(tmp_path: Path) -> None:
    (tmp_path / "codes.txt").write_text("ICE\n")
    file = tmp_path / "site.toml"
    file.write_text(SITE)
    draft = PolicyDraft.read("site", file)
    written = read_policy(draft.source(), name="site")
    assert written.lists == draft.policy().lists
    assert written.lists["codes"].terms == ("ACE", "ICE")
    assert written.patterns == draft.policy().patterns


def test_draft_holds_what_its_policy_extends(tmp_path: Path) -> None:
    file = tmp_path / "site.toml"
    file.write_text('extends = "redact"\nredact_style = "xxx"\n')
    draft = PolicyDraft.read("site", file)
    written = read_policy(draft.source(), name="site")
    assert replace(written, sha256="") == replace(draft.policy(), sha256="")


def test_files_of_many_kinds_become_notes() -> None:
    uploads = [
        UploadedFile("C:\\scans\\a.txt", b"Seen today."),
        UploadedFile("b.html", b"<html><body><p>Seen <b>today</b>.</p></body></html>"),
        UploadedFile("c.rtf", rb"{\rtf1\ansi Seen today.}"),
        UploadedFile("d.exe", b"MZ"),
        UploadedFile("many.CSV", b"id,text\n1,Seen.\n2,Seen.\n"),
        UploadedFile("e.txt", b"  "),
        UploadedFile("g.json", RESOURCE),
        UploadedFile("f.jsonl", b'{"note_id": "1", "patient_id": "p", "text": "Seen."}\n\n{}\n'),
    ]
    found = list(read_uploads(uploads, one_patient=True))
    assert [one.note.text for one in found if one.note] == [*["Seen today."] * 3, REPORT, "Seen."]
    assert {one.note.patient_id for one in found[:3] if one.note} == {"upload"}
    assert [one.name for one in found if not one.note] == [
        "d.exe",
        "many.CSV",
        "e.txt",
        "f.jsonl, line 3",
    ]
    assert found[0].name == "a.txt"


def test_notes_are_shared_by_patient_and_by_turns() -> None:
    shared = worklist()
    for number, patient in enumerate("aabbcc"):
        shared.add(f"{number}.txt", RawNote(str(number), patient, "Seen."))
    shared.notes[1].verdict = ReviewVerdict.ACCEPTED
    shared.share(["rita", "ann"])
    readers = {number: held.reader for number, held in shared.notes.items()}
    assert readers == {1: "", 2: "rita", 3: "ann", 4: "ann", 5: "rita", 6: "rita"}
    shared.share([])
    assert {held.reader for held in shared.notes.values()} == {""}
