"""What must hold of any bytes at all: each law is given bytes and asserts.

The fuzzer runs all of them on what it makes (``tests/hostile/fuzz.py``), the tests on the corpus.
"""

from collections.abc import Callable
from functools import cache
from itertools import pairwise

from deidstream.models.detection.obfuscation.readings import read_obfuscated_note
from deidstream.models.detection.sweep import sweep
from deidstream.models.operators.table import operators
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.recognizers.known import KnownRecognizer
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.models.surrogates.allocation import allocate_without_store
from deidstream.models.surrogates.replacer import Replacer
from deidstream.models.text.folding import fold, fold_short
from deidstream.models.text.search import Term, find_occurrences
from deidstream.models.text.sentences import split_sentences
from deidstream.schemas.errors import InvalidNote
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.span import Span
from deidstream.schemas.wire import decode, encode_note
from support.detected import as_detected

Law = Callable[[bytes], None]
LABELS = tuple(PhiLabel)


def a_message_is_a_note_or_is_refused(data: bytes) -> None:
    try:
        note = decode(data)
    except InvalidNote:
        return
    assert decode(encode_note(note)) == note


def sentences_are_disjoint_and_hold_every_word(data: bytes) -> None:
    text = as_decoded(data)
    end = 0
    for piece in split_sentences(text):
        assert end <= piece.start < piece.end <= len(text)
        assert not any(word.isalpha() for word in text[end : piece.start].split())
        end = piece.end
    assert not any(word.isalpha() for word in text[end:].split())


def folding_knows_where_each_character_came_from(data: bytes) -> None:
    text = text_of(data)
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert all(folded.starts[1:] >= folded.starts[:-1])
    assert all(folded.starts < folded.ends)
    assert not len(folded.ends) or folded.ends.max() <= len(text)
    assert fold_short(text) == folded.text.strip()


def readings_lie_in_their_note(data: bytes) -> None:
    text = text_of(data)
    for part in read_obfuscated_note(text).parts:
        plain = part.plain
        assert len(plain.sources) == len(plain.text)
        every = [Span(n, n + 1, PhiLabel.IDNUM) for n in range(len(plain.text))]
        assert all(0 <= s.start < s.end <= len(text) for s in part.place_in_note(every))


def rules_find_spans_of_the_text(data: bytes) -> None:
    text = text_of(data)
    (found,) = rules().recognize([RawNote("n", "p", text)])
    assert all(0 <= span.start < span.end <= len(text) for span in found)
    swept = sweep(text, found)
    assert all(one.end <= other.start for one, other in pairwise(swept))


def known_identifiers_are_found_where_they_are(data: bytes) -> None:
    text = as_decoded(data)
    head, _, rest = text.partition("\n")
    entry = (head,)
    known = KnownIdentifiers(names=entry, identifiers=entry, dates=entry, addresses=entry)
    (found,) = KnownRecognizer().recognize([RawNote("n", "p", rest, known=known)])
    assert all(0 <= span.start < span.end <= len(rest) for span in found)
    if head.isalpha() and head.isascii():
        around = f"{head} {rest} {head}"
        starts = {one.start for one in find_occurrences(around, [Term(head)])}
        assert {0, len(around) - len(head)} <= starts


def any_span_can_be_replaced(data: bytes) -> None:
    text = as_decoded(data[2:])
    if not text.strip() or len(data) < 3:
        return
    label = LABELS[data[0] % len(LABELS)]
    start = data[1] % len(text)
    spans = (Span(start, len(text), label, 0.9, "tagger"),)
    note = RawNote("note-4471", "P-1903", text, authored_at="2024-03-05")
    for replacer in replacers():
        planned = replacer.plan(as_detected(note, spans))
        allocated = allocate_without_store(replacer.allocate([planned]))
        written = replacer.substitute(planned, allocated)
        (placed,) = written.replacements
        assert written.text == text[:start] + placed.text
        assert placed.text == written.text[placed.out_start : placed.out_end]


LAWS: tuple[Law, ...] = (
    a_message_is_a_note_or_is_refused,
    sentences_are_disjoint_and_hold_every_word,
    folding_knows_where_each_character_came_from,
    readings_lie_in_their_note,
    rules_find_spans_of_the_text,
    known_identifiers_are_found_where_they_are,
    any_span_can_be_replaced,
)


def as_decoded(data: bytes) -> str:
    """Read bytes as a text that the decoder lets through."""
    return data.decode("utf-8", "replace").replace("\0", " ")


def text_of(data: bytes) -> str:
    """Read bytes as text of any characters, lone surrogates among them."""
    return data.decode("utf-8", "surrogateescape")


@cache
def rules() -> RulesRecognizer:
    """Return the shipped rules."""
    return RulesRecognizer()


@cache
def replacers() -> tuple[Replacer, ...]:
    """Return the replacers of policies that together use every operator."""
    policies = map(read_shipped_policy, ("surrogate", "safe-harbor", "deidclinic"))
    return tuple(Replacer(each, operators(each), bytes(range(32)), 1) for each in policies)
