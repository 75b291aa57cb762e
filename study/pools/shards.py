"""Results of an interrupted build, kept under the digest of what they were made from."""

import hashlib
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from deidstream.models.keyring import join_prefixed

_DIGEST_BYTES = 32
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Shards:
    """A folder of results; a damaged one counts as absent."""

    folder: Path

    def load(self, name: str) -> bytes | None:
        """Return what was saved under a name; ``None`` if nothing whole was."""
        try:
            stored = (self.folder / name).read_bytes()
        except FileNotFoundError:
            return None
        digest, content = stored[:_DIGEST_BYTES], stored[_DIGEST_BYTES:]
        return content if hashlib.sha256(content).digest() == digest else None

    def save(self, name: str, content: bytes) -> None:
        """Save a result, in one step."""
        self.folder.mkdir(parents=True, exist_ok=True)
        draft = self.folder / f"{name}.part"
        draft.write_bytes(hashlib.sha256(content).digest() + content)
        draft.replace(self.folder / name)

    def clear(self) -> None:
        """Remove all results."""
        shutil.rmtree(self.folder, ignore_errors=True)


def name_shard(*parts: str) -> str:
    """Return the name of the result that is made from these parts."""
    return hashlib.sha256(join_prefixed(*parts)).hexdigest()


def shards_of(folder: Path) -> Shards:
    """Return the shards of the build of an index, beside its files until it is whole."""
    return Shards(folder / "shards")


def cut_batches(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    """Yield items in lists of a size; the last may be shorter."""
    batch: list[_Item] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
