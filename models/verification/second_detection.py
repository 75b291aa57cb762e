"""Detect once more, in the output: what is found there must be a surrogate of ours.

Surrogates look real, so a hit counts only where it touches none. Text that no stage changed gives
the hits it gave before; those that the policy let not count must not count again. Without the
tagger that is known of a rule only where the policy takes a rule's word alone: under
``combine = "corroborated"`` for the rules that need no corroboration. The same holds for the
patterns of the site.

Words that word KNEO wrote come from a vocabulary and not from the note; ``left_identifiers`` looks
for the note's identifiers among them.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from deidstream.models.detection.calibration import gather_evidence
from deidstream.models.detection.clinical.guard import cut_clinical_values
from deidstream.models.detection.reconcile import SURE
from deidstream.models.messages.cut_text import find_in_output
from deidstream.models.phi.codes.checksums import digits, luhn
from deidstream.models.phi.contacts.phones import TOLL_FREE
from deidstream.models.phi.hl7.hl7_guard import Hl7Guard
from deidstream.models.phi.not_phi import drop_terms_not_phi
from deidstream.models.recognizers.rules.recognizer import BUILT_IN, RulesRecognizer
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, compile_rule, when
from deidstream.models.records import Detected, Substituted
from deidstream.models.text.patterns import BEGIN, END
from deidstream.models.verification.cleared_places import find_cleared_places
from deidstream.models.verification.issued_surrogates import IssuedSurrogates
from deidstream.schemas.errors import LeakKind
from deidstream.schemas.label import PhiLabel, is_direct
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Combine, OperatorName, Policy, RecognizerName
from deidstream.schemas.span import Span

_FORMED = frozenset(
    {
        "contact.email",
        "contact.url",
        "contact.host",
        "contact.ipv4",
        "contact.ipv6",
        "contact.phone",
        "contact.phone_abroad",
        "id.ssn",
        "id.ssn_cued",
        "id.nhs",
        "licence.npi",
        "licence.dea",
        "vehicle.vin",
    }
)
_SIGNS = frozenset("()+-./")
_CARD = Rule(
    "id.card",
    PhiLabel.ACCOUNT,
    rf"{BEGIN}([0-9]{{4}}(?:[ -][0-9]{{4}}){{3}}|[0-9]{{4}}[ -][0-9]{{6}}[ -][0-9]{{5}}"
    rf"|[0-9]{{13}}|[0-9]{{15,16}}){END}",
    1.0,
    ("card [[4111 1111 1111 1111]].", "[[378282246310005]]"),
    ("card 4111 1111 1111 1112", "12345678"),
    when(lambda text: luhn(digits(text))),
)
"""A number of a payment card or a mobile device. Detection finds such numbers with all others."""


def _require_person(rule: Rule) -> Rule:
    """Refuse toll-free lines, and digits in blanks alone, which columns of values look like.

    The tagger too refuses toll-free lines, with reason: they are of institutions.
    """

    def fit(candidate: Candidate) -> tuple[int, int]:
        start, end = rule.fit(candidate)
        number = candidate.text[start:end]
        toll_free = digits(number).removeprefix("1").startswith(TOLL_FREE)
        return REFUSED if toll_free or _SIGNS.isdisjoint(number) else (start, end)

    return replace(rule, fit=fit)


def _formats() -> Iterator[Rule]:
    for rule in BUILT_IN:
        if rule.id in _FORMED:
            yield _require_person(rule) if rule.label is PhiLabel.PHONE else rule
    yield _CARD


FORMATS = tuple(_formats())
"""The rules that need no word beside a match to be sure, and that of cards."""
_FORMAT_SOURCES = frozenset(f"rules:{rule.id}" for rule in FORMATS)
_NEVER = 2
"""More than any score."""
_NONE = IssuedSurrogates(())


def find_detected(
    substituted: Substituted, output: Hl7Guard, policy: Policy, issued: IssuedSurrogates
) -> LeakKind | None:
    """Return how a direct identifier is found in the output beside the surrogates, if one is.

    Args:
        substituted: The note and its output.
        output: The text of the output, with the messages in it.
        policy: Says which rules count, and which labels and terms are kept.
        issued: What of the output is ours.
    """
    text = output.text
    written = substituted.written
    places = (*written, *find_cleared_places(substituted))
    ours = IssuedSurrogates.with_kept(substituted.replacements).with_places(places)
    counting = _drop_headings(substituted, _detect(output, policy, ours))
    if not counting:
        return None
    blank = Hl7Guard.read(issued.with_places(written).blank(text))
    without_ours = _detect(blank, policy, _NONE)
    detected = substituted.planned.detected
    dropped = _dropped_texts(detected)
    note = detected.note.text
    beside = _find_beside(detected.messages, policy, _NONE)
    in_note = _texts(note, cut_clinical_values(note, beside))
    values = _texts(note, beside) - in_note
    for span in counting:
        found = text[span.start : span.end]
        # A surrogate can stand where the note had the word that makes a number a code. What is a
        # clinical value wherever the note has it was left as one.
        if found in values or any(found in each for each in dropped):
            continue
        # A surrogate can be the cue of a rule ("technician (Keystone Collar)"): what is found only
        # beside such a cue was not found in the note either, and says nothing.
        stands_alone = any(o.start < span.end and span.start < o.end for o in without_ours)
        if stands_alone or found in in_note:
            formed = span.source in _FORMAT_SOURCES
            return LeakKind.FORMAT if formed else LeakKind.DETECTED
    return None


def _drop_headings(substituted: Substituted, spans: Sequence[Span]) -> Sequence[Span]:
    """Drop what lies between the parts of a form, where nothing but our own words stands."""
    form = substituted.planned.detected.note.form
    if form is None or not spans:
        return spans
    places = find_in_output(form.parts, substituted.replacements)
    starts = [start for start, _ in places]
    kept: list[Span] = []
    for span in spans:
        # The last part that begins before the span ends: parts are in order, and disjoint.
        place = bisect_left(starts, span.end) - 1
        if place >= 0 and places[place][1] > span.start:
            kept.append(span)
    return kept


def _dropped_texts(detected: Detected) -> list[str]:
    """Return what the policy's thresholds let stay, and all of what a recognizer reported there."""
    reported = gather_evidence(detected.dropped, detected.counted)
    spans = (*detected.dropped, *(span for found in reported for span in found))
    return [detected.note.text[span.start : span.end] for span in spans]


def _texts(text: str, spans: Iterable[Span]) -> set[str]:
    return {text[span.start : span.end] for span in spans}


def _detect(read: Hl7Guard, policy: Policy, issued: IssuedSurrogates) -> tuple[Span, ...]:
    """Find direct identifiers beside ``issued``, by the rules that the policy believes alone."""
    return cut_clinical_values(read.text, _find_beside(read, policy, issued))


def _find_beside(read: Hl7Guard, policy: Policy, issued: IssuedSurrogates) -> tuple[Span, ...]:
    """Find them with those among them that are clinical values."""
    least = _least_score(policy)
    patterns = {
        name: pattern
        for name, pattern in policy.patterns.items()
        if is_direct(policy.labels[pattern.label]) and pattern.score >= least
    }
    rules = _rules_of(least).with_patterns(patterns, policy.labels)
    (spans,) = rules.recognize([RawNote("", "", read.text)])
    beside = [
        span
        for span in spans
        if policy.operators[span.name] is not OperatorName.KEEP
        and not issued.touch(span.start, span.end)
    ]
    return drop_terms_not_phi(read.text, read.cut_at_signs(beside), policy.allow)


def _least_score(policy: Policy) -> float:
    """Return the score from which the policy takes the word of a rule alone."""
    if RecognizerName.RULES not in policy.recognizers:
        return _NEVER
    tagged = RecognizerName.TAGGER in policy.recognizers
    return SURE if tagged and policy.combine is Combine.CORROBORATED else 0


@lru_cache(maxsize=3)
def _rules_of(least: float) -> RulesRecognizer:
    certain = (rule for rule in BUILT_IN if is_direct(rule.label) and rule.score >= least)
    rules = {rule.id: rule for rule in (*FORMATS, *certain)}
    return RulesRecognizer(tuple(compile_rule(rule) for rule in rules.values()))
