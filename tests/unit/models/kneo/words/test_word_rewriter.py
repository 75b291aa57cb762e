from dataclasses import replace

import pytest

from deidstream.models.kneo.words.near_words import NearWords
from deidstream.models.kneo.words.word_kneo import NUMBER, WordKneo
from deidstream.models.kneo.words.word_rewriter import WordRewriter
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.records import Substituted
from deidstream.models.verification.verifier import find_leak, verify
from deidstream.schemas.errors import LeakKind
from deidstream.schemas.note import KnownIdentifiers
from deidstream.schemas.permit import EmitPermit
from deidstream.schemas.word_policy import NumberRule, WordPolicy
from support.outputs import output
from support.spans import ROOT
from support.word_vectors import small_vectors

POLICY = read_shipped_policy("kneo-words")
NEAR = NearWords(small_vectors())
NOTE = "Mrs. {PATIENT:Ada Rose} denies pain.\nMRN {MEDICALRECORD:44-71-0982}; left knee 3/5.\n"


def rewritten(made: Substituted, policy: WordPolicy = POLICY.words) -> Substituted:
    (one,) = WordRewriter(WordKneo(NEAR, policy), ROOT, 1).rewrite([made])
    return one


def drawn_words(note: str, known: KnownIdentifiers, times: int) -> set[str]:
    words: set[str] = set()
    for number in range(times):
        made = rewritten(output(note, POLICY, known, (f"n{number}", "p")))
        words |= {made.text[start:end].casefold() for start, end in made.written}
    return words


def test_spans_become_labels_and_all_else_is_drawn() -> None:
    made = rewritten(output(NOTE, POLICY))
    assert "[PATIENT]" in made.text
    assert "[MEDICALRECORD]" in made.text
    assert made.text.count(NUMBER) == 2
    for word in ("denies", "pain", "left", "knee", "Mrs"):
        assert word not in made.text


def test_the_note_says_what_was_done_with_its_words() -> None:
    report = rewritten(output(NOTE, POLICY)).kneo
    assert report is not None
    # Mrs and MRN are no words of the vocabulary, and two numbers are labelled.
    assert (report.units, report.replaced, report.withheld) == (8, 4, 4)


def test_the_verifier_permits_it() -> None:
    assert isinstance(verify(rewritten(output(NOTE, POLICY)), POLICY), EmitPermit)


def test_surrogates_stay_where_the_policy_writes_them() -> None:
    made = output(NOTE, "surrogate")
    text = rewritten(made).text
    assert all(one.text in text for one in made.replacements)


def test_no_word_of_an_identifier_is_drawn() -> None:
    note = "{PATIENT:Ada Rose} has pain and fever with rash of the knee"
    words = drawn_words(note, KnownIdentifiers(), 60)
    assert "rose" not in words
    free = "{DOCTOR:Bo Quilby} has pain and fever with rash of the knee"
    assert "rose" in drawn_words(free, KnownIdentifiers(), 200)


@pytest.mark.parametrize(
    "known", [KnownIdentifiers(names=("Smith, Bo",)), KnownIdentifiers(addresses=("1 Smyth St",))]
)
def test_no_word_of_a_stated_identifier_is_drawn(known: KnownIdentifiers) -> None:
    note = "pain of the knee and ankle with mild rash and fever"
    assert "smith" in drawn_words(note, KnownIdentifiers(), 100)
    assert "smith" not in drawn_words(note, known, 100)


def test_a_note_does_not_depend_on_those_beside_it() -> None:
    rewriter = WordRewriter(WordKneo(NEAR, POLICY.words), ROOT, 1)
    notes = [output(NOTE, POLICY, ids=(f"n{n}", "p")) for n in range(4)]
    together = rewriter.rewrite(notes)
    alone = [rewriter.rewrite([one])[0] for one in reversed(notes)]
    assert together == list(reversed(alone))


def test_a_word_that_was_left_is_a_leak() -> None:
    made = rewritten(output(NOTE, POLICY))
    assert find_leak(replace(made, text=made.text + " knee"), POLICY) is LeakKind.COPIED
    assert find_leak(replace(made, written=made.written[1:]), POLICY) is LeakKind.COPIED


def test_words_of_the_note_in_a_row_are_a_leak() -> None:
    note = "with severe pain and swelling of the left knee and ankle since the weekly injections"
    made = output(note, POLICY)
    whole = replace(made, written=((0, len(note)),))
    assert find_leak(whole, POLICY) is LeakKind.COPIED
    assert find_leak(rewritten(made), POLICY) is None


def test_a_drawn_word_that_is_an_identifier_is_a_leak() -> None:
    made = output("{PATIENT:Ada Zyxwvut} walks", POLICY)
    at = len(made.text) - len("walks")
    for drawn, kind in (("fever", None), ("zyxwvut", LeakKind.REPEATED)):
        text = made.text[:at] + drawn
        other = replace(made, text=text, written=((at, len(text)),))
        assert find_leak(other, POLICY) is kind


def test_kept_numbers_are_still_looked_at() -> None:
    keep = WordPolicy(numbers=NumberRule.KEEP)
    made = rewritten(output("knee pain, phone 555-867-5309", POLICY), keep)
    assert made.text.endswith("555-867-5309")
    assert find_leak(made, POLICY) in {LeakKind.FORMAT, LeakKind.DETECTED}
