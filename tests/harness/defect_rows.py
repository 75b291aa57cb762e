"""Rows that must fail: each runs with one planted defect, and its invariant must be named."""

import signal
from collections.abc import Callable

from harness.kafka_rows import ROWS as KAFKA_ROWS
from harness.orders import DEFECT
from harness.redis_rows import ROWS as REDIS_ROWS
from harness.rows import Row
from harness.scene import Scene
from harness.worker_rows import ROWS as WORKER_ROWS

_BY_NAME = {row.name: row for row in (*WORKER_ROWS, *KAFKA_ROWS, *REDIS_ROWS)}


def _flow(scene: Scene) -> None:
    """Let notes flow without any fault."""
    scene.loader.send_notes(400)
    scene.start_worker()
    scene.settle()


def _outstay_session(scene: Scene) -> None:
    """Stop the only worker past its session, so that it must join again."""
    scene.loader.feed(30)
    worker = scene.start_worker()
    scene.wait_progress()
    scene.fault(f"SIGSTOP {worker.name}")
    worker.send(signal.SIGSTOP)
    scene.pause(8)
    worker.send(signal.SIGCONT)
    scene.healed(f"SIGCONT {worker.name}", 20)
    scene.recover(20)
    scene.settle(20)


def _drop_redis(scene: Scene) -> None:
    """Let Redis away for a while, in mode random."""
    state = scene.folder / "state"
    state.mkdir()
    scene.settings |= {
        "DEIDSTREAM_REDIS_MODE": "random",
        "DEIDSTREAM_REDIS_STATE": str(state),
        "DEIDSTREAM_REDIS_CHECK_SECONDS": "0",
    }
    scene.redis.restart()
    scene.loader.feed(30)
    scene.start_worker()
    scene.wait_progress()
    scene.fault("Redis is away")
    scene.redis.stop()
    scene.pause(8)
    scene.redis.start()
    scene.healed("Redis is back", 30)
    scene.pause(5)
    scene.settle()


def _with(
    name: str, defect: str, act: Callable[[Scene], None], invariant: str, *, repeats: bool = False
) -> Row:
    def act_with_defect(scene: Scene) -> None:
        scene.settings[DEFECT] = defect
        act(scene)

    durable = defect == "redis-error-ignored"
    title = f"{invariant}: {defect}"
    return Row(name, title, act_with_defect, durable_redis=durable, repeats=repeats, exits=99)


ROWS: tuple[Row, ...] = (
    _with("X1", "commit-before-producing", _BY_NAME["W1"].act, "I1 no loss"),
    _with("X2", "commit-outside-transaction", _BY_NAME["W1"].act, "I2 no committed duplicate"),
    _with("X3", "clock-in-output", _BY_NAME["K7"].act, "I2 no differing duplicate", repeats=True),
    _with("X4", "text-in-log", _flow, "I3 no canary in any sink"),
    _with("X5", "redis-error-ignored", _drop_redis, "I4 consistency"),
    _with("X6", "order-turned", _flow, "I5 order per key"),
    _with("X7", "risk-record-dropped", _flow, "I6 risk pairing"),
    _with("X8", "everything-kept", _flow, "I7 bounded memory"),
    _with("X9", "never-rejoins", _outstay_session, "I8 recovers in time"),
)
