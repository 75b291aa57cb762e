"""Norms that keep the modules honest and predictable; ``make structure`` prints their sizes."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOMES = ("agents", "models", "schemas", "stream", "study")

# Each is an untyped library's edge; a new one needs a reason.
MOST_TYPE_IGNORES = 20
MOST_PYRIGHT_IGNORES = 20

# Edges where whatever is raised becomes a note's outcome, a reply or a worker's exit code.
# The libraries that read and write attachments raise what they like.
CATCH_EVERYTHING = frozenset(
    {
        "agents/cli/main.py",
        "agents/feeds/message_desk.py",
        "agents/runtime/service.py",
        "models/messages/attachments/read_attachment.py",
        "models/messages/word/write_docx.py",
        "stream/delivery/outcome_records.py",
        "stream/http/protection.py",
    }
)

# Everybody else waits for an event. Monitors sample at fixed times; the bench sends at them.
SLEEP = frozenset(
    {
        "agents/api/run_api.py",
        "study/bench/paced_feed.py",
        "study/bench/worker_bench.py",
        "agents/demo/demo.py",
        "agents/demo/review_page.py",
        "agents/runtime/monitor.py",
        "agents/doctor/run_probe.py",
        "agents/review/desk.py",
        "stream/retrying/retry.py",
    }
)


@cache
def modules(*folders: str) -> dict[str, str]:
    """The text of each module below ``folders``, by its path from the root."""
    files = sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))
    return {file.relative_to(ROOT).as_posix(): file.read_text() for file in files}


def nodes(text: str) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(text))


def broad(node: ast.AST) -> bool:
    """Whether ``node`` catches everything: by a clause or by ``suppress(Exception)``."""
    match node:
        case ast.ExceptHandler(type=None):
            return True
        case ast.ExceptHandler(type=ast.expr() as caught):
            return bool({"Exception", "BaseException"} & named(caught))
        case ast.Call(func=func, args=args) if "suppress" in named(func):
            return any({"Exception", "BaseException"} & named(each) for each in args)
        case _:
            return False


def sleeps(node: ast.AST) -> bool:
    """Whether ``node`` is ``time.sleep``, ``asyncio.sleep`` or an import of either."""
    match node:
        case ast.Attribute(value=ast.Name(id="time" | "asyncio"), attr="sleep"):
            return True
        case ast.ImportFrom(module="time" | "asyncio", names=names):
            return any(each.name == "sleep" for each in names)
        case _:
            return False


def named(expression: ast.expr) -> set[str]:
    """Every name and attribute in ``expression``."""
    found = {each.id for each in ast.walk(expression) if isinstance(each, ast.Name)}
    return found | {each.attr for each in ast.walk(expression) if isinstance(each, ast.Attribute)}


def test_few_types_are_ignored() -> None:
    text = "".join(modules(*HOMES).values())
    assert len(re.findall(r"#\s*type:\s*ignore", text)) <= MOST_TYPE_IGNORES
    assert len(re.findall(r"#\s*pyright:\s*ignore", text)) <= MOST_PYRIGHT_IGNORES


def test_ignored_types_name_the_rule() -> None:
    bare = re.compile(r"#\s*(?:type|pyright):\s*ignore(?!\[)")
    assert [name for name, text in modules(*HOMES).items() if bare.search(text)] == []


@pytest.mark.slow  # it parses every module
def test_everything_is_caught_only_at_the_edges() -> None:
    catchers = {name for name, text in modules(*HOMES).items() if any(map(broad, nodes(text)))}
    assert catchers <= CATCH_EVERYTHING


@pytest.mark.slow  # it parses every module
def test_only_retries_and_samplers_sleep() -> None:
    sleepers = {name for name, text in modules(*HOMES).items() if any(map(sleeps, nodes(text)))}
    assert sleepers <= SLEEP


def test_a_broad_clause_is_seen() -> None:
    assert any(map(broad, nodes("try: f()\nexcept (OSError, Exception): pass")))
    assert any(map(broad, nodes("try: f()\nexcept: pass")))
    assert any(map(broad, nodes("with contextlib.suppress(BaseException): f()")))
    assert not any(map(broad, nodes("try: f()\nexcept OSError: pass")))


def test_a_sleep_is_seen() -> None:
    assert any(map(sleeps, nodes("await asyncio.sleep(1)")))
    assert any(map(sleeps, nodes("from time import sleep as wait")))
    assert not any(map(sleeps, nodes("await lane.sleep(1)")))
