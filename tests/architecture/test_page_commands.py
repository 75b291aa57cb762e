"""Every command on every page is run, or is listed with the reason why it is not."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from deidstream.agents.cli.main import parser
from support.chart import missing
from support.kafka import Kafka
from support.page_commands import (
    LANGUAGES,
    OTHERS,
    PAGES,
    ROOT,
    Command,
    commands_of,
    languages_of,
    page_name,
    unknown_words,
)
from support.page_sandbox import make_sandbox

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
_OF_RELEASES = {"openssl", "sha256sum", "cosign"}
NOT_RUN: Mapping[str, str] = {
    r"make demo": "tests/chaos/test_demo.py runs the demo",
    r"make (test|unit|lint)\b": "CI runs them",
    r"make (install|services)\b": "CI has run it before",
    r"make release": "tests/architecture/test_release.py runs the script",
    r"(openssl (genpkey|pkey|pkeyutl)|sha256sum -c)": "that test signs and checks a release",
    r"cosign": "no registry in CI",
    r"make bench-record": "minutes of a quiet machine",
    r"(uv )?pip install\b": "benchmarks/install_sizes.py installs every extra",
    r"DEIDSTREAM_EXPORT_POSTGRES_URL_FILE=": "needs PostgreSQL, as the tests of tables have",
    r"git clone\b": "this is a clone",
    r"curl\b": "needs deidstream serve; tests/unit/agents/api post resources to it",
    r"deidstream keys new .*--wrapped-by": "tests/unit/stream/key_services has the services",
    r"docker\b": "no container runtime in CI",
    r"kubectl\b": "no cluster in CI",
    r"deploy/pin\.sh": "no registry in CI; test_images.py runs it with another docker",
    r"(\.venv/bin/)?deidstream bench\b": "minutes; tests/unit/study/bench measures little",
    r"\.venv/bin/python benchmarks/": "minutes of a quiet machine",
    r"deidstream (train|corpus|calibrate)\b": "minutes to hours; tests of training train little",
    r"deidstream vectors train .* fasttext": "more words than the sample has",
    r"deidstream ingest mllp": "needs certificates; tests/contract/test_mllp.py has them",
    r"deidstream ingest fhir": "tests/contract/test_ingest_fhir.py has an export",
    r"curl .*/fhir$": "tests/unit/agents/api/test_fhir_routes.py sends resources",
    r"deidstream serve": "tests/contract/test_api_page.py runs it",
    r"deidstream adapt\b": "tests/unit/study/adaptation/test_adapt_command.py runs them",
    r"DEIDSTREAM_ADAPTATION=SITE": "needs what that test makes",
    r"deidstream ingest hl7": "tests/unit/agents/feeds/test_hl7_batches.py has them",
    r"deidstream simulate misses": "needs labels; tests/unit/study/survival has labelled notes",
    r"deidstream deidentify exports .*--documents": "needs clinical documents, as tests/cda has",
    r"deidstream validate\b": "tests/unit/study/validation/test_validate_command.py runs them",
    r"deidstream reidentify\b": "needs an audited vault; tests/chaos/test_reversible.py has one",
    r"deidstream audit verify\b": "needs the log of the vault of that test",
}
"""Patterns of the beginning of a command, and why it is not run here."""
RUN_BY = {"docs/api.md": "tests/contract/test_api_page.py"}
"""Pages whose commands another test runs."""
ONCE = ("deidstream attack", "deidstream policy diff", "deidstream evaluate", "deidstream simulate")
"""Commands that need nothing of their page: equal ones on several pages are run on the last."""
OUTPUTS = (
    "deidstream deidentify ORIGINALS.jsonl --out OUTPUTS.jsonl --audit AUDIT.jsonl --risk R.jsonl"
)
PARSER = parser()
ARGUMENTS = re.compile(r"^ARG (\w+)", re.MULTILINE)


def reason(command: Command) -> str | None:
    """Return why a command is not run."""
    return next((why for begin, why in NOT_RUN.items() if re.match(begin, command.line)), None)


def last_page_of(line: str) -> str:
    return max(
        page_name(page) for page in PAGES for each in commands_of(page) if line in each.variants()
    )


def lines_to_run(page: Path) -> list[str]:
    """Return what is run of a page, in its order."""
    return [
        line
        for command in commands_of(page)
        if reason(command) is None
        for line in command.variants()
        if not line.startswith(ONCE) or last_page_of(line) == page_name(page)
    ]


RUN = [page for page in PAGES if lines_to_run(page) and page_name(page) not in RUN_BY]
ALL = [command for page in PAGES for command in commands_of(page)]


@pytest.mark.broker
@pytest.mark.slow
@pytest.mark.helm
@pytest.mark.nightly  # each command has tests of its own
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("page", RUN, ids=page_name)
def test_commands_of_a_page_run(page: Path, tmp_path: Path, kafka: Kafka, redis_url: str) -> None:
    assert missing() is None
    sandbox = make_sandbox(tmp_path, brokers=kafka.bootstrap, redis_url=redis_url)
    topics = any(re.search(r"deidstream (export|ingest)", line) for line in lines_to_run(page))
    first = ["deidstream topics create"] if topics else list[str]()
    first += [OUTPUTS] if any("OUTPUTS.jsonl" in line for line in lines_to_run(page)) else []
    assert sandbox.run([*first, *lines_to_run(page)], seconds=1100) == ""


@pytest.mark.broker
@pytest.mark.nightly
def test_a_command_that_fails_is_seen(tmp_path: Path) -> None:
    sandbox = make_sandbox(tmp_path, brokers="127.0.0.1:1", redis_url="redis://127.0.0.1:1/0")
    said = sandbox.run(
        ["echo before", "deidstream policy show none-such", "echo after"], seconds=60
    )
    assert said.startswith("deidstream policy show none-such: exit 78: ")


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_block_says_what_it_holds(page: Path) -> None:
    other = {"bash"} if page_name(page) in RUN_BY else set[str]()
    assert languages_of(page) <= LANGUAGES | OTHERS | other


@pytest.mark.parametrize("page", RUN_BY)
def test_another_test_runs_the_page(page: str) -> None:
    assert Path(page).name in (ROOT / RUN_BY[page]).read_text()


def test_every_reason_is_needed() -> None:
    assert [begin for begin in NOT_RUN if not any(re.match(begin, c.line) for c in ALL)] == []


@pytest.mark.parametrize("command", [c for c in ALL if reason(c)], ids=lambda c: c.line[:60])
def test_what_is_not_run_can_be_read(command: Command) -> None:
    for part in re.split(r" && |; ", command.line):
        words = re.sub(r"^([A-Z_]+=\S+ )+", "", part).split()
        if words[0].endswith("deidstream"):
            for line in Command(command.page, " ".join(words)).with_options() or [" ".join(words)]:
                assert unknown_words(PARSER, _ended(line).split()[1:]) == ""
        elif words[0] == "make":
            assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
        elif words[0] == "docker":
            assert _faults_of_docker(words) == []
        elif words[0] == "kubectl":
            assert words[1] in {"create", "rollout", "get", "apply"}
        elif words[0] not in {"export", "git", "cd", "pip", "uv", "curl", *_OF_RELEASES}:
            path = words[1] if words[0].endswith("python") else words[0]
            assert (ROOT / path).exists()


def _ended(line: str) -> str:
    return line.replace("...", "").replace("…", "")


def _faults_of_docker(words: Sequence[str]) -> list[str]:
    """List files, profiles, services and arguments that a command names and that do not exist."""
    faults = list[str]()
    profiles = {p for one in COMPOSE["services"].values() for p in one.get("profiles", ())}
    known = set(ARGUMENTS.findall((ROOT / "deploy/Dockerfile").read_text()))
    for name, value in pairwise(words):
        if name == "-f" and value != "deploy/pinned.yml" and not (ROOT / value).exists():
            faults.append(value)
        if name == "--profile" and value not in profiles:
            faults.append(value)
        if name == "--scale" and value.partition("=")[0] not in COMPOSE["services"]:
            faults.append(value)
        if name == "--build-arg" and value.partition("=")[0] not in known:
            faults.append(value)
    return faults


@pytest.mark.parametrize("page", RUN, ids=page_name)
def test_options_of_what_is_run_can_be_read(page: Path) -> None:
    for command in commands_of(page):
        if reason(command) is None and command.line.startswith("deidstream "):
            for line in command.with_options():
                assert unknown_words(PARSER, _ended(line).split()[1:]) == ""


def test_wrong_docker_commands_are_seen() -> None:
    right = "docker compose --profile obs up --scale worker=2"
    assert _faults_of_docker(right.split()) == []
    wrong = "docker compose -f no.yml --profile night up --scale clerk=2 --build-arg TORSO=1"
    assert _faults_of_docker(wrong.split()) == ["no.yml", "night", "clerk=2", "TORSO=1"]
