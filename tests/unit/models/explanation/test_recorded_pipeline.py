"""A recorded pipeline makes what the pipeline makes, whichever of its policies does it."""

from dataclasses import replace

import pytest

from deidstream.models.explanation.recorded_pipeline import RunRecord, record_runs
from deidstream.models.pipeline import Pipeline
from deidstream.models.policy.reader import read_policy
from deidstream.models.surrogates.allocation import allocate_without_store
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized
from deidstream.schemas.policy import Technique
from support.explaining import explained
from support.pipeline import pipeline
from support.reversible_site import quick

NOTE = RawNote("n", "p", "Mr. Quentin Vanterpool was seen on 03/04/2024. He feels well.")
RED = """\
technique = "surrogate"
purpose = "training"
recognizers = ["rules", "dictionary", "known"]
[risk]
measures = ["context-uniqueness"]
similarity = 1.0
red = 0.0
yellow = 0.0
on_red = "strengthen"
still_red = "emit"
stronger = "{}"
"""


def strengthening(stronger: str) -> Pipeline:
    return pipeline(policy=read_policy(RED.format(stronger).encode(), name="p"))


def test_a_record_keeps_the_texts_before_and_after_kneo() -> None:
    made = pipeline("kneo")
    made = replace(made, detector=quick().detector, policy=made.policy)
    record = RunRecord()
    recorded = record_runs(made, record)
    planned = recorded.prepare([NOTE])
    recorded.finish(planned, allocate_without_store(recorded.allocate(planned)))
    run = record.find(NOTE)
    assert run is not None
    assert "feels well" in run.substituted.text
    assert "feels well" not in run.rewritten.text


def test_a_note_that_was_never_run_has_no_record() -> None:
    assert RunRecord().find(NOTE) is None


@pytest.mark.parametrize("stronger", ["redact", "kneo-sentences"])
def test_a_note_that_was_made_anew_is_explained_by_its_last_run(stronger: str) -> None:
    note = explained(NOTE, strengthening(stronger))
    assert isinstance(note.outcome, Anonymized)
    assert note.policy is not None
    assert note.policy.technique is Technique(stronger)
    operators = {one.operator for place in note.places for one in place.replacements}
    assert ("redact" in operators) is (stronger == "redact")
    assert (note.kneo is not None) is (stronger == "kneo-sentences")


def test_a_span_whose_sentence_was_exchanged_says_so() -> None:
    note = explained(NOTE, strengthening("kneo-sentences"))
    assert {one.exchanged for place in note.places for one in place.replacements} == {True}
