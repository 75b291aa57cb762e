"""A label of a site's own through the pipeline: it names what the label it is like decides."""

import asyncio
from collections.abc import Sequence
from functools import cache

import jsonschema
import orjson
import pytest

from deidstream.models.pipeline import Pipeline
from deidstream.models.policy.reader import read_policy
from deidstream.models.recognizers.dictionary.dictionary import DictionaryRecognizer
from deidstream.schemas.contracts import CONTRACTS
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Coordinates, Outcome
from deidstream.schemas.wire import encode_audit, encode_note
from deidstream.stream.delivery.outbox import count_outcome
from deidstream.stream.delivery.outcome_records import OutcomeEncoder
from deidstream.stream.kafka.topics import Topics
from deidstream.stream.observing import metrics
from support.notes import stamp
from support.pipeline import pipeline, service

POLICY = r"""
technique = "{technique}"
recognizers = ["rules", "known"]
[labels]
STUDY_NUMBER = "IDNUM"
[operators]
STUDY_NUMBER = "{operator}"
[patterns.study]
pattern = 'ST-\d{{5}}'
label = "STUDY_NUMBER"
before = ["study"]
examples = ["study [[ST-12345]]"]
"""
TEXT = "In study ST-12345. Slept well, no pain, eats and drinks.\nMRN: ST-12345. Case no. 9988771."


@cache
def made(technique: str, operator: str) -> Pipeline:
    source = POLICY.format(technique=technique, operator=operator).encode()
    return pipeline(policy=read_policy(source, name="site"))


def run(technique: str, operator: str, *texts: str) -> Sequence[Outcome]:
    notes = [encode_note(RawNote(f"n{at}", "p", text)) for at, text in enumerate(texts)]
    return asyncio.run(service(made(technique, operator)).run(notes))


def anonymize(technique: str, operator: str, text: str = TEXT) -> Anonymized:
    (outcome,) = run(technique, operator, text)
    assert isinstance(outcome, Anonymized)
    return outcome


def test_redact_writes_the_name_wherever_the_number_stands() -> None:
    outcome = anonymize("redact", "redact")
    assert outcome.note.text.count("[STUDY_NUMBER]") == 2
    assert "[IDNUM]" in outcome.note.text
    assert outcome.note.changes is not None
    assert outcome.note.changes.labels == len(outcome.note.permit.replacements)


@pytest.mark.parametrize("operator", ["redact", "mask", "hash", "surrogate", "keep"])
def test_it_has_an_operator_of_its_own_at_every_place(operator: str) -> None:
    replacements = anonymize("surrogate", operator).note.permit.replacements
    own = [one for one in replacements if one.span.name == "STUDY_NUMBER"]
    assert [one.operator for one in own] == [operator] * 2
    assert len({one.text for one in own}) == 1
    assert all(one.span.label is PhiLabel.IDNUM for one in own)


def test_the_surrogate_is_that_of_a_note_in_which_no_pattern_finds_it() -> None:
    first, second = run("surrogate", "surrogate", TEXT, "Case no. ST-12345 was closed today.")
    assert isinstance(first, Anonymized)
    assert isinstance(second, Anonymized)
    (found,) = second.note.permit.replacements
    assert found.span.name == "IDNUM"
    assert found.text in {one.text for one in first.note.permit.replacements}


def test_the_record_names_the_label_and_what_it_is_like() -> None:
    record = orjson.loads(encode_audit(anonymize("surrogate", "hash").note))
    jsonschema.validate(record, dict(CONTRACTS["notes.audit"]))
    labels = [(one["label"], one.get("like")) for one in record["replacements"]]
    assert labels == [("STUDY_NUMBER", "IDNUM"), ("STUDY_NUMBER", "IDNUM"), ("IDNUM", None)]


def test_a_worker_sends_and_counts_it_under_its_name() -> None:
    before = metrics.value("deid_entities_total", "STUDY_NUMBER")
    outcome = anonymize("surrogate", "hash")
    count_outcome(outcome)
    assert metrics.value("deid_entities_total", "STUDY_NUMBER") == before + 2
    topics = Topics("raw", "anonymized", "risk", "quarantine", audit="audit")
    encoded = OutcomeEncoder(topics, stamp()).encode(Coordinates("raw", 0, 0), outcome)
    (audit,) = [one.value for one in encoded.records if one.topic == "audit"]
    assert audit is not None
    assert b'"label":"STUDY_NUMBER"' in audit


def test_a_term_and_a_list_have_it_too() -> None:
    labels = {"WARD": PhiLabel.HOSPITAL, PhiLabel.HOSPITAL: PhiLabel.HOSPITAL}
    recognizer = DictionaryRecognizer.build({"WARD": ("Zorbo",)}, labels=labels)
    (spans,) = recognizer.recognize([RawNote("n", "p", "to Zorbo at noon")])
    assert [(one.name, one.label) for one in spans] == [("WARD", PhiLabel.HOSPITAL)]
