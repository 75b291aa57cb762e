"""Read settings: defaults < TOML file < environment < flags; report every mistake at once."""

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from deidstream.agents.settings.adaptation import apply_adaptation
from deidstream.agents.settings.all_settings import PREFIX, Setting, Settings, settings_table
from deidstream.models.policy.toml_lines import suggest
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.system_faults import say_why


def read_settings(
    environment: Mapping[str, str], flags: Mapping[str, object] | None = None
) -> Settings:
    """Read settings from the file that ``DEIDSTREAM_CONFIG`` names, the environment and flags.

    The policy and the tagger of an adaptation in force take the places of those that are set.

    Args:
        environment: Variables by name. ``X_FILE`` names a file that holds the value of ``X``.
        flags: Values by dotted key from the command line; ``None``: not given.

    Raises:
        InvalidSettings: Every unknown name and wrong value, one a line, or what is wrong with the
            adaptation.
    """
    mistakes: list[str] = []
    known = {setting.key: setting for setting in settings_table()}
    given = _from_file(environment.get(f"{PREFIX}_CONFIG"), known, mistakes)
    given |= _from_environment(environment, known, mistakes)
    given |= {key: value for key, value in (flags or {}).items() if value is not None}
    values = {key: _check(known[key], value, mistakes) for key, value in given.items()}
    if mistakes:
        raise InvalidSettings("\n".join(sorted(mistakes)))
    return apply_adaptation(_build(values), flags or {})


def _from_file(
    path: str | None, known: Mapping[str, Setting], mistakes: list[str]
) -> dict[str, object]:
    if not path:
        return {}
    try:
        table = tomllib.loads(Path(path).read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        mistakes.append(f"{PREFIX}_CONFIG: cannot be read: {say_why(error)}")
        return {}
    flat = dict(_flatten(table))
    mistakes.extend(
        f"{path}: {key}: unknown setting{suggest(key, known)}" for key in flat if key not in known
    )
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
    keys = {setting.variable: key for key, setting in known.items()}
    found: dict[str, object] = {}
    for variable, value in environment.items():
        plain = variable.removesuffix("_FILE")
        if variable in keys:
            found[keys[variable]] = value
        elif plain in keys:
            try:
                found[keys[plain]] = Path(value).read_text()
            except (OSError, UnicodeDecodeError) as error:
                mistakes.append(f"{variable}: cannot be read: {say_why(error)}")
        elif variable.startswith(f"{PREFIX}_") and variable != f"{PREFIX}_CONFIG":
            mistakes.append(f"{variable}: unknown setting{suggest(variable, keys)}")
    return found


def _check(setting: Setting, value: object, mistakes: list[str]) -> object:
    kind = type(setting.default)
    try:
        typed = _convert(kind, value)
    except ValueError:
        mistakes.append(f"{setting.variable}: must be {_KIND[kind]}")
        return setting.default
    if setting.choices and typed not in setting.choices:
        mistakes.append(f"{setting.variable}: must be one of {', '.join(setting.choices)}")
    if setting.low is not None and cast("float", typed) < setting.low:
        mistakes.append(f"{setting.variable}: must be at least {setting.low:g}")
    if setting.form and (wrong := setting.form(str(typed))):
        mistakes.append(f"{setting.variable}: {wrong}")
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
    sections: dict[str, dict[str, Any]] = defaultdict(dict)
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        sections[section][name] = value
    whole = Settings(**sections.pop("", {}))
    given = {name: replace(getattr(whole, name), **own) for name, own in sections.items()}
    return replace(whole, **given)


def list_settings(settings: Settings) -> dict[str, object]:
    """Return every setting by its environment name, with passwords masked."""
    rows: dict[str, object] = {}
    for setting in settings_table():
        part: object = getattr(settings, setting.section) if setting.section else settings
        value: object = getattr(part, setting.name)
        rows[setting.variable] = setting.mask(str(value)) if setting.mask else value
    return rows


def secrets_in_environment(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the variables that hold a secret themselves instead of the name of its file."""
    found: list[str] = []
    for setting in settings_table():
        value = environment.get(setting.variable, "")
        if setting.mask and setting.mask(value) != value:
            found.append(setting.variable)
    return tuple(found)


def secret_files(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the files of secrets by the variables that name them."""
    named = (f"{setting.variable}_FILE" for setting in settings_table() if setting.mask)
    return {name: environment[name] for name in named if environment.get(name)}
