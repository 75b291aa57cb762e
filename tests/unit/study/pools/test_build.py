from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from deidstream.models.kneo import index
from deidstream.study.pools import index_builder
from deidstream.study.pools.index_builder import Materials, build_index
from deidstream.study.pools.pool import PoolSentence
from support.embedding import HashEmbedder

SENTENCES = [PoolSentence(f"the patient has complaint number {i}", f"d{i % 3}") for i in range(25)]
MATERIALS = Materials(SENTENCES, ["seen by today", "lives in with"])


class Interrupted(Exception):
    """The build was stopped."""


class Stopping(HashEmbedder):
    """Stops at its third call."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if len(self.calls) == 2:
            raise Interrupted
        return HashEmbedder.embed(self, texts)


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_builder, "SHARD", 10)


def ignore(_done: int, _total: int) -> None:
    pass


def test_the_folder_holds_the_pool(tmp_path: Path) -> None:
    digest = build_index(HashEmbedder(), "hash", MATERIALS, tmp_path, ignore)
    loaded = index.load(tmp_path, HashEmbedder().digest)
    assert loaded.digest == digest
    assert list(loaded.texts) == [s.text for s in SENTENCES]
    assert [loaded.donors.of(i) for i in range(25)] == [(s.donor,) for s in SENTENCES]
    assert loaded.contexts.shape == (2, 96)
    assert loaded.facts.embedder == "hash"
    assert not (tmp_path / "shards").exists()


def test_progress_is_told_to_the_end(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    build_index(
        HashEmbedder(), "hash", MATERIALS, tmp_path, lambda done, total: told.append((done, total))
    )
    assert told == [(10, 27), (20, 27), (25, 27), (27, 27)]


def test_a_stopped_build_goes_on_where_it_was(tmp_path: Path) -> None:
    with pytest.raises(Interrupted):
        build_index(Stopping(), "hash", MATERIALS, tmp_path, ignore)
    again = HashEmbedder()
    digest = build_index(again, "hash", MATERIALS, tmp_path, ignore)
    assert again.calls == [5, 2]
    assert digest == build_index(HashEmbedder(), "hash", MATERIALS, tmp_path / "new", ignore)


def test_a_fresh_build_takes_nothing_over(tmp_path: Path) -> None:
    with pytest.raises(Interrupted):
        build_index(Stopping(), "hash", MATERIALS, tmp_path, ignore)
    again = HashEmbedder()
    build_index(again, "hash", MATERIALS, tmp_path, ignore, resume=False)
    assert again.calls == [10, 10, 5, 2]


def test_a_damaged_shard_is_embedded_again(tmp_path: Path) -> None:
    with pytest.raises(Interrupted):
        build_index(Stopping(), "hash", MATERIALS, tmp_path, ignore)
    for shard in (tmp_path / "shards").iterdir():
        shard.write_bytes(shard.read_bytes()[:-1] + b"x")
    again = HashEmbedder()
    build_index(again, "hash", MATERIALS, tmp_path, ignore)
    assert again.calls == [10, 10, 5, 2]


def test_shards_of_another_embedder_are_not_taken(tmp_path: Path) -> None:
    with pytest.raises(Interrupted):
        build_index(Stopping(), "hash", MATERIALS, tmp_path, ignore)
    other = HashEmbedder(digest="other")
    build_index(other, "hash", MATERIALS, tmp_path, ignore)
    assert other.calls == [10, 10, 5, 2]


def test_an_empty_pool_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="fit together"):
        build_index(HashEmbedder(), "hash", Materials([], []), tmp_path, ignore)
