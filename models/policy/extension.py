"""Read a policy file that extends another one: it holds the differences alone.

A file that extends another has all of that one's values but those that it names itself. Tables are
put together key by key; any other value, a list of terms too, takes the place of the value before.
"""

import posixpath
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from deidstream.models.policy.shipped import list_policies, read_shipped_source
from deidstream.models.policy.term_lists import list_paths
from deidstream.models.policy.toml_lines import TomlMistake, key_lines, parse, suggest

EXTENDS = "extends"
Bases = Mapping[str, bytes | str]
"""Content of each policy that a policy extends, directly or through others, by its name or path
from the policy; a text says why it cannot be read."""
_Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PolicyLayer:
    """One of the files that a policy is made of."""

    file: str
    """Its name in messages: that of a shipped policy, or a path from the policy."""
    source: bytes = field(repr=False)
    table: _Table = field(repr=False)


@dataclass(frozen=True, slots=True)
class LayeredPolicy:
    """A policy file and those that it extends."""

    layers: Sequence[PolicyLayer]
    """The file itself first."""
    table: _Table = field(repr=False)
    """All values together; paths of lists count from the file itself."""
    mistakes: Sequence[TomlMistake]

    def find_place(self, mistake: TomlMistake) -> TomlMistake:
        """Return a mistake with the file and line of a layer that the policy extends.

        A mistake at a key that the policy itself names is returned as it is.
        """
        if mistake.file:
            return mistake
        own, *bases = self.layers
        if mistake.place in key_lines(own.source.decode()):
            return mistake
        for base in bases:
            line = key_lines(base.source.decode()).get(mistake.place)
            if line is not None:
                return replace(mistake, file=base.file, line=line)
        return mistake


def gather_bases(source: bytes, read: Callable[[str], bytes | str]) -> dict[str, bytes | str]:
    """Read the policies that a policy extends, directly or through others.

    What is named wrongly is passed over; ``read_layers`` reports it.

    Args:
        source: The policy.
        read: Reads a file by its path from the policy.
    """
    found = dict[str, bytes | str]()
    content: bytes | str = source
    here = ""
    while isinstance(content, bytes) and (named := _read_name_of_base(content)):
        here = _locate(named, here)
        if here in found:
            break
        content = read_shipped_source(here) if here in list_policies() else read(here)
        found[here] = content
    return found


def list_all_paths(source: bytes, bases: Bases) -> tuple[str, ...]:
    """Return the lists that a policy and those that it extends name, by path from the policy."""
    paths = {*list_paths(source)}
    for name, content in bases.items():
        if isinstance(content, bytes):
            paths |= {_locate_list(path, name) for path in list_paths(content)}
    return tuple(sorted(paths))


def read_layers(source: bytes, file: str, bases: Bases) -> LayeredPolicy:
    """Parse a policy with all that it extends.

    Args:
        source: The policy.
        file: Its name in messages.
        bases: What it extends; shipped policies need not be among them.

    Raises:
        InvalidPolicy: One of the files is not TOML.
    """
    layers = [PolicyLayer(file, source, parse(source, file))]
    mistakes = list[TomlMistake]()
    here = ""
    while named := _name_of_base(layers[-1].table):
        here = _locate(named, here)
        shipped = here in list_policies()
        content = read_shipped_source(here) if shipped else bases.get(here, "there is no such file")
        if here in {layer.file for layer in layers}:
            mistakes.append(_refuse_base(layers, "the policy extends itself by it"))
            break
        if isinstance(content, str):
            known = f"the shipped policies are {', '.join(list_policies())}"
            hint = suggest(here, list_policies())
            mistakes.append(_refuse_base(layers, f"{content}{hint}; {known}"))
            break
        layers.append(PolicyLayer(here, content, parse(content, here)))
    table: _Table = {}
    for layer in reversed(layers[1:]):
        table = _merge(table, _move_lists(layer.table, layer.file))
    return LayeredPolicy(layers, _merge(table, layers[0].table), mistakes)


def _refuse_base(layers: Sequence[PolicyLayer], message: str) -> TomlMistake:
    """Return the mistake of the last layer, which names what it extends wrongly."""
    mistake = TomlMistake((EXTENDS,), message)
    if len(layers) == 1:
        return mistake
    last = layers[-1]
    return replace(mistake, file=last.file, line=key_lines(last.source.decode())[mistake.key])


def _read_name_of_base(source: bytes) -> str:
    try:
        return _name_of_base(tomllib.loads(source.decode()))
    except (ValueError, RecursionError):
        return ""


def _name_of_base(table: _Table) -> str:
    named = table.get(EXTENDS)
    return named if isinstance(named, str) else ""


def _locate(named: str, here: str) -> str:
    """Return the name of a shipped policy, or the path of a file from the policy itself."""
    if named in list_policies():
        return named
    return posixpath.normpath(posixpath.join(posixpath.dirname(here), named))


def _locate_list(path: str, here: str) -> str:
    folder = posixpath.dirname(here)
    return posixpath.normpath(posixpath.join(folder, path)) if folder else path


def _move_lists(table: _Table, here: str) -> _Table:
    """Return the table of a file with the paths of its lists as they count from the policy."""

    def move(column: object) -> object:
        if not isinstance(column, list):
            return column
        paths = cast("list[object]", column)
        return [_locate_list(path, here) if isinstance(path, str) else path for path in paths]

    moved = dict(table)
    if "allow_files" in moved:
        moved["allow_files"] = move(moved["allow_files"])
    by_label, by_name = moved.get("dictionaries"), moved.get("lists")
    if isinstance(by_label, dict):
        labels = cast("dict[str, object]", by_label)
        moved["dictionaries"] = {label: move(column) for label, column in labels.items()}
    if isinstance(by_name, dict):
        names = cast("dict[str, object]", by_name)
        moved["lists"] = {name: _move_files(one, move) for name, one in names.items()}
    return moved


def _move_files(listed: object, move: Callable[[object], object]) -> object:
    table = cast("dict[str, object]", listed) if isinstance(listed, dict) else {}
    return table | {"files": move(table["files"])} if "files" in table else listed


def _merge(below: _Table, above: _Table) -> _Table:
    merged = dict(below)
    for key, value in above.items():
        had = below.get(key)
        both = isinstance(had, dict) and isinstance(value, dict)
        merged[key] = _merge(cast("_Table", had), cast("_Table", value)) if both else value
    return merged
