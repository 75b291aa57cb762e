"""Outputs for tests of the verifier: marked notes, and what was wrongly made of them."""

from collections.abc import Sequence
from dataclasses import replace

from deidstream.models.operators.table import operators
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.records import Substituted
from deidstream.models.surrogates.allocation import allocate_without_store
from deidstream.models.surrogates.replacer import Replacer
from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.policy import Policy
from deidstream.schemas.span import Span
from support.detected import as_detected
from support.spans import ROOT, marked

NOTHING_KNOWN = KnownIdentifiers()


def output(
    text: str,
    policy: str | Policy = "surrogate",
    known: KnownIdentifiers = NOTHING_KNOWN,
    ids: tuple[str, str] = ("n", "p"),
) -> Substituted:
    """What a policy makes of a note whose PHI is marked; it was not verified."""
    plain, spans = marked(text)
    return replaced(RawNote(*ids, plain, known=known), spans, policy)


def replaced(note: RawNote, spans: Sequence[Span], policy: str | Policy) -> Substituted:
    """What a policy makes of a note with these spans."""
    policy = read_shipped_policy(policy) if isinstance(policy, str) else policy
    replacer = Replacer(policy, operators(policy), ROOT, 1)
    planned = replacer.plan(as_detected(note, spans, policy.recognizers))
    return replacer.substitute(planned, allocate_without_store(replacer.allocate([planned])))


def with_added(made: Substituted, text: str) -> Substituted:
    """An output at whose end something stands that no stage put there."""
    return replace(made, text=made.text + text)
