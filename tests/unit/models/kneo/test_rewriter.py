"""What sentence KNEO is asked of a note, and what becomes of its replacements."""

from dataclasses import replace

import pytest

from deidstream.models.kneo.rewriter import Rewriter
from deidstream.models.kneo.sentence_kneo import SentenceKneo
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.records import KNEO, Substituted
from deidstream.models.verification.verifier import verify
from deidstream.schemas.kneo_policy import KneoPolicy, OtherLines
from support.noted_index import EMBEDDER, POLICY, noted_index
from support.outputs import output
from support.spans import ROOT

NOTE = (
    "PLAN\n{DOCTOR:Ada Quenby}.\nThe heart was tender on imaging today, said {DOCTOR:Ada Quenby}. "
    "The liver was enlarged on examination today.\n"
)
KEPT = replace(POLICY, donors=0, other_lines=OtherLines.KEEP)


def rewriter(policy: KneoPolicy) -> Rewriter:
    return Rewriter(SentenceKneo(noted_index(), EMBEDDER, policy), ROOT, 1)


def rewrite(policy: KneoPolicy = KEPT, note: str = NOTE) -> tuple[Substituted, Substituted]:
    made = output(note, read_shipped_policy("kneo"))
    return made, rewriter(policy).rewrite([made])[0]


@pytest.mark.parametrize("policy", [KEPT, replace(KEPT, notice=True)])
def test_replacements_of_a_sentence_follow_it_and_the_others_stay_at_theirs(
    policy: KneoPolicy,
) -> None:
    before, after = rewrite(policy)
    kept, gone = after.replacements
    assert after.text[kept.out_start : kept.out_end] == before.replacements[0].text
    assert (kept.operator, gone.operator) == (before.replacements[0].operator, KNEO)
    assert before.replacements[1].text not in after.text[gone.out_start : gone.out_end]
    assert after.text[gone.out_start : gone.out_end].endswith("today.")


@pytest.mark.parametrize("policy", [KEPT, POLICY, replace(POLICY, notice=True)])
def test_every_span_is_still_accounted_for(policy: KneoPolicy) -> None:
    before, after = rewrite(policy)
    spans = [one.span for one in after.replacements]
    assert spans == [one.span for one in before.replacements]
    assert all(0 <= r.out_start <= r.out_end <= len(after.text) for r in after.replacements)
    finished = replace(after.planned.detected, finished=read_shipped_policy("kneo").recognizers)
    planned = replace(after.planned, detected=finished)
    assert verify(replace(after, planned=planned), read_shipped_policy("kneo")).text == after.text


def test_where_nothing_of_the_note_stays_all_replacements_went_with_it() -> None:
    _, after = rewrite(replace(POLICY, notice=True))
    assert {one.operator for one in after.replacements} == {KNEO}
    places = {after.text[one.out_start : one.out_end] for one in after.replacements}
    assert places == {after.text.split("\n\n")[1].strip()}


def test_a_neighbour_that_holds_an_identifier_is_banned() -> None:
    _, plain = rewrite()
    _, banned = rewrite(note=NOTE.replace("Quenby", "Tender"))
    assert "tender" in plain.text
    assert "tender" not in banned.text


def test_the_record_states_what_was_done() -> None:
    _, after = rewrite()
    assert after.kneo is not None
    assert (after.kneo.units, after.kneo.replaced, after.kneo.withheld) == (4, 2, 0)
    assert after.kneo.kept == {"heading": 1, "short": 1}
    assert 0 < after.kneo.kept_characters < 0.5
    assert after.kneo.anonymity_set is None
    assert after.kneo.deniability is None


def test_the_state_of_a_note_decides_not_the_batch() -> None:
    notes = [output(NOTE, read_shipped_policy("kneo"), ids=(f"n{i}", "p")) for i in range(3)]
    made = rewriter(replace(POLICY, deniability=10))
    assert made.rewrite(notes) == [made.rewrite([note])[0] for note in notes]
