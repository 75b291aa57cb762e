from dataclasses import replace

import pytest

from deidstream.models.kneo.kneo_query import KneoResult
from deidstream.models.references.own_attack import ComparedNotes, NoteTrace, attack_output
from deidstream.models.references.reference_notes import mean_vector
from deidstream.schemas.kneo_policy import KneoPolicy, OnUndeniable, OtherLines
from deidstream.schemas.kneo_report import DeniabilityReport
from support.noted_index import EMBEDDER, POLICY, kneo, noted_index, pieces_of, query

OWN = ["The beekeeper was bitten by wombats.", "A wombat was seen by the beekeeper again."]
LINES = [*pieces_of(13)[:8], *OWN]
POOL = replace(POLICY, donors=0, neighbours=5, other_lines=OtherLines.KEEP)
"""Neighbours from any note, and what is no prose stays."""


def settle(policy: KneoPolicy, lines: list[str] = LINES) -> tuple[KneoResult, DeniabilityReport]:
    (result,) = kneo(policy).substitute([query(lines)])
    assert result.report.deniability is not None
    return result, result.report.deniability


@pytest.mark.parametrize("policy", [POLICY, POOL])
@pytest.mark.parametrize("wanted", [2, 10, 40])
def test_the_rank_is_reached(policy: KneoPolicy, wanted: int) -> None:
    _, found = settle(replace(policy, deniability=wanted, most_dropped=1.0))
    assert found.reached
    assert min(found.jaccard, found.dense) >= wanted
    assert found.of > 80


def test_the_rank_is_that_of_the_text_that_leaves() -> None:
    result, found = settle(replace(POLICY, deniability=5))
    notes = noted_index().notes

    def trace(lines: list[str]) -> NoteTrace:
        return NoteTrace(notes.sketch("\n".join(lines)), mean_vector(EMBEDDER.embed(lines)))

    lines = result.text.splitlines()
    donor = next(i for i in range(100) if set(lines) <= set(pieces_of(i)))
    attack = attack_output(trace(LINES), trace(lines), ComparedNotes.choose(notes), [donor])
    assert (found.jaccard, found.of) == (attack.jaccard.rank, attack.jaccard.of)
    assert found.dense == pytest.approx(attack.dense.rank, abs=1)  # the index stores halves


def test_nothing_is_changed_where_the_rank_is_high_already() -> None:
    without = kneo(replace(POLICY, deniability=0)).substitute([query(LINES)])[0]
    _, found = settle(replace(POLICY, deniability=1))
    assert found.rounds == 0
    assert kneo(replace(POLICY, deniability=1)).substitute([query(LINES)])[0].text == without.text


def test_kept_lines_that_give_a_note_away_are_dropped() -> None:
    lines = ["WOMBAT CLINIC FOR BEEKEEPERS", *LINES[:3]]
    before, found = settle(replace(POOL, deniability=1), lines)
    assert "WOMBAT CLINIC" in before.text
    assert min(found.jaccard, found.dense) < 30
    after, _ = settle(replace(POOL, deniability=30, most_dropped=1.0), lines)
    assert "WOMBAT CLINIC" not in after.text


def test_no_more_is_dropped_than_the_policy_permits() -> None:
    for share in (0.0, 0.2, 0.5):
        result, _ = settle(replace(POOL, deniability=90, most_dropped=share))
        assert result.withheld <= share * result.report.units


@pytest.mark.parametrize("policy", [POLICY, POOL])
def test_what_cannot_be_denied_is_emitted_with_its_rank(policy: KneoPolicy) -> None:
    result, found = settle(replace(policy, deniability=5_000, most_dropped=0.0))
    assert not found.reached
    assert result.text.strip()


@pytest.mark.parametrize("policy", [POLICY, POOL])
def test_what_cannot_be_denied_is_redacted(policy: KneoPolicy) -> None:
    stricter = replace(policy, deniability=5_000, on_undeniable=OnUndeniable.REDACT)
    result, found = settle(stricter)
    assert found.redacted
    assert result.report.replaced == 0
    assert not any(line in result.text for line in LINES if line != "PLAN")


def test_few_references_are_compared_where_the_policy_says_so() -> None:
    _, found = settle(replace(POLICY, deniability=3, references=20))
    assert found.of <= 20


def test_an_index_without_notes_denies_nothing() -> None:
    (result,) = kneo(
        replace(POOL, deniability=2, most_dropped=0.0), pool=noted_index(0)
    ).substitute([query(LINES)])
    assert result.report.deniability == DeniabilityReport(
        2, 1, 1, 0, result.report.deniability.rounds if result.report.deniability else -1
    )
