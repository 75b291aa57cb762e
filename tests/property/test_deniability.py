"""Laws of deniability and of donors by the note, over small notes about organs."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.schemas.kneo_policy import KneoPolicy, OtherLines, Take
from deidstream.schemas.kneo_report import DeniabilityReport
from support.noted_index import KINDS, POLICY, SENTENCES, kneo, noted_index, pieces_of, query

own_lines = st.sampled_from(
    [
        *(
            "WOMBAT CLINIC",
            "The beekeeper was bitten by wombats.",
            "Home.",
            "Seen by wombats again.",
        ),
        *SENTENCES[::37],
    ]
)
notes = st.tuples(st.integers(0, 150), st.lists(own_lines, min_size=1, max_size=8)).map(
    lambda drawn: [*pieces_of(drawn[0])[:7], *drawn[1]]
)
policies = st.builds(
    replace,
    st.just(POLICY),
    donors=st.sampled_from([0, 1, 3]),
    neighbours=st.sampled_from([1, 5]),
    take=st.sampled_from(Take),
    other_lines=st.sampled_from(OtherLines),
    most_dropped=st.sampled_from([0.0, 0.5, 1.0]),
    deniability=st.just(1),
)
ranks = st.integers(1, 110)


def find(policy: KneoPolicy, lines: list[str]) -> DeniabilityReport:
    (result,) = kneo(policy).substitute([query(lines)])
    assert result.report.deniability is not None
    return result.report.deniability


@pytest.mark.slow
@settings(max_examples=40)
@given(policies, notes, ranks, ranks)
def test_a_larger_k_never_ends_at_a_lower_rank(
    policy: KneoPolicy, lines: list[str], one: int, other: int
) -> None:
    less, more = sorted([one, other])
    before = find(replace(policy, deniability=less), lines)
    after = find(replace(policy, deniability=more), lines)
    assert min(after.jaccard, after.dense) >= min(before.jaccard, before.dense)
    assert after.rounds >= before.rounds


@pytest.mark.slow
@settings(max_examples=40)
@given(policies, notes, ranks)
def test_the_rank_is_reached_or_the_record_says_that_it_is_not(
    policy: KneoPolicy, lines: list[str], wanted: int
) -> None:
    found = find(replace(policy, deniability=wanted), lines)
    assert found.wanted == wanted
    assert found.reached == (found.jaccard >= wanted and found.dense >= wanted)
    assert 1 <= found.jaccard <= found.of + 1
    assert 1 <= found.dense <= found.of + 1


@pytest.mark.slow
@settings(max_examples=30)
@given(policies, st.lists(notes, min_size=2, max_size=4), ranks)
def test_a_note_does_not_depend_on_those_beside_it(
    policy: KneoPolicy, batch: list[list[str]], wanted: int
) -> None:
    made = kneo(replace(policy, deniability=wanted))
    queries = [
        query(lines, note_id=f"n{i}", note_type=KINDS[i % 4]) for i, lines in enumerate(batch)
    ]
    assert made.substitute(queries) == [made.substitute([one])[0] for one in queries]


@pytest.mark.slow
@settings(max_examples=30)
@given(policies, st.integers(0, 99), ranks)
def test_an_index_that_holds_the_note_gives_back_no_sentence_of_the_patient(
    policy: KneoPolicy, number: int, wanted: int
) -> None:
    lines = list(pieces_of(number))
    asked = query(lines, donors=frozenset({f"p{number}"}))
    prose = replace(policy, deniability=wanted, other_lines=OtherLines.DROP)
    (result,) = kneo(prose).substitute([asked])
    rows = set(noted_index().notes.rows.of(number).tolist())
    assert not rows & {SENTENCES.index(x) for x in result.text.splitlines() if x in SENTENCES}


@pytest.mark.slow
def test_a_thousand_replays_have_one_output() -> None:
    made = kneo(replace(POLICY, deniability=20, same_type=True))
    lines = [*pieces_of(3)[:9], "The beekeeper was bitten by wombats."]
    (asked,) = [query(lines, note_type="letter")]
    first = kneo(replace(POLICY, deniability=20, same_type=True)).substitute([asked])
    assert all(made.substitute([asked]) == first for _ in range(1_000))
