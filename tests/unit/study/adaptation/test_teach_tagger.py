"""Teaching the tagger of a site, and bounding its thresholds."""

from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from deidstream.agents.settings import read_settings
from deidstream.models.detection.calibration import CALIBRATION
from deidstream.models.detection.detector import Detector
from deidstream.models.neural.weights import DIGEST, QUANTIZATION, digest
from deidstream.models.policy.reader import read_policy
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.schemas.label import PhiLabel
from deidstream.study.adaptation.teach_tagger import (
    Lesson,
    has_our_outputs,
    teach,
    write_tagger,
)
from deidstream.study.corpus.marked import parse_marked_text
from deidstream.study.tagger.fit import FitPlan
from deidstream.study.tagger.start import save, set_thresholds, start
from support.checkpoints import encoder, token_classifier

LESSON = Lesson(copies=1, sampled=2, composed=2, fit=FitPlan(epochs=1, kept=0.5), window=32)
POLICY = b'technique = "redact"\nrecognizers = ["rules"]\n'


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    plain = encoder(tmp_path_factory.mktemp("plain"))
    folder = tmp_path_factory.mktemp("models") / "base"
    save(start(plain, seed=3), plain, folder)
    set_thresholds(folder, {str(label): 0.2 for label in PhiLabel})
    (folder / CALIBRATION).write_bytes(b'{"schema": 1, "weights": {}}\n')
    return folder


def thresholds(folder: Path) -> dict[str, float]:
    found: dict[str, float] = orjson.loads((folder / "config.json").read_bytes())["phi_thresholds"]
    return found


@pytest.mark.slow  # an optimizer's steps, and int8 of a model
def test_a_taught_tagger_has_what_its_base_has_beside_the_weights(
    base: Path, tmp_path: Path
) -> None:
    settings = read_settings(
        {"DEIDSTREAM_TAGGER_PATH": str(base), "DEIDSTREAM_TAGGER_WINDOW": "32"}
    )
    detector = Detector(read_policy(POLICY, name="own"), (RulesRecognizer(),))
    notes = [parse_marked_text(f"seen by [[DOCTOR|John Sm{at}th]]", f"n{at}") for at in range(12)]
    taught = teach(settings, detector, notes, tmp_path, LESSON)
    assert digest(taught) not in {digest(base), ""}
    assert (taught / DIGEST).read_text().strip() == digest(taught)
    assert (taught / QUANTIZATION).exists()
    assert thresholds(taught) == thresholds(base)
    assert (taught / CALIBRATION).read_bytes() == (base / CALIBRATION).read_bytes()
    assert "12\nmarked notes" in (taught / "README.md").read_text()
    # Nothing of the notes stays beside it, and a run that ended is not run again.
    assert list(tmp_path.iterdir()) == [taught]
    before = (taught / "model.safetensors").stat().st_mtime_ns
    other = replace(LESSON, copies=5)
    assert teach(settings, detector, notes, tmp_path, other) == taught
    assert (taught / "model.safetensors").stat().st_mtime_ns == before


def test_a_bound_lowers_thresholds_and_leaves_the_rest(base: Path, tmp_path: Path) -> None:
    write_tagger(base, tmp_path / "same", 1.0)
    write_tagger(base, tmp_path / "bounded", 0.05)
    assert digest(tmp_path / "same") == digest(base)
    assert set(thresholds(tmp_path / "bounded").values()) == {0.05}
    assert (tmp_path / "bounded" / DIGEST).read_text().strip() == digest(tmp_path / "bounded")
    assert set(thresholds(base).values()) == {0.2}


def test_taggers_with_other_outputs_are_not_ours(base: Path, tmp_path: Path) -> None:
    assert has_our_outputs(base)
    assert not has_our_outputs(token_classifier(tmp_path))
