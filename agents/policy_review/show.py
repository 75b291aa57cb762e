"""A policy in full, after all defaults, and what in its lists is worth a second look."""

import json
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from deidstream.agents.runtime.policy_files import PolicyFiles
from deidstream.agents.runtime.terminal import align_columns
from deidstream.models.policy.term_lists import read_list
from deidstream.schemas.policy import SENTENCE_KNEO, Policy, Scope, Technique
from deidstream.schemas.risk_policy import THRESHOLDS_OF
from deidstream.schemas.site_pattern import SitePattern

SHOWN_TERMS = 20
"""Number of allowed terms that are shown; of longer lists, which are files, their number is."""


def show(policy: Policy) -> str:
    """Write a policy for each of its labels, its lists and patterns, and every option."""
    parts = [_head(policy), _labels(policy)]
    if policy.lists:
        parts.append(_lists(policy))
    if policy.patterns:
        parts.append(_patterns(policy))
    return "\n\n".join((*parts, "\n".join(_options(policy)))) + "\n"


def _head(policy: Policy) -> str:
    recognizers = ", ".join(sorted(policy.recognizers))
    return (
        f"{policy.name}: {policy.technique}, for {policy.purpose}; finds by {recognizers}, "
        f"{policy.combine}\nsha256 {policy.sha256}"
    )


def _labels(policy: Policy) -> str:
    rows = [
        (
            name if name == label else f"{name} (like {label})",
            str(policy.operators.get(name, "redact")),
            str(policy.scopes.get(label, Scope.PATIENT)),
            f"{policy.least_scores.get(label, 0):g}",
            str(len(policy.deny.get(name, ()))),
        )
        for name, label in policy.labels.items()
    ]
    return align_columns(("label", "operator", "scope", "threshold", "denied terms"), rows)


def _lists(policy: Policy) -> str:
    rows = [
        (name, str(one.label), str(one.spelling), f"{len(one.terms):,}")
        for name, one in policy.lists.items()
    ]
    return align_columns(("list", "label", "spelling", "terms"), rows)


def _patterns(policy: Policy) -> str:
    rows = [
        (name, str(one.label), f"{one.score:g}", one.pattern)
        for name, one in policy.patterns.items()
    ]
    return align_columns(("pattern", "label", "score", "expression"), rows)


def _options(policy: Policy) -> Iterator[str]:
    sections: dict[str, Any] = {
        "detection": policy.detection,
        "doubtful": policy.doubtful,
        "dates": policy.dates,
        "ages": policy.ages,
        "risk": policy.risk,
    }
    sections["language"] = policy.language
    sections["release"] = policy.release
    if policy.technique in SENTENCE_KNEO:
        sections["kneo"] = policy.kneo
    if policy.technique is Technique.KNEO_WORDS:
        sections["words"] = policy.words
    # A yellow that is not given follows red.
    begins = {yellow: policy.risk.yellow_from(one) for one, (yellow, _) in THRESHOLDS_OF.items()}
    begins["yellow_share"] = (policy.risk.shares or (0, 0))[1]
    for name, section in sections.items():
        for item in fields(section):
            if name == "risk" and item.name in policy.risk.unused_keys:
                continue
            value = getattr(section, item.name)
            if value is None:
                value = round(begins[item.name], 4) if item.name in begins else "none"
            yield f"{name}.{item.name} = {value}"
    yield f"redact_style = {policy.redact_style}"
    shown = ", ".join(json.dumps(term, ensure_ascii=False) for term in policy.allow[:SHOWN_TERMS])
    more = len(policy.allow) - SHOWN_TERMS
    yield f"allowed terms: {shown or 'none'}" + (f" and {more:,} more" if more > 0 else "")


MANY_ALLOWED = 10_000
"""Number of allowed terms above which the wrong list may have been named."""


def notices(files: PolicyFiles, policy: Policy) -> Iterator[str]:
    """Write how much each list and pattern holds, with a warning if too little or too much.

    No term is shown.
    """
    for path, content in files.lists.items():
        terms = read_list(path, content)[0] if isinstance(content, bytes) else []
        yield f"{path}: {_describe_count(len(terms))}"
    for name, pattern in policy.patterns.items():
        yield f"pattern {name}: {_describe_examples(pattern)}"
    if len(policy.allow) > MANY_ALLOWED:
        yield (
            f"{len(policy.allow):,} terms are allowed: whatever is found and is one of them stays "
            "in the text, even if it is somebody's name. Is that intended?"
        )


def _describe_count(terms: int) -> str:
    if not terms:
        return "holds no term. Is that intended?"
    return f"{terms:,} terms" if terms > 1 else "1 term"


def _describe_examples(pattern: SitePattern) -> str:
    found, passed = len(pattern.examples), len(pattern.counter_examples)
    if not found:
        return "has no example. Does it find what it should?"
    held = "1 example is found" if found == 1 else f"{found} examples are found"
    if not passed:
        return f"{held}; it has no counter-example"
    return f"{held}, {passed} counter-example{'s' if passed > 1 else ''} passed over"
