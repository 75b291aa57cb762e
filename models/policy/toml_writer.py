"""Write a table as TOML: the values that policies have, each key on a line of its own."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from deidstream.models.policy.toml_lines import KeyPath, write_key

Table = Mapping[str, object]


def write_toml(table: Table) -> str:
    """Write a table; what it holds may be text, numbers, truth values, lists of them and tables.

    Plain values come before tables, as TOML asks, each in the order of the table.

    >>> print(write_toml({"a": 1, "b": {"c": ["x"]}}), end="")
    a = 1
    <BLANKLINE>
    [b]
    c = ["x"]
    """
    return "\n".join(_write_tables((), table))


def _write_tables(key: KeyPath, table: Table) -> Iterator[str]:
    plain = {name: value for name, value in table.items() if not isinstance(value, Mapping)}
    lines = [f"{write_key((name,))} = {_write_value(value)}" for name, value in plain.items()]
    if key and (lines or not table):
        lines.insert(0, f"[{write_key(key)}]")
    if lines:
        yield "\n".join(lines) + "\n"
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _write_tables((*key, name), cast("Table", value))


def _write_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # Strings of JSON are strings of TOML, but for one sign that TOML wants escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_write_value, cast('Sequence[object]', value)))}]"
    msg = f"a policy has no {type(value).__name__}"
    raise TypeError(msg)
