"""The sandwich is total: every message has one outcome, and a bad one costs only itself."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.agents.runtime import plans_ahead
from deidstream.models.pipeline import Pipeline
from deidstream.schemas.errors import Reason, Stage, Unavailable
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed, Outcome
from deidstream.schemas.wire import encode_anonymized, encode_note, encode_risk
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from support.pipeline import pipeline, service
from support.profiles import few

NAMES = ("Quentin Vanterpool", "Odalys Brightwater", "Ignatius Femi", "Petronella Achterberg")
BAD = "note-2"


def notes(count: int = 6) -> list[RawNote]:
    return [
        RawNote(
            note_id=f"note-{number}",
            patient_id=f"P{number % 3}",
            text=f"Mr. {NAMES[number % 4]} was seen on 03/0{number + 1}/2024. MRN: 55{number}1123.",
            authored_at=f"2024-03-0{number + 1}T10:00:00Z",
        )
        for number in range(count)
    ]


def run(values: Sequence[bytes], made: Pipeline | None = None, **more: Any) -> list[Outcome]:
    return asyncio.run(service(made, **more).run(values))


def bytes_of(outcome: Outcome) -> bytes:
    assert isinstance(outcome, Anonymized)
    return encode_anonymized(outcome.note) + encode_risk(outcome)


@dataclass(frozen=True, slots=True)
class Planted:
    """Raises, with the note's text in the message, when a call is about the bad note."""

    inner: Any
    method: str

    def __getattr__(self, name: str) -> Any:
        wrapped = getattr(self.inner, name)
        return self._raising(wrapped) if name == self.method else wrapped

    def _raising(self, wrapped: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            if BAD_MARK in repr_all(arguments[0]):
                raise RuntimeError(BAD_MARK)
            return wrapped(*arguments, **named)

        return call


BAD_MARK = "5521123"


def repr_all(subject: Any) -> str:
    items = subject if isinstance(subject, list | tuple) else [subject]
    return " ".join(_text(item) for item in items)


def _text(item: Any) -> str:
    for path in ("note", "planned", "detected"):
        if hasattr(item, path):
            return _text(getattr(item, path))
    return str(item.text)


class PlantedStore(MemorySurrogateStore):
    """Raises when the bad note's own names are asked for."""

    def __init__(self, names: frozenset[bytes], method: str) -> None:
        super().__init__()
        object.__setattr__(self, "_bad", (names, method))

    async def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
        self._check("recall", names)
        return await super().recall(names)

    async def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
        self._check("claim", [name for name, _ in pairs])
        return await super().claim(pairs)

    def _check(self, method: str, names: Sequence[bytes]) -> None:
        bad: tuple[frozenset[bytes], str] = object.__getattribute__(self, "_bad")
        if method == bad[1] and bad[0] & set(names):
            raise RuntimeError(BAD_MARK)


def own_names(made: Pipeline) -> frozenset[bytes]:
    planned = made.prepare(notes())
    asked = [made.allocate([item]).ask for item in planned]
    names = [set(ask.names) if ask else set[bytes]() for ask in asked]
    return frozenset(names[2] - set().union(*names[:2], *names[3:]))


def planted(stage: Stage) -> list[Outcome]:
    made = pipeline("kneo")
    parts: dict[Stage, dict[str, Any]] = {
        Stage.DETECT: {"detector": Planted(made.detector, "detect")},
        Stage.PLAN: {"replacer": Planted(made.replacer, "plan")},
        Stage.CHOOSE: {"replacer": Planted(made.replacer, "allocate")},
        Stage.SUBSTITUTE: {"replacer": Planted(made.replacer, "substitute")},
        Stage.KNEO: {"rewriter": Planted(made.rewriter, "rewrite")},
        Stage.VERIFY: {"verifier": Planted(made, "verifier").verifier},
        Stage.ASSESS: {},
    }
    values = [encode_note(note) for note in notes()]
    if stage in {Stage.RECALL, Stage.CLAIM}:
        return run(values, made, store=PlantedStore(own_names(made), stage))
    return run(values, replace(made, **parts[stage]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "stage",
    [
        Stage.DETECT,
        Stage.PLAN,
        Stage.RECALL,
        Stage.CHOOSE,
        Stage.CLAIM,
        Stage.SUBSTITUTE,
        Stage.KNEO,
        Stage.VERIFY,
    ],
)
def test_an_exception_in_a_stage_costs_that_note_alone(stage: Stage) -> None:
    calm = run([encode_note(note) for note in notes()], pipeline("kneo"))
    outcomes = planted(stage)
    bad = outcomes[2]
    assert isinstance(bad, Failed)
    assert (bad.reason, bad.stage) == (Reason.STAGE_FAILED, stage)
    for place in (0, 1, 3, 4, 5):
        assert bytes_of(outcomes[place]) == bytes_of(calm[place])


def test_notes_together_come_out_in_their_places_and_a_bad_one_fails_alone() -> None:
    made = pipeline()
    values = [encode_note(note) for note in notes()]
    whole = asyncio.run(service(made).run_together(values))
    backwards = asyncio.run(service(made).run_together([*values[::-1], b"{"]))
    assert [bytes_of(each) for each in backwards[-2::-1]] == [bytes_of(each) for each in whole]
    assert isinstance(backwards[-1], Failed)
    for method, stage in (("plan", Stage.PLAN), ("substitute", Stage.SUBSTITUTE)):
        faulty = replace(made, replacer=cast("Any", Planted(made.replacer, method)))
        outcomes = asyncio.run(service(faulty).run_together(values))
        bad = outcomes.pop(2)
        assert isinstance(bad, Failed)
        assert (bad.reason, bad.stage) == (Reason.STAGE_FAILED, stage)
        assert [bytes_of(each) for each in outcomes] == [
            bytes_of(each) for place, each in enumerate(whole) if place != 2
        ]


def test_plans_that_are_not_kept_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [encode_note(note) for note in notes()]
    whole = asyncio.run(service(pipeline()).run_together(values))
    monkeypatch.setattr(plans_ahead, "MOST_KEPT", 1)
    again = asyncio.run(service(pipeline()).run_together(values))
    assert [bytes_of(each) for each in again] == [bytes_of(each) for each in whole]


def test_an_exception_while_assessing_costs_that_note_alone() -> None:
    made = pipeline()
    values = [encode_note(note) for note in notes()]
    calm = run(values, made)
    assert isinstance(calm[2], Anonymized)
    third = calm[2].note.text

    @dataclass(frozen=True, slots=True)
    class Assessor:
        def assess(self, permits: Sequence[Any]) -> Any:
            if any(permit.text == third for permit in permits):
                raise RuntimeError(BAD_MARK)
            return made.assessor.assess(permits)

    outcomes = run(values, replace(made, assessor=cast("Any", Assessor())))
    assert outcomes[2] == Failed(Reason.STAGE_FAILED, Stage.ASSESS, attempts=4)
    assert [bytes_of(o) for o in outcomes[:2]] == [bytes_of(o) for o in calm[:2]]


def test_what_is_no_note_costs_only_itself() -> None:
    values = [encode_note(note) for note in notes()]
    outcomes = run([b"{", *values, b"\xff", b""])
    kinds = [o.reason if isinstance(o, Failed) else "ok" for o in outcomes]
    assert kinds == ["BAD_JSON", *["ok"] * 6, "BAD_UTF8", "BAD_JSON"]


def test_a_store_that_is_away_is_waited_for() -> None:
    @dataclass(slots=True)
    class Away:
        inner: MemorySurrogateStore
        times: int = 2

        async def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
            if self.times:
                self.times -= 1
                raise Unavailable("redis")  # noqa: EM101
            return await self.inner.recall(names)

        async def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
            return await self.inner.claim(pairs)

    values = [encode_note(note) for note in notes()]
    assert run(values, store=Away(MemorySurrogateStore())) == run(values)


@pytest.mark.slow
@few(15)
@given(
    order=st.permutations(range(6)),
    budget=st.integers(1, 200),
    name=st.sampled_from(["surrogate", "kneo"]),
)
def test_output_bytes_do_not_depend_on_batch_or_order(
    order: list[int], budget: int, name: str
) -> None:
    given_notes = notes()
    calm = run([encode_note(note) for note in given_notes], pipeline(name))
    mixed = run(
        [encode_note(given_notes[place]) for place in order], pipeline(name), budget_tokens=budget
    )
    assert [bytes_of(o) for o in mixed] == [bytes_of(calm[place]) for place in order]


def test_one_patient_has_one_surrogate_in_all_his_notes() -> None:
    texts = ["Mr. Quentin Vanterpool came.", "Vanterpool, Quentin left.", "MR. VANTERPOOL slept."]
    values = [encode_note(RawNote(f"n{i}", "P", text)) for i, text in enumerate(texts)]
    outcomes = run(values)
    made = [o.note.text for o in outcomes if isinstance(o, Anonymized)]
    surname = made[0].split()[2]
    assert surname != "Vanterpool"
    assert made[1].startswith(surname)
    assert surname.upper() in made[2]
