"""Under sentence KNEO no long run of the note's own words may be left."""

from dataclasses import replace

import pytest

from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.records import KNEO, Substituted
from deidstream.models.verification.copied_words import LONGEST_RUN
from deidstream.models.verification.verifier import find_leak
from deidstream.schemas.errors import LeakKind
from deidstream.schemas.policy import Policy
from support.outputs import output

POLICY = read_shipped_policy("kneo")


def words(count: int, first: int = 0) -> str:
    """So many words, no two alike."""
    letters = "bcdfghjklm"
    return " ".join(
        f"{letters[n // 100 % 10]}a{letters[n // 10 % 10]}e{letters[n % 10]}ing"
        for n in range(first, first + count)
    )


def verdict(made: Substituted, policy: Policy = POLICY) -> LeakKind | None:
    return find_leak(made, policy)


def test_a_run_of_own_words_is_seen_from_its_length() -> None:
    assert verdict(output(f"Then {words(LONGEST_RUN - 1)}.", POLICY)) is None
    assert verdict(output(f"Then {words(LONGEST_RUN)}.", POLICY)) is LeakKind.COPIED


def test_the_bound_is_what_was_measured() -> None:
    assert LONGEST_RUN == 32


def test_a_run_may_go_over_sentences() -> None:
    note = f"Then {words(20)}. Thus {words(20, 30)}."
    assert verdict(output(note, POLICY)) is LeakKind.COPIED


def test_a_run_is_seen_beside_other_text_of_any_length() -> None:
    long, short = f"Then {words(40)}", f"with {words(5, 300)}."
    for note in (f"{long} {{PATIENT:Bo Zyxwvut}} {short}", f"{short} {{PATIENT:Bo Quilby}} {long}"):
        assert verdict(output(note, POLICY)) is LeakKind.COPIED


@pytest.mark.parametrize("left", [LONGEST_RUN, LONGEST_RUN + 1])
def test_a_run_amid_other_words_is_seen_from_the_same_length(left: int) -> None:
    made = output(f"Then {words(50, 100)} {words(left)} {words(50, 200)}.", POLICY)
    others = f"Thus {words(60, 300)} {words(left)} {words(60, 400)}."
    expected = LeakKind.COPIED if left > LONGEST_RUN else None
    assert verdict(replace(made, text=others)) is expected


def test_words_in_another_order_are_no_run() -> None:
    made = output(f"Then {words(160)}.", POLICY)
    turned = " ".join(reversed(made.text.split()))
    assert verdict(replace(made, text=turned)) is None


def test_other_policies_keep_the_wording() -> None:
    note = f"Then {words(60)}."
    assert verdict(output(note), read_shipped_policy("surrogate")) is None


def test_headings_short_lines_and_surrogates_end_a_run() -> None:
    lines = "\n".join(f"{words(2, n)}" for n in range(0, 80, 2))
    assert verdict(output(lines, POLICY)) is None
    note = f"Then {words(20)} {{PATIENT:Rosalind Zyxwvut}} {words(20, 30)}."
    assert verdict(output(note, POLICY)) is None


def test_a_sentence_of_the_pool_is_no_run_of_the_note() -> None:
    made = output(f"{{PATIENT:Rosalind Zyxwvut}} {words(40)}.", POLICY)
    (one,) = made.replacements
    neighbour = f"He {words(40, 200)}."
    gone = replace(one, operator=KNEO, out_start=0, out_end=len(neighbour))
    assert verdict(replace(made, text=neighbour, replacements=(gone,))) is None
