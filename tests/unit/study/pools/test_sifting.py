from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import POSSIBLE, Span
from deidstream.study.pools.sifting import DropReason, mark_spans, refuse_text, sift_note


def sift(text: str, *spans: Span) -> tuple[tuple[str, ...], Counter[DropReason]]:
    sifted = sift_note(text, mark_spans(text, spans))
    return sifted.sentences, sifted.dropped


def span(text: str, found: str, label: PhiLabel = PhiLabel.PATIENT, source: str = "rules") -> Span:
    start = text.index(found)
    return Span(start, start + len(found), label, source=source)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (" ".join(["word"] * 61), DropReason.LENGTH),
        ("12 34 5 6", DropReason.LENGTH),
        ("His number is 12345 as noted", DropReason.NUMBER),
        ("His number is 555-0149 as noted", DropReason.NUMBER),
        ("Write to ada@example.org for more", DropReason.ADDRESS),
        ("See http://example.org for more details", DropReason.ADDRESS),
        ("See www.example.org for more details", DropReason.ADDRESS),
        ("Seen by Dr. XXX in the clinic", DropReason.PLACEHOLDER),
        ("Seen by ____ in the clinic", DropReason.PLACEHOLDER),
        ("Seen by [**Name**] in the clinic", DropReason.PLACEHOLDER),
        ("Seen by <NAME> in the clinic", DropReason.PLACEHOLDER),
        ("She was well. [...] She went home", DropReason.PLACEHOLDER),
        ("Seen by our colleague Quillfeather today", DropReason.NAME),
        ("Ada was seen in the clinic today", DropReason.NAME),
        ("Blood pressure today 120/80 again", None),
        ("Platelets were 1250 after two days", None),
        ("word " * 60, None),
        ("Seen by [DOCTOR] on [DATE] in clinic", None),
        ("The Foley catheter was removed today", None),
    ],
)
def test_what_its_own_words_say_against_a_sentence(text: str, reason: DropReason | None) -> None:
    assert refuse_text(text) is reason


def test_labels_of_a_redacted_corpus_are_slots() -> None:
    text = "PLAN\nSeen by [DOCTOR] on [DATE] in clinic. [PATIENT] walks well alone."
    inside = span(text, "DATE", PhiLabel.PROFESSION)
    assert sift(text, inside) == (
        ("Seen by [DOCTOR] on [DATE] in clinic.", "[PATIENT] walks well alone."),
        Counter(),
    )


def test_a_span_that_reaches_over_a_label_keeps_its_sentence_out() -> None:
    text = "Seen by old [DOCTOR] in the clinic."
    assert sift(text, span(text, "old [DOCTOR]", PhiLabel.DOCTOR))[1] == {DropReason.FOUND: 1}


@pytest.mark.parametrize(
    ("second", "label", "admitted"),
    [
        ("Ada Lane", PhiLabel.PATIENT, True),
        ("Ada Lane", PhiLabel.DOCTOR, False),
        ("Lane", PhiLabel.PATIENT, False),
        ("Ada Lane went", PhiLabel.PATIENT, False),
    ],
)
def test_a_slot_needs_agreement(second: str, label: PhiLabel, *, admitted: bool) -> None:
    text = "In May, Ada Lane went home with us."
    found = sift(text, span(text, "Ada Lane"), span(text, second, label, "tagger"))
    expected = ("In May, [PATIENT] went home with us.",) if admitted else ()
    assert found[0] == expected


@pytest.mark.parametrize("sources", [("tagger",), ("dictionary",), ("tagger", "dictionary")])
def test_a_slot_needs_a_rule_or_two_recognizers(sources: tuple[str, ...]) -> None:
    text = "He takes Zorbin at home now."
    found = sift(text, *(span(text, "Zorbin", source=source) for source in sources))
    assert bool(found[0]) == (len(sources) == 2)


def test_what_is_possible_keeps_a_sentence_out_unless_a_slot_covers_it() -> None:
    text = "She told us that Ada went home. He was in the unit all week."
    found = (
        span(text, "Ada"),
        span(text, "Ada", PhiLabel.DOCTOR, POSSIBLE),
        span(text, "unit", PhiLabel.HOSPITAL, POSSIBLE),
    )
    assert sift(text, *found) == (
        ("She told us that [PATIENT] went home.",),
        Counter({DropReason.POSSIBLE: 1}),
    )


def test_what_was_found_once_is_not_left_elsewhere() -> None:
    text = "We saw ada quill in clinic. Later ada quill went home. She sleeps well at night."
    found = sift(text, span(text, "ada quill"))
    assert found[0] == ("We saw [PATIENT] in clinic.", "She sleeps well at night.")
    assert found[1] == {DropReason.ECHO: 1}


@pytest.mark.parametrize(
    "line", ["Na 138   K 4.1   Cl 101   Mg 2.0", "Lisinopril 10 mg daily by mouth", "Short line"]
)
def test_only_prose_enters(line: str) -> None:
    assert not sift(line)[0]


WORDS = ("seen", "with", "rest", "home", "Quagga", "Zorba Lint", "pain.", "Then", "the", "well")
NAMES = ("Quagga", "Zorba Lint")


@given(st.lists(st.sampled_from(WORDS), min_size=4, max_size=40), st.integers(0, 40))
def test_no_found_text_enters_a_pool(words: list[str], missed: int) -> None:
    text = " ".join(words)
    spans: list[Span] = []
    for name in NAMES:
        start = text.find(name)
        while start >= 0:
            spans.append(Span(start, start + len(name), PhiLabel.PATIENT, source="rules"))
            start = text.find(name, start + 1)
    # One mention is overlooked, as long as another is found.
    if len({text[s.start : s.end] for s in spans}) < len(spans):
        spans = [s for n, s in enumerate(spans) if n != missed % len(spans)]
    found = {text[s.start : s.end] for s in spans}
    for sentence in sift(text, *spans)[0]:
        assert not any(name in sentence for name in found)
