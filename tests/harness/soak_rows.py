"""Rows S1 and S2: a long run with faults at random, and more load than can be done."""

import os
import statistics
import time
from collections.abc import Sequence

from harness.fleet import StubWorker
from harness.proxy import Toxic
from harness.rows import Row
from harness.samples import Sample
from harness.scene import Scene

MINUTES = "SOAK_MINUTES"
_SHARE = 0.7
"""Of the measured maximum, during the long run."""
_MOST_SLOPE = 1.0
"""Percent an hour by which memory may grow in a long run."""
_MOST_GROWN = 5.0
"""Percent by which it may in a short one, which cannot tell a slope from an allocator's steps."""
_TOLERANCE = 0.2
_WARM_SECONDS = 30.0


def soak_seconds() -> float:
    """Return how long the long run lasts."""
    return 60 * float(os.environ.get(MINUTES) or 30)


def _measure_most(scene: Scene, seconds: float) -> float:
    """Return how many notes a second the workers that run can do, from a queue that never ends."""
    scene.loader.most_lag = 10**9
    scene.loader.send_notes(200)
    scene.wait_progress()
    scene.loader.feed(600)
    scene.pause(5)
    begin, before = time.monotonic(), scene.committed()
    scene.pause(seconds)
    rate = (scene.committed() - before) / (time.monotonic() - begin)
    scene.loader.stop()
    scene.wait_for(lambda: scene.lag() == 0, 600)
    scene.seen(f"at most {rate:.0f} notes a second")
    return max(rate, 1.0)


def _soak(scene: Scene) -> None:
    """Run at 70 % of the maximum; kill a worker, Redis, and the network at random."""
    scene.settings["DEIDSTREAM_KAFKA_BROKERS"] = f"127.0.0.1:{scene.broker.proxy.port}"
    elder, victim = scene.start_worker(), scene.start_worker()
    scene.pause(5)
    most = _measure_most(scene, 20)
    scene.loader.feed(_SHARE * most)
    begin = time.monotonic()
    until = begin + soak_seconds()
    while time.monotonic() < until:
        scene.pause(8, 25)
        victim = _hurt(scene, victim)
        scene.recover(30)
    scene.settle()
    _judge_growth(scene, elder, begin)


def _hurt(scene: Scene, victim: StubWorker) -> StubWorker:
    """Cause one fault by chance, and return the worker to be killed next."""
    kind = scene.chance.choice(("kill", "network", "redis"))
    if kind == "kill":
        scene.kill(victim)
        return scene.start_worker()
    if kind == "network":
        proxy = scene.broker.proxy
        scene.fault("network: no connection")
        proxy.hurt(Toxic(down=True))
        scene.pause(2, 4)
        proxy.heal()
        scene.healed("network healed", 30)
        return victim
    scene.fault("kill -9 Redis; it comes back empty")
    scene.redis.kill9()
    scene.pause(1, 3)
    scene.redis.start()
    scene.healed("Redis is back, empty", 30)
    return victim


def _judge_growth(scene: Scene, elder: StubWorker, begin: float) -> None:
    """Judge what the worker that lived through everything holds."""
    warm = min(_WARM_SECONDS, soak_seconds() / 4)
    samples = [s for s in scene.sampler.samples if s.at > begin + warm and elder.name in s.usage]
    scene.expect("the oldest worker lives", elder.running and len(samples) > 10)
    if len(samples) <= 10:
        return
    slope = slope_percent(samples, elder.name)
    hours = (samples[-1].at - samples[0].at) / 3600
    grown = slope * hours
    held = slope <= _MOST_SLOPE or grown <= _MOST_GROWN
    scene.expect("memory is flat", held, f"{slope:.2f} %/h, {grown:.2f} % in the run")
    for what in ("files", "threads"):
        early, late = _halves([getattr(s.usage[elder.name], what) for s in samples])
        scene.expect(f"{what} are flat", late <= early * 1.1 + 2, f"{early:.0f}, then {late:.0f}")


def slope_percent(samples: Sequence[Sample], name: str) -> float:
    """Return by how many percent an hour a worker's memory grows."""
    hours = [sample.at / 3600 for sample in samples]
    sizes = [sample.usage[name].megabytes for sample in samples]
    return 100 * statistics.linear_regression(hours, sizes).slope / sizes[0]


def _halves(values: Sequence[float]) -> tuple[float, float]:
    middle = len(values) // 2
    return statistics.median(values[:middle]), statistics.median(values[middle:])


def _overload(scene: Scene) -> None:
    """Send three times what can be done, then half; the lag must go as computed."""
    worker = scene.start_worker()
    most = _measure_most(scene, 20)
    scene.fault(f"{3 * most:.0f} notes a second")
    begin = time.monotonic()
    scene.loader.feed(3 * most)
    scene.pause(soak_seconds() / 6)
    usages = [s.usage for s in scene.sampler.samples if s.at > begin]
    held = [usage[worker.name].megabytes for usage in usages if worker.name in usage]
    scene.loader.rate = most / 2
    lag, turned = scene.lag() or 0, time.monotonic()
    before = scene.committed()
    scene.healed("half of what can be done", 30)
    wanted = lag / (most - most / 2)
    drained = scene.wait_for(lambda: (scene.lag() or 0) <= most, wanted * 3 + 60)
    taken = time.monotonic() - turned
    real = (scene.committed() - before) / taken
    detail = f"lag {lag}, computed {wanted:.0f} s, taken {taken:.0f} s at {real:.0f} notes/s"
    scene.expect("the lag returns to zero", drained, detail)
    scene.expect("in the computed time", taken <= wanted * (1 + _TOLERANCE) + 5, detail)
    first, last = _halves(held)
    scene.expect(
        "memory is flat under overload", last <= first * 1.1, f"{first:.0f}, then {last:.0f} MB"
    )
    scene.settle()


ROWS = (
    Row("S1", "a long run at 70 % with faults at random", _soak),
    Row("S2", "three times the load that can be done", _overload),
)
