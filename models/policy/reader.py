"""Reads a policy from TOML and reports every mistake at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from math import inf
from types import MappingProxyType

from deidstream.models.policy.agreement import disagreements
from deidstream.models.policy.line_numbers import Lines
from deidstream.models.policy.site_terms import Terms
from deidstream.models.policy.syntax import parse
from deidstream.models.policy.term_lists import Lists, policy_digest
from deidstream.models.policy.values import Table, Values
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import (
    AgePolicy,
    Combine,
    DatePolicy,
    KneoPolicy,
    OperatorName,
    Policy,
    RecognizerName,
    RedAction,
    RedactStyle,
    RiskPolicy,
    Scope,
    Technique,
    Weekday,
)
from deidstream.schemas.policy_limits import BOUNDS, LABELS_OF, THRESHOLD, WEEK, scopes_of

_SECTIONS = (
    "operators", "scopes", "ages", "dates", "kneo", "risk", "thresholds", "deny", "dictionaries",
)  # fmt: skip
_TOP = ("technique", "recognizers", "combine", "redact_style", "allow", "allow_files")
_DEFAULT = "default"
_NO_LISTS: Lists = MappingProxyType({})


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
        InvalidPolicy: Every unknown key and wrong value, one a line, each with file and line, in
            their order; those of lists come last. Values are not quoted.
    """
    file = file or f"{name}.toml"
    table = parse(source, file)
    values = Values()
    policy = _Reader(values, lists).policy(table, name, policy_digest(source, lists))
    if values.mistakes:
        lines = Lines.of(source.decode())
        placed = [(m.place or lines.place(file, m.key), m) for m in values.mistakes]
        placed.sort(key=lambda pair: _order(pair[0], file))
        raise InvalidPolicy("\n".join(f"{place}: {m.key}: {m.said}" for place, m in placed))
    return policy


@dataclass(frozen=True, slots=True)
class _Reader:
    values: Values
    lists: Lists

    def policy(self, table: Table, name: str, digest: str) -> Policy:
        values = self.values
        values.unknown(table, (*_TOP, *_SECTIONS), "")
        technique = values.enum(table, "technique", Technique, Technique.SURROGATE, required=True)
        recognizers = values.enums(table.get("recognizers"), "recognizers", RecognizerName)
        allow, deny = Terms(values, self.lists).read(table, recognizers)
        operators = self._operators(table, technique)
        return Policy(
            name=name,
            technique=technique,
            recognizers=recognizers,
            operators=operators,
            combine=values.enum(table, "combine", Combine, Combine.UNION),
            redact_style=values.enum(table, "redact_style", RedactStyle, RedactStyle.LABEL),
            scopes=self._scopes(table, operators),
            ages=AgePolicy(**values.numbers(values.section(table, "ages"), "ages", BOUNDS["ages"])),
            dates=self._dates(values.section(table, "dates")),
            kneo=KneoPolicy(
                **values.numbers(values.section(table, "kneo"), "kneo", BOUNDS["kneo"])
            ),
            risk=self._risk(values.section(table, "risk")),
            thresholds=values.by_label(table, "thresholds", self._threshold),
            allow=allow,
            deny=deny,
            sha256=digest,
        )

    def _operators(self, table: Table, technique: Technique) -> Mapping[PhiLabel, OperatorName]:
        named = self.values.by_label(table, "operators", self._operator)
        own = {label: _default_operator(label, technique) for label in PhiLabel}
        for label, operator in named.items():
            if label not in LABELS_OF[operator]:
                able = ", ".join(each for each in PhiLabel if each in LABELS_OF[operator])
                self.values.wrong(f"operators.{label}", f"{operator} is for {able} alone")
        return MappingProxyType(own | dict(named))

    def _operator(self, value: object, key: str) -> OperatorName:
        return self.values.enum({key: value}, key, OperatorName, OperatorName.REDACT)

    def _scopes(
        self, table: Table, operators: Mapping[PhiLabel, OperatorName]
    ) -> Mapping[PhiLabel, Scope]:
        section = dict(self.values.section(table, "scopes"))
        default = self._scope(section.pop(_DEFAULT, Scope.PATIENT), f"scopes.{_DEFAULT}")
        named = self.values.by_label({"scopes": section}, "scopes", self._scope)
        scopes = dict.fromkeys(PhiLabel, default) | dict(named)
        for label, scope in scopes.items():
            if scope not in scopes_of(label):
                key = label if label in named else _DEFAULT
                able = " or ".join(each for each in Scope if each in scopes_of(label))
                self.values.wrong(f"scopes.{key}", f"{label} must be of the {able}")
        for labels, said in disagreements(operators, scopes):
            at = next((label for label in labels if label in named), _DEFAULT)
            self.values.wrong(f"scopes.{at}", said)
        return MappingProxyType(scopes)

    def _scope(self, value: object, key: str) -> Scope:
        return self.values.enum({key: value}, key, Scope, Scope.PATIENT)

    def _dates(self, table: Table) -> DatePolicy:
        numbers = self.values.numbers(table, "dates", BOUNDS["dates"], ("weekday",))
        weekday = self.values.enum(_dotted(table, "dates"), "dates.weekday", Weekday, Weekday.AGREE)
        dates = DatePolicy(**numbers, weekday=weekday)
        if weekday is Weekday.KEEP and dates.max_shift_days < WEEK:
            self.values.wrong("dates.max_shift_days", f"must be {WEEK} or more to keep weekdays")
        return dates

    def _risk(self, table: Table) -> RiskPolicy:
        numbers = self.values.numbers(table, "risk", BOUNDS["risk"], ("on_red",))
        on_red = self.values.enum(_dotted(table, "risk"), "risk.on_red", RedAction, RedAction.EMIT)
        risk = RiskPolicy(**numbers, on_red=on_red)
        if risk.yellow > risk.red:
            self.values.wrong("risk.yellow", "must be no more than risk.red")
        return risk

    def _threshold(self, value: object, key: str) -> float:
        return self.values.number(value, key, THRESHOLD) or 0.0


def _order(place: str, file: str) -> tuple[bool, str, float]:
    """Put the policy before its lists, and what has no line before or after what has one."""
    path, _, line = place.rpartition(":")
    if path and line.isdecimal():
        return path != file, path, int(line)
    return place != file, place, 0 if place == file else inf


def _dotted(table: Table, section: str) -> Table:
    return {f"{section}.{key}": value for key, value in table.items()}


def _default_operator(label: PhiLabel, technique: Technique) -> OperatorName:
    if technique is Technique.REDACT:
        return OperatorName.REDACT
    return OperatorName.SHIFT if label is PhiLabel.DATE else OperatorName.SURROGATE
