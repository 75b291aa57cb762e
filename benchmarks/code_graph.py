"""Which modules of the source import which, and what follows for packages. Runs none of it.

A *package* is a folder; a file that lies beside folders counts as a package of its own, so that a
folder may import the files next to it and they other folders. A *room* is coarser: an entry at the
root of ``models`` (a file, or a folder with all below it), or one of the other three homes.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

HOMES = ("agents", "models", "schemas", "stream", "study")
PROJECT = "deidstream"
LAUNCHERS = frozenset({"__init__", "__main__"})

Arrows = Mapping[str, frozenset[str]]
"""For each name, the names that it imports."""


@dataclass(frozen=True, slots=True)
class Module:
    """One Python file that is not ``__init__.py``."""

    name: str
    """Such as ``models.text.search``."""
    text: str
    tree: ast.Module
    package: str

    @property
    def room(self) -> str:
        """Return the entry of ``models`` or the home that holds the module."""
        home, *below = self.name.split(".")
        return f"models.{below[0]}" if home == "models" else home


class Source:
    """The modules of the four homes below one root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.modules = [
            _module(root, file)
            for home in HOMES
            for file in sorted((root / home).rglob("*.py"))
            if file.name != "__init__.py"
        ]

    @cached_property
    def imports(self) -> Arrows:
        """For each module the modules of the four homes that it imports, anywhere in its text."""
        names = {module.name for module in self.modules}
        return {
            module.name: frozenset(_imported(module.tree, names) - {module.name})
            for module in self.modules
        }

    def between(self, unit: str) -> Arrows:
        """Return which packages (or rooms) import which others.

        Args:
            unit: ``package`` or ``room``.
        """
        unit_of: dict[str, str] = {m.name: getattr(m, unit) for m in self.modules}
        arrows: dict[str, set[str]] = {name: set() for name in unit_of.values()}
        for name, imported in self.imports.items():
            arrows[unit_of[name]] |= {unit_of[each] for each in imported}
        return {name: frozenset(others - {name}) for name, others in arrows.items()}

    def one_importer(self) -> list[str]:
        """Return the modules that exactly one other module imports."""
        importers = Counter(each for imported in self.imports.values() for each in imported)
        return sorted(name for name, count in importers.items() if count == 1)

    def folders(self) -> Counter[str]:
        """Return how many modules are directly in each folder."""
        return Counter(module.name.rpartition(".")[0] for module in self.modules)

    def entries(self) -> list[str]:
        """Return the modules and the packages at the root of ``models``."""
        below = (m.name.split(".") for m in self.modules if m.name.startswith("models."))
        return sorted({parts[1] for parts in below})

    def duplicate_files(self) -> dict[str, list[str]]:
        """Return the modules that share the last part of their names."""
        named = ((module.name.rpartition(".")[2], module.name) for module in self.modules)
        return _duplicates(each for each in named if each[0] not in LAUNCHERS)

    def duplicate_classes(self) -> dict[str, list[str]]:
        """Return the top-level classes, private ones too, that share a name."""
        return _duplicates(
            (node.name, module.name)
            for module in self.modules
            for node in module.tree.body
            if isinstance(node, ast.ClassDef)
        )


def count_arrows(arrows: Arrows) -> int:
    """Return how many pairs of names import one another in one direction or the other."""
    return sum(map(len, arrows.values()))


def floors(arrows: Arrows) -> int:
    """Return the length of the longest chain of imports; a cycle counts as one floor."""
    cycle_of = {name: min(group) for group in _components(arrows) for name in group}
    merged: dict[str, set[str]] = {first: set() for first in cycle_of.values()}
    for name, imported in arrows.items():
        merged[cycle_of[name]] |= {cycle_of[each] for each in imported} - {cycle_of[name]}
    height: dict[str, int] = {}
    for name in TopologicalSorter(merged).static_order():
        height[name] = 1 + max((height[each] for each in merged[name]), default=0)
    return max(height.values(), default=0)


def cycles(arrows: Arrows) -> list[list[str]]:
    """Return the groups of names that import each other in a circle."""
    return [sorted(group) for group in _components(arrows) if len(group) > 1]


def _module(root: Path, file: Path) -> Module:
    name = ".".join(file.relative_to(root).with_suffix("").parts)
    folder, _, _ = name.rpartition(".")
    has_folders = any(file.parent.glob("*/__init__.py"))
    text = file.read_text()
    return Module(name, text, ast.parse(text), name if has_folders else folder)


def _imported(tree: ast.Module, names: set[str]) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.removeprefix(f"{PROJECT}.") for name in found} & names


def _duplicates(named: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for name, module in named:
        places.setdefault(name, []).append(module)
    return {name: found for name, found in sorted(places.items()) if len(found) > 1}


def _components(arrows: Arrows) -> list[set[str]]:
    """Return the strongly connected groups: merge one cycle at a time until none is left."""
    groups = {name: {name} for name in arrows}
    merged: dict[str, set[str]] = {name: set(others) for name, others in arrows.items()}
    while cycle := _a_cycle(merged):
        first, *rest = cycle
        members = set(cycle)
        merged[first] = set[str]().union(*(merged.pop(each) for each in cycle)) - members
        groups[first] |= set[str]().union(*(groups.pop(each) for each in rest))
        for name, others in merged.items():
            if others & members and name != first:
                merged[name] = (others - members) | {first}
    return list(groups.values())


def _a_cycle(arrows: Mapping[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(dict.fromkeys(error.args[1]))
    return []
