"""Rows K1 to K13: faults of the broker, of the network to it, and of what it stores."""

import shutil
import signal
import time

from confluent_kafka import ConsumerGroupTopicPartitions, TopicPartition
from confluent_kafka.cimpl import NewPartitions

from harness.broker import configure_topic
from harness.history import read_places
from harness.proxy import Toxic
from harness.rows import Row
from harness.scene import Scene

RATE = 60.0


def _kill_broker(scene: Scene) -> None:
    """Kill the broker and start it again, after a short and after a longer while."""
    scene.loader.feed(RATE)
    scene.start_worker()
    for away in (5.0, scene.seconds(20, 8)):
        scene.wait_progress()
        scene.fault(f"kill -9 the broker for {away:.0f} s")
        scene.kafka.kill9()
        scene.pause(away)
        scene.kafka.start()
        scene.healed("the broker is back", 30)
        scene.recover(30)
    scene.settle()


def _freeze_broker(scene: Scene) -> None:
    """Stop the broker's process for a while: its connections stay, and nothing answers."""
    scene.loader.feed(RATE)
    scene.start_worker()
    scene.wait_progress()
    assert scene.kafka.process is not None
    scene.fault("SIGSTOP the broker")
    scene.kafka.process.send(signal.SIGSTOP)
    scene.pause(scene.seconds(40, 10))
    scene.kafka.process.send(signal.SIGCONT)
    scene.healed("the broker goes on", 30)
    scene.recover(30)
    scene.settle()


TOXICS = (
    ("no connection", Toxic(down=True)),
    ("everything is held", Toxic(silent=True)),
    ("nothing comes back", Toxic(silent=True, upstream=False)),
    ("slices of 64 bytes", Toxic(slice_bytes=64)),
    ("300 ms ± 200 ms later", Toxic(latency=0.3, jitter=0.2)),
    ("32 KB a second", Toxic(bytes_per_second=32 * 1024)),
)


def _hurt_network(scene: Scene) -> None:
    """Hurt the connection between worker and broker in each way, and heal it."""
    proxy = scene.broker.proxy
    scene.settings["DEIDSTREAM_KAFKA_BROKERS"] = f"127.0.0.1:{proxy.port}"
    scene.loader.feed(RATE / 2)
    scene.start_worker()
    for what, toxic in TOXICS:
        scene.wait_progress()
        scene.fault(f"network: {what}")
        proxy.hurt(toxic)
        scene.pause(scene.seconds(8, 4))
        proxy.heal()
        scene.healed(f"network healed: {what}", 30)
        scene.recover(30)
    for _ in range(scene.times(3)):
        scene.wait_progress()
        scene.fault("network: reset")
        proxy.reset()
        scene.healed("network: reset is over", 30)
    scene.recover(30)
    scene.expect("the worker's traffic went through the proxy", proxy.bytes_passed > 10_000)
    scene.settle()


def _storm(scene: Scene) -> None:
    """Add and remove a worker every three seconds."""
    scene.loader.feed(RATE)
    scene.start_worker()
    scene.wait_progress()
    until = time.monotonic() + scene.seconds(60, 15)
    turns = 0
    while time.monotonic() < until:
        before = scene.committed()
        guest = scene.start_worker()
        scene.fault(f"{guest.name} joins")
        scene.pause(3)
        if turns % 2:
            scene.kill(guest, 30)
        else:
            scene.stop_worker(guest, 25)
            scene.healed(f"{guest.name} has left", 30)
        scene.pause(1.0, 3.0)
        turns += 1
        if turns % 4 == 0:
            scene.expect("notes come out during the storm", scene.committed() >= before)
    scene.recover(30)
    scene.settle()


def _replay(scene: Scene) -> None:
    """Read everything again: the second outputs are the same bytes."""
    scene.loader.send_notes(scene.times(300))
    worker = scene.start_worker()
    scene.wait_for(lambda: scene.lag() == 0, 120)
    scene.stop_worker(worker)
    admin = scene.kafka.admin()
    raw = scene.topics()["raw"]
    places = [TopicPartition(raw, number, 0) for number in range(4)]
    moved = admin.alter_consumer_group_offsets([ConsumerGroupTopicPartitions(scene.group, places)])
    for future in moved.values():
        future.result(30)
    scene.fault("offsets set to the beginning")
    scene.healed("offsets set to the beginning", 30)
    scene.start_worker(DEIDSTREAM_BATCH_TOKENS="900")
    scene.recover(30)
    scene.settle()


def _delete_unread(scene: Scene) -> None:
    """Delete messages that nobody has read, as retention does."""
    scene.loader.send_notes(scene.times(200))
    worker = scene.start_worker()
    scene.wait_for(lambda: scene.lag() == 0, 120)
    scene.stop_worker(worker)
    already = {(item.partition, item.offset) for item in scene.manifest.sent()}
    scene.loader.send_notes(scene.times(400))
    raw, limits = scene.topics()["raw"], dict.fromkeys(range(4), 0)
    waiting = [s for s in scene.manifest.sent() if (s.partition, s.offset) not in already]
    for number in limits:
        ours = sorted(item.offset for item in waiting if item.partition == number)
        limits[number] = ours[len(ours) // 2] if ours else 0
    wanted = [TopicPartition(raw, number, limit) for number, limit in limits.items() if limit]
    admin = scene.kafka.admin()
    for deleted in admin.delete_records(wanted).values():
        deleted.result(30)
    gone = {(w.partition, w.offset) for w in waiting if w.offset < limits[w.partition]}
    scene.deleted |= gone
    scene.fault(f"retention deletes {len(gone)} unread messages")
    last = scene.start_worker()
    scene.healed("the rest can be read", 30)
    scene.recover(30)
    scene.settle()
    scene.fetch_pages()
    counted = _counted(scene, "deid_lost_to_retention_total")
    scene.expect("the gap is counted exactly", counted == len(gone), f"{counted} of {len(gone)}")
    scene.expect("the gap is logged", "retention" in last.said())


def _counted(scene: Scene, prefix: str) -> int:
    lines = [line for line in scene.pages.decode().splitlines() if line.startswith(prefix)]
    totals = [line for line in lines if "_created" not in line]
    return int(sum(float(line.rsplit(" ", 1)[1]) for line in totals))


def _add_partitions(scene: Scene) -> None:
    """Add partitions while notes flow; the new ones are read too."""
    scene.loader.feed(RATE)
    scene.start_worker()
    scene.wait_progress()
    scene.fault("8 partitions instead of 4")
    wanted = [NewPartitions(scene.topics()["raw"], 8)]
    admin = scene.kafka.admin()
    for made in admin.create_partitions(wanted).values():
        made.result(30)
    scene.healed("partitions are there", 60)
    scene.pause(scene.seconds(15, 10))
    scene.recover(60)
    scene.settle()
    used = {item.partition for item in scene.manifest.sent()}
    scene.expect("new partitions were used", max(used) > 3, f"{len(used)} partitions")


def _compact(scene: Scene) -> None:
    """Let the broker compact the raw topic: what is left, with gaps between, comes out."""
    raw = scene.topics()["raw"]
    compacted = {
        "cleanup.policy": "compact",
        "segment.ms": "100",
        "min.cleanable.dirty.ratio": "0.001",
        "max.compaction.lag.ms": "100",
    }
    configure_topic(scene.kafka, raw, compacted)
    scene.fault("the raw topic is compacted")
    for _ in range(4):
        scene.loader.send_notes(scene.times(150))
        scene.pause(1)
    everything = {(item.partition, item.offset) for item in scene.manifest.sent()}
    address = scene.kafka.direct
    cleaned = scene.wait_for(lambda: len(read_places(address, raw)) < len(everything), 60)
    scene.expect("messages are gone", cleaned)
    configure_topic(scene.kafka, raw, {"cleanup.policy": "delete"})
    # A cleaning that has begun goes on.
    scene.pause(5)
    scene.deleted |= everything - read_places(address, raw)
    scene.seen(f"{len(scene.deleted)} of {len(everything)} messages are gone")
    scene.healed("the rest can be read", 30)
    worker = scene.start_worker()
    scene.recover(30)
    scene.loader.feed(RATE)
    scene.wait_progress()
    scene.kill(worker)
    scene.start_worker()
    scene.recover(30)
    scene.settle()


def _kill_leaders(scene: Scene) -> None:
    """Kill each of three brokers in turn; the other two lead its partitions meanwhile."""
    scene.loader.feed(RATE)
    scene.start_worker()
    scene.start_worker()
    for node in scene.kafka.all():
        scene.wait_progress()
        scene.fault("kill -9 one of three brokers")
        node.kill9()
        scene.healed("the others lead", 30)
        scene.recover(30)
        node.start()
        scene.expect("all copies are in step again", scene.wait_for(lambda: _in_step(scene, 3), 60))
    scene.settle()


def _keep_one_copy(scene: Scene) -> None:
    """Leave topics with one copy in step where two are asked for: notes wait, none is lost."""
    for name in scene.topics().values():
        configure_topic(scene.kafka, name, {"min.insync.replicas": "3"})
    scene.loader.feed(RATE)
    scene.start_worker()
    scene.wait_progress()
    *_, last = scene.kafka.all()
    scene.fault("a copy is missing, and all three are asked for")
    last.kill9()
    scene.pause(scene.seconds(10, 6))
    waiting = scene.committed()
    scene.pause(3)
    scene.expect("notes wait", scene.committed() == waiting, f"{scene.committed()}, {waiting}")
    last.start()
    scene.healed("all copies are there", 60)
    scene.recover(60)
    scene.settle()


def _lose_broker(scene: Scene) -> None:
    """Lose a broker with its disk for good, while the worker knows it best."""
    scene.loader.feed(RATE)
    scene.start_worker()
    scene.wait_progress()
    first, *_ = scene.kafka.all()
    scene.fault("a broker is gone for good")
    first.kill9()
    shutil.rmtree(first.home / "log")
    scene.healed("the others lead", 30)
    scene.recover(30)
    scene.start_worker()
    scene.wait_progress()
    scene.settle()


def _in_step(scene: Scene, copies: int) -> bool:
    names = scene.topics().values()
    topics = scene.kafka.admin().list_topics(timeout=5.0).topics
    return all(len(p.isrs) == copies for name in names for p in topics[name].partitions.values())


ROWS = (
    Row("K1", "kill -9 the broker", _kill_broker, long=True),
    Row("K2", "SIGSTOP the broker: a grey failure", _freeze_broker),
    Row("K4", "network between worker and broker", _hurt_network, long=True),
    Row("K5", "storm of rebalances", _storm, long=True),
    Row("K6", "partitions added", _add_partitions),
    Row("K7", "offsets reset: everything is read again", _replay, repeats=True),
    Row("K8", "retention deletes unread messages", _delete_unread),
    Row("K10", "a compacted raw topic, with gaps", _compact),
    Row("K11", "three brokers, killed in turn", _kill_leaders, brokers=3, long=True),
    Row("K12", "three brokers, a copy too few", _keep_one_copy, brokers=3),
    Row("K13", "three brokers, one gone for good", _lose_broker, brokers=3),
)
