"""A changed policy is put in force between batches; a broken one changes nothing."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from deidstream.agents.runtime.compose import Runtime
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.runtime.reload import Reloader
from deidstream.agents.runtime.root_keys import RootKeys
from deidstream.models.pipeline import Pipeline
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Outcome
from deidstream.schemas.policy import Policy
from deidstream.schemas.wire import encode_note
from deidstream.stream.observing import metrics
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from support.notes import stamp
from support.pipeline import ROOT, LetterCounter, pipeline, service

RULES = 'technique = "surrogate"\nrecognizers = ["rules", "dictionary", "known"]\n'
REDACT = 'technique = "redact"\nrecognizers = ["rules", "dictionary", "known"]\n'
TEXT = "Mr. Quentin Vanterpool was seen on 03/04/2024."
Logged = list[logging.LogRecord]


def fast(policy: Policy) -> Runtime:
    """A runtime without models, which take seconds to load."""
    return Runtime(
        pipeline(policy=policy), LetterCounter(), stamp(), cast("Any", None), RootKeys(1, {1: ROOT})
    )


@dataclass(slots=True)
class Site:
    """A policy file and what watches it."""

    file: Path
    compose: Callable[[Runtime, Policy], Runtime] = lambda _, policy: fast(policy)
    warmed: list[Pipeline] = field(default_factory=list[Pipeline])
    put: list[Runtime] = field(default_factory=list[Runtime])

    def reloader(self) -> Reloader:
        async def warm(made: Pipeline) -> None:
            self.warmed.append(made)

        parts = fast(find_policy(str(self.file)))
        return Reloader(self.file, parts, self.compose, warm, self.put.append)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    file = tmp_path / "site.toml"
    file.write_text(RULES)
    return Site(file)


def counted(result: str) -> float:
    return metrics.value("deid_policy_reloads_total", result)


def refused_now() -> float | None:
    return metrics.REGISTRY.get_sample_value("deid_policy_refused")


async def looks(reloader: Reloader, times: int = 2) -> None:
    for _ in range(times):
        await reloader.look()


def fields(record: logging.LogRecord) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", record.__dict__["deid_fields"])


def test_what_does_not_change_is_left_alone(site: Site) -> None:
    asyncio.run(looks(site.reloader(), 4))
    assert (site.warmed, site.put) == ([], [])


def test_a_change_is_applied_once_and_counted(site: Site) -> None:
    before, reloader = counted("applied"), site.reloader()
    site.file.write_text(REDACT)
    asyncio.run(looks(reloader, 4))
    (parts,) = site.put
    assert [parts.pipeline] == site.warmed
    assert parts.pipeline.policy == find_policy(str(site.file))
    assert reloader.runtime is parts
    assert counted("applied") == before + 1


def test_a_change_is_believed_when_it_has_been_seen_twice(site: Site) -> None:
    async def written() -> None:
        reloader = site.reloader()
        for text in (REDACT[:25], REDACT, RULES, RULES, REDACT, REDACT):
            assert site.put == []
            site.file.write_text(text)
            await reloader.look()

    asyncio.run(written())
    assert [parts.pipeline.policy.technique for parts in site.put] == ["redact"]


def test_a_change_of_a_list_is_a_change(site: Site) -> None:
    words = site.file.parent / "words.txt"
    words.write_text("Zellig sign\n")
    site.file.write_text(RULES + 'allow_files = ["words.txt"]\n')
    reloader = site.reloader()
    words.write_text("Zellig sign\nPike sign\n")
    asyncio.run(looks(reloader))
    assert [parts.pipeline.policy.allow for parts in site.put] == [("Zellig sign", "Pike sign")]


def test_a_broken_policy_changes_nothing_and_is_named_without_its_terms(
    site: Site, expects_errors: Logged
) -> None:
    before, reloader = counted("refused"), site.reloader()
    in_force = reloader.runtime
    site.file.write_text(RULES + 'allow = ["Secretname", 1]\n[risk]\nSecretname = 1\n')
    asyncio.run(looks(reloader, 5))
    assert reloader.runtime is in_force
    assert (site.put, counted("refused"), refused_now()) == ([], before + 1, 1)
    (record,) = expects_errors
    assert fields(record)["file"] == "site.toml:3, site.toml:5"
    assert "Secretname" not in repr(record.__dict__)


def test_a_policy_that_vanished_stays_in_force(site: Site, expects_errors: Logged) -> None:
    reloader = site.reloader()
    site.file.unlink()
    asyncio.run(looks(reloader, 4))
    assert (site.put, refused_now(), len(expects_errors)) == ([], 1, 1)


@pytest.mark.usefixtures("expects_errors")
def test_a_mended_policy_is_applied(site: Site) -> None:
    async def mended() -> None:
        reloader = site.reloader()
        for text in ("broken", REDACT):
            site.file.write_text(text)
            await looks(reloader)

    asyncio.run(mended())
    assert (len(site.put), refused_now()) == (1, 0)


@pytest.mark.usefixtures("expects_errors")
def test_a_policy_put_back_is_as_before(site: Site) -> None:
    async def put_back() -> None:
        reloader = site.reloader()
        for text in ("broken", RULES):
            site.file.write_text(text)
            await looks(reloader)

    before = counted("applied")
    asyncio.run(put_back())
    assert (site.put, site.warmed, refused_now(), counted("applied")) == ([], [], 0, before)


@pytest.mark.parametrize("error", [MissingArtefact("no tagger"), RuntimeError("Secretname")])
def test_a_policy_that_cannot_be_composed_is_refused(
    site: Site, error: Exception, expects_errors: Logged
) -> None:
    def never(_: Runtime, __: Policy) -> Runtime:
        raise error

    site.compose = never
    reloader = site.reloader()
    site.file.write_text(REDACT)
    asyncio.run(looks(reloader, 4))
    (record,) = expects_errors
    assert (site.put, fields(record)["kind"]) == ([], type(error).__name__)
    assert "Secretname" not in repr(record.__dict__)


def test_the_loop_goes_on_while_a_policy_is_composed(site: Site) -> None:
    async def composed() -> None:
        asked, loop = asyncio.Event(), asyncio.get_running_loop()

        def slow(_: Runtime, policy: Policy) -> Runtime:
            # It ends only if the loop runs meanwhile.
            asyncio.run_coroutine_threadsafe(asked.wait(), loop).result(10)
            return fast(policy)

        site.compose = slow
        reloader = site.reloader()
        site.file.write_text(REDACT)
        looking = asyncio.create_task(looks(reloader))
        await asyncio.sleep(0.05)
        assert not looking.done()
        asked.set()
        await looking

    asyncio.run(composed())
    assert len(site.put) == 1


@dataclass(slots=True)
class Changing:
    """A store that puts another pipeline in force while a batch waits for its surrogates."""

    inner: MemorySurrogateStore = field(default_factory=MemorySurrogateStore)
    change: Callable[[], None] = lambda: None

    async def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
        return await self.inner.recall(names)

    async def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
        # What is recalled first is whether patients were merged, before the next batch begins.
        self.change()
        return await self.inner.claim(pairs)


def test_a_batch_ends_under_the_policy_it_began_with(site: Site) -> None:
    old = find_policy(str(site.file))
    site.file.write_text(REDACT)
    new = find_policy(str(site.file))
    store = Changing()
    served = service(pipeline(policy=old), store, budget_tokens=30)
    other = pipeline(policy=new)
    store.change = lambda: setattr(served, "pipeline", other)
    values = [encode_note(RawNote(f"n{number}", "P", TEXT)) for number in range(6)]
    outcomes = asyncio.run(served.run(values))
    digests = [policy_of(outcome) for outcome in outcomes]
    assert digests == [old.sha256] * 2 + [new.sha256] * 4
    for outcome in outcomes:
        assert ("[PATIENT]" in text_of(outcome)) == (policy_of(outcome) == new.sha256)


def policy_of(outcome: Outcome) -> str:
    assert isinstance(outcome, Anonymized)
    return outcome.note.policy.sha256


def text_of(outcome: Outcome) -> str:
    assert isinstance(outcome, Anonymized)
    return outcome.note.text
