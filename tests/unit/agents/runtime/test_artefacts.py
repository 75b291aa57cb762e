"""A wrong path is reported before the first model library is imported."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from deidstream.agents.runtime.load_models import find_calibration, find_tagger, load_tagger
from deidstream.agents.runtime.policy_choice import check_artefacts
from deidstream.agents.settings import read_settings
from deidstream.models.kneo.index_folder import shipped_index
from deidstream.models.neural.weights import shipped_tagger, shipped_tagger_digest
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.policy import RecognizerName, Technique

POLICY = read_shipped_policy("surrogate")
CHOOSE = """
import sys
from deidstream.agents.runtime.policy_choice import choose_policies
from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import Refused
try:
    settings = dict([("DEIDSTREAM_KEY_FILE", sys.argv[2]), sys.argv[1].split("=", 1)])
    choose_policies(read_settings(settings))
except Refused as refused:
    print(refused)
print(sorted({"torch", "transformers", "faiss", "sentence_transformers"} & sys.modules.keys()))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setting", "named"),
    [
        ("DEIDSTREAM_KEY_FILE=/no/key", "/no/key"),
        ("DEIDSTREAM_POLICY=/no/policy.toml", "policy.toml"),
        ("DEIDSTREAM_POLICIES_FILE=/no/tenants.toml", "tenants.toml"),
        ("DEIDSTREAM_TAGGER_PATH=/no/tagger", "/no/tagger"),
        ("DEIDSTREAM_MODEL_EMBEDDER=/no/embedder", "/no/embedder"),
        ("DEIDSTREAM_MODEL_INDEX=/no/index", "manifest.json"),
    ],
)
def test_a_wrong_path_is_refused_before_any_model_is_imported(
    setting: str, named: str, tmp_path: Path
) -> None:
    key = tmp_path / "root.key"
    key.write_text("ab" * 32)
    key.chmod(0o600)
    called = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", CHOOSE, setting, str(key)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    *said, imported = called.stdout.splitlines()
    assert named in "".join(said)
    assert imported == "[]"


def test_what_is_shipped_is_there() -> None:
    check_artefacts(read_settings({}), POLICY)


def test_a_file_that_is_missing_from_an_index_is_named(tmp_path: Path) -> None:
    for path in shipped_index().iterdir():
        (tmp_path / path.name).symlink_to(path)
    settings = read_settings({"DEIDSTREAM_MODEL_INDEX": str(tmp_path)})
    check_artefacts(settings, POLICY)
    (tmp_path / "donors.txt").unlink()
    with pytest.raises(MissingArtefact, match=r"donors\.txt"):
        check_artefacts(settings, POLICY)


def test_word_vectors_are_looked_for_where_the_policy_draws_words(tmp_path: Path) -> None:
    settings = read_settings({"DEIDSTREAM_MODEL_VECTORS": str(tmp_path)})
    check_artefacts(settings, POLICY)
    with pytest.raises(MissingArtefact, match="word vectors"):
        check_artefacts(settings, replace(POLICY, technique=Technique.KNEO_WORDS))


def test_each_shipped_tagger_is_loaded_by_its_name() -> None:
    settings = read_settings({"DEIDSTREAM_TAGGER_MODEL": "fast", "DEIDSTREAM_MODEL_DTYPE": "fp32"})
    check_artefacts(settings, POLICY)
    assert load_tagger(settings).digest == shipped_tagger_digest("fast") != shipped_tagger_digest()
    with pytest.raises(InvalidSettings, match="not one of accurate, fast"):
        check_artefacts(read_settings({"DEIDSTREAM_TAGGER_MODEL": "slow"}), POLICY)


def test_a_second_tagger_is_loaded_with_the_calibration_of_the_pair() -> None:
    second = shipped_tagger("fast")
    wanted = {"DEIDSTREAM_TAGGER_SECOND": str(second), "DEIDSTREAM_MODEL_DTYPE": "fp32"}
    settings = read_settings(wanted)
    check_artefacts(settings, POLICY)
    tagger = load_tagger(settings)
    assert tagger.second is not None
    assert tagger.digest == shipped_tagger_digest()
    assert tagger.second.digest == shipped_tagger_digest("fast")
    assert find_calibration(settings) == second
    assert find_tagger(settings) == shipped_tagger()


def test_a_second_tagger_must_be_there_and_be_the_one_expected() -> None:
    with pytest.raises(MissingArtefact, match="/no/second"):
        check_artefacts(read_settings({"DEIDSTREAM_TAGGER_SECOND": "/no/second"}), POLICY)
    other = {
        "DEIDSTREAM_TAGGER_SECOND": str(shipped_tagger("fast")),
        "DEIDSTREAM_TAGGER_SECOND_SHA256": shipped_tagger_digest(),
    }
    with pytest.raises(MissingArtefact, match="has digest"):
        load_tagger(read_settings(other))


def test_a_policy_without_tagger_needs_none() -> None:
    settings = read_settings({"DEIDSTREAM_TAGGER_PATH": "/no/tagger"})
    with pytest.raises(MissingArtefact, match="/no/tagger"):
        check_artefacts(settings, POLICY)
    check_artefacts(settings, replace(POLICY, recognizers=frozenset({RecognizerName.RULES})))
