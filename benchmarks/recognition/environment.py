"""Create the virtual environment of a peer, with its pinned packages only."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
MADE_FROM = ".pins"


class Unavailable(Exception):
    """A peer cannot be installed or run here."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Somebody else's tool; ``NAME.txt`` pins it, ``run_NAME.py`` runs it."""

    name: str
    python: str = "3.11"

    @property
    def pins(self) -> Path:
        return HERE / f"{self.name}.txt"


PEERS = {name: Peer(name) for name in ("presidio", "philter", "pydeid")}


def interpreter(peer: Peer, environments: Path) -> Path:
    """Return the Python of a peer's environment, rebuilt when its pins have changed.

    Raises:
        Unavailable: It cannot be made.
    """
    folder = environments.resolve() / peer.name
    python = folder / "bin" / "python"
    base = choose_base(peer)
    stamp, pins = folder / MADE_FROM, f"{base} {sha256(peer.pins.read_bytes()).hexdigest()}"
    if stamp.exists() and stamp.read_text() == pins:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    uv("venv", "--quiet", "--python", base, str(folder))
    uv("pip", "install", "--quiet", "--no-deps", "--python", str(python), "-r", str(peer.pins))
    stamp.write_text(pins)
    return python


def choose_base(peer: Peer) -> str:
    """Return the interpreter that runs this project, if its version is the peer's, or that version.

    How an interpreter was built decides how fast a tool in Python is.
    """
    own = Path(sys.base_prefix, "bin", f"python{peer.python}")
    return str(own) if own.exists() else peer.python


def uv(*arguments: str) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    binary = shutil.which("uv", path=path)
    if binary is None:
        msg = "uv is not installed"
        raise Unavailable(msg)
    ended = subprocess.run([binary, *arguments], capture_output=True, text=True, check=False)  # noqa: S603
    if ended.returncode:
        msg = f"uv {arguments[0]}: {(ended.stderr.strip().splitlines() or ['failed'])[0]}"
        raise Unavailable(msg)
