"""A real PostgreSQL on this machine: its own folder, loopback only, never as root."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from support.ports import LOOPBACK, free_port
from support.processes import Process, start, wait_ready

_BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
_SETTINGS = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=20")


def missing() -> str | None:
    """Say what keeps PostgreSQL from starting; ``None`` when nothing does."""
    return None if _BINARIES else "no PostgreSQL in /usr/lib/postgresql (run: make services)"


@dataclass(slots=True)
class Postgres:
    """One server with the database ``postgres`` and the superuser ``owner``."""

    home: Path
    port: int
    process: Process

    @property
    def url(self) -> str:
        """How its superuser connects."""
        return self.url_of("owner")

    def url_of(self, user: str) -> str:
        """How a user connects; no password is asked for."""
        return f"postgresql://{user}@{LOOPBACK}:{self.port}/postgres"


@contextmanager
def running_postgres(home: Path) -> Generator[Postgres]:
    """Run a fresh server in ``home``, an empty folder; what was started is stopped."""
    folder = _BINARIES[-1].parent
    data, port = home / "data", free_port()
    data.mkdir()
    prefix = _as_other_user(home, data)
    words = (*prefix, str(folder / "initdb"), "-D", str(data), "-U", "owner", "-A", "trust")
    subprocess.run(  # noqa: S603 - the tests' own command
        [*words, "-N", "--locale=C.UTF-8"], check=True, capture_output=True, timeout=60, cwd=home
    )
    options = [word for setting in _SETTINGS for word in ("-c", setting)]
    listen = ("-h", LOOPBACK, "-p", str(port), "-k", str(data))
    command = (*prefix, str(folder / "postgres"), "-D", str(data), *listen, *options)
    process = start(command, log=home / "postgres.log", cwd=home)
    ready = (str(folder / "pg_isready"), "-q", "-h", LOOPBACK, "-p", str(port))
    try:
        wait_ready(process, lambda: subprocess.run(ready, check=False).returncode == 0, seconds=30)  # noqa: S603
        yield Postgres(home, port, process)
    finally:
        process.stop()


def _as_other_user(home: Path, data: Path) -> tuple[str, ...]:
    """Return how a command is run, by somebody else where this user is root."""
    if os.geteuid() != 0:
        return ()
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    os.chown(data, user.pw_uid, user.pw_gid)
    # pytest's own folders are closed to others; they need only be passed through.
    for folder in (home, *home.parents):
        if folder.stat().st_uid == 0 and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o011)
    setpriv = shutil.which("setpriv") or "setpriv"
    return (setpriv, f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups")
