"""Rows R1 to R8: faults of Redis."""

from dataclasses import replace

import redis as client

from harness.canary_notes import CanaryNote
from harness.proxy import Proxy, Toxic
from harness.rows import Row
from harness.scene import Scene
from support.redis_sentinels import running_sentinels

RATE = 60.0
REFUSED = 78
_WAITING = 20
"""Notes that are sent when all surrogates are lost."""


def _kill_empty(scene: Scene) -> None:
    """Kill Redis and start it empty; surrogates follow from the key."""
    scene.loader.feed(RATE)
    scene.start_worker()
    for away in (scene.seconds(5, 2), scene.seconds(5, 2)):
        scene.wait_progress()
        scene.fault("kill -9 Redis; it comes back empty")
        scene.redis.kill9()
        scene.pause(away)
        scene.redis.start()
        scene.healed("Redis is back, empty", 30)
        scene.recover(30)
    scene.settle()


def _use_random(scene: Scene) -> None:
    state = scene.folder / "state"
    state.mkdir()
    scene.settings |= {"DEIDSTREAM_REDIS_MODE": "random", "DEIDSTREAM_REDIS_STATE": str(state)}
    scene.redis.restart()


def _kill_durable(scene: Scene) -> None:
    """Kill Redis in mode random: with its file it goes on; without, the worker must stop."""
    _use_random(scene)
    scene.loader.feed(RATE)
    worker = scene.start_worker()
    scene.wait_progress()
    scene.fault("kill -9 Redis; it comes back with its file")
    scene.redis.kill9()
    scene.pause(2)
    scene.redis.start()
    scene.healed("Redis is back, whole", 30)
    scene.recover(30)
    scene.settle()
    _lose_and_expect_stop(scene, worker.name, "FLUSHALL")


def _lose_and_expect_stop(scene: Scene, name: str, how: str) -> None:
    """Lose surrogates; every worker must stop, now and at its next start."""
    scene.restarts = False
    for worker in scene.workers:
        scene.expects_end(worker)
    with client.Redis.from_url(scene.redis.url) as redis:
        redis.flushall()
    scene.seen(f"{how}: all surrogates are lost")
    scene.loader.send_notes(_WAITING)
    worker = next(each for each in scene.workers if each.name == name)
    scene.expect("the worker stops", scene.wait_for(lambda: not worker.running, 60))
    scene.expect("it says why", worker.code == REFUSED, f"exit code {worker.code}")
    again = scene.start_worker()
    scene.expects_end(again)
    scene.expect("no worker starts", scene.wait_for(lambda: not again.running, 30))
    scene.expect("its exit code says why", again.code == REFUSED, f"exit code {again.code}")
    lag = scene.lag()
    scene.expect("nothing came out", lag == _WAITING, f"{lag} of {_WAITING} notes wait")
    # What waits is not lost: it is still in Kafka.
    waiting = scene.manifest.sent()[-_WAITING:]
    scene.deleted |= {(item.partition, item.offset) for item in waiting}


def _older_file(scene: Scene) -> None:
    """Start Redis from an older file in mode random: the worker must stop."""
    _use_random(scene)
    scene.loader.send_notes(scene.times(150))
    worker = scene.start_worker()
    scene.wait_for(lambda: scene.lag() == 0, 90)
    scene.stop_worker(worker)
    scene.redis.stop()
    files = sorted((scene.folder / "redis" / "appendonlydir").glob("*.incr.aof"))
    whole = files[-1].read_bytes()
    files[-1].write_bytes(whole[: len(whole) // 2])
    scene.fault("half of Redis' file is gone")
    scene.redis.options = ("--aof-load-truncated", "yes")
    scene.redis.start()
    scene.restarts = False
    again = scene.start_worker()
    scene.expects_end(again)
    scene.expect("no worker starts", scene.wait_for(lambda: not again.running, 40))
    scene.expect("its exit code says why", again.code == REFUSED, f"exit code {again.code}")


def _fill(scene: Scene) -> None:
    """Let Redis run out of memory: notes wait; and refuse one that evicts, in mode random."""
    scene.loader.feed(RATE)
    scene.start_worker()
    scene.wait_progress()
    with client.Redis.from_url(scene.redis.url) as redis:
        redis.config_set("maxmemory-policy", "noeviction")
        scene.fault("maxmemory 1 MB, noeviction")
        redis.config_set("maxmemory", "1mb")
        scene.pause(scene.seconds(6, 4))
        redis.config_set("maxmemory", "0")
        scene.healed("memory is free", 30)
        scene.recover(30)
    scene.settle()
    with client.Redis.from_url(scene.redis.url) as redis:
        redis.config_set("maxmemory", "100mb")
        redis.config_set("maxmemory-policy", "allkeys-lru")
        state = scene.folder / "state"
        state.mkdir()
        refused = scene.start_worker(
            DEIDSTREAM_REDIS_MODE="random",
            DEIDSTREAM_REDIS_STATE=str(state),
            DEIDSTREAM_KEY_EPOCH="2",
        )
        scene.expects_end(refused)
        ended = scene.wait_for(lambda: not refused.running, 30)
        scene.expect("allkeys-lru is refused in mode random", ended and refused.code == REFUSED)


def _hurt_redis(scene: Scene) -> None:
    """Hurt the connection between worker and Redis, and let Redis answer errors."""
    with Proxy(scene.redis.port) as proxy:
        scene.settings["DEIDSTREAM_REDIS_URL"] = f"redis://127.0.0.1:{proxy.port}/0"
        scene.loader.feed(RATE)
        scene.start_worker()
        for what, toxic in (
            ("2 s later", Toxic(latency=2.0)),
            ("half open", Toxic(silent=True)),
            ("no connection", Toxic(down=True)),
            ("-LOADING", Toxic(answer=b"-LOADING Redis is loading the dataset in memory\r\n")),
            ("-READONLY", Toxic(answer=b"-READONLY You can't write against a replica\r\n")),
            ("-MOVED", Toxic(answer=b"-MOVED 3999 127.0.0.1:1\r\n")),
        ):
            scene.wait_progress()
            scene.fault(f"Redis: {what}")
            proxy.hurt(toxic)
            proxy.reset()
            scene.pause(scene.seconds(6, 4))
            proxy.heal()
            proxy.reset()
            scene.healed(f"Redis healed: {what}", 30)
            scene.recover(30)
        scene.settle()
        scene.expect("the worker's traffic went through the proxy", proxy.bytes_passed > 10_000)


def _fail_over(scene: Scene) -> None:
    """Kill the primary of a service that Sentinels watch, twice, in mode prf."""
    _kill_primaries(scene)


def _fail_over_random(scene: Scene) -> None:
    """The same in mode random: no surrogate may be drawn twice."""
    _use_random(scene)
    scene.settings["DEIDSTREAM_REDIS_REPLICAS"] = "1"
    _kill_primaries(scene)


def _kill_primaries(scene: Scene) -> None:
    home = scene.folder / "redis" / "service"
    home.mkdir()
    with running_sentinels(home, appendonly=True) as service:
        scene.settings["DEIDSTREAM_REDIS_URL"] = service.url
        scene.loader.feed(RATE)
        scene.start_worker()
        scene.start_worker()
        for _ in range(2):
            scene.wait_progress()
            scene.fault("kill -9 the primary of Redis")
            killed = service.fail_over()
            scene.healed("another server is the primary", 30)
            scene.recover(30)
            service.return_as_replica(killed)
        scene.settle()
        with client.Redis.from_url(service.primary().url) as primary:
            kept = primary.dbsize()
        scene.expect(
            "the last primary has the surrogates", kept > scene.patients / 2, f"{kept} keys"
        )


def _race(scene: Scene) -> None:
    """Let two workers meet the same new identities at once, in mode random."""
    _use_random(scene)
    workers = [scene.start_worker(), scene.start_worker()]
    scene.wait_for(lambda: all(b"deid_info" in scene.log.encode() for _ in workers), 3)
    scene.pause(6)
    maker = scene.loader.maker
    maker.patients = scene.times(400)
    for _ in range(4):
        notes = [maker.note(patient=number) for number in range(maker.patients)]
        # The same patient in several partitions, so that both workers meet it.
        keyed = [_keyed(note, f"{n % 2}-{n}") for n, note in enumerate(notes)]
        scene.loader.send(keyed)
    scene.loader.flush()
    scene.fault("two workers meet the same identities")
    scene.healed("two workers meet the same identities", 60)
    scene.recover(60)
    scene.settle()
    taken = [worker.name for worker in workers if worker.running]
    scene.expect("both workers live", len(taken) == 2, ", ".join(taken))


def _keyed(note: CanaryNote, key: str) -> CanaryNote:
    return replace(note, key=key.encode())


ROWS = (
    Row("R1", "kill -9 Redis, empty afterwards (prf)", _kill_empty),
    Row("R2", "Redis killed, then emptied (random)", _kill_durable, durable_redis=True, exits=1),
    Row("R3", "Redis from an older file (random)", _older_file, durable_redis=True),
    Row("R4", "Redis out of memory; evicting Redis", _fill),
    Row("R5", "Redis slow, half open, answering errors", _hurt_redis, long=True),
    Row("R6", "two workers race for new identities", _race, durable_redis=True),
    Row("R7", "Sentinels fail over, twice (prf)", _fail_over),
    Row("R8", "Sentinels fail over, twice (random)", _fail_over_random, durable_redis=True),
)
