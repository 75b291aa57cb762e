"""All settings.

A setting is declared once, as a field of a section. The field is its name in TOML (``[kafka]
brokers``), in the environment (``DEIDSTREAM_KAFKA_BROKERS``) and in the manual.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Literal, get_args

from deidstream.agents.settings.api_settings import ApiSettings
from deidstream.agents.settings.export_settings import ExportSettings
from deidstream.agents.settings.http_settings import HttpSettings
from deidstream.agents.settings.kafka_settings import KafkaSettings
from deidstream.agents.settings.key_settings import KeySettings
from deidstream.agents.settings.mllp_settings import MllpSettings
from deidstream.agents.settings.model_settings import ModelSettings, TaggerSettings
from deidstream.agents.settings.redis_settings import RedisSettings, ReversibleSettings
from deidstream.agents.settings.review_settings import ReviewSettings
from deidstream.agents.settings.setting_declaration import Form, Mask, setting
from deidstream.agents.settings.traces_settings import TracesSettings
from deidstream.agents.settings.worker_settings import (
    BatchSettings,
    QuarantineSettings,
    WorkerSettings,
)

PREFIX = "DEIDSTREAM"


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a process, immutable."""

    env: Literal["dev", "prod"] = setting(
        "prod: unsafe settings are refused (docs/security/access.md)", "dev"
    )
    policy: str = setting("Shipped policy by name, or path of a policy file", "surrogate")
    policy_reload_seconds: float = setting(
        "How often a policy file and its lists are checked for changes; 0: never", 5.0, 0
    )
    policies_file: str = setting(
        "TOML file that maps tenants to policies; empty: one policy for all", ""
    )
    adaptation: str = setting(
        "Folder of deidstream adapt, whose policy and tagger are used; empty: none", ""
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
    traces: TracesSettings = field(default_factory=TracesSettings)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, as it is declared."""

    section: str
    name: str
    default: object
    choices: tuple[str, ...]
    """All its values; empty: others too."""
    help_text: str
    low: float | None
    form: Form | None
    mask: Mask | None

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
        if isinstance(item.type, type) and is_dataclass(item.type):
            yield from _list_fields(item.type, item.name)
        else:
            choices = get_args(item.type)
            yield Setting(section, item.name, item.default, choices, **item.metadata)


def setting_names() -> frozenset[str]:
    """Return the environment names of all settings, including their ``_FILE`` forms."""
    names = {each.variable for each in settings_table()}
    return frozenset(names | {f"{name}_FILE" for name in names} | {f"{PREFIX}_CONFIG"})
