"""Who may use the page: a file of users with their roles and scrypt hashes of their passwords."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import orjson

from deidstream.agents.runtime.private_files import write_private
from deidstream.schemas.errors import InvalidSettings, MissingArtefact

LEAST_PASSWORD = 10
"""Characters of the shortest password that is taken."""
LONGEST_PASSWORD = 1_000
LONGEST_USER_NAME = 64
_COST = {"n": 2**15, "r": 8, "p": 1}
"""Cost of scrypt: 32 MB and a tenth of a second for a try (RFC 7914; OWASP asks for as much)."""
_MEMORY = 64 * 2**20


class ReviewRole(StrEnum):
    """What a user may see."""

    REVIEWER = "reviewer"
    """Originals and outputs; edits, settings, downloads."""
    READER = "reader"
    """Outputs and their risk alone."""


@dataclass(frozen=True, slots=True)
class ReviewUser:
    """A user of the page."""

    name: str
    role: ReviewRole
    salt: str = field(default="", repr=False, compare=False)
    """Salt of the password, by which a visit ends when the password changes; empty without one."""
    subject: str = ""
    """The user's id at the OIDC issuer, where names may be chosen freely and are not unique."""


@dataclass(frozen=True, slots=True)
class UserRecord:
    """What the file holds of a user."""

    role: ReviewRole
    salt: str = field(repr=False)
    digest: str = field(repr=False)


@dataclass(slots=True)
class UserFile:
    """The file of users: mode 0600, replaced as a whole."""

    path: Path

    def check(self, name: str, password: str) -> ReviewUser | None:
        """Return the user whose name and password these are.

        An unknown name takes as long as a wrong password.

        Raises:
            MissingArtefact: The file cannot be read.
        """
        record = self.read().get(name, _NOBODY)
        given = _hash(password[:LONGEST_PASSWORD], bytes.fromhex(record.salt))
        same = hmac.compare_digest(given, bytes.fromhex(record.digest))
        if not same or record is _NOBODY:
            return None
        return ReviewUser(name, record.role, record.salt)

    def admits(self, user: ReviewUser) -> bool:
        """Return whether a user who has logged in still is one, in this role, by this password.

        Raises:
            MissingArtefact: The file cannot be read.
        """
        if user.subject:
            return True
        record = self.read().get(user.name)
        return record is not None and (record.role, record.salt) == (user.role, user.salt)

    def read(self) -> Mapping[str, UserRecord]:
        """Read the users by their names; an absent file has no users.

        Raises:
            MissingArtefact: The file cannot be read, or holds something else.
        """
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            msg = f"{self.path}: cannot be read: {type(error).__name__}"
            raise MissingArtefact(msg) from None
        try:
            rows = orjson.loads(content)
            return {
                name: UserRecord(ReviewRole(row["role"]), row["salt"], row["scrypt"])
                for name, row in rows.items()
            }
        except (AttributeError, KeyError, TypeError, ValueError):
            msg = f"{self.path}: is not a file of users ('deidstream review users add')"
            raise MissingArtefact(msg) from None

    def add(self, user: ReviewUser, password: str) -> None:
        """Add a user, or give one another password and role.

        Raises:
            InvalidSettings: The name or the password is too short or too long.
            MissingArtefact: The file cannot be written.
        """
        name = user.name
        if not name.strip() or not name.isprintable() or len(name) > LONGEST_USER_NAME:
            msg = f"the name of a user has 1 to {LONGEST_USER_NAME} printable characters"
            raise InvalidSettings(msg)
        if not LEAST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            msg = f"a password has {LEAST_PASSWORD} to {LONGEST_PASSWORD} characters"
            raise InvalidSettings(msg)
        salt = secrets.token_bytes(16)
        record = UserRecord(user.role, salt.hex(), _hash(password, salt).hex())
        self._write({**self.read(), name: record})

    def remove(self, name: str) -> bool:
        """Remove a user; return whether there was one.

        Raises:
            MissingArtefact: The file cannot be written.
        """
        users = dict(self.read())
        found = users.pop(name, None) is not None
        if found:
            self._write(users)
        return found

    def _write(self, users: Mapping[str, UserRecord]) -> None:
        rows = {
            name: {"role": one.role, "salt": one.salt, "scrypt": one.digest}
            for name, one in sorted(users.items())
        }
        write_private(self.path, orjson.dumps(rows, option=orjson.OPT_INDENT_2) + b"\n")


_NOBODY = UserRecord(ReviewRole.READER, "00" * 16, "00" * 32)


def _hash(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(
        password.encode(errors="replace"), salt=salt, maxmem=_MEMORY, dklen=32, **_COST
    )
