"""Reads a policy from TOML and reports every mistake at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeVar, cast

from deidstream.models.policy_lines import Lines, parse
from deidstream.models.policy_lists import (
    Listed,
    Lists,
    Mistake,
    contradictions,
    fault,
    policy_digest,
    read_list,
)
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import (
    Combine,
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
_SECTIONS = ("operators", "dates", "kneo", "risk", "thresholds", "deny", "dictionaries")
_TOP = ("technique", "recognizers", "combine", "redact_style", "age_cap", "allow", "allow_files")
_NO_LISTS: Lists = MappingProxyType({})

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


def read(source: bytes, *, name: str, file: str = "", lists: Lists = _NO_LISTS) -> Policy:
    """Read a policy.

    Args:
        source: The TOML file as it is.
        name: What outputs call it.
        file: Where mistakes are said to be; ``name`` and ``.toml`` when not given.
        lists: What the lists hold that the file names (``policy_lists.list_paths``).

    Returns:
        The policy; its digest covers the file and its lists (``policy_lists.policy_digest``).

    Raises:
        InvalidPolicy: Every unknown key and wrong value, one a line, each with file and line.
            Values are not quoted.
    """
    file = file or f"{name}.toml"
    table = parse(source, file)
    reader = _Reader(lists)
    policy = reader.policy(table, name, policy_digest(source, lists))
    if reader.mistakes:
        lines = Lines.of(source.decode())
        told = (
            f"{m.place or lines.place(file, m.key)}: {m.key}: {m.said}" for m in reader.mistakes
        )
        raise InvalidPolicy("\n".join(told))
    return policy


@dataclass(frozen=True, slots=True)
class _Reader:
    lists: Lists
    mistakes: list[Mistake] = field(default_factory=list[Mistake])

    def policy(self, table: Table, name: str, digest: str) -> Policy:
        self._unknown(table, (*_TOP, *_SECTIONS), "")
        technique = self._enum(table, "technique", Technique, Technique.SURROGATE, required=True)
        recognizers = self._recognizers(table.get("recognizers"))
        allow, deny = self._allow(table), self._deny(table, recognizers)
        self.mistakes.extend(contradictions(allow, deny))
        return Policy(
            name=name,
            technique=technique,
            recognizers=recognizers,
            operators=self._operators(self._section(table, "operators"), technique),
            combine=self._enum(table, "combine", Combine, Combine.UNION),
            redact_style=self._enum(table, "redact_style", RedactStyle, RedactStyle.LABEL),
            age_cap=int(self._number(table, "", "age_cap", (1, 150)) or 89),
            dates=DatePolicy(**self._numbers(self._section(table, "dates"), "dates", _DATES)),
            kneo=KneoPolicy(**self._numbers(self._section(table, "kneo"), "kneo", _KNEO)),
            risk=self._risk(self._section(table, "risk")),
            thresholds=self._by_label(table, "thresholds", self._threshold),
            allow=_terms_of(allow),
            deny=MappingProxyType({label: _terms_of(terms) for label, terms in deny.items()}),
            sha256=digest,
        )

    def _wrong(self, key: str, said: str) -> None:
        self.mistakes.append(Mistake(key, said))

    def _risk(self, table: Table) -> RiskPolicy:
        return RiskPolicy(
            **self._numbers(table, "risk", _RISK, ("on_red",)),
            on_red=self._enum(_dotted(table, "risk"), "risk.on_red", RedAction, RedAction.EMIT),
        )

    def _allow(self, table: Table) -> tuple[Listed, ...]:
        written = self._terms(table.get("allow", []), "allow")
        return (*written, *self._listed(table.get("allow_files", []), "allow_files"))

    def _deny(
        self, table: Table, recognizers: frozenset[RecognizerName]
    ) -> Mapping[PhiLabel, tuple[Listed, ...]]:
        written = self._by_label(table, "deny", self._terms)
        listed = self._by_label(table, "dictionaries", self._listed)
        for key, terms in (("deny", written), ("dictionaries", listed)):
            if terms and RecognizerName.DICTIONARY not in recognizers:
                self._wrong(key, "needs the recognizer dictionary")
        return {
            label: (*written.get(label, ()), *listed.get(label, ()))
            for label in (*written, *listed)
        }

    def _unknown(self, table: Table, names: tuple[str, ...], section: str) -> None:
        for key in table:
            if key not in names:
                self._wrong(section + key, "unknown key")

    def _section(self, table: Table, name: str) -> Table:
        value = table.get(name, {})
        if isinstance(value, dict):
            return cast("Table", value)
        self._wrong(name, "must be a table")
        return {}

    def _enum(
        self, table: Table, key: str, kind: type[E], default: E, *, required: bool = False
    ) -> E:
        if key not in table:
            if required:
                self._wrong(key, "is required")
            return default
        if table[key] in list(kind):
            return kind(str(table[key]))
        self._wrong(key, f"must be one of {', '.join(kind)}")
        return default

    def _recognizers(self, value: object) -> frozenset[RecognizerName]:
        names = self._strings([] if value is None else value, "recognizers")
        unknown = [name for name in names if name not in list(RecognizerName)]
        if unknown or not names:
            self._wrong("recognizers", f"must be some of {', '.join(RecognizerName)}")
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
            self._wrong(f"operators.{label}", "only DATE can be shifted")
        if operator is OperatorName.GENERALISE and label is not PhiLabel.AGE:
            self._wrong(f"operators.{label}", "only AGE can be generalised")

    def _label(self, key: str, section: str) -> PhiLabel | None:
        if key in list(PhiLabel):
            return PhiLabel(key)
        self._wrong(f"{section}.{key}", "is no PHI label")
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

    def _terms(self, value: object, key: str) -> tuple[Listed, ...]:
        terms = self._strings(value, key)
        for said in {fault(term): None for term in terms if fault(term)}:
            self._wrong(key, f"a term {said}")
        return tuple(Listed(term, key) for term in terms)

    def _listed(self, value: object, key: str) -> tuple[Listed, ...]:
        found: list[Listed] = []
        for path in self._strings(value, key):
            content = self.lists.get(path, "there is no such file")
            if isinstance(content, str):
                self._wrong(key, f"{path}: {content}")
                continue
            terms, mistakes = read_list(path, content, key)
            found += terms
            self.mistakes.extend(mistakes)
        return tuple(found)

    def _strings(self, value: object, key: str) -> tuple[str, ...]:
        items = cast("list[object]", value) if isinstance(value, list) else [None]
        strings = tuple(item for item in items if isinstance(item, str) and item.strip())
        if len(strings) < len(items):
            self._wrong(key, "must be a list of strings")
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
        self._wrong(f"{section}{key}", f"must be a {whole}number {limits}")
        return None


def _terms_of(listed: Sequence[Listed]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.term for item in listed))


def _dotted(table: Table, section: str) -> Table:
    return {f"{section}.{key}": value for key, value in table.items()}


def _default_operator(label: PhiLabel, technique: Technique) -> OperatorName:
    if technique is Technique.REDACT:
        return OperatorName.REDACT
    return OperatorName.SHIFT if label is PhiLabel.DATE else OperatorName.SURROGATE
