"""The moves that a note makes between the rooms of ``models``, stage by stage.

    python benchmarks/note_walk.py ROOT

Runs one sample note through the command line of the checkout at ROOT and prints, as JSON, the calls
that leave one room for another: stage by stage caller and callee, each pair once, however often the
call is made. A *room* is an entry at the root of ``models``, as in ``code_graph``. A *move* is a
pair of rooms with at least one such call. A call through code outside ``models`` counts as made by
its nearest caller in ``models``. That the interpreter hashes or compares a record is no call:
nobody writes it or follows it.

By this count the walk of 9751bc7, where ``models`` was mostly flat, has 71 moves.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

STAGES = {
    "detect": "detect",
    "plan": "plan",
    "allocate": "allocate",
    "take_answers": "allocate",
    "substitute": "substitute",
    "verify": "verify",
    # What the two were called in 9751bc7.
    "settle": "allocate",
    "hear": "allocate",
}
"""Methods of ``Pipeline``, and the stage that each is part of."""

NOTE = {
    "schema": 1,
    "note_id": "n-1",
    "patient_id": "p-1",
    "text": (
        "Patient: Rosalind Achterberg-Nwosu, MRN: 4471-0982. DOB: 02/19/1956, aged 67.\n"
        "Dr. Babatunde Oyelaran saw Mrs. Achterberg-Nwosu on 3 March 2023 and on 8/3 in Boston.\n"
        "She is a retired piano tuner of 12 Orchard Street, Larkmoor, OH 43420; (419) 555-0137.\n"
    ),
}
PLUGINS = frozenset({"operators", "recognizers"})
"""Rooms of what a policy names. A call into one counts; what it does inside is not followed."""

_UNWRITTEN = frozenset({"__hash__", "__eq__", "__lt__"})

Calls = dict[str, set[tuple[str, str]]]
"""For each stage, callers and callees, such as ``verify:leaks`` and ``text.search:occurrences``."""


class Walk:
    """Watches the stages of a pipeline and keeps the calls between rooms."""

    def __init__(self, root: Path) -> None:
        self.models = f"{root}/models/"
        self.calls: Calls = {stage: set() for stage in STAGES.values()}
        self._named: dict[CodeType, tuple[str, str]] = {}

    def watch(self, pipeline: type) -> None:
        """Wrap the methods of ``pipeline``, a class, that are stages."""
        for method, stage in STAGES.items():
            if hasattr(pipeline, method):
                setattr(pipeline, method, self._watched(getattr(pipeline, method), stage))

    def _watched(self, method: Callable[P, T], stage: str) -> Callable[P, T]:
        @wraps(method)
        def watched(*args: P.args, **named: P.kwargs) -> T:
            sys.setprofile(partial(self._seen, self.calls[stage]))
            try:
                return method(*args, **named)
            finally:
                sys.setprofile(None)

        return watched

    def _seen(self, calls: set[tuple[str, str]], frame: FrameType, event: str, _: object) -> None:
        if event != "call" or frame.f_code.co_name in _UNWRITTEN:
            return
        room, callee = self._place(frame.f_code)
        if not room:
            return
        callers = self._callers(frame)
        if callers and callers[0][0] != room and not any(room in PLUGINS for room, _ in callers):
            calls.add((callers[0][1], callee))

    def _callers(self, frame: FrameType) -> list[tuple[str, str]]:
        """Return the functions of ``models`` that a call comes through, the nearest first."""
        found: list[tuple[str, str]] = []
        above = frame.f_back
        while above is not None:
            place = self._place(above.f_code)
            if place[0]:
                found.append(place)
            above = above.f_back
        return found

    def _place(self, code: CodeType) -> tuple[str, str]:
        """Return the room of a function and its name; the room is empty outside ``models``."""
        if code not in self._named:
            file = os.path.realpath(code.co_filename)
            inside = file.startswith(self.models)
            below = file.removeprefix(self.models).removesuffix(".py")
            function = code.co_qualname.partition(".<locals>")[0]
            room = below.partition("/")[0] if inside else ""
            self._named[code] = (room, f"{below.replace('/', '.')}:{function}")
        return self._named[code]


def moves(calls: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the pairs of rooms between which calls were made."""
    return {(_room(caller), _room(callee)) for caller, callee in calls}


def walk(root: Path) -> Calls:
    """Run the sample note through the checkout that is imported as ``deidstream``."""
    watched = Walk(root.resolve())
    watched.watch(import_module("deidstream.models.pipeline").Pipeline)
    script: str = tomllib.loads((root / "pyproject.toml").read_text())["project"]["scripts"][
        "deidstream"
    ]
    module, _, function = script.partition(":")
    main = getattr(import_module(module), function)
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder, "notes.jsonl")
        notes.write_text(json.dumps(NOTE) + "\n")
        key = Path(folder, "key")
        key.write_text(hashlib.sha256(b"a key for one walk").hexdigest())
        key.chmod(0o600)
        os.environ["DEIDSTREAM_KEY_FILE"] = str(key)
        os.environ["DEIDSTREAM_REDIS_STATE"] = folder
        sys.argv = ["deidstream", "deidentify", str(notes), "--out", f"{folder}/out.jsonl"]
        if main():
            sys.exit("the note has not come through")
    return watched.calls


def walk_apart(root: Path) -> Calls:
    """Run ``walk`` in a process of its own, which imports the checkout at ``root``."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "deidstream").symlink_to(root.resolve())
        ended = subprocess.run(  # noqa: S603
            [sys.executable, __file__, str(root)],
            env=os.environ | {"PYTHONPATH": folder},
            check=True,
            capture_output=True,
            text=True,
        )
    found: dict[str, list[tuple[str, str]]] = json.loads(ended.stdout.splitlines()[-1])
    return {stage: {(caller, callee) for caller, callee in calls} for stage, calls in found.items()}


def _room(function: str) -> str:
    return function.partition(":")[0].partition(".")[0]


if __name__ == "__main__":
    found = walk(Path(sys.argv[1]))
    print(json.dumps({stage: sorted(calls) for stage, calls in found.items()}))
