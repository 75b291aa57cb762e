"""Let several tools take turns on the same notes, each a process that stays ready between them."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any, Self, TypeVar

from environment import PEERS, Unavailable, interpreter
from exchange import ABSENT, Found
from measure import Entrant, last_line, surroundings

T = TypeVar("T")
ANSWER = Path(__file__).parent / "answer.py"


@dataclass(frozen=True, slots=True)
class Turn:
    """What one tool found in a few notes, and the time it took."""

    spans: Sequence[Sequence[Found]] = field(repr=False)
    seconds: float
    cpu_seconds: float
    memory_mb: float


@dataclass(slots=True)
class Contestant:
    """A running process of one tool."""

    entrant: Entrant
    process: subprocess.Popen[str]
    errors: IO[str]
    what: str = ""
    """Version, model and settings, for a reader."""

    @classmethod
    def start(cls, entrant: Entrant, environments: Path) -> Self:
        """Start a tool; it loads while others are started.

        Args:
            entrant: The tool and its settings.
            environments: Folder of the virtual environments of those that have one of their own.

        Raises:
            Unavailable: Its environment cannot be made.
        """
        peer = PEERS.get(entrant.tool)
        python = str(interpreter(peer, environments)) if peer else sys.executable
        errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed with the process
        process = subprocess.Popen(  # noqa: S603 - the commands of this benchmark
            [python, "-W", "ignore", str(ANSWER), entrant.tool],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=surroundings(entrant),
        )
        return cls(entrant, process, errors)

    def wait_ready(self) -> None:
        """Wait until it is loaded.

        Raises:
            Unavailable: It cannot run here.
        """
        self.what = str(self._read()["what"])

    def take_turn(self, texts: Sequence[str]) -> Turn:
        """Return what it finds in texts.

        Raises:
            Unavailable: It failed.
        """
        assert self.process.stdin is not None  # noqa: S101 - a pipe was asked for
        try:
            self.process.stdin.write(json.dumps(texts) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        return Turn(**self._read())

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()
        self.errors.close()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None  # noqa: S101 - a pipe was asked for
        line = self.process.stdout.readline()
        if line:
            read: dict[str, Any] = json.loads(line)
            return read
        code = self.process.wait()
        self.errors.seek(0)
        failed = "" if code == ABSENT else f"failed ({code}): "
        raise Unavailable(failed + last_line(self.errors.read()))


@dataclass(slots=True)
class Contest:
    """Contestants that take turns, and what became of each."""

    ready: list[Contestant]
    absent: dict[str, str]
    """By name, why one does not take part."""
    turns: dict[str, list[Turn]] = field(default_factory=dict[str, list[Turn]])
    """By name, the turns of all rounds in their order."""

    @classmethod
    def open(cls, entrants: Sequence[Entrant], environments: Path) -> Self:
        """Start and load every entrant."""
        contest = cls([], {})
        for entrant in entrants:
            try:
                contest.ready.append(Contestant.start(entrant, environments))
            except Unavailable as reason:
                contest.absent[entrant.name] = str(reason)
        for contestant in list(contest.ready):
            contest._unless_absent(contestant, contestant.wait_ready)
        return contest

    def warm_up(self, texts: Sequence[str]) -> None:
        """Let each answer once, which is not counted."""
        for contestant in list(self.ready):
            self._unless_absent(contestant, partial(contestant.take_turn, texts))

    def run_round(self, texts: Sequence[str], size: int, first: int) -> None:
        """Give all texts to each, ``size`` at a turn.

        The contestant at ``first`` begins; in the next turn the one behind it does.
        """
        for start in range(0, len(texts), size):
            order = list(self.ready)
            begins = (first + start // size) % max(1, len(order))
            for contestant in [*order[begins:], *order[:begins]]:
                turn = partial(contestant.take_turn, texts[start : start + size])
                taken = self._unless_absent(contestant, turn)
                if taken is not None:
                    self.turns.setdefault(contestant.entrant.name, []).append(taken)

    def close(self) -> None:
        """End every process."""
        for contestant in self.ready:
            contestant.close()

    def _unless_absent(self, contestant: Contestant, act: Callable[[], T]) -> T | None:
        try:
            return act()
        except Unavailable as reason:
            self.ready.remove(contestant)
            self.turns.pop(contestant.entrant.name, None)
            self.absent[contestant.entrant.name] = str(reason)
            contestant.close()
            return None
