"""Reads single values of a policy's TOML and notes what is wrong with them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeVar, cast

from deidstream.models.policy.term_lists import Mistake
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy_limits import Bounds

Table = Mapping[str, object]
E = TypeVar("E", bound=StrEnum)
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Values:
    """Reads values; each that is wrong becomes a mistake and gives way to a default."""

    mistakes: list[Mistake] = field(default_factory=list[Mistake])

    def wrong(self, key: str, said: str) -> None:
        """Note a mistake under a dotted key."""
        self.mistakes.append(Mistake(key, said))

    def unknown(self, table: Table, names: tuple[str, ...], section: str) -> None:
        """Note every key of ``table`` that is none of ``names``; ``section`` ends with a dot."""
        for key in table:
            if key not in names:
                self.wrong(section + key, "unknown key")

    def section(self, table: Table, name: str) -> Table:
        """Read a table within a table; empty where there is none."""
        value = table.get(name, {})
        if isinstance(value, dict):
            return cast("Table", value)
        self.wrong(name, "must be a table")
        return {}

    def enum(
        self, table: Table, key: str, kind: type[E], default: E, *, required: bool = False
    ) -> E:
        """Read one word of a few."""
        if key not in table:
            if required:
                self.wrong(key, "is required")
            return default
        if table[key] in list(kind):
            return kind(str(table[key]))
        self.wrong(key, f"must be one of {', '.join(kind)}")
        return default

    def enums(self, value: object, key: str, kind: type[E]) -> frozenset[E]:
        """Read some words of a few, at least one."""
        names = self.strings([] if value is None else value, key)
        unknown = [name for name in names if name not in list(kind)]
        if unknown or not names:
            self.wrong(key, f"must be some of {', '.join(kind)}")
        elif len(set(names)) < len(names):
            self.wrong(key, "names one of them twice")
        return frozenset(kind(name) for name in names if name not in unknown)

    def label(self, key: str, section: str) -> PhiLabel | None:
        """Read a PHI label that is a key."""
        if key in list(PhiLabel):
            return PhiLabel(key)
        self.wrong(f"{section}.{key}", "is no PHI label")
        return None

    def by_label(
        self, table: Table, section: str, read_value: Callable[[object, str], V]
    ) -> Mapping[PhiLabel, V]:
        """Read a section whose keys are labels; ``read_value`` has the value and its dotted key."""
        found = self.section(table, section)
        labels = {key: self.label(key, section) for key in found}
        pairs = {
            label: read_value(found[key], f"{section}.{key}")
            for key, label in labels.items()
            if label is not None
        }
        return MappingProxyType(pairs)

    def strings(self, value: object, key: str) -> tuple[str, ...]:
        """Read a list of strings, none of them blank."""
        items = cast("list[object]", value) if isinstance(value, list) else [None]
        strings = tuple(item for item in items if isinstance(item, str))
        filled = tuple(item for item in strings if item.strip())
        if len(strings) < len(items):
            self.wrong(key, "must be a list of strings")
        if len(filled) < len(strings):
            self.wrong(key, "has an empty item")
        return filled

    def numbers(
        self, table: Table, section: str, bounds: Bounds, others: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """Read the numbers of a section that are there; its keys are these and ``others``."""
        self.unknown(table, (*bounds, *others), section + ".")
        found = [key for key in bounds if key in table]
        read = {key: self.number(table[key], f"{section}.{key}", bounds[key]) for key in found}
        return {key: number for key, number in read.items() if number is not None}

    def number(self, value: object, key: str, bounds: tuple[float, float]) -> float | None:
        """Read a number within bounds; whole bounds ask for a whole number."""
        kind = int if isinstance(bounds[0], int) else int | float
        if isinstance(value, kind) and not isinstance(value, bool):
            number = cast("float", value)
            if bounds[0] <= number <= bounds[1]:
                return number
        whole = "whole " if kind is int else ""
        self.wrong(key, f"must be a {whole}number from {bounds[0]} to {bounds[1]}")
        return None
