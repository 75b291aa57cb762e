"""Read settings: defaults < TOML file < environment < flags; report every mistake at once."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

from deidstream.agents.setting_sections.setting_forms import FORMS
from deidstream.agents.settings import (
    AT_LEAST_ONCE,
    EXACTLY_ONCE,
    PREFIX,
    Setting,
    Settings,
    settings_table,
)
from deidstream.schemas.errors import InvalidSettings

_CHOICES = {
    "kafka.delivery": (EXACTLY_ONCE, AT_LEAST_ONCE),
    "model.dtype": ("fp32", "bf16", "auto"),
    "api.store": ("redis", "memory"),
    "env": ("dev", "prod"),
    "kafka.security": ("plaintext", "ssl", "sasl-plaintext", "sasl-ssl"),
    "kafka.sasl": ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", "GSSAPI"),
    "redis.mode": ("prf", "random"),
    "model.device": ("cpu", "cuda", "auto"),
    "worker.log_level": ("debug", "info", "warning", "error"),
}
_SECRET_URLS = frozenset({"export.postgres_url", "redis.url", "reverse.redis_url"})
_SECRETS = frozenset(
    {
        "api.tls_key_password",
        "api.token",
        "http.token",
        "kafka.password",
        "kafka.tls_key_password",
        "mllp.tls_key_password",
        "redis.tls_key_password",
        "reverse.tls_key_password",
    }
)


def read_settings(
    environment: Mapping[str, str], flags: Mapping[str, object] | None = None
) -> Settings:
    """Read settings from the file that ``DEIDSTREAM_CONFIG`` names, the environment and flags.

    Args:
        environment: Variables by name. ``X_FILE`` names a file that holds the value of ``X``.
        flags: Values by dotted key from the command line; ``None``: not given.

    Raises:
        InvalidSettings: Every unknown name and wrong value, one a line.
    """
    mistakes: list[str] = []
    known = {setting.key: setting for setting in settings_table()}
    given = _from_file(environment.get(f"{PREFIX}_CONFIG"), known, mistakes)
    given |= _from_environment(environment, known, mistakes)
    given |= {key: value for key, value in (flags or {}).items() if value is not None}
    values = {key: _check(known[key], value, mistakes) for key, value in given.items()}
    if mistakes:
        raise InvalidSettings("\n".join(sorted(mistakes)))
    return _build(values)


def _from_file(
    path: str | None, known: Mapping[str, Setting], mistakes: list[str]
) -> dict[str, object]:
    if not path:
        return {}
    try:
        table = tomllib.loads(Path(path).read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        mistakes.append(f"{PREFIX}_CONFIG: cannot be read: {type(error).__name__}")
        return {}
    flat = dict(_flatten(table))
    mistakes.extend(f"{path}: {key}: unknown setting" for key in flat if key not in known)
    return {key: value for key, value in flat.items() if key in known}


def _flatten(table: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            section = cast("Mapping[str, object]", value)
            yield from ((f"{key}.{name}", inner) for name, inner in section.items())
        else:
            yield key, value


def _from_environment(
    environment: Mapping[str, str], known: Mapping[str, Setting], mistakes: list[str]
) -> dict[str, object]:
    names = {setting.variable: key for key, setting in known.items()}
    found: dict[str, object] = {}
    for variable, value in environment.items():
        plain = variable.removesuffix("_FILE")
        if variable in names:
            found[names[variable]] = value
        elif plain in names and variable.endswith("_FILE"):
            if (secret := _read_secret(variable, value, mistakes)) is not None:
                found[names[plain]] = secret
        elif variable.startswith(f"{PREFIX}_") and variable != f"{PREFIX}_CONFIG":
            mistakes.append(f"{variable}: unknown setting")
    return found


def _read_secret(variable: str, path: str, mistakes: list[str]) -> str | None:
    try:
        return Path(path).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        mistakes.append(f"{variable}: cannot be read: {type(error).__name__}")
        return None


def _check(setting: Setting, value: object, mistakes: list[str]) -> object:
    kind = type(setting.default)
    try:
        typed = _convert(kind, value)
    except ValueError:
        mistakes.append(f"{setting.variable}: must be {_KIND[kind]}")
        return setting.default
    if setting.low is not None and cast("float", typed) < setting.low:
        mistakes.append(f"{setting.variable}: must be at least {setting.low:g}")
    form = FORMS.get(setting.key)
    if form and (wrong := form(str(typed))):
        mistakes.append(f"{setting.variable}: {wrong}")
    choices = _CHOICES.get(setting.key)
    if choices and typed not in choices:
        mistakes.append(f"{setting.variable}: must be one of {', '.join(choices)}")
    return typed


_KIND: Mapping[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
}
_TRUTH = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def _convert(kind: type, value: object) -> object:
    text = str(value).strip()
    if kind is bool:
        if text.lower() not in _TRUTH:
            raise ValueError
        return _TRUTH[text.lower()]
    return kind(text)


def _build(values: Mapping[str, object]) -> Settings:
    sections: dict[str, Any] = {}
    for item in fields(Settings):
        if "help" in item.metadata:
            sections[item.name] = values.get(item.name, item.default)
        else:
            own = {
                k.partition(".")[2]: v for k, v in values.items() if k.startswith(item.name + ".")
            }
            sections[item.name] = cast("type", item.type)(**own)
    return Settings(**sections)


def list_settings(settings: Settings) -> dict[str, object]:
    """Return every setting by its environment name, with passwords masked."""
    rows: dict[str, object] = {}
    for setting in settings_table():
        part: object = getattr(settings, setting.section) if setting.section else settings
        value: object = getattr(part, setting.name)
        rows[setting.variable] = _mask(setting.key, value)
    return rows


def _mask(key: str, value: object) -> object:
    if key in _SECRETS:
        return "***" if value else ""
    return _mask_password(str(value)) if key in _SECRET_URLS else value


def secrets_in_environment(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the variables that hold a secret themselves instead of the name of its file."""
    found = (
        setting.variable
        for setting in settings_table()
        if (value := environment.get(setting.variable))
        and (setting.key in _SECRETS or (setting.key in _SECRET_URLS and "@" in value))
    )
    return tuple(found)


def secret_files(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the files of secrets by the variables that name them."""
    secret = [s.variable for s in settings_table() if s.key in _SECRETS | _SECRET_URLS]
    named = (f"{variable}_FILE" for variable in secret)
    return {name: environment[name] for name in named if environment.get(name)}


def _mask_password(url: str) -> str:
    head, at, tail = url.rpartition("@")
    return f"{head.partition('//')[0]}//***@{tail}" if at else url
