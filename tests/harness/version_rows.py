"""Rows T1, V2 and V3: clocks that jump, keys that change, files that are damaged."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from deidstream.models.keyring import Keyring
from deidstream.stream.kafka.topics import OUTPUT_CONFIG
from harness.broker import configure_topic
from harness.fleet import Zygote
from harness.pages import page_fails
from harness.rows import Row
from harness.scene import Scene

RATE = 50.0
REFUSED = 78
FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
_NEW_KEY = bytes(range(32, 64))
_ROOT = Path(__file__).parents[2]
_JUMPS = ("+1h", "-1h", "+366d", "-366d", "+3d", "+0")


def _jump(scene: Scene) -> None:
    """Set the wall clock of a worker forwards and backwards; the same notes come again."""
    clock = scene.folder / "clock"
    clock.write_text("+0")
    faked = {
        "LD_PRELOAD": str(FAKETIME),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        # Otherwise every reading of the clock would read the file, which costs most of the time.
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }
    usual, scene.zygote = scene.zygote, Zygote(scene.folder / "zygote.log", faked)
    try:
        scene.zygote.wait_ready(300)
        _run_through_jumps(scene, clock)
    finally:
        for worker in scene.workers:
            scene.expects_end(worker)
            worker.stop()
        scene.zygote.stop()
        scene.zygote = usual


def _run_through_jumps(scene: Scene, clock: Path) -> None:
    worker = scene.start_worker(DEIDSTREAM_WORKER_STALL_SECONDS="5")
    notes = [scene.loader.maker.note() for _ in range(40)]
    scene.loader.send(notes)
    scene.loader.feed(RATE)
    for jump in _JUMPS:
        scene.wait_progress()
        scene.fault(f"clock {jump}")
        clock.write_text(jump)
        # The worker reads it within a second.
        scene.pause(1.5)
        scene.loader.send(notes)
        scene.healed(f"clock {jump}", 15)
        scene.recover(15)
    _refuse_outputs(scene, clock, f"{worker.address()}/livez")
    scene.settle()
    scene.expect("the worker lives through all jumps", worker.running)
    scene.fetch_pages()
    sums = [line for line in scene.pages.decode().splitlines() if "_seconds_sum" in line]
    negative = [line for line in sums if float(line.rsplit(" ", 1)[1]) < 0]
    scene.expect("no time is negative", bool(sums) and not negative, f"{len(sums)} sums")


def _refuse_outputs(scene: Scene, clock: Path, page: str) -> None:
    """Let the broker refuse every output though it answers: the worker must say that it stands."""
    scene.expect("/livez is well", scene.wait_for(lambda: not page_fails(page), 30))
    name = scene.topics()["anonymized"]
    configure_topic(scene.kafka, name, {"message.timestamp.type": "CreateTime"})
    scene.fault("clock +2h, and a topic that keeps the writer's time")
    clock.write_text("+2h")
    scene.expect("/livez fails", scene.wait_for(lambda: page_fails(page), 90))
    clock.write_text("+0")
    scene.healed("the clock is right", 30)
    scene.recover(30)
    scene.expect("/livez is well again", scene.wait_for(lambda: not page_fails(page), 30))
    configure_topic(scene.kafka, name, OUTPUT_CONFIG)


def _no_faketime() -> str | None:
    return None if FAKETIME.is_file() else "libfaketime is not installed"


def _rotate_key(scene: Scene) -> None:
    """Change the root key under load, with workers of both versions for a while."""
    new = scene.folder / "key-2"
    _write_key(new, _NEW_KEY.hex())
    scene.keyrings.append(Keyring(_NEW_KEY, 2, "default"))
    rotated = {
        "DEIDSTREAM_KEY_FILE": str(new),
        "DEIDSTREAM_KEY_VERSION": "2",
        "DEIDSTREAM_KEY_PREVIOUS": f"1={scene.folder / 'key'}",
    }
    scene.loader.feed(RATE)
    first = scene.start_worker()
    scene.wait_progress()
    scene.fault("a worker with another key joins")
    scene.start_worker(**rotated)
    scene.healed("a worker with another key joins", 30)
    scene.pause(6)
    scene.stop_worker(first)
    scene.healed("the last worker with the old key has ended", 30)
    scene.recover(30)
    scene.settle()
    _refuse_keys(scene)


def _refuse_keys(scene: Scene) -> None:
    short = scene.folder / "key-short"
    _write_key(short, "00" * 8)
    for what, path in (("missing", scene.folder / "no-key"), ("short", short)):
        worker = scene.start_worker(DEIDSTREAM_KEY_FILE=str(path))
        scene.expects_end(worker)
        ended = scene.wait_for(lambda: not worker.running, 30)  # noqa: B023 - called at once
        refused = ended and worker.code == REFUSED
        scene.expect(f"a {what} key is refused", refused, f"exit code {worker.code}")


def _write_key(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o600)


def _damage(scene: Scene) -> None:
    """Damage a byte of an index or of weights, 200 times each: nothing starts."""
    tests = _ROOT / "tests/contract/test_mutated_files.py"
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests))
    scene.fault("altered files")
    often = {**os.environ, "TEST_PROFILE": "nightly"}
    ran = subprocess.run(  # noqa: S603 - our own tests
        command, cwd=_ROOT, env=often, capture_output=True, text=True, check=False, timeout=1_800
    )
    last = ran.stdout.strip().splitlines()[-1] if ran.stdout.strip() else ""
    scene.expect("every altered file is refused", ran.returncode == 0, last)


def _no_pytest() -> str | None:
    tests = _ROOT / "tests/contract/test_mutated_files.py"
    return None if tests.is_file() and shutil.which(sys.executable) else "its tests are not here"


ROWS = (
    Row("T1", "wall clock jumps", _jump, missing=_no_faketime, long=True),
    Row("V2", "root key changed under load", _rotate_key),
    Row("V3", "damaged files of index and models", _damage, missing=_no_pytest, long=True),
)
