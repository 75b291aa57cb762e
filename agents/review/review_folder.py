"""The folder of the review page: users, the audit log, saved policies, and sealed work lists."""

import re
from dataclasses import dataclass
from pathlib import Path

from deidstream.agents.review.policy_draft import PolicyDraft
from deidstream.agents.runtime.private_files import make_private, write_private
from deidstream.models.policy.shipped import list_policies
from deidstream.schemas.errors import InvalidPolicy

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class ReviewFolder:
    """The files that outlive the process."""

    path: Path

    @property
    def users(self) -> Path:
        """The file of users."""
        return self.path / "users.json"

    @property
    def trail(self) -> Path:
        """The audit log."""
        return self.path / "audit.log"

    @property
    def lists(self) -> Path:
        """The folder of saved work lists."""
        return self.path / "lists"

    def make(self) -> None:
        """Create the folder, for its owner alone.

        Raises:
            MissingArtefact: It cannot be created.
        """
        make_private(self.path, "policies")

    def list_saved(self) -> list[str]:
        """Return the names of saved policies, sorted."""
        return sorted(path.stem for path in (self.path / "policies").glob("*.toml"))

    def find(self, name: str) -> Path | None:
        """Return the file of a saved policy."""
        path = self.path / "policies" / f"{name}.toml"
        return path if _NAME.fullmatch(name) and path.is_file() else None

    def check_name(self, name: str) -> None:
        """Check that a policy may be saved under a name.

        Raises:
            InvalidPolicy: The name is not one for a policy.
        """
        if not _NAME.fullmatch(name):
            msg = "a name has small letters, digits, - and _, and begins with a letter or digit"
            raise InvalidPolicy(msg)
        if name in list_policies():
            msg = "a shipped policy has this name"
            raise InvalidPolicy(msg)

    def save(self, name: str, source: bytes) -> None:
        """Save a policy; one of that name is replaced.

        Raises:
            InvalidPolicy: The name is not one for a policy.
            MissingArtefact: It cannot be written.
        """
        self.check_name(name)
        write_private(self.path / "policies" / f"{name}.toml", source)

    def draft(self, name: str) -> PolicyDraft:
        """Read a shipped or saved policy as a draft.

        Raises:
            InvalidPolicy: There is no policy of that name, or it is wrong.
        """
        return PolicyDraft.read(name, self.find(name))
