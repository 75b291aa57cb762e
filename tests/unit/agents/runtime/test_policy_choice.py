"""Policies of tenants: each note is treated by its own tenant's, also when one changes."""

import asyncio
import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.compose import Runtime
from deidstream.agents.runtime.policy_choice import PolicyChoice, choose_policies
from deidstream.agents.runtime.policy_files import (
    DEFAULT,
    TenantPipelines,
    Tenants,
    find_policy,
    read_policies,
    read_tenants,
)
from deidstream.agents.runtime.root_keys import RootKeys
from deidstream.agents.settings import read_settings
from deidstream.models.pipeline import Pipeline
from deidstream.schemas.errors import Reason, Stage
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed, Outcome
from deidstream.schemas.policy import Policy, RecognizerName
from deidstream.schemas.risk_policy import RedAction, RiskPolicy
from deidstream.schemas.wire import encode_note
from deidstream.stream.observing import metrics
from support.notes import stamp
from support.pipeline import ROOT, LetterCounter, pipeline, service
from support.tenants import RULES, TENANTS, write_site

TEXT = "Mr. Quentin Vanterpool was seen on 03/04/2024."


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return write_site(tmp_path)


@given(
    st.lists(st.sampled_from(["a", "b", "c", "unknown"]), max_size=30),
    st.sampled_from([DEFAULT, "two", "three", None]),
)
def test_parting_keeps_every_place_once_and_in_order(
    tenants: list[str], otherwise: str | None
) -> None:
    own = TenantPipelines(Tenants({"a": "one", "b": "two", "c": "one"}, otherwise))
    parts = own.group_by_policy(tenants)
    assert sorted(place for places in parts.values() for place in places) == list(
        range(len(tenants))
    )
    assert all(places == sorted(places) for places in parts.values())
    named = {"a": "one", "b": "two", "c": "one", "unknown": otherwise}
    for policy, places in parts.items():
        assert {named[tenants[place]] for place in places} == {policy}


def parts(policy: Policy) -> Runtime:
    """A runtime without models, which take seconds to load."""
    made = pipeline(policy=policy)
    return Runtime(
        made, LetterCounter(), made.record_builder.stamp, cast("Any", None), RootKeys(1, {1: ROOT})
    )


def chosen(site: Path) -> PolicyChoice:
    given_ = {
        "DEIDSTREAM_POLICY": str(site / "base.toml"),
        "DEIDSTREAM_POLICIES_FILE": str(site / "tenants.toml"),
    }
    read = read_settings(given_)
    tenants = read_tenants(read.policies_file)
    return PolicyChoice(read, tenants, {n: parts(p) for n, p in read_policies(read).items()})


def run(choice: PolicyChoice, notes: list[RawNote], budget_tokens: int = 30) -> list[Outcome]:
    served = service(choice.default.pipeline, budget_tokens=budget_tokens)
    served.tenant_pipelines = choice.tenant_pipelines()
    return asyncio.run(served.run([encode_note(note) for note in notes]))


def told(outcome: Outcome) -> tuple[str, str]:
    assert isinstance(outcome, Anonymized)
    return outcome.note.policy.name, outcome.note.text


def test_each_note_is_treated_by_the_policy_of_its_tenant(site: Path) -> None:
    tenants = ["mercy", "St Anne", "nobody", "third", "mercy", "default", "St Anne"]
    notes = [RawNote(f"n{n}", "P", TEXT, tenant=tenant) for n, tenant in enumerate(tenants)]
    choice = chosen(site)
    found = [told(outcome) for outcome in run(choice, notes)]
    names = {"mercy": "redact", "St Anne": "anne", "third": "anne"}
    assert [name for name, _ in found] == [names.get(tenant, "base") for tenant in tenants]
    assert found[0][1] == "Mr. [PATIENT] was seen on [DATE]."
    assert "XXX-Name" in found[1][1]
    assert "[PATIENT]" not in found[2][1]
    alone = [told(run(choice, [note])[0]) for note in notes]
    assert alone == found


@pytest.mark.parametrize(("otherwise", "policy"), [("redact", "redact"), ("own/anne.toml", "anne")])
def test_a_misspelled_tenant_gets_the_policy_for_all_others(
    site: Path, otherwise: str, policy: str
) -> None:
    (site / "tenants.toml").write_text(f'otherwise = "{otherwise}"\n{TENANTS}')
    notes = [RawNote("n1", "P", TEXT, tenant="Mercy"), RawNote("n2", "P", TEXT)]
    choice = chosen(site)
    assert choice.otherwise == policy
    assert [told(outcome)[0] for outcome in run(choice, notes)] == [policy, policy]


def test_notes_of_tenants_that_are_not_listed_can_be_refused(site: Path) -> None:
    (site / "tenants.toml").write_text('otherwise = "refuse"\n' + TENANTS)
    tenants = ["Mercy", "mercy", "default", "third"]
    notes = [RawNote(f"n{n}", "P", TEXT, tenant=tenant) for n, tenant in enumerate(tenants)]
    choice = chosen(site)
    assert choice.otherwise == "refuse"
    found = run(choice, notes)
    assert [found[0], found[2]] == [Failed(Reason.UNKNOWN_TENANT, Stage.DECODE)] * 2
    assert [told(found[1])[0], told(found[3])[0]] == ["redact", "anne"]


def test_outcomes_stay_in_the_order_of_the_messages(site: Path) -> None:
    choice = chosen(site)
    tenants = ["mercy", "default", "St Anne"]
    notes = [RawNote(f"n{n}", f"P{n}", TEXT, tenant=tenants[n % 3]) for n in range(9)]
    values = [*map(encode_note, notes)]
    values.insert(4, b"{")
    served = service(choice.default.pipeline, budget_tokens=25)
    served.tenant_pipelines = choice.tenant_pipelines()
    outcomes = asyncio.run(served.run(values))
    assert isinstance(failed := outcomes.pop(4), Failed)
    assert failed.reason is Reason.BAD_JSON
    ids = [o.note.note_id for o in outcomes if isinstance(o, Anonymized)]
    assert len(ids) == len(notes)
    rerun = [run(choice, [note])[0] for note in notes]
    assert ids == [o.note.note_id for o in rerun if isinstance(o, Anonymized)]


def test_a_failed_note_has_the_stamp_of_its_own_pipeline(site: Path) -> None:
    choice = chosen(site)
    strict = replace(
        find_policy(str(site / "own" / "anne.toml")),
        risk=RiskPolicy(quasi=0.0, on_red=RedAction.QUARANTINE),
    )
    choice.runtimes[str(site / "own" / "anne.toml")] = own = parts(strict)
    (failed,) = run(choice, [RawNote("n", "P", TEXT, tenant="third")])
    assert isinstance(failed, Failed)
    assert failed.stamp == own.pipeline.record_builder.stamp
    assert own.pipeline.record_builder.stamp != stamp()


def test_every_file_is_watched_and_applied_by_itself(
    site: Path, expects_errors: list[logging.LogRecord]
) -> None:
    choice = chosen(site)
    anne = str(site / "own" / "anne.toml")
    put: list[tuple[str, str]] = []

    async def warm(_: Pipeline) -> None: ...

    made = choice.make_reloaders(warm, lambda name, new: put.append((name, new.stamp.version)))
    assert made is not None
    assert [reloader.path for reloader in made.each] == [site / "base.toml", Path(anne)]
    for reloader in made.each:
        reloader.recompose = lambda _, policy: parts(policy)

    async def looks() -> None:
        for _ in range(2):
            await made.look()

    (site / "own" / "anne.toml").write_text(RULES.format("surrogate"))
    asyncio.run(looks())
    assert [name for name, _ in put] == [anne]
    assert choice.tenant_pipelines().pipelines[anne].policy.technique == "surrogate"
    assert choice.default.pipeline.policy.name == "base"
    (site / "own" / "anne.toml").write_text("broken")
    asyncio.run(looks())
    asyncio.run(looks())
    assert metrics.REGISTRY.get_sample_value("deid_policy_refused") == 1
    assert len(expects_errors) == 1
    (site / "own" / "anne.toml").write_text(RULES.format("surrogate"))
    asyncio.run(looks())
    assert metrics.REGISTRY.get_sample_value("deid_policy_refused") == 0
    assert len(put) == 1


@pytest.mark.slow
def test_policies_share_what_was_loaded(site: Path) -> None:
    given_ = {
        "DEIDSTREAM_POLICY": str(site / "base.toml"),
        "DEIDSTREAM_POLICIES_FILE": str(site / "tenants.toml"),
    }
    (site / "more.toml").write_text(RULES.format("redact") + '[deny]\nCITY = ["Zellig"]\n')
    (site / "tenants.toml").write_text(TENANTS + 'fourth = "more.toml"\nfifth = "surrogate"\n')
    choice = choose_policies(read_settings(given_), root=ROOT)
    models = [made.models for made in choice.runtimes.values()]
    assert len({id(each.embedder) for each in models}) == 1
    assert len({id(each.contexts) for each in models}) == 1
    tagger, dictionary = RecognizerName.TAGGER, RecognizerName.DICTIONARY
    taggers = {id(each.recognizers[tagger]) for each in models if tagger in each.recognizers}
    assert len(taggers) == 1
    more = choice.runtimes[str(site / "more.toml")]
    dictionaries = [each.recognizers[dictionary] for each in models]
    assert sum(each is more.models.recognizers[dictionary] for each in dictionaries) == 1


@pytest.mark.slow
def test_the_file_command_parts_by_tenant_and_a_named_policy_counts_for_all(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEIDSTREAM_POLICIES_FILE", str(site / "tenants.toml"))
    monkeypatch.setenv("DEIDSTREAM_POLICY", str(site / "base.toml"))
    notes, out = site / "in.jsonl", site / "out.jsonl"
    tenants = ["mercy", "x", "third"]
    lines = [encode_note(RawNote(f"n{n}", "P", TEXT, tenant=t)) for n, t in enumerate(tenants)]
    notes.write_bytes(b"\n".join(lines))
    assert main(["deidentify", str(notes), "--out", str(out)]) == 0
    names = [json.loads(line)["policy"]["name"] for line in out.read_text().splitlines()]
    assert names == ["redact", "base", "anne"]
    assert "all tenants" not in capsys.readouterr().err
    assert main(["deidentify", str(notes), "--out", str(out), "--policy", "redact"]) == 0
    names = [json.loads(line)["policy"]["name"] for line in out.read_text().splitlines()]
    assert names == ["redact"] * 3
    assert "policy redact is used for the notes of all tenants" in capsys.readouterr().err
