"""Write a policy as the TOML file from which it is read."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from deidstream.models.policy.stricter import techniques_of
from deidstream.schemas.policy import SENTENCE_KNEO, Policy, Technique
from deidstream.schemas.risk_policy import RiskPolicy


def write_policy(policy: Policy) -> str:
    """Write a policy with all its settings and the terms of its lists.

    Returns:
        A file that ``read_policy`` reads as an equal policy, but for the digest. Numbers
        and words that are defaults are written too, so that the file stays what it is when a
        default changes. Comments of the file that the policy was read from are not kept.
    """
    sections: dict[str, Mapping[str, object]] = {
        "labels": policy.own_labels,
        "operators": _by_label(policy.operators),
        "scopes": {str(label): one for label, one in sorted(policy.scopes.items())},
        "ages": asdict(policy.ages),
        "dates": asdict(policy.dates),
        "kneo": asdict(policy.kneo) if SENTENCE_KNEO & techniques_of(policy) else {},
        "words": asdict(policy.words) if Technique.KNEO_WORDS in techniques_of(policy) else {},
        "risk": _risk(policy.risk),
        "release": asdict(policy.release),
        "thresholds": {str(label): one for label, one in sorted(policy.thresholds.items())},
        "deny": _by_label(policy.deny),
    }
    head: dict[str, object] = {
        "technique": policy.technique,
        "purpose": policy.purpose,
        "recognizers": sorted(policy.recognizers),
        "combine": policy.combine,
        "redact_style": policy.redact_style,
    }
    if policy.allow:
        head["allow"] = policy.allow
    parts = [_lines(head), *(_section(name, table) for name, table in sections.items() if table)]
    return "\n".join(parts)


def _risk(risk: RiskPolicy) -> Mapping[str, object]:
    """All that is given but the keys that are refused, because what reads them does not count."""
    given = {key: value for key, value in asdict(risk).items() if value is not None}
    return {key: value for key, value in given.items() if key not in risk.unused_keys}


def _by_label(table: Mapping[str, object]) -> Mapping[str, object]:
    return {str(label): table[label] for label in sorted(table)}


def _section(name: str, table: Mapping[str, object]) -> str:
    return f"[{name}]\n{_lines(table)}"


def _lines(table: Mapping[str, object]) -> str:
    return "".join(f"{key} = {''.join(_value(value))}\n" for key, value in table.items())


def _value(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield _string(value)
    elif isinstance(value, Sequence):
        yield "["
        for item in value:
            yield f"\n    {_string(str(item))},"
        yield "\n]" if value else "]"
    elif isinstance(value, bool):
        yield str(value).lower()
    else:
        yield repr(value)


def _string(text: str) -> str:
    # JSON's escapes are TOML's, save that TOML wants DEL escaped too.
    return json.dumps(str(text), ensure_ascii=False).replace("\x7f", "\\u007f")
