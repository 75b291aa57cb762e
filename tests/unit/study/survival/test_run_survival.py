"""The command, with policies that need no tagger."""

from pathlib import Path

import orjson
import pytest

from deidstream.agents.cli.main import REFUSED, main
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote, encode_labelled
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

TEXT = "Mrs. Quillfeather was seen by Dr. Oyelaran for pain of the left knee.\n"
NAMES = (("Quillfeather", PhiLabel.PATIENT), ("Oyelaran", PhiLabel.DOCTOR))


def gold(folder: Path, names: tuple[tuple[str, PhiLabel], ...] = NAMES) -> Path:
    spans = [Span(TEXT.index(one), TEXT.index(one) + len(one), label) for one, label in names]
    path = folder / "gold.jsonl"
    path.write_bytes(encode_labelled(LabelledNote(RawNote("n", "p", TEXT), tuple(spans))) + b"\n")
    return path


def site(folder: Path, base: str) -> str:
    path = folder / f"{base}.toml"
    path.write_text(f'extends = "{base}"\nrecognizers = ["rules"]\n')
    return str(path)


def test_survivors_are_counted_for_each_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policies = [f"--policy={site(tmp_path, base)}" for base in ("redact", "kneo-words")]
    out = tmp_path / "figures.json"
    assert main(["simulate", "misses", str(gold(tmp_path)), *policies, "--json", str(out)]) == 0
    shown, record = capsys.readouterr().out, orjson.loads(out.read_bytes())
    redacted, drawn = record["policies"]
    assert redacted["labels"] == {"DOCTOR": {"whole": 1}, "PATIENT": {"whole": 1}}
    assert drawn["labels"] == {"DOCTOR": {"gone": 1}, "PATIENT": {"gone": 1}}
    assert (redacted["overlooked"], redacted["shares"]["whole"]["share"]) == (2, 1.0)
    assert "100.0%" in shown
    assert "Oyelaran" not in shown + out.read_text()


def test_notes_without_a_direct_identifier_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = gold(tmp_path, ())
    policy = f"--policy={site(tmp_path, 'redact')}"
    assert main(["simulate", "misses", str(file), policy]) == REFUSED
    assert "has a direct identifier to overlook" in capsys.readouterr().err
