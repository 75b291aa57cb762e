"""Reads a policy from TOML and reports every mistake at once."""

import hashlib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeVar, cast

from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import (
    DatePolicy,
    KneoPolicy,
    OperatorName,
    Policy,
    RecognizerName,
    RedAction,
    RedactStyle,
    RiskPolicy,
    Technique,
)

# Whole bounds ask for a whole number.
_DATES: "Bounds" = {"max_shift_days": (1, 3650)}
_KNEO: "Bounds" = {
    "neighbours": (1, 100),
    "max_cosine": (0.0, 1.0),
    "max_jaccard": (0.0, 1.0),
    "min_words": (1, 50),
}
_RISK: "Bounds" = {
    "similarity": (-1.0, 1.0),
    "yellow": (0.0, 1.0),
    "red": (0.0, 1.0),
    "window_words": (1, 50),
}
_SECTIONS = ("operators", "dates", "kneo", "risk", "thresholds", "deny")
_TOP = ("technique", "recognizers", "redact_style", "age_cap", "allow")

Table = Mapping[str, object]
Bounds = Mapping[str, tuple[float, float]]
E = TypeVar("E", bound=StrEnum)
V = TypeVar("V")


def shipped() -> tuple[str, ...]:
    """Names of the policies that come with deidstream."""
    found = files("deidstream.models").joinpath("policies").iterdir()
    return tuple(sorted(path.name.removesuffix(".toml") for path in found))


def read_shipped(name: str) -> Policy:
    """Read one of the shipped policies.

    Raises:
        InvalidPolicy: There is none of that name.
    """
    if name not in shipped():
        msg = f"policy: there is no policy {name!r}; there are {', '.join(shipped())}"
        raise InvalidPolicy(msg)
    path = files("deidstream.models").joinpath("policies", f"{name}.toml")
    return read(path.read_bytes(), name=name)


def read(source: bytes, *, name: str) -> Policy:
    """Read a policy.

    Args:
        source: The TOML file as it is; its SHA-256 is the policy's digest.
        name: What outputs call it, and the head of every mistake.

    Raises:
        InvalidPolicy: Every unknown key and wrong value, one a line.
    """
    try:
        table = tomllib.loads(source.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        msg = f"{name}: not TOML: {error}"
        raise InvalidPolicy(msg) from None
    reader = _Reader()
    policy = reader.policy(table, name, hashlib.sha256(source).hexdigest())
    if reader.mistakes:
        raise InvalidPolicy("\n".join(f"{name}: {mistake}" for mistake in reader.mistakes))
    return policy


@dataclass(frozen=True, slots=True)
class _Reader:
    mistakes: list[str] = field(default_factory=list[str])

    def policy(self, table: Table, name: str, digest: str) -> Policy:
        self._unknown(table, (*_TOP, *_SECTIONS), "")
        technique = self._enum(table, "technique", Technique, Technique.SURROGATE, required=True)
        risk = self._section(table, "risk")
        return Policy(
            name=name,
            technique=technique,
            recognizers=self._recognizers(table.get("recognizers")),
            operators=self._operators(self._section(table, "operators"), technique),
            redact_style=self._enum(table, "redact_style", RedactStyle, RedactStyle.LABEL),
            age_cap=int(self._number(table, "", "age_cap", (1, 150)) or 89),
            dates=DatePolicy(**self._numbers(self._section(table, "dates"), "dates", _DATES)),
            kneo=KneoPolicy(**self._numbers(self._section(table, "kneo"), "kneo", _KNEO)),
            risk=RiskPolicy(
                **self._numbers(risk, "risk", _RISK, ("on_red",)),
                on_red=self._enum(_dotted(risk, "risk"), "risk.on_red", RedAction, RedAction.EMIT),
            ),
            thresholds=self._by_label(table, "thresholds", self._threshold),
            allow=self._terms(table.get("allow", []), "allow"),
            deny=self._by_label(table, "deny", self._terms),
            sha256=digest,
        )

    def _unknown(self, table: Table, names: tuple[str, ...], section: str) -> None:
        self.mistakes.extend(f"{section}{key}: unknown key" for key in table if key not in names)

    def _section(self, table: Table, name: str) -> Table:
        value = table.get(name, {})
        if isinstance(value, dict):
            return cast("Table", value)
        self.mistakes.append(f"{name}: must be a table")
        return {}

    def _enum(
        self, table: Table, key: str, kind: type[E], default: E, *, required: bool = False
    ) -> E:
        if key not in table:
            if required:
                self.mistakes.append(f"{key}: is required")
            return default
        if table[key] in list(kind):
            return kind(str(table[key]))
        self.mistakes.append(f"{key}: must be one of {', '.join(kind)}")
        return default

    def _recognizers(self, value: object) -> frozenset[RecognizerName]:
        names = self._terms([] if value is None else value, "recognizers")
        unknown = [name for name in names if name not in list(RecognizerName)]
        if unknown or not names:
            self.mistakes.append(f"recognizers: must be some of {', '.join(RecognizerName)}")
        return frozenset(RecognizerName(name) for name in names if name not in unknown)

    def _operators(self, table: Table, technique: Technique) -> Mapping[PhiLabel, OperatorName]:
        chosen = {label: _default_operator(label, technique) for label in PhiLabel}
        for key in table:
            label = self._label(key, "operators")
            dotted = f"operators.{key}"
            operator = self._enum({dotted: table[key]}, dotted, OperatorName, OperatorName.REDACT)
            if label is not None:
                chosen[label] = operator
                self._suits(label, operator)
        return MappingProxyType(chosen)

    def _suits(self, label: PhiLabel, operator: OperatorName) -> None:
        if operator is OperatorName.SHIFT and label is not PhiLabel.DATE:
            self.mistakes.append(f"operators.{label}: only DATE can be shifted")
        if operator is OperatorName.GENERALISE and label is not PhiLabel.AGE:
            self.mistakes.append(f"operators.{label}: only AGE can be generalised")

    def _label(self, key: str, section: str) -> PhiLabel | None:
        if key in list(PhiLabel):
            return PhiLabel(key)
        self.mistakes.append(f"{section}.{key}: is no PHI label")
        return None

    def _by_label(
        self, table: Table, section: str, read_value: Callable[[object, str], V]
    ) -> Mapping[PhiLabel, V]:
        found = self._section(table, section)
        labels = {key: self._label(key, section) for key in found}
        pairs = {
            label: read_value(found[key], f"{section}.{key}")
            for key, label in labels.items()
            if label is not None
        }
        return MappingProxyType(pairs)

    def _threshold(self, value: object, key: str) -> float:
        return self._number({key: value}, "", key, (0, 1)) or 0.0

    def _terms(self, value: object, key: str) -> tuple[str, ...]:
        items = cast("list[object]", value) if isinstance(value, list) else [None]
        strings = tuple(item for item in items if isinstance(item, str) and item.strip())
        if len(strings) < len(items):
            self.mistakes.append(f"{key}: must be a list of strings")
        return strings

    def _numbers(
        self, table: Table, section: str, bounds: Bounds, others: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        self._unknown(table, (*bounds, *others), section + ".")
        read_all = {key: self._number(table, section + ".", key, bounds[key]) for key in bounds}
        return {key: number for key, number in read_all.items() if number is not None}

    def _number(
        self, table: Table, section: str, key: str, bounds: tuple[float, float]
    ) -> float | None:
        if key not in table:
            return None
        value = table[key]
        kind = int if isinstance(bounds[0], int) else int | float
        if isinstance(value, kind) and not isinstance(value, bool):
            number = cast("float", value)
            if bounds[0] <= number <= bounds[1]:
                return number
        whole = "whole " if kind is int else ""
        limits = f"from {bounds[0]} to {bounds[1]}"
        self.mistakes.append(f"{section}{key}: must be a {whole}number {limits}")
        return None


def _dotted(table: Table, section: str) -> Table:
    return {f"{section}.{key}": value for key, value in table.items()}


def _default_operator(label: PhiLabel, technique: Technique) -> OperatorName:
    if technique is Technique.REDACT:
        return OperatorName.REDACT
    return OperatorName.SHIFT if label is PhiLabel.DATE else OperatorName.SURROGATE
