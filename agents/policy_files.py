"""Find the policy that the settings name, and read it with its lists."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from deidstream.models.policy.reader import read, read_shipped, shipped
from deidstream.models.policy.term_lists import list_paths, policy_digest
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.policy import Policy

MOST_BYTES = 16 * 1024 * 1024
"""Size of the largest file that is read as a policy or a list."""


def find_policy(name: str) -> Policy:
    """Read a shipped policy by name, or a policy file by path.

    Raises:
        InvalidPolicy: There is no such policy, or it or one of its lists is wrong.
    """
    path = policy_path(name)
    return read_shipped(name) if path is None else PolicyFiles.gather(path).policy()


def policy_path(name: str) -> Path | None:
    """Return the path of a policy file; nothing for a shipped policy, which never changes."""
    return None if name in shipped() else Path(name)


@dataclass(frozen=True, slots=True)
class PolicyFiles:
    """A policy file and its lists, as they were when they were read."""

    path: Path
    source: bytes | str = field(repr=False)
    """Content of the policy file; a text says why it cannot be read."""
    lists: Mapping[str, bytes | str] = field(repr=False)
    """The same of each list, by its path as the policy names it."""

    @classmethod
    def gather(cls, path: Path) -> Self:
        """Read a policy file and its lists; ``policy`` reports what cannot be read.

        The files are read one after another: a file that is being written may be read in part.
        """
        source = content(path)
        named = list_paths(source) if isinstance(source, bytes) else ()
        return cls(path, source, {name: content(path.parent / name) for name in named})

    @property
    def digest(self) -> str:
        """Digest of the contents; that of the policy if the file can be read."""
        if isinstance(self.source, str):
            return self.source
        return policy_digest(self.source, self.lists)

    def policy(self) -> Policy:
        """Read the policy.

        Raises:
            InvalidPolicy: It or one of its lists is wrong or cannot be read.
        """
        if isinstance(self.source, str):
            known = ", ".join(shipped())
            msg = f"{self.path}: {self.source}; the shipped policies are {known}"
            raise InvalidPolicy(msg)
        return read(self.source, name=self.path.stem, file=self.path.name, lists=self.lists)


def content(path: Path) -> bytes | str:
    """Read a file; a text says why it cannot be read."""
    try:
        if not path.is_file():
            return _no_file(path)
        if path.stat().st_size > MOST_BYTES:
            return f"the file has more than {MOST_BYTES} bytes"
        return path.read_bytes()
    except (OSError, ValueError) as error:
        return f"the file cannot be read ({type(error).__name__})"


def _no_file(path: Path) -> str:
    if path.is_dir():
        return "it is a folder, not a file"
    return "it is no regular file" if path.exists() else "there is no such file"
