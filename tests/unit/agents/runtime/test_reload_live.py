"""A real service under a policy file whose lists change."""

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from deidstream.agents.runtime.compose import Runtime, compose, recompose
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.runtime.reload import Reloader
from deidstream.agents.runtime.service import Service
from deidstream.agents.runtime.warm_up import warm
from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import Reason
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed, Outcome
from deidstream.schemas.wire import encode_note
from deidstream.stream.observing import metrics
from support.pipeline import ROOT, service

pytestmark = pytest.mark.slow
LISTS = """\
technique = "surrogate"
recognizers = ["rules", "dictionary", "known"]
allow_files = ["allow.txt"]
[dictionaries]
HOSPITAL = ["wards.txt"]
"""
NOTE = "Transferred to quillfeather today. Dr. Brightwater agreed. Told Mr. Margaret Smith."


def policy_of(outcome: Outcome) -> str:
    assert isinstance(outcome, Anonymized)
    return outcome.note.policy.sha256


def text_of(outcome: Outcome) -> str:
    assert isinstance(outcome, Anonymized)
    return outcome.note.text


async def looks(reloader: Reloader) -> None:
    for _ in range(2):
        await reloader.look()


@dataclass(slots=True)
class Live:
    """A real service under a real policy file, with a note a batch."""

    file: Path
    sent: int = 0

    def write(self, name: str, text: str) -> None:
        (self.file.parent / name).write_text(text)

    def worker(self) -> tuple[Service, Reloader]:
        settings = read_settings({"DEIDSTREAM_POLICY": str(self.file)})
        parts = compose(settings, root=ROOT)
        served = replace(service(parts.pipeline), counter=parts.counter, budget_tokens=1)

        def put(made: Runtime) -> None:
            served.pipeline = made.pipeline

        made = partial(recompose, settings)
        tried = Reloader(self.file, parts, made, lambda new: served.lane.run(warm, new), put)
        return served, tried

    async def send(self, served: Service) -> tuple[str, str]:
        self.sent += 1
        value = encode_note(RawNote(f"n{self.sent}", "P", NOTE))
        (outcome,) = await served.run([value])
        return policy_of(outcome), text_of(outcome)


@pytest.fixture
def live(tmp_path: Path) -> Live:
    made = Live(tmp_path / "site.toml")
    made.write("site.toml", LISTS)
    made.write("wards.txt", "# none yet\n")
    made.write("allow.txt", "")
    return made


@pytest.mark.usefixtures("expects_errors")
def test_lists_that_change_count_from_the_next_batch_on(live: Live) -> None:
    async def changed() -> None:
        served, reloader = live.worker()
        first, text = await live.send(served)
        assert first == find_policy(str(live.file)).sha256
        assert "quillfeather" in text
        assert "Brightwater" not in text

        live.write("wards.txt", "Quillfeather\n")
        await reloader.look()
        assert (await live.send(served))[0] == first
        await reloader.look()
        second, text = await live.send(served)
        assert second == find_policy(str(live.file)).sha256 != first
        assert "quillfeather" not in text.lower()

        live.write("allow.txt", "brightwater\n")
        await looks(reloader)
        third, text = await live.send(served)
        assert third == find_policy(str(live.file)).sha256
        assert "Dr. Brightwater" in text
        assert "quillfeather" not in text.lower()

        live.write("allow.txt", "quillfeather\n")
        await looks(reloader)
        assert await live.send(served) == (third, text)
        assert metrics.REGISTRY.get_sample_value("deid_policy_refused") == 1
        assert served.health.away == {}

    asyncio.run(changed())


def test_models_are_kept_and_the_rest_is_made_anew(live: Live) -> None:
    _, reloader = live.worker()
    old, settings = reloader.runtime, read_settings({})
    kneo = LISTS.replace("surrogate", "kneo-sentences").replace('"known"', "")
    live.write("site.toml", f'purpose = "training"\n{kneo}')
    same = recompose(settings, old, find_policy(str(live.file)))
    assert old.models.index is None
    assert same.models.index is not None
    assert same.models.index.digest == old.models.index_digest == same.stamp.index
    assert same.models.embedder is old.models.embedder
    assert dict(same.models.recognizers) == dict(old.models.recognizers)
    assert same.stamp.recognizers == ("dictionary", "rules")
    assert (old.pipeline.rewriter, same.pipeline.rewriter is None) == (None, False)

    live.write("wards.txt", "Quillfeather\n")
    other = recompose(settings, same, find_policy(str(live.file)))
    changed = {n for n, r in other.models.recognizers.items() if r is not old.models.recognizers[n]}
    assert changed == {"dictionary"}


def test_nothing_is_lost_while_policies_change_under_load(live: Live) -> None:
    async def loaded() -> list[Outcome]:
        served, reloader = live.worker()
        values = [encode_note(RawNote(f"n{number}", "P", NOTE)) for number in range(4)]
        outcomes = await served.run(values)
        for ward in ("Quillfeather\n", "Oldwick\n"):
            live.write("wards.txt", ward)
            changing = asyncio.create_task(looks(reloader))
            while not changing.done():
                outcomes += await served.run([*values, b"{"])
            await changing
        return outcomes + await served.run(values)

    outcomes = asyncio.run(loaded())
    assert {o.reason for o in outcomes if isinstance(o, Failed)} == {Reason.BAD_JSON}
    made = [outcome for outcome in outcomes if isinstance(outcome, Anonymized)]
    assert len(outcomes) - len(made) == len(made) // 4 - 2
    found = [(policy_of(outcome), "quillfeather" in text_of(outcome)) for outcome in made]
    # Each policy rules one stretch of notes; only under the second one is the ward replaced.
    stretches = [one for one, before in zip(found, [None, *found], strict=False) if one != before]
    assert [kept for _, kept in stretches] == [True, False, True]
    assert len({digest for digest, _ in stretches}) == 3


NAMED = """
[lists.units]
label = "HOSPITAL"
files = ["units.txt"]
spelling = "exact"
"""
PATTERN = """
[patterns.when]
label = "ORGANIZATION"
pattern = "tod[a-z]+"
"""


def test_named_lists_and_patterns_that_change_count_from_the_next_batch_on(live: Live) -> None:
    async def changed() -> None:
        live.write("units.txt", "Quillfeather\n")
        live.write("site.toml", LISTS + NAMED)
        served, reloader = live.worker()
        _, before = await live.send(served)
        live.write("units.txt", "quillfeather\n")
        await looks(reloader)
        _, listed = await live.send(served)
        live.write("site.toml", LISTS + NAMED + PATTERN)
        await looks(reloader)
        _, matched = await live.send(served)
        assert before.startswith("Transferred to quillfeather today.")
        assert "quillfeather" not in listed
        assert " today." in listed
        assert "quillfeather" not in matched
        assert "today" not in matched

    asyncio.run(changed())
