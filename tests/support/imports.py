"""What the source imports: at once, where a function is called, and where an extra is asked for."""

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import files, packages_distributions
from pathlib import Path

from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
HOMES = ("agents", "models", "schemas", "stream", "study")
_BY_NAME = ("import_module", "distribution")
"""Functions that are given the name of a package as a string."""


@dataclass(slots=True)
class Imports:
    """The modules that a part of the source names, ours and others'."""

    at_once: set[str] = field(default_factory=set[str])
    """When the module is imported."""
    later: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """When a function is called, by its name."""
    guarded: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """Below ``with needing(Extra.X, ...)``, by the name of the extra."""
    for_types: set[str] = field(default_factory=set[str])
    """For a type checker alone."""

    def every(self) -> set[str]:
        """All of them."""
        return self.at_once.union(*self.later.values(), *self.guarded.values(), self.for_types)


@cache
def read_sources() -> Mapping[str, Imports]:
    """Read the imports of every module, by its name."""
    found: dict[str, Imports] = {}
    for home in HOMES:
        for file in (ROOT / home).rglob("*.py"):
            parts = file.relative_to(ROOT).with_suffix("").parts
            name = ".".join(("deidstream", *parts)).removesuffix(".__init__")
            found[name] = Imports()
            _read(ast.parse(file.read_text()), found[name].at_once, "", found[name])
    return found


def _read(node: ast.AST, into: set[str], function: str, imports: Imports) -> None:
    for child in ast.iter_child_nodes(node):
        within, name = into, function
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            name = function or child.name
            within = imports.later.setdefault(name, set())
        elif isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            within = imports.for_types
        elif isinstance(child, ast.With) and (extra := _extra_of(child)):
            within = imports.guarded.setdefault(extra, set())
        into.update(_named_by(child))
        _read(child, within, name, imports)


def _extra_of(block: ast.With) -> str:
    call = block.items[0].context_expr
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != "needing":
        return ""
    return ast.unparse(call.args[0]).removeprefix("Extra.").lower()


def _named_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (each.name for each in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        yield from (f"{node.module}.{each.name}" for each in node.names)
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in _BY_NAME and node.args:
        name = node.args[0]
        if isinstance(name, ast.JoinedStr):  # import_module(f"faker.providers.{kind}")
            name = name.values[0]
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            yield name.value


@cache
def read_installed() -> Mapping[str, list[str]]:
    """Read which distributions bring each top-level module that is installed."""
    return {
        top: [canonicalize_name(one) for one in distributions]
        for top, distributions in packages_distributions().items()
    }


def distributions_of(names: set[str]) -> dict[str, str]:
    """Return what has to be installed for modules of others, with the top-level name of each."""
    installed = read_installed()
    found: dict[str, str] = {}
    for name in names:
        top = name.partition(".")[0]
        if top not in {"deidstream", *sys.stdlib_module_names}:
            some = installed.get(top, [top])
            found |= dict.fromkeys(some if len(some) == 1 else _bringing(name, some), top)
    return found


def _bringing(name: str, sharing: list[str]) -> list[str]:
    """Of distributions that share a top-level name, return those that have a module's own file."""
    path = name.replace(".", "/")
    own = {f"{path}.py", f"{path}/__init__.py"}
    return [one for one in sharing if own.intersection(_read_files(one))]


@cache
def _read_files(distribution: str) -> frozenset[str]:
    return frozenset(file.as_posix() for file in files(distribution) or ())


def imported_with(names: set[str]) -> set[str]:
    """Return what is imported at once with the modules ``names``, by whatever they import."""
    sources = read_sources()
    waiting, seen = list(names), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in sources:
            waiting += sources[name].at_once
        waiting += [name.rpartition(".")[0]] if name.startswith("deidstream.") else []
    return seen
