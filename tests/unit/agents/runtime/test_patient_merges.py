"""Notes behind a merge are of the surviving patient, until the numbers are parted."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import orjson
import pytest

from deidstream.schemas.errors import Reason, Unavailable
from deidstream.schemas.note import LinkType, NoteStatus, PatientLink, RawNote
from deidstream.schemas.outcome import Anonymized, Coordinates, Failed, Outcome, Retracted
from deidstream.schemas.wire import decode, encode_anonymized, encode_note
from deidstream.stream.delivery.outcome_records import OutcomeEncoder
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from support.delivery import TOPICS
from support.notes import note, stamp
from support.pipeline import service

TEXT = "Mr. John Zyxwv was seen on 2/3/2024. MRN 7741902."
A = replace(note(), note_id="n1", patient_id="4410", text=TEXT)
B = replace(A, patient_id="8812")
MERGE = replace(B, note_id="m1", links=(PatientLink(LinkType.REPLACES, "4410"),))
NOTES = (A, B, MERGE)
UNMERGE = replace(B, note_id="m2", links=(PatientLink(LinkType.APART, "4410"),))


def run(*notes: RawNote | bytes, store: MemorySurrogateStore | None = None) -> list[Outcome]:
    values = [one if isinstance(one, bytes) else encode_note(one) for one in notes]
    return asyncio.run(service(store=store or MemorySurrogateStore()).run(values))


def patients(outcomes: Sequence[Outcome]) -> list[str]:
    assert all(isinstance(one, Anonymized) for one in outcomes), outcomes
    return [one.note.patient_id for one in outcomes if isinstance(one, Anonymized)]


def test_later_notes_of_both_have_the_surviving_pseudonym_and_its_dates_until_the_unmerge() -> None:
    outcomes = run(A, B, MERGE, A, B, UNMERGE, A, B)
    first, second, *_ = found = patients(outcomes)
    assert first != second
    assert found == [first, second, second, second, second, second, first, second]
    texts = [one.note.text for one in outcomes if isinstance(one, Anonymized)]
    assert texts[3] == texts[4] == texts[1] != texts[0] == texts[6]


def test_notes_together_are_of_the_surviving_patient_wherever_the_merge_stands() -> None:
    made: list[list[Outcome]] = []
    for order in permutations(NOTES):
        values = [encode_note(one) for one in order]
        made.append(asyncio.run(service().run_together(values)))
    first, second = patients(run(A, B))
    found = [patients(outcomes) for outcomes in made]
    assert found == [[second] * len(NOTES)] * len(found)
    assert first != second
    texts = {
        (note.note_id, note.patient_id, outcome.note.text)
        for order, outcomes in zip(permutations(NOTES), made, strict=True)
        for note, outcome in zip(order, outcomes, strict=True)
        if isinstance(outcome, Anonymized)
    }
    assert len(texts) == len(NOTES)


def test_the_records_say_which_pseudonyms_are_one_and_hold_no_number() -> None:
    before, merge, unmerge = run(A, MERGE, UNMERGE)
    (linked,), (parted,) = merge.patients, unmerge.patients
    retired, survivor = patients([before])[0], patients([merge])[0]
    assert (linked.patient_id, linked.type, linked.other_id) == (survivor, "replaces", retired)
    assert (parted.patient_id, parted.type, parted.other_id) == (survivor, "apart", retired)
    made = OutcomeEncoder(TOPICS, stamp()).encode(Coordinates("raw", 0, 0), merge)
    assert [one.topic for one in made.records] == [TOPICS.anonymized, TOPICS.risk, TOPICS.patients]
    kept = made.records[-1]
    assert kept.key == "+".join(sorted((survivor, retired))).encode()
    assert not any(number in kept.value for number in (b"4410", b"8812"))


def test_a_note_that_is_read_again_behind_the_merge_is_another_output_of_the_same_note() -> None:
    store = MemorySurrogateStore()
    before, merge = run(A, MERGE, store=store)
    again, once_more = run(A, A, store=store)
    assert isinstance(before, Anonymized)
    assert isinstance(again, Anonymized)
    assert isinstance(once_more, Anonymized)
    assert before.note.output_id != again.note.output_id
    assert before.note.note_id == again.note.note_id
    assert encode_anonymized(again.note) == encode_anonymized(once_more.note)
    assert run(MERGE, store=store) == [merge]


def test_another_tenant_with_the_same_numbers_is_left_alone() -> None:
    store = MemorySurrogateStore()
    south = [replace(A, tenant="south"), replace(B, tenant="south")]
    before = patients(run(*south, store=store))
    run(MERGE, store=store)
    assert patients(run(*south, store=store)) == before


def test_a_merge_counts_though_its_own_note_is_quarantined() -> None:
    spanish = "El paciente fue visto por la mañana y tiene dolor de cabeza desde hace dos semanas. "
    failing = replace(MERGE, text=spanish * 4)
    failed, after = run(failing, A)
    assert isinstance(failed, Failed)
    assert failed.reason is Reason.UNSUPPORTED_LANGUAGE
    made = OutcomeEncoder(TOPICS, stamp()).encode(Coordinates("raw", 0, 0), failed)
    assert [one.topic for one in made.records] == [TOPICS.quarantine, TOPICS.patients]
    assert patients([after]) == patients(run(B))


def test_a_note_is_taken_back_under_the_surviving_patient() -> None:
    cancelled = replace(A, text="", status=NoteStatus.CANCELLED)
    merge, taken_back = run(MERGE, cancelled)
    assert isinstance(taken_back, Retracted)
    assert [taken_back.patient_id] == patients([merge])


def test_a_store_that_is_away_is_waited_for_and_the_merge_is_kept_once() -> None:
    class Flaky(MemorySurrogateStore):
        asked = 0

        async def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
            Flaky.asked += 1
            if Flaky.asked % 2:
                raise Unavailable("redis")  # noqa: EM101
            return await super().claim(pairs)

    outcomes = run(MERGE, A, store=Flaky())
    assert len(set(patients(outcomes))) == 1


def test_links_of_a_record_are_read_and_written_and_refused_where_they_are_none() -> None:
    assert decode(encode_note(MERGE)) == MERGE
    fields = json.loads(encode_note(A))
    unknown = {"type": "is", "patient_id": "1"}
    wrong: tuple[object, ...] = ({}, [1], [unknown])
    for links in wrong:
        (failed,) = run(orjson.dumps(fields | {"links": links}))
        assert isinstance(failed, Failed)
        assert failed.reason is Reason.WRONG_TYPE
        assert failed.field == "links"
    (failed,) = run(orjson.dumps(fields | {"links": [{"type": "replaces", "patient_id": " "}]}))
    assert isinstance(failed, Failed)
    assert failed.reason is Reason.MISSING_FIELD


def patient(number: str, *links: tuple[str, str]) -> bytes:
    fields: dict[str, object] = {"resourceType": "Patient", "id": number, "active": True}
    fields["name"] = [{"family": "Zyxwv", "given": ["John"]}]
    if links:
        fields["link"] = [
            {"other": {"reference": f"Patient/{other}"}, "type": kind} for kind, other in links
        ]
    return orjson.dumps(fields)


def weight(number: str) -> bytes:
    fields = {"resourceType": "Observation", "id": f"o{number}", "status": "final"}
    subject = {"reference": f"Patient/{number}"}
    return orjson.dumps(fields | {"code": {"text": "Weight"}, "subject": subject})


@pytest.mark.parametrize(
    ("linked", "unlinked"),
    [
        (patient("4410", ("replaced-by", "8812")), patient("4410")),
        (patient("8812", ("replaces", "4410")), patient("8812")),
        (
            patient("8812", ("replaces", "4410"), ("seealso", "9")),
            patient("8812", ("seealso", "9")),
        ),
    ],
)
def test_a_link_of_a_fhir_patient_merges_until_the_patient_comes_without_it(
    linked: bytes, unlinked: bytes
) -> None:
    notes = [weight("4410"), weight("8812")]
    outcomes = run(*notes, linked, *notes, unlinked, unlinked, *notes, linked, *notes)
    retired, survivor, _, *found = patients(outcomes)
    assert found[:2] == [survivor] * 2
    assert found[4:6] == [retired, survivor]
    assert found[7:] == [survivor] * 2
    of_note = outcomes[3]
    assert isinstance(of_note, Anonymized)
    assert orjson.loads(of_note.note.resource or b"")["subject"] == {
        "reference": f"Patient/{survivor}"
    }


def test_a_link_that_another_resource_states_is_not_withdrawn_by_one_that_states_none() -> None:
    outcomes = run(patient("4410", ("replaced-by", "8812")), patient("8812"), weight("4410"))
    assert len(set(patients(outcomes))) == 1


def test_seealso_is_said_and_merges_nothing() -> None:
    outcomes = run(patient("4410", ("seealso", "8812")), weight("4410"), weight("8812"))
    assert [one.type for one in outcomes[0].patients] == ["seealso"]
    assert len(set(patients(outcomes))) == 2
