from dataclasses import replace

import numpy as np
import pytest

from deidstream.models.kneo.donors import DonorChooser, Donors
from deidstream.models.kneo.kneo_query import KneoQuery
from deidstream.models.references.own_attack import NoteTrace
from deidstream.models.references.reference_notes import mean_vector
from deidstream.schemas.kneo_policy import KneoPolicy, OtherLines, Take
from support.noted_index import EMBEDDER, POLICY, SENTENCES, kneo, noted_index, pieces_of, query

LINES = [*pieces_of(7)[:9], "The beekeeper was stung by wombats on inspection today."]


def trace(lines: list[str]) -> NoteTrace:
    return NoteTrace(
        noted_index().notes.sketch("\n".join(lines)), mean_vector(EMBEDDER.embed(lines))
    )


def choose(policy: KneoPolicy = POLICY, asked: KneoQuery | None = None) -> list[Donors]:
    chooser = DonorChooser.of(noted_index().notes, policy)
    return list(chooser.choose(asked or query(LINES), trace(LINES), noted_index().digest))


def drawn(found: list[Donors]) -> list[int]:
    return [number for one in found for number in one.drawn]


def test_donors_are_drawn_among_those_most_like() -> None:
    found = choose(replace(POLICY, donors_among=5))
    assert {one.possible for one in found} == {5}
    likeness = DonorChooser.of(noted_index().notes, POLICY).likeness.compare(trace(LINES))
    assert set(drawn(found)) == set(np.argsort(-likeness, kind="stable")[:5].tolist())
    assert 7 in drawn(found)


def test_the_order_is_drawn_by_key_and_note() -> None:
    assert choose() == choose()
    others = [choose(asked=query(LINES, note_id=f"note-{i}")) for i in range(5)]
    assert len({tuple(drawn(one)) for one in others}) > 1
    assert len({frozenset(drawn(one)) for one in others}) == 1


def test_several_donors_are_drawn_at_once() -> None:
    found = choose(replace(POLICY, donors=4))
    assert [len(one.drawn) for one in found] == [4, 4, 2]


def test_the_notes_of_the_patient_are_no_donors() -> None:
    assert 7 not in drawn(choose(asked=query(LINES, donors=frozenset({"p7"}))))


def test_the_note_itself_is_no_donor() -> None:
    chooser = DonorChooser.of(noted_index().notes, POLICY)
    lines = list(pieces_of(7))
    assert 7 not in drawn(list(chooser.choose(query(lines), trace(lines), "digest")))


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_donors_are_of_the_type_that_the_note_states(kind: int) -> None:
    stated = ("Progress_Note", "discharge summary", "LETTER")[kind]
    found = choose(replace(POLICY, same_type=True), query(LINES, note_type=stated))
    assert {number % 4 for number in drawn(found)} == {kind}


def test_a_type_of_few_notes_does_not_limit() -> None:
    free = choose(replace(POLICY, same_type=False))
    assert choose(replace(POLICY, same_type=True), query(LINES, note_type="autopsy")) == free


def test_a_note_without_a_type_takes_that_of_the_nearest() -> None:
    found = choose(replace(POLICY, same_type=True))
    assert len({number % 4 for number in drawn(found)}) == 1


def test_an_index_without_a_donor_yields_none_drawn() -> None:
    (only,) = choose(asked=query(LINES, donors=frozenset(f"p{i}" for i in range(100))))
    assert only == Donors((), 0)


def test_every_sentence_comes_from_the_donor() -> None:
    (result,) = kneo().substitute([query(LINES)])
    (first, *_) = choose()
    rows = noted_index().notes.rows.of(first.drawn[0]).tolist()
    lines = result.text.splitlines()
    assert lines
    assert {SENTENCES.index(line) for line in lines} <= set(rows)
    assert len(set(lines)) == len(lines)
    assert (result.report.donors, result.report.anonymity_set) == (1, 10)


def test_all_takes_the_donor_whole_and_in_its_order() -> None:
    (result,) = kneo(replace(POLICY, take=Take.ALL)).substitute([query(LINES)])
    lines = result.text.splitlines()
    donors = [i for i in range(100) if [*pieces_of(i)[1:]] == lines]
    assert len(donors) == 1
    assert result.report.replaced == len(lines)
    assert (result.report.withheld, result.kept.total()) == (0, 0)


def test_a_banned_sentence_is_not_taken_with_the_rest() -> None:
    def is_banned(text: str) -> bool:
        return "imaging" in text

    asked = query(LINES, banned=is_banned)
    (result,) = kneo(replace(POLICY, take=Take.ALL)).substitute([asked])
    assert "imaging" not in result.text
    assert result.text.strip()


def test_what_is_no_prose_is_dropped_or_stays_where_common() -> None:
    lines = ["PLAN", *LINES[1:], "RARE HEADING"]

    def written(lines_are: OtherLines) -> str:
        return kneo(replace(POLICY, other_lines=lines_are)).substitute([query(lines)])[0].text

    assert "PLAN" not in written(OtherLines.DROP)
    common = written(OtherLines.COMMON)
    assert ("PLAN" in common, "RARE HEADING" in common) == (True, False)
    assert "RARE HEADING" in written(OtherLines.KEEP)


def test_the_layout_goes_with_the_lines() -> None:
    (result,) = kneo().substitute([query(["PLAN", "1. " + LINES[1], "", "2. Home."])])
    assert "[...]" not in result.text
    assert not result.text.startswith("1.")


def test_a_notice_says_whose_the_text_is() -> None:
    (result,) = kneo(replace(POLICY, notice=True)).substitute([query(LINES)])
    notice, rest = result.text.split("\n\n")
    assert notice == (
        "[Not a record of this patient: sentences of other patients stand here. "
        "Donors: 1, each drawn among 10 notes.]"
    )
    start, end = result.substituted[0]
    assert result.text[start:end] == rest.strip()
