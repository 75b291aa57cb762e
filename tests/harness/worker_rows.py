"""Rows W1 to W5: faults of workers."""

import signal
from pathlib import Path

from deidstream.schemas.errors import Reason
from harness.orders import MARK, PASS, POINT, POINTS
from harness.rows import Row
from harness.scene import Scene

RATE = 120.0


def _kill_one(scene: Scene) -> None:
    """Kill the only worker, again and again."""
    scene.loader.feed(RATE)
    worker = scene.start_worker()
    for _ in range(scene.times(15)):
        scene.wait_progress()
        scene.pause(0.1, 1.5)
        scene.kill(worker)
        worker = scene.start_worker()
    scene.recover(20)
    scene.settle()


def _kill_in_rotation(scene: Scene) -> None:
    """Kill each of three workers in turn, as Kafka Streams' own tests do."""
    scene.loader.feed(RATE)
    workers = [scene.start_worker() for _ in range(3)]
    for turn in range(scene.times(10)):
        scene.wait_progress()
        scene.pause(0.5, 2.0)
        scene.kill(workers[turn % 3], 30)
        workers[turn % 3] = scene.start_worker()
    scene.recover(30)
    scene.settle()


def _kill_at_points(scene: Scene) -> None:
    """Kill the worker after decoding, after detection, after Redis, after Kafka, at the commit."""
    scene.loader.feed(RATE / 2)
    marks = scene.folder / "marks"
    for turn in range(scene.times(5)):
        for point in POINTS:
            worker = scene.start_worker(
                **{
                    POINT: point,
                    PASS: str(scene.chance.randint(1, 6) + turn),
                    MARK: str(marks),
                }
            )
            scene.expects_end(worker)
            if not scene.wait_for(lambda: not worker.running, 60):  # noqa: B023 - called at once
                scene.expect(f"{point} is passed", held=False)
                worker.kill9()
            scene.fault(f"killed {point}")
            scene.healed(f"killed {point}", 30)
            scene.kills += 1
    scene.start_worker()
    scene.recover(20)
    scene.settle()
    _count_points(scene, marks)


def _kill_at_least_once(scene: Scene) -> None:
    """Kill the only worker again and again where outputs may come twice."""
    scene.settings["DEIDSTREAM_KAFKA_DELIVERY"] = "at-least-once"
    _kill_one(scene)


def _count_points(scene: Scene, marks: Path) -> None:
    hit = marks.read_text().split() if marks.exists() else []
    for point in POINTS:
        wanted = scene.times(5)
        scene.expect(f"killed {point}", hit.count(point) >= wanted, f"{hit.count(point)} times")


def _terminate(scene: Scene) -> None:
    """Ask the worker to end under load."""
    scene.loader.feed(RATE)
    for _ in range(scene.times(3)):
        worker = scene.start_worker()
        scene.wait_progress()
        scene.pause(0.1, 1.0)
        scene.stop_worker(worker, 25)
        scene.healed("ended in order", 20)
    scene.start_worker()
    scene.recover(20)
    scene.settle()


def _stop_past_session(scene: Scene) -> None:
    """Stop a worker past its session, let another take over, and let the first go on."""
    scene.loader.feed(RATE)
    zombie = scene.start_worker()
    scene.wait_progress()
    scene.start_worker()
    scene.pause(4)
    for _ in range(scene.times(2)):
        scene.fault(f"SIGSTOP {zombie.name}")
        zombie.send(signal.SIGSTOP)
        scene.pause(scene.seconds(20, 8))
        scene.healed("its successor works", 30)
        zombie.send(signal.SIGCONT)
        scene.seen(f"SIGCONT {zombie.name}")
        scene.recover(20)
    scene.expect("the zombie lives on or was fenced", zombie.running or zombie.code != 0)
    scene.settle()


ROWS = (
    Row("W1", "kill -9 the only worker", _kill_one, long=True),
    Row("W2", "kill -9 three workers in rotation", _kill_in_rotation),
    # A note that is alone in work at three kills is taken for their cause (ADR 27).
    Row(
        "W3",
        "kill -9 at named points",
        _kill_at_points,
        tolerated=frozenset({Reason.PROCESS_KILLED}),
        long=True,
    ),
    Row("W4", "SIGTERM under load", _terminate),
    Row("W5", "SIGSTOP past the session: a zombie", _stop_past_session, exits=4, long=True),
    Row(
        "A1", "kill -9 the only worker, at-least-once", _kill_at_least_once, repeats=True, long=True
    ),
)
