"""Laws of policies: what is written reads back, and the schema asks for no more than the reader."""

import tomllib
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

import jsonschema
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from deidstream.models.phi.not_phi import fold_term
from deidstream.models.policy.declaration import policy_schema
from deidstream.models.policy.reader import read_policy
from deidstream.models.policy.stricter import techniques_of
from deidstream.models.policy.term_lists import LONGEST_TERM, fault
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.kneo_policy import (
    Guard,
    KneoPolicy,
    OnUndeniable,
    OtherLines,
    Otherwise,
    Take,
)
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import (
    LABELS_OF,
    SENTENCE_KNEO,
    AgePolicy,
    Combine,
    DatePolicy,
    OperatorName,
    Policy,
    Purpose,
    RecognizerName,
    RedactStyle,
    Scope,
    Technique,
    Weekday,
    scopes_of,
)
from deidstream.schemas.release_policy import ReleasePolicy, Sharing
from deidstream.schemas.risk_policy import Adversary, RedAction, RiskMeasure, RiskPolicy
from deidstream.schemas.word_policy import (
    CodeRule,
    DrawnFor,
    NumberRule,
    UnknownRule,
    WordPolicy,
)
from support.policy_toml import write_policy

SCHEMA = jsonschema.Draft202012Validator(policy_schema())
LABELS = list(PhiLabel)
shares = st.floats(0, 1)
counts = st.integers(1, 50)
terms = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30).filter(
    lambda term: not fault(term)
)
lists = st.lists(terms, unique=True, max_size=3).map(tuple)
operators = st.fixed_dictionaries(
    {
        label: st.sampled_from([each for each in OperatorName if label in LABELS_OF[each]])
        for label in LABELS
    }
)
AGREEING = (
    (PhiLabel.PATIENT, PhiLabel.DOCTOR, PhiLabel.EMAIL, PhiLabel.USERNAME, PhiLabel.URL),
    (PhiLabel.CITY, PhiLabel.STATE, PhiLabel.ZIP),
)
"""Labels whose surrogates agree, and so are of one scope."""


def agreed(drawn: dict[PhiLabel, Scope]) -> dict[PhiLabel, Scope]:
    return drawn | {label: drawn[labels[0]] for labels in AGREEING for label in labels}


scopes = st.fixed_dictionaries(
    {label: st.sampled_from(sorted(scopes_of(label))) for label in LABELS}
).map(agreed)
degrees = st.integers(2, 100)


def leave_unused(risk: RiskPolicy) -> RiskPolicy:
    """Leave the keys at their defaults that a policy may not set, because nothing reads them."""
    return replace(risk, **{key: getattr(RiskPolicy(), key) for key in risk.unused_keys})


def leave_unread(policy: Policy) -> Policy:
    """Leave the sections at their defaults that no technique of the policy reads."""
    techniques = techniques_of(policy)
    kneo = policy.kneo if techniques & SENTENCE_KNEO else KneoPolicy()
    words = policy.words if Technique.KNEO_WORDS in techniques else WordPolicy()
    return replace(policy, kneo=kneo, words=words)


risks = (
    st.tuples(shares, shares)
    .flatmap(
        lambda two: st.builds(
            RiskPolicy,
            adversary=st.sampled_from(Adversary),
            measures=st.lists(st.sampled_from(RiskMeasure), unique=True).map(tuple),
            residual=shares,
            quasi=shares,
            linkage=shares,
            population=st.integers(1, 10**10),
            similarity=st.floats(-1, 1),
            yellow=st.just(min(two)),
            red=st.just(max(two)),
            on_red=st.sampled_from(RedAction),
            still_red=st.sampled_from([RedAction.EMIT, RedAction.QUARANTINE]),
            window_words=counts,
        )
    )
    .map(leave_unused)
)
policies = st.builds(
    Policy,
    name=st.just("p"),
    purpose=st.just(Purpose.TRAINING),
    technique=st.sampled_from(Technique),
    recognizers=st.frozensets(st.sampled_from(RecognizerName)).map(
        lambda some: some | {RecognizerName.DICTIONARY}
    ),
    operators=operators,
    combine=st.sampled_from(Combine),
    redact_style=st.sampled_from(RedactStyle),
    scopes=scopes,
    ages=st.builds(AgePolicy, st.integers(1, 150), st.integers(0, 50), counts),
    dates=st.builds(DatePolicy, st.integers(7, 3650), st.sampled_from(Weekday)),
    kneo=st.builds(
        KneoPolicy,
        neighbours=st.integers(1, 100),
        max_cosine=st.floats(0.5, 1),
        min_cosine=st.floats(0, 0.5),
        max_jaccard=shares,
        min_words=counts,
        guards=st.lists(st.sampled_from(Guard), unique=True).map(tuple),
        otherwise=st.sampled_from(Otherwise),
        donors=st.integers(1, 50),
        same_type=st.booleans(),
        take=st.sampled_from(Take),
        other_lines=st.sampled_from(OtherLines),
        signs=st.booleans(),
        notice=st.booleans(),
        deniability=st.integers(0, 10_000),
        most_dropped=shares,
        on_undeniable=st.sampled_from(OnUndeniable),
    ),
    words=st.tuples(degrees, degrees).flatmap(
        lambda two: st.builds(
            WordPolicy,
            degree=st.just(min(two)),
            degree_to=st.just(max(two)),
            drawn_for=st.sampled_from(DrawnFor),
            numbers=st.sampled_from(NumberRule),
            codes=st.sampled_from(CodeRule),
            unknown=st.sampled_from(UnknownRule),
            signs=st.booleans(),
        )
    ),
    risk=risks,
    release=st.builds(
        ReleasePolicy,
        name=st.sampled_from(["p", "study 7", '\u00fc."x"']),
        ids=st.sampled_from([Sharing.OWN, Sharing.SHARED]),
        surrogates=st.sampled_from([Sharing.OWN, Sharing.SHARED]),
    ),
    thresholds=st.dictionaries(st.sampled_from(LABELS), shares, max_size=3),
    allow=lists,
    deny=st.dictionaries(st.sampled_from(LABELS), lists, max_size=3),
).map(leave_unread)


@pytest.mark.slow
@given(policies)
def test_a_written_policy_reads_as_itself(policy: Policy) -> None:
    denied = {fold_term(term) for some in policy.deny.values() for term in some}
    assume(denied.isdisjoint(map(fold_term, policy.allow)))
    written = write_policy(policy)
    again = read_policy(written.encode(), name="p")
    assert replace(again, sha256="") == replace(policy, sha256="")
    assert write_policy(again) == written
    assert SCHEMA.is_valid(tomllib.loads(written))


values = st.one_of(
    st.booleans(),
    st.integers(-1, 60),
    st.floats(-2, 2),
    st.sampled_from(["", "x", "patient", "redact", "shift", "rules", "keep", "agree", "mention"]),
    st.lists(st.sampled_from(["x", "rules", "tagger", " ", 1]), max_size=3),
    st.just(MappingProxyType({})),
)
keys = st.sampled_from(["PATIENT", "DATE", "AGE", "ZIP", "CITY", "NAME", "default", "cap", "red"])
wrong_sections = st.sampled_from(
    [
        "operators",
        "scopes",
        "ages",
        "dates",
        "kneo",
        "words",
        "risk",
        "release",
        "thresholds",
        "deny",
        "more",
    ]
)
head = {"technique": "surrogate", "recognizers": ["rules", "dictionary"]}


KEYS = {
    name: sorted(field.name for field in fields(kind))
    for name, kind in {
        "ages": AgePolicy,
        "dates": DatePolicy,
        "kneo": KneoPolicy,
        "words": WordPolicy,
        "risk": RiskPolicy,
        "release": ReleasePolicy,
    }.items()
}
"""Of the sections that are not by label."""


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    """A policy that is right but for a few values."""
    table: dict[str, Any] = dict(head)
    for _ in range(draw(st.integers(1, 3))):
        where = draw(wrong_sections)
        key = draw(st.sampled_from(KEYS.get(where, ["on_red"])) | keys)
        table.setdefault(where, {})[key] = draw(values)
    if draw(st.booleans()):
        table[draw(st.sampled_from([*table, "combine", "allow", "colour"]))] = draw(values)
    return table


def toml(table: dict[str, Any]) -> bytes:
    plain = {key: value for key, value in table.items() if not hasattr(value, "items")}
    sections = {key: value for key, value in table.items() if hasattr(value, "items")}
    rows = [f"{key} = {inline(value)}" for key, value in plain.items()]
    for name, section in sections.items():
        rows += [f"[{name}]", *(f"{key} = {inline(value)}" for key, value in section.items())]
    return "\n".join(rows).encode()


def inline(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{', '.join(map(inline, value))}]"
    return "{}" if hasattr(value, "items") else repr(value)


@given(tables())
@example(head | {"scopes": {"DATE": "tenant"}})
@example(head | {"operators": {"PATIENT": "shift"}})
@example(head | {"ages": {"cap": True}})
@example(head | {"risk": {"quasi_yellow": "half"}})
@example({"technique": "surrogate"})
@example(head | {"recognizers": ["rules", "rules"]})
@example({"technique": "surrogate", "recognizers": ["x"], "operators": {"on_red": False}})
def test_what_the_schema_refuses_the_reader_refuses(table: dict[str, Any]) -> None:
    source = toml(table)
    try:
        read_policy(source, name="p")
    except InvalidPolicy:
        return
    assert SCHEMA.is_valid(tomllib.loads(source.decode()))


def test_a_term_may_be_as_long_as_it_may() -> None:
    long = "a" * LONGEST_TERM
    assert read_policy(toml({**head, "allow": [long]}), name="p").allow == (long,)


def test_the_schema_too_wants_a_recognizer_once() -> None:
    assert not SCHEMA.is_valid({**head, "recognizers": ["rules", "rules"]})
