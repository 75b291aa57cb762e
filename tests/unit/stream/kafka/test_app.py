"""The Faust app leaves nothing on the disk."""

import tempfile
from pathlib import Path

import pytest

from deidstream.stream.kafka.app import AppSettings, build_app
from deidstream.stream.kafka.connection import KafkaConnection


def test_a_start_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    app = build_app(AppSettings(KafkaConnection("127.0.0.1:9092"), "group", 16, 6))
    app._create_directories()  # type: ignore[attr-defined]  # noqa: SLF001 - what Faust calls when it starts
    assert list(tmp_path.iterdir()) == []
