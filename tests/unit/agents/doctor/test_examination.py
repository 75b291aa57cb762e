"""What the doctor finds, and in which order."""

# pyright: reportUnknownLambdaType=false

import asyncio
import shutil
import socket
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from deidstream.agents.doctor import examination as doctor
from deidstream.agents.doctor.examination import Finding, examine
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.settings import HttpSettings, KeySettings, RedisSettings, Settings
from deidstream.models.detection.calibration import CALIBRATION
from deidstream.models.neural.weights import DIGEST, digest, shipped_tagger

QUICK = ("settings", "key", "policy", "adaptation", "port", "state")


def quick_findings(settings: Settings) -> dict[str, Finding]:
    """The findings before the first one that needs a service."""

    async def body() -> list[Finding]:
        found: list[Finding] = []
        async for finding in examine(settings):
            found.append(finding)
            if len(found) == len(QUICK):
                break
        return found

    found = asyncio.run(body())
    assert tuple(finding.name for finding in found) == QUICK
    return {finding.name: finding for finding in found}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    write_key(tmp_path / "key")
    return Settings(
        key=KeySettings(file=str(tmp_path / "key")),
        redis=RedisSettings(state=str(tmp_path / "state")),
        http=HttpSettings(port=0),
    )


def test_quick_checks_come_before_services_and_models(settings: Settings) -> None:
    assert all(finding.good for finding in quick_findings(settings).values())


def test_a_key_that_others_may_read_is_told(settings: Settings) -> None:
    Path(settings.key.file).chmod(0o644)
    finding = quick_findings(settings)["key"]
    assert "WARNING: open to its group and others" in finding.message
    assert "chmod 600" in finding.message


def test_a_port_that_is_taken_is_told(settings: Settings) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        http = replace(settings.http, port=taken.getsockname()[1])
        finding = quick_findings(replace(settings, http=http))["port"]
    assert (finding.good, finding.code) == (False, 78)


def test_a_state_folder_that_cannot_be_written_is_told(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    redis = replace(settings.redis, state=str(tmp_path / "file" / "state"))
    finding = quick_findings(replace(settings, redis=redis))["state"]
    assert (finding.good, finding.code) == (False, 78)
    assert "Not a directory" in finding.message


def test_the_embedder_is_loaded_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[Settings] = []

    def load(given: Settings) -> object:
        loads.append(given)
        return type("Embedder", (), {"digest": "0" * 64})()

    monkeypatch.setattr(doctor, "_embedder", lru_cache(maxsize=1)(load))
    monkeypatch.setattr(doctor, "load_recognizers", lambda *_: ((), None))
    checked = SimpleNamespace(facts=SimpleNamespace(sentences=0), digest="1" * 64)
    monkeypatch.setattr(doctor, "read_index", lambda *_: checked)

    async def body() -> list[str]:
        return [finding.message async for finding in examine(settings) if finding.good]

    assert any("sentences" in message for message in asyncio.run(body()))
    assert len(loads) == 1


@pytest.mark.slow  # it loads every model, cold
def test_a_tagger_without_calibration_of_its_own_is_told(
    settings: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "tagger"
    shutil.copytree(shipped_tagger(), folder)
    (folder / CALIBRATION).unlink()
    (folder / DIGEST).write_text(digest(folder) + "\n")
    own = replace(settings, tagger=replace(settings.tagger, path=str(folder)))
    assert "deidstream calibrate" in asyncio.run(doctor.describe_models(own))
    assert "deidstream calibrate" not in asyncio.run(doctor.describe_models(settings))
