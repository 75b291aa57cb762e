"""Settings: their sections, how they are read, and how they are shown."""

from deidstream.agents.settings.all_settings import (
    PREFIX,
    Settings,
    setting_names,
    settings_table,
)
from deidstream.agents.settings.api_settings import ApiSettings
from deidstream.agents.settings.http_settings import HttpSettings
from deidstream.agents.settings.kafka_settings import AT_LEAST_ONCE, EXACTLY_ONCE, KafkaSettings
from deidstream.agents.settings.key_settings import KeySettings
from deidstream.agents.settings.mllp_settings import MllpSettings
from deidstream.agents.settings.model_settings import ModelSettings
from deidstream.agents.settings.redis_settings import RANDOM, RedisSettings, ReversibleSettings
from deidstream.agents.settings.review_settings import ReviewSettings
from deidstream.agents.settings.settings_reader import (
    list_settings,
    read_settings,
    secret_files,
    secrets_in_environment,
)
from deidstream.agents.settings.tls_settings import TlsSettings
from deidstream.agents.settings.traces_settings import TracesSettings
from deidstream.agents.settings.worker_settings import WorkerSettings

__all__ = [
    "AT_LEAST_ONCE",
    "EXACTLY_ONCE",
    "PREFIX",
    "RANDOM",
    "ApiSettings",
    "HttpSettings",
    "KafkaSettings",
    "KeySettings",
    "MllpSettings",
    "ModelSettings",
    "RedisSettings",
    "ReversibleSettings",
    "ReviewSettings",
    "Settings",
    "TlsSettings",
    "TracesSettings",
    "WorkerSettings",
    "list_settings",
    "read_settings",
    "secret_files",
    "secrets_in_environment",
    "setting_names",
    "settings_table",
]
