"""What is explained of the recorded notes is what the pipeline makes of them."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from deidstream.agents.runtime.local_service import local_service
from deidstream.agents.runtime.note_explainer import NoteExplainer
from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.runtime.service import Service
from deidstream.models.detection.reconcile import drop_possible
from deidstream.models.explanation.explain_run import PlaceQuestion
from deidstream.models.explanation.explained_note import ExplainedNote, ExplainedPlace
from deidstream.schemas.outcome import Anonymized, Outcome
from deidstream.schemas.span import Span
from deidstream.schemas.wire import encode_note
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from support.recorded import RUNS, WHOLE_RUNS, Memory, Run, choose
from support.recorded_input import bad_messages, notes

pytestmark = [pytest.mark.slow]

EVERY = 6
"""Of how many notes of a run one is explained."""
DRAWN_BY_KEY = [run for run in RUNS if run.mode == "prf"]
"""Seeds that are drawn at random are drawn in another order for notes that are run one by one."""
AT_NIGHT = [pytest.param(run, marks=pytest.mark.nightly) for run in WHOLE_RUNS]


def serve(choice: PolicyChoice) -> Service:
    own = choice.tenant_pipelines()
    return local_service(choice.settings, choice.default, MemorySurrogateStore(), own)


async def run_and_explain(
    choice: PolicyChoice, values: Sequence[bytes]
) -> tuple[list[Outcome], list[ExplainedNote]]:
    together, alone = serve(choice), serve(choice)
    explainer = NoteExplainer.of_service(alone)
    outcomes = await together.run(values)
    explained = [await explainer.explain(value, PlaceQuestion()) for value in values]
    together.lane.close()
    alone.lane.close()
    return outcomes, explained


@pytest.fixture(scope="module")
def memory() -> Memory:
    return Memory()


@pytest.mark.parametrize("run", [*DRAWN_BY_KEY, *AT_NIGHT], ids=lambda run: run.name)
def test_explanations_are_of_what_the_notes_become(
    run: Run, memory: Memory, tmp_path: Path
) -> None:
    values = [encode_note(each.note) for each in notes()[:: run.every * EVERY]] + bad_messages()
    outcomes, explained = asyncio.run(run_and_explain(choose(run, memory, tmp_path), values))
    assert [one.outcome for one in explained] == outcomes
    emitted = [one for one in explained if isinstance(one.outcome, Anonymized)]
    assert emitted
    for one in emitted:
        assert isinstance(one.outcome, Anonymized)
        replaced = one.outcome.note.permit.replacements
        told = [each for place in one.places for each in place.replacements]
        assert [each.span for each in told] == [each.span for each in replaced]
        assert [each.text for each in told] == [each.text for each in replaced]
    for place in (place for one in explained for place in one.places):
        assert_decided(place)


def assert_decided(place: ExplainedPlace) -> None:
    """Assert that named decisions alone lead from the reports to what is replaced."""

    def touching(spans: Sequence[Span]) -> set[Span]:
        return {span for span in spans if span.start < place.end and place.start < span.end}

    spans = touching(drop_possible(place.reports))
    for one in place.decisions:
        assert set(one.before) == spans
        assert set(one.after) != spans
        spans = set(one.after)
    assert spans == {one.span for one in place.replacements}
