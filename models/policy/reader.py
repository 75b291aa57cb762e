"""Reads a policy from TOML and reports every mistake at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import TypeVar

from deidstream.models.policy.declaration import PolicyFile, check_table
from deidstream.models.policy.extension import Bases, read_layers
from deidstream.models.policy.shipped import list_policies, read_shipped_source
from deidstream.models.policy.term_lists import (
    Listed,
    Lists,
    contradictions,
    fault,
    policy_digest,
    read_lists,
)
from deidstream.models.policy.toml_lines import TomlMistake, report, suggest
from deidstream.models.recognizers.rules.site_patterns import find_faults
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import HANDLES, OF_I2B2, PERSONS, PhiLabel
from deidstream.schemas.policy import (
    LABELS_OF,
    SENTENCE_KNEO,
    WEEK,
    OperatorName,
    Policy,
    Purpose,
    RecognizerName,
    Scope,
    Technique,
    Weekday,
    scopes_of,
)
from deidstream.schemas.release_policy import Sharing
from deidstream.schemas.risk_policy import THRESHOLDS_OF, RedAction, StrongerTechnique
from deidstream.schemas.site_list import ListedTerms

_LABELLING = frozenset({Technique.REDACT, Technique.KNEO_WORDS})
"""Techniques whose own operator writes the label: among words drawn at random a surrogate would be
the only text that is believed."""
_ADDRESS = (PhiLabel.CITY, PhiLabel.STATE, PhiLabel.ZIP)
"""Parts of one address, which move to another state together."""
_FOUND_BY = {
    "deny": RecognizerName.DICTIONARY,
    "dictionaries": RecognizerName.DICTIONARY,
    "lists": RecognizerName.DICTIONARY,
    "patterns": RecognizerName.RULES,
}
"""Sections of a file that do nothing without a recognizer."""
_TECHNIQUES_OF = {"kneo": SENTENCE_KNEO, "words": frozenset({Technique.KNEO_WORDS})}
"""Sections of a file that only some techniques read: the policy's own, or that of red notes."""
_DEFAULT = "default"
_NO_LISTS: Lists = MappingProxyType({})

_Labels = Mapping[str, PhiLabel]
_Operators = Mapping[str, OperatorName]
_Scopes = Mapping[PhiLabel, Scope]
_Mistakes = Iterator[TomlMistake]
_Value = TypeVar("_Value")


def read_shipped_policy(name: str) -> Policy:
    """Read one of the shipped policies.

    Raises:
        InvalidPolicy: There is no policy of that name.
    """
    if name not in list_policies():
        msg = f"policy: there is no policy {name!r}; there are {', '.join(list_policies())}"
        raise InvalidPolicy(msg)
    return read_policy(read_shipped_source(name), name=name)


def read_policy(
    source: bytes,
    *,
    name: str,
    file: str = "",
    lists: Lists = _NO_LISTS,
    bases: Bases = _NO_LISTS,
) -> Policy:
    """Read a policy.

    Args:
        source: Content of the TOML file.
        name: The policy's name in outputs.
        file: The file's name in messages; ``name`` and ``.toml`` when not given.
        lists: Content of the lists that the file names (``extension.list_all_paths``).
        bases: Content of the files that it extends (``extension.gather_bases``).

    Returns:
        The policy; its digest covers the file, its lists and what it extends
        (``term_lists.policy_digest``).

    Raises:
        InvalidPolicy: Every unknown key and wrong value, one a line, each with file and line, in
            their order; those of lists come last. Values are not quoted.
    """
    file = file or f"{name}.toml"
    layered = read_layers(source, file, bases)
    if layered.mistakes:  # without what it extends, nothing else can be judged
        raise InvalidPolicy(report(layered.mistakes, source, file))
    table, (own, *extended) = layered.table, layered.layers
    declared, mistakes = check_table(table)
    labels = MappingProxyType({**OF_I2B2, **declared.labels})
    mistakes += _wrong_labels(declared, labels)
    mistakes += _unknown_labels(declared, labels, table)
    operators, scopes = _operators(declared, labels), _scopes(declared)
    terms = _gather_terms(declared, lists)
    mistakes += terms.mistakes
    denied = (*terms.deny.values(), *terms.lists.values())
    mistakes += contradictions(terms.allow, chain.from_iterable(denied))
    mistakes += _wrong_scopes(_drawn(operators, labels), scopes, declared)
    mistakes += _wrong_sections(declared)
    mistakes += _wrong_purpose(declared)
    mistakes += _wrong_kneo(declared)
    mistakes += _wrong_patterns(declared)
    mistakes += _unused_sections(table, declared)
    named = {mistake.key for mistake in mistakes}
    # What comes from a file that is extended need not have an effect.
    mistakes += [one for one in _unused_risk_keys(own.table, declared) if one.key not in named]
    if ("technique",) not in named:
        mistakes += _unused_techniques(own.table, declared)
    if mistakes:
        placed = map(layered.find_place, mistakes)
        raise InvalidPolicy(report(placed, source, file))
    by_technique = Sharing.OWN if declared.technique.rewrites else Sharing.SHARED
    return Policy(
        name=name,
        technique=declared.technique,
        recognizers=frozenset(declared.recognizers),
        purpose=declared.purpose,
        operators=operators,
        combine=declared.combine,
        detection=declared.detection,
        doubtful=declared.doubtful,
        redact_style=declared.redact_style,
        scopes=scopes,
        ages=declared.ages,
        dates=declared.dates,
        kneo=declared.kneo,
        words=declared.words,
        risk=declared.risk,
        language=declared.language,
        release=declared.release.resolve(name, by_technique),
        thresholds=_by_label(declared.thresholds),
        allow=_unique(terms.allow),
        deny=MappingProxyType({label: _unique(own) for label, own in terms.deny.items()}),
        lists=MappingProxyType(
            {
                name: ListedTerms(one.label, one.spelling, _unique(terms.lists[name]))
                for name, one in declared.lists.items()
            }
        ),
        patterns=MappingProxyType(dict(declared.patterns)),
        labels=labels,
        sha256=policy_digest(source, {**lists, **{one.file: one.source for one in extended}}),
    )


def _by_label(table: Mapping[str, _Value]) -> Mapping[PhiLabel, _Value]:
    return MappingProxyType({PhiLabel(key): value for key, value in table.items()})


def _wrong_labels(declared: PolicyFile, labels: _Labels) -> _Mistakes:
    """Find names of the site's own labels that are taken, and operators that they cannot have."""
    for name in declared.labels:
        if name in OF_I2B2:
            yield TomlMistake(("labels", name), "is one of the 28 labels: choose another name")
    for name, operator in declared.operators.items():
        label = labels.get(name)
        if label is not None and label not in LABELS_OF[operator]:
            able = ", ".join(each for each in OperatorName if label in LABELS_OF[each])
            yield TomlMistake(("operators", name), f"must be one of {able}: it is like {label}")


def _unknown_labels(
    declared: PolicyFile, labels: _Labels, table: Mapping[str, object]
) -> _Mistakes:
    """Find labels that are not of the 28, and that nothing declares."""
    stated = table.get("labels")
    # What a wrong line declares is a mistake of that line alone.
    named = labels.keys() | (stated if isinstance(stated, dict) else {}).keys()
    known = f"{', '.join(labels)}; others are declared in [labels]"
    by_label = {
        "operators": declared.operators,
        "deny": declared.deny,
        "dictionaries": declared.dictionaries,
    }
    for section, by_name in by_label.items():
        for name in sorted(by_name.keys() - named):
            hint = suggest(name, labels)
            yield TomlMistake((section, name), f"unknown key{hint}; there are {known}")
    for section, ways in (("lists", declared.lists), ("patterns", declared.patterns)):
        for name, one in ways.items():
            if one.label not in named:
                hint = suggest(one.label, labels)
                yield TomlMistake((section, name, "label"), f"must be one of {known}{hint}")


def _operators(declared: PolicyFile, labels: _Labels) -> _Operators:
    technique = declared.technique
    named: dict[str, OperatorName] = {
        label: _default_operator(label, technique) for label in PhiLabel
    }
    named |= declared.operators
    return MappingProxyType({name: named.get(name, named[like]) for name, like in labels.items()})


def _drawn(operators: _Operators, labels: _Labels) -> frozenset[PhiLabel]:
    """Return the labels of the 28 of which some texts become surrogates."""
    surrogate = OperatorName.SURROGATE
    return frozenset(labels[name] for name, one in operators.items() if one is surrogate)


def _default_operator(label: PhiLabel, technique: Technique) -> OperatorName:
    if technique in _LABELLING:
        return OperatorName.REDACT
    return OperatorName.SHIFT if label is PhiLabel.DATE else OperatorName.SURROGATE


def _scopes(declared: PolicyFile) -> _Scopes:
    named = dict(declared.scopes)
    default = named.pop(_DEFAULT, Scope.PATIENT)
    return MappingProxyType(dict.fromkeys(PhiLabel, default) | dict(_by_label(named)))


def _wrong_scopes(drawn: frozenset[PhiLabel], scopes: _Scopes, declared: PolicyFile) -> _Mistakes:
    for label, scope in scopes.items():
        if scope not in scopes_of(label):
            able = " or ".join(each for each in Scope if each in scopes_of(label))
            yield TomlMistake(("scopes", _DEFAULT), f"{label} must be of the {able}")
    for labels, message in _disagreements(drawn, scopes):
        at = next((label for label in labels if label in declared.scopes), _DEFAULT)
        yield TomlMistake(("scopes", at), message)


def _disagreements(
    drawn: frozenset[PhiLabel], scopes: _Scopes
) -> Iterator[tuple[tuple[PhiLabel, ...], str]]:
    """Find labels whose surrogates are made to agree with those of labels of another scope.

    A name has another surrogate in another scope: under ``EMAIL = "document"`` the address would
    name somebody whom the note does not name. Only operator ``surrogate`` makes labels agree.

    Yields:
        The labels concerned, and what is wrong with their scopes.
    """
    persons = tuple(label for label in PhiLabel if label in drawn & PERSONS)
    # A handle is made of the surrogates of the names that it holds.
    for label in (one for one in PhiLabel if one in drawn & HANDLES):
        if persons and scopes[label] not in {scopes[one] for one in persons}:
            yield (label, *persons), f"{label} must be of the scope of {' or '.join(persons)}"
    places = tuple(label for label in _ADDRESS if label in drawn)
    if len({scopes[label] for label in places}) > 1:
        yield places, f"{', '.join(places)} must be of one scope"


def _wrong_sections(declared: PolicyFile) -> _Mistakes:
    dates, risk = declared.dates, declared.risk
    if dates.weekday is Weekday.KEEP and dates.max_shift_days < WEEK:
        message = f"must be {WEEK} or more to keep weekdays"
        yield TomlMistake(("dates", "max_shift_days"), message)
    for measure in risk.crossed:
        yellow, red = THRESHOLDS_OF[measure]
        yield TomlMistake(("risk", yellow), f"must be no more than risk.{red}")
    if risk.shares and sum(risk.shares) > 1:
        yield TomlMistake(("risk", "yellow_share"), "must be no more than risk.red_share leaves")
    if len(set(risk.measures)) < len(risk.measures):
        yield TomlMistake(("risk", "measures"), "names one of them twice")
    rewritten = risk.stronger is not StrongerTechnique.REDACT
    if rewritten and risk.stronger == declared.technique.value:
        yield TomlMistake(("risk", "stronger"), "must be another technique than the policy's")
    if not declared.release.name.isprintable():
        yield TomlMistake(("release", "name"), "must be one line of printable characters")


def _wrong_purpose(declared: PolicyFile) -> _Mistakes:
    """Refuse KNEO where nobody said that its outputs are for training alone."""
    if declared.purpose is Purpose.TRAINING:
        return
    stronger = declared.risk.stronger
    for key, technique in (
        (("technique",), declared.technique),
        (("risk", "stronger"), Technique(stronger.value)),
    ):
        if technique.rewrites:
            message = (
                f'{technique} needs purpose = "training": what it writes is of other patients or '
                "of no meaning, and is for models, vectors and counts alone; for reading there are "
                "surrogate and redact"
            )
            yield TomlMistake(key, message)


def _wrong_kneo(declared: PolicyFile) -> _Mistakes:
    kneo = declared.kneo
    if kneo.min_cosine > kneo.max_cosine:
        yield TomlMistake(("kneo", "min_cosine"), "must be no more than kneo.max_cosine")
    if declared.technique is Technique.KNEO_NOTES and not kneo.donors:
        yield TomlMistake(("kneo", "donors"), "must be 1 or more for technique kneo-notes")
    if declared.words.degree > declared.words.degree_to:
        yield TomlMistake(("words", "degree"), "must be no more than words.degree_to")


def _wrong_patterns(declared: PolicyFile) -> _Mistakes:
    for name, pattern in declared.patterns.items():
        for wrong in find_faults(pattern):
            yield TomlMistake(("patterns", name, wrong.key), wrong.message, item=wrong.item)


def _unused_sections(table: Mapping[str, object], declared: PolicyFile) -> _Mistakes:
    for key, recognizer in _FOUND_BY.items():
        if table.get(key) and recognizer not in declared.recognizers:
            yield TomlMistake((key,), f"needs the recognizer {recognizer}")


def _unused_techniques(table: Mapping[str, object], declared: PolicyFile) -> _Mistakes:
    techniques = {declared.technique}
    if declared.risk.on_red is RedAction.STRENGTHEN:
        techniques.add(Technique(declared.risk.stronger.value))
    for key, able in _TECHNIQUES_OF.items():
        if key in table and not techniques & able:
            message = f"has no effect unless a technique is {' or '.join(sorted(able))}"
            yield TomlMistake((key,), message)


def _unused_risk_keys(table: Mapping[str, object], declared: PolicyFile) -> _Mistakes:
    given = table.get("risk")
    if not isinstance(given, dict):
        return
    for key, why in declared.risk.unused_keys.items():
        if key in given:
            yield TomlMistake(("risk", key), f"has no effect {why}")


@dataclass(slots=True)
class _Terms:
    """The terms of a policy and of its lists, and what is wrong with them."""

    allow: list[Listed]
    deny: dict[str, list[Listed]]
    lists: dict[str, list[Listed]]
    mistakes: list[TomlMistake]


def _gather_terms(declared: PolicyFile, lists: Lists) -> _Terms:
    allow = [Listed(term, ("allow",)) for term in declared.allow]
    listed, mistakes = read_lists(declared.allow_files, lists, ("allow_files",))
    allow += listed
    deny = {
        label: [Listed(term, ("deny", label)) for term in terms]
        for label, terms in declared.deny.items()
    }
    for label, paths in declared.dictionaries.items():
        listed, wrong = read_lists(paths, lists, ("dictionaries", label))
        deny.setdefault(label, []).extend(listed)
        mistakes += wrong
    named = dict[str, list[Listed]]()
    for name, one in declared.lists.items():
        key = ("lists", name)
        for number, term in enumerate(one.terms, 1):
            if why := fault(term):
                mistakes.append(TomlMistake((*key, "terms"), f"a term {why}", item=number))
        named[name] = [Listed(term, (*key, "terms")) for term in one.terms]
        listed, wrong = read_lists(one.files, lists, (*key, "files"))
        named[name] += listed
        mistakes += wrong
        if not (one.terms or one.files):
            mistakes.append(TomlMistake(key, "must have terms or files"))
    return _Terms(allow, deny, named, mistakes)


def _unique(terms: Sequence[Listed]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.term for item in terms))
