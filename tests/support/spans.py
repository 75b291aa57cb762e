"""Notes whose PHI is marked by hand, on their way through the real stages after detection."""

import re

from deidstream.models.operators.table import operators
from deidstream.models.records import Substituted
from deidstream.models.surrogates.allocation import allocate_without_store
from deidstream.models.surrogates.replacer import Replacer
from deidstream.models.verification.verifier import verify
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Policy
from deidstream.schemas.span import Span
from support.detected import as_detected

ROOT = bytes(range(32))
_MARKED = re.compile(r"\{([A-Z_]+):([^}]*)\}")


def marked(text: str) -> tuple[str, tuple[Span, ...]]:
    """A text and its spans: in ``{CITY:Cork} was wet``, ``Cork`` is one."""
    plain, spans, read = "", list[Span](), 0
    for found in _MARKED.finditer(text):
        plain += text[read : found.start()]
        spans.append(Span(len(plain), len(plain) + len(found[2]), PhiLabel(found[1])))
        plain, read = plain + found[2], found.end()
    return plain + text[read:], tuple(spans)


def substituted(
    text: str,
    policy: Policy,
    authored_at: str | None = None,
    patient: str = "p1",
    note_id: str = "n1",
) -> Substituted:
    """A marked note under a policy; it was planned, substituted and permitted."""
    plain, spans = marked(text)
    note = RawNote(note_id, patient, plain, authored_at=authored_at)
    replacer = Replacer(policy, operators(policy), ROOT, 1)
    planned = replacer.plan(as_detected(note, spans, policy.recognizers))
    done = replacer.substitute(planned, allocate_without_store(replacer.allocate([planned])))
    verify(done, policy)
    return done
