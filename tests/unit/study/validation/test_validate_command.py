"""``deidstream validate``: from a plan to a signed report, on a made-up site."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.note_files.open_notes import Reading
from deidstream.schemas.errors import InvalidSettings, MissingArtefact, Refused
from deidstream.study.validation.evidence.checklists import CHECKLISTS
from deidstream.study.validation.evidence.signed_pack import check_pack
from deidstream.study.validation.make_plan import PlanRequest, make_plan
from deidstream.study.validation.site.readings import read_all
from deidstream.study.validation.site.validation_plan import ValidationPlan
from deidstream.study.validation.write_report import write_report
from support.validation_site import LEFT, PLAN, ValidationSite, decide_all, make_site, read_as


def report(site: ValidationSite) -> dict[str, Any]:
    write_report(site.folder, site.home / "pack", site.settings)
    evidence: dict[str, Any] = orjson.loads((site.home / "pack" / "evidence.json").read_bytes())
    return evidence


def test_a_site_without_leaks_proves_its_claim(tmp_path: Path) -> None:
    site = make_site(tmp_path, 150)
    make_plan(site.folder, PLAN)
    notes = site.sample()
    for reader in ("anna", "ben"):
        read_as(site, reader, notes)
    evidence = report(site)
    claim = evidence["claims"]["notes"]
    assert claim["proved"]
    assert claim["leaking"] == 0
    assert claim["sequence"]["decision"] == "proved"
    assert claim["corrected_bound"] < 0.05
    assert evidence["determination"] is None
    assert check_pack(tmp_path / "pack").files == 2


def test_leaks_are_counted_and_weighed(tmp_path: Path) -> None:
    site = make_site(tmp_path, 400, leaking=0.5, red=0.1)
    make_plan(site.folder, PLAN)
    notes = site.sample()
    extra = [note for note in notes if note.is_extra]
    assert extra
    assert all(note.facts["level"] == "red" for note in extra)
    for reader in ("anna", "ben"):
        read_as(site, reader, notes)
    evidence = report(site)
    claim = evidence["claims"]["notes"]
    assert claim["sequence"]["decision"] == "failed"
    assert not claim["proved"]
    drawn = {note.output_id for note in notes}
    assert claim["leaking"] == len(site.leaking & drawn)
    assert claim["low"] < len(site.leaking) / 400 < claim["high"]
    (row,) = [row for row in evidence["labels"] if row["label"] == "PATIENT"]
    assert row["leaked"] == claim["leaking"]
    levels = {one["value"]: one for one in evidence["slices"]["level"]["groups"]}
    assert levels["red"]["share"] > levels["green"]["share"]
    assert evidence["slices"]["level"]["p_corrected"] < 0.01
    page = (tmp_path / "pack" / "evidence.html").read_text()
    assert "<small>p &lt; 0.001; for all tests together p &lt; 0.001</small>" in page


def test_what_both_readers_overlook_is_seen_by_the_controls(tmp_path: Path) -> None:
    site = make_site(tmp_path, 300)
    make_plan(site.folder, replace(PLAN, controls=0.5))
    notes = site.sample()
    for reader in ("anna", "ben"):
        read_as(site, reader, notes, finds=0.7)
    evidence = report(site)
    reading = evidence["reading"]
    assert reading["readers"]["anna"]["low"] < 0.7 < reading["readers"]["anna"]["high"]
    assert reading["together"]["low"] < 0.91 < reading["together"]["high"]
    recapture = reading["recapture"]
    assert recapture["total"] < reading["controls"] + 20
    assert reading["controls"] <= recapture["high"]
    claim = evidence["claims"]["notes"]
    assert claim["corrected_bound"] == pytest.approx(claim["bound"] / reading["used"], abs=1e-5)


def test_a_disputed_note_waits_for_the_adjudicator(tmp_path: Path) -> None:
    site = make_site(tmp_path, 120, leaking=1.0, red=0.3)
    make_plan(site.folder, PLAN)
    notes = site.sample()
    read_as(site, "anna", notes)
    read_as(site, "ben", notes, finds=0.0)
    before = report(site)
    assert before["progress"]["disputed"] > 0
    assert before["claims"]["notes"]["leaking"] == 0
    decide_all(site, notes)
    after = report(site)
    assert after["progress"]["disputed"] == 0
    assert after["claims"]["notes"]["leaking"] == before["progress"]["disputed"]


def test_the_pack_holds_no_text_and_what_was_missed_stays(tmp_path: Path) -> None:
    site = make_site(tmp_path, 120, leaking=1.0, red=0.3)
    make_plan(site.folder, PLAN)
    notes = site.sample()
    for reader in ("anna", "ben"):
        read_as(site, reader, notes)
    report(site)
    pack = b"".join(file.read_bytes() for file in (tmp_path / "pack").iterdir())
    for word in (LEFT, "Quill", "cough", "out00001", "Surro"):
        assert word.encode() not in pack
    assert LEFT in site.folder.missed.read_text()
    assert site.folder.missed.stat().st_mode & 0o077 == 0
    assert site.folder.sample.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["evidence.html", "manifest.json", "manifest.sig", "signer.pem"])
def test_a_pack_that_was_changed_is_refused(tmp_path: Path, name: str) -> None:
    site = make_site(tmp_path, 60)
    make_plan(site.folder, PLAN)
    notes = site.sample()
    for reader in ("anna", "ben"):
        read_as(site, reader, notes)
    report(site)
    file = tmp_path / "pack" / name
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(bytes(content))
    with pytest.raises(Refused):
        check_pack(tmp_path / "pack")


def test_the_same_key_draws_the_same_sample_and_another_one_another(tmp_path: Path) -> None:
    site = make_site(tmp_path, 200)
    make_plan(site.folder, PLAN)
    first = [note.output_id for note in site.sample()]
    assert [note.output_id for note in site.sample()] == first
    (tmp_path / "root.key").write_text("77" * 31 + "78")
    assert [note.output_id for note in site.sample()] != first


def test_a_plan_is_not_changed_once_somebody_has_read(tmp_path: Path) -> None:
    site = make_site(tmp_path, 60)
    make_plan(site.folder, PLAN)
    read_as(site, "anna", site.sample()[:1])
    with pytest.raises(InvalidSettings, match="notes have been read"):
        make_plan(site.folder, PLAN)
    with pytest.raises(InvalidSettings, match="notes have been read"):
        site.sample()


def test_strata_that_nothing_states_are_refused(tmp_path: Path) -> None:
    site = make_site(tmp_path, 60)
    make_plan(site.folder, replace(PLAN, strata=("level", "WARD")))
    with pytest.raises(InvalidSettings, match="WARD"):
        site.sample()
    site.files = replace(site.files, reading=Reading(keep=("note_type",)))
    make_plan(site.folder, replace(PLAN, strata=("level", "note_type")))
    assert {note.stratum for note in site.sample()} >= {"green / letter", "green / progress"}


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (replace(PLAN, readers=()), "--readers"),
        (replace(PLAN, readers=("a", "b", "c")), "--readers"),
        (replace(PLAN, adjudicator=None), "--adjudicator"),
        (replace(PLAN, adjudicator="anna"), "--adjudicator"),
        (replace(PLAN, notes=0.9), "--notes"),
        (replace(PLAN, confidence=0.2), "--confidence"),
        (replace(PLAN, allowed=99), "--allow"),
    ],
)
def test_a_plan_that_cannot_be_made_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: PlanRequest, why: str
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    site = make_site(tmp_path, 10)
    with pytest.raises(InvalidSettings, match=why):
        make_plan(site.folder, wanted)
    assert not site.folder.plan.exists()


def test_a_plan_is_read_as_it_was_written(tmp_path: Path) -> None:
    site = make_site(tmp_path, 10)
    make_plan(site.folder, replace(PLAN, identifiers=0.01, more={"red": 3.0}))
    plan = site.folder.read_plan()
    assert ValidationPlan.decode(plan.encode()) == plan
    assert plan.identifiers_to_read == 305


def test_records_of_other_files_are_refused_without_their_text(tmp_path: Path) -> None:
    site = make_site(tmp_path, 10)
    make_plan(site.folder, PLAN)
    (tmp_path / "audit.jsonl").write_text('{"secret": "Quill"}\n')
    with pytest.raises(Refused, match="line 1") as refused:
        site.sample()
    assert "Quill" not in str(refused.value)
    site.folder.readings("anna").write_text('{"number": 1}\n')
    with pytest.raises(MissingArtefact, match="reading"):
        read_all(site.folder, ("anna",))


def test_commands_from_plan_to_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make_site(tmp_path, 80)
    monkeypatch.chdir(tmp_path)
    plan = "validate plan validation --notes 0.05 --allow 0 --readers anna --controls 0.3"
    assert main(plan.split()) == 0
    assert "after notes" in capsys.readouterr().out
    files = "--outputs outputs.jsonl --risk risk.jsonl --audit audit.jsonl --key-file root.key"
    assert main(f"validate sample validation notes.jsonl {files}".split()) == 0
    read_as(site, "anna", site.folder.read_sample())
    code = main(["validate", "report", "validation", "--out", "pack", "--key-file", "root.key"])
    assert code == 0, capsys.readouterr().err
    assert main(["validate", "verify", "pack"]) == 0
    assert "signed by" in capsys.readouterr().err


def test_each_question_that_the_pack_answers_points_to_a_section_of_the_page(
    tmp_path: Path,
) -> None:
    site = make_site(tmp_path, 60)
    make_plan(site.folder, PLAN)
    notes = site.sample()
    for reader in ("anna", "ben"):
        read_as(site, reader, notes)
    report(site)
    page = (tmp_path / "pack" / "evidence.html").read_text()
    for framework, questions in CHECKLISTS.items():
        assert any(question.section for question in questions)
        assert framework.replace("'", "&#39;") in page
        for question in questions:
            assert not question.section or f'id="{question.section}"' in page, question


def test_the_page_says_its_own_confidence_and_no_slice_of_one_group(tmp_path: Path) -> None:
    site = make_site(tmp_path, 60)
    make_plan(site.folder, replace(PLAN, confidence=0.995))
    notes = site.sample()
    for reader in ("anna", "ben"):
        read_as(site, reader, notes)
    slices = report(site)["slices"]
    page = (tmp_path / "pack" / "evidence.html").read_text()
    assert "share, 99.5%" in page
    assert "below, at 99.5%" in page
    assert "stratum" not in slices
    for name, one in slices.items():
        heading = f'<th scope="col">{name.replace("_", " ")}</th>'
        assert (heading in page) == (len(one["groups"]) > 1), name
    assert "site (default)" in page


def test_slices_are_of_people_and_of_notes(tmp_path: Path) -> None:
    site = make_site(tmp_path, 120, leaking=1.0, red=0.3)
    make_plan(site.folder, PLAN)
    notes = site.sample()
    for reader in ("anna", "ben"):
        read_as(site, reader, notes)
    slices = report(site)["slices"]
    assert slices.keys() >= {"sex", "age", "names", "note_type", "site", "month"}
    for name in ("sex", "age", "names", "note_type"):
        assert sum(one["read"] for one in slices[name]["groups"]) == len(notes)
    assert {one["value"] for one in slices["sex"]["groups"]} == {"male"}
    assert {"18 to 39", "40 to 64"} < {one["value"] for one in slices["age"]["groups"]}
    assert len(slices["names"]["groups"]) > 2
    assert slices["age"]["p"] is not None
