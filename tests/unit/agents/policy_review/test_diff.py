"""What another policy would change: spans treated otherwise, endings, sums; no text unasked."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.note_files.json_notes import JsonLines
from deidstream.agents.policy_review.diff import Change, Diff, Sides, Totals, compare, compare_lines
from deidstream.agents.policy_review.diff_report import encode_diff, write_diff
from deidstream.schemas.errors import Reason, Stage
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.outcome import Failed
from deidstream.schemas.policy import (
    DatePolicy,
    OperatorName,
    Policy,
    RecognizerName,
    Scope,
    Technique,
)
from deidstream.schemas.risk_policy import RedAction, RiskMeasure, RiskPolicy
from support.outcomes import anonymized
from support.pipeline import pipeline, service

TEXT = "Mr. Quentin Vanterpool (MRN: 5512873) was seen on 03/04/2024 by Dr. Odalys Brightwater."
CLEAN = "Slept well. No complaints."
SURROGATES: Mapping[str, OperatorName] = MappingProxyType(
    dict[str, OperatorName](dict.fromkeys(map(str, PhiLabel), OperatorName.SURROGATE))
    | {PhiLabel.DATE: OperatorName.SHIFT, PhiLabel.AGE: OperatorName.GENERALISE}
)
BASE = Policy(
    "base",
    Technique.SURROGATE,
    frozenset({RecognizerName.RULES, RecognizerName.DICTIONARY}),
    SURROGATES,
    scopes=MappingProxyType(dict.fromkeys(PhiLabel, Scope.PATIENT)),
    # Without the tagger an overlooked name weighs more beside labels than beside surrogates.
    risk=RiskPolicy(residual=0.5),
    sha256="a" * 64,
)


def other(**changed: object) -> Policy:
    return replace(BASE, name="other", sha256="b" * 64, **changed)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def operator(label: PhiLabel, name: OperatorName) -> Policy:
    return other(operators=MappingProxyType({**SURROGATES, label: name}))


def diff(
    second: Policy, tmp_path: Path, *texts: str, junk: bytes = b"", first: Policy = BASE
) -> Diff:
    sample = tmp_path / "sample.jsonl"
    records = [
        {"note_id": f"ID-{n}", "patient_id": "P1", "text": text} for n, text in enumerate(texts)
    ]
    lines = [*(json.dumps(record).encode() for record in records), *([junk] if junk else [])]
    sample.write_bytes(b"\n".join(lines))
    made = [pipeline(policy=policy) for policy in (first, second)]
    sides = Sides(service(made[0]), service(made[1]))
    return asyncio.run(compare_lines(sides, sample.name, JsonLines(sample), len(lines)))


def changes(found: Diff) -> dict[tuple[str, Change], int]:
    return dict(found.totals.changes)


def test_a_policy_changes_nothing_against_itself(tmp_path: Path) -> None:
    found = diff(BASE, tmp_path, TEXT, CLEAN)
    assert (found.totals.notes, found.totals.changed, changes(found)) == (2, 0, {})
    assert found.totals.spans[0] == found.totals.spans[1]
    assert found.totals.spans[0][PhiLabel.PATIENT] == 1
    assert "0 of 2 notes change" in write_diff(found, with_text=True)


def test_another_operator_is_told_of_its_label_alone(tmp_path: Path) -> None:
    found = diff(operator(PhiLabel.PATIENT, OperatorName.REDACT), tmp_path, TEXT, CLEAN)
    assert changes(found) == {(PhiLabel.PATIENT, Change.OPERATOR): 1}
    assert (found.totals.changed, found.totals.texts_differ, found.totals.compared) == (1, 1, 2)
    (span,) = found.lines[0].change.spans
    assert TEXT[span.start : span.end] == "Quentin Vanterpool"
    assert span.texts[1] == "[PATIENT]"


def test_other_options_of_one_operator_are_another_text(tmp_path: Path) -> None:
    found = diff(other(dates=DatePolicy(max_shift_days=3)), tmp_path, TEXT)
    assert changes(found) == {(PhiLabel.DATE, Change.TEXT): 1}


def test_what_a_policy_allows_is_gone_and_the_other_way_round_new(tmp_path: Path) -> None:
    found = diff(other(allow=("Brightwater",)), tmp_path, "Seen by Dr. Brightwater today.")
    assert changes(found) == {(PhiLabel.DOCTOR, Change.GONE): 1}
    first, second = found.lines[0].change.spans[0].texts
    assert first is not None
    assert second is None
    allowing = other(allow=("Brightwater",))
    back = diff(BASE, tmp_path, "Seen by Dr. Brightwater today.", first=allowing)
    assert changes(back) == {(PhiLabel.DOCTOR, Change.NEW): 1}


def test_risk_and_quarantine_are_counted(tmp_path: Path) -> None:
    unique = (RiskMeasure.CONTEXT_UNIQUENESS,)
    strict = other(
        risk=RiskPolicy(measures=unique, similarity=1.0, red=0.0, on_red=RedAction.QUARANTINE)
    )
    found = diff(strict, tmp_path, TEXT, CLEAN, junk=b'{"text": "Vanterpool"')
    assert found.totals.one_emits == 1
    record = json.loads(encode_diff(found, with_text=False))
    assert record["policies"][1]["quarantined"] == {"BAD_JSON": 1, "RISK_TOO_HIGH": 1}
    assert record["policies"][0]["quarantined"] == {"BAD_JSON": 1}
    assert (record["notes"], record["compared"]) == (3, 1)
    assert [line["line"] for line in record["lines"]] == [1]


def test_no_text_is_told_unasked(tmp_path: Path) -> None:
    found = diff(operator(PhiLabel.PATIENT, OperatorName.REDACT), tmp_path, TEXT)
    for shown in (write_diff(found, with_text=False), encode_diff(found, with_text=False).decode()):
        assert "Vanterpool" not in shown
        assert "ID-0" not in shown
    assert "Vanterpool" not in repr(found)
    for shown in (write_diff(found, with_text=True), encode_diff(found, with_text=True).decode()):
        assert "Quentin Vanterpool" in shown
        assert "[PATIENT]" in shown
        assert "ID-0" in shown


def test_endings_of_one_note() -> None:
    failed = Failed(Reason.LEAK_DETECTED, Stage.VERIFY)
    change = compare(anonymized("a"), failed)
    assert [(e.emitted, e.detail) for e in change.endings] == [
        (True, "green"),
        (False, failed.reason),
    ]
    assert change.changes
    totals = Totals()
    totals.add(change, (anonymized("a"), failed))
    assert (totals.one_emits, totals.compared, totals.levels_differ) == (1, 0, 0)


def test_list_check_and_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policy", "list"]) == 0
    assert "surrogate" in capsys.readouterr().out
    assert main(["policy", "show", "redact"]) == 0
    shown = capsys.readouterr().out
    assert all(label in shown for label in PhiLabel)
    site = tmp_path / "site.toml"
    site.write_text('technique = "surrogate"\nrecognizers = ["rules"]\n')
    capsys.readouterr()
    assert main(["policy", "check", str(site)]) == 0
    assert capsys.readouterr().err.startswith("policy site is valid (")
    (tmp_path / "wards.txt").write_text("Hill\n")
    lists = '["dictionary"]\n[dictionaries]\nHOSPITAL = ["wards.txt"]\n'
    site.write_text(f'technique = "surrogate"\nrecognizers = {lists}')
    assert main(["policy", "check", str(site)]) == 0
    assert "wards.txt: 1 term\n" in capsys.readouterr().err
    site.write_text('extends = "surrogate"\nallow = ["Zellig sign", "Grave\'s"]\n')
    assert main(["policy", "show", str(site)]) == 0
    assert 'allowed terms: "Zellig sign", "Grave\'s"\n' in capsys.readouterr().out
    site.write_text('technique = "surrogat"\nrecognizers = ["rules"]\n[risk]\nwindow_words = 0\n')
    assert main(["policy", "check", str(site)]) == 78
    said = capsys.readouterr().err
    assert "site.toml:1" in said
    assert "site.toml:4" in said


def test_an_operator_that_a_label_does_not_have_is_a_mistake(tmp_path: Path) -> None:
    site = tmp_path / "site.toml"
    site.write_text('technique = "redact"\nrecognizers = ["rules"]\n[operators]\nSSN = "shift"\n')
    assert main(["policy", "check", str(site)]) == 78


def test_a_sample_without_notes_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = tmp_path / "in.jsonl"
    sample.write_text("\n\n")
    assert main(["policy", "diff", "surrogate", "redact", "--sample", str(sample)]) == 78
    said = capsys.readouterr()
    assert "there are no notes in it" in said.err
    assert not said.out


@pytest.mark.slow
def test_the_command_compares_two_policies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample, out = tmp_path / "in.jsonl", tmp_path / "diff.json"
    sample.write_text(json.dumps({"note_id": "n", "patient_id": "p", "text": TEXT}))
    flags = ["--sample", str(sample), "--json", str(out)]
    assert main(["policy", "diff", "surrogate", "redact", *flags]) == 0
    assert "1 of 1 notes change" in capsys.readouterr().out
    record = json.loads(out.read_text())
    assert record["labels"]["PATIENT"]["operator"] == 1
    assert "Vanterpool" not in out.read_text()
