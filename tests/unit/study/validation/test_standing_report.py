"""The evidence pack of a standing sample, on a made-up stream."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from deidstream.agents.runtime.private_files import write_private
from deidstream.schemas.errors import Refused
from deidstream.study.validation.evidence.signed_pack import check_pack
from deidstream.study.validation.make_plan import make_plan
from deidstream.study.validation.site.sampled_note import SampledNote
from deidstream.study.validation.standing_figures import WEEK, WEEKS
from deidstream.study.validation.write_report import write_report
from support.validation_site import LEFT, PLAN, ValidationSite, make_site, read_as

STAMP = (
    '{"pipeline":{"key_version":1,"mapping":"prf","recognizers":["rules"],"tagger":null,'
    '"version":"0.3.0"},"policy":{"name":"surrogate","sha256":"abababababababab"}}'
)
WEEK_NAMES = [f"2026-W{number:02}" for number in range(10, 30)]


def make_standing(home: Path, notes: int = 150, *, leaking: float = 0.0) -> ValidationSite:
    """A folder with what was drawn in twenty weeks, as ``validate follow`` writes it."""
    site = make_site(home, notes, leaking=leaking, red=0.2)
    make_plan(site.folder, replace(PLAN, strata=()))
    drawn = site.sample()
    make_plan(site.folder, replace(PLAN, is_standing=True))
    lines = [
        orjson.dumps(
            replace(
                note,
                stratum="all",
                is_extra=False,
                facts={**note.facts, WEEK: WEEK_NAMES[place * 20 // len(drawn)]},
                made_by=STAMP,
            ).encode()
        )
        for place, note in enumerate(drawn)
    ]
    write_private(site.folder.sample, b"\n".join(lines) + b"\n")
    site.folder.frame.unlink()
    return site


def read_both(site: ValidationSite) -> list[SampledNote]:
    notes = site.folder.read_sample()
    for reader in ("anna", "ben"):
        read_as(site, reader, notes)
    return notes


def report(site: ValidationSite) -> dict[str, Any]:
    write_report(site.folder, site.home / "pack", site.settings)
    evidence: dict[str, Any] = orjson.loads((site.home / "pack" / "evidence.json").read_bytes())
    return evidence


def test_the_pack_has_the_bounds_by_week_and_note_type(tmp_path: Path) -> None:
    site = make_standing(tmp_path, leaking=1.0)
    notes = read_both(site)
    evidence = report(site)
    recent = [note for note in notes if note.facts[WEEK] in WEEK_NAMES[-WEEKS:]]
    leaking = sum(LEFT in note.text for note in recent)
    rows = {(row["week"], row["note_type"]): row for row in evidence["standing"]["rows"]}
    total = rows["", "all"]
    assert (total["read"], total["leaking"]) == (len(recent), leaking)
    assert {week for week, _ in rows} == {"", *WEEK_NAMES[-WEEKS:]}
    assert {kind for _, kind in rows} == {"all", "letter", "progress"}
    assert total["state"] == "over the plan"
    claim = evidence["claims"]["notes"]
    assert (claim["read"], claim["leaking"]) == (len(recent), leaking)
    assert claim["corrected_bound"] == pytest.approx(total["upper"], abs=1e-5)
    assert not claim["proved"]
    assert check_pack(tmp_path / "pack").files == 2


def test_a_stream_without_leaks_proves_its_claim(tmp_path: Path) -> None:
    site = make_standing(tmp_path)
    read_both(site)
    assert write_report(site.folder, site.home / "pack", site.settings) == 0
    evidence = report(site)
    assert evidence["claims"]["notes"]["sequence"] is None
    states = {row["note_type"]: row["state"] for row in evidence["standing"]["rows"][:3]}
    assert states["all"] == "within the plan"
    assert evidence["progress"] == {
        "read": evidence["claims"]["notes"]["read"],
        "disputed": 0,
        "to_read": 0,
    }


def test_the_pack_says_what_was_drawn_and_what_made_it(tmp_path: Path) -> None:
    site = make_standing(tmp_path)
    notes = read_both(site)
    evidence = report(site)
    frame = evidence["frame"]
    counted = [note for note in notes if note.facts[WEEK] in WEEK_NAMES[-WEEKS:]]
    assert frame["notes"] == len(counted)
    assert frame["identifiers"] == sum(len(note.spans) for note in counted)
    assert frame["retained"]["labels"] == {"AGE": frame["retained"]["with_facts"]}
    (made,) = frame["made_by"]
    assert (made["outputs"], made["policy"]["name"]) == (len(counted), "surrogate")
    assert evidence["slices"].keys() >= {"week", "note_type", "sex", "age", "names"}
    page = (tmp_path / "pack" / "evidence.html").read_text()
    assert "standing sample" in page
    assert WEEK_NAMES[-1] in page
    assert WEEK_NAMES[0] not in page
    for word in (LEFT, "Quill", "cough", "out00001", "Surro"):
        assert word not in page


def test_without_a_reading_there_is_no_pack(tmp_path: Path) -> None:
    site = make_standing(tmp_path)
    with pytest.raises(Refused, match="no note has been read"):
        report(site)
