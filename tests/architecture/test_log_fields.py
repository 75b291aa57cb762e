"""A log line has the fields that are declared, and no others."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from deidstream.stream.observing.logs import LogFields, Logger

ROOT = Path(__file__).parents[2]
LEVELS = {"info", "warning", "error"}

if TYPE_CHECKING:
    # mypy reports these comments as unused as soon as it accepts the field or the event.
    Logger("test").info("started", text="any")  # type: ignore[call-arg]
    Logger("test").info("started", count="any")  # type: ignore[arg-type]


def fields_logged() -> Iterator[str | None]:
    """Yield the fields of each log line of the source; ``None`` for fields that are unpacked."""
    for folder in ("agents", "stream"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            text = file.read_text()
            for node in ast.walk(ast.parse(text)) if "Logger(" in text else ():
                if isinstance(node, ast.Call) and is_logging(node.func):
                    yield from (keyword.arg for keyword in node.keywords)


def is_logging(function: ast.expr) -> bool:
    """Whether ``function`` is a method of ``LOG`` or ``log``, or one of them chosen before."""
    match function:
        case ast.Attribute(value=ast.Name(id="LOG" | "log"), attr=level):
            return level in LEVELS
        case ast.Name(id=name):
            return name == "log"
        case _:
            return False


def test_fields_that_are_logged_are_those_that_are_declared() -> None:
    assert set(fields_logged()) == set(LogFields.__annotations__)
