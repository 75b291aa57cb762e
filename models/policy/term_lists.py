"""Lists of terms beside a policy file: one term a line, ``#`` for comments."""

import hashlib
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.models.phi.not_phi import fold_term
from deidstream.models.policy.toml_lines import BOM, KeyPath, TomlMistake

LONGEST_TERM = 200
"""Characters of a term; anything longer is a paragraph in the wrong file."""
MOST_MISTAKES = 20
"""Mistakes reported for one list; a file of the wrong kind has one on every line."""

Lists = Mapping[str, bytes | str]
"""Content of each list by its path in the policy; a text says why the list cannot be read."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A term and where it is written."""

    term: str = field(repr=False)
    key: KeyPath
    """The key of the policy that holds the term, or names its list."""
    file: str = ""
    """The list."""
    line: int = 0

    @property
    def place(self) -> str:
        """Where the term is written, for messages."""
        return f"{self.file}:{self.line}" if self.file else ".".join(self.key)


def list_paths(source: bytes) -> tuple[str, ...]:
    """Return the lists that a policy names, sorted, each once.

    What is not TOML, or is not a path, is passed over; reading the policy reports it.
    """
    try:
        table = tomllib.loads(source.decode())
    except (ValueError, RecursionError):
        return ()
    by_label, by_name = table.get("dictionaries"), table.get("lists")
    columns = [table.get("allow_files")]
    columns += by_label.values() if isinstance(by_label, dict) else []
    named = by_name.values() if isinstance(by_name, dict) else []
    columns += [one.get("files") for one in named if isinstance(one, dict)]
    paths = [path for column in columns if isinstance(column, list) for path in column]
    return tuple(sorted({path for path in paths if isinstance(path, str)}))


def policy_digest(source: bytes, lists: Lists) -> str:
    """Return the SHA-256 of a policy file or, when it names others, of it and all of them.

    With lists, or policies that it extends, it is the digest of what ``sha256sum`` writes for the
    policy, as standard input, and for each of those files in the order of the paths:
    ``(sha256sum <POLICY; sha256sum LIST ...) | sha256sum``.
    A list that cannot be read counts with the reason.
    """
    own = hashlib.sha256(source).hexdigest()
    if not lists:
        return own
    rows = [f"{own}  -\n", *(f"{_list_digest(lists[path])}  {path}\n" for path in sorted(lists))]
    return hashlib.sha256("".join(rows).encode()).hexdigest()


def read_lists(
    paths: Sequence[str], lists: Lists, key: KeyPath
) -> tuple[list[Listed], list[TomlMistake]]:
    """Read the terms of the lists that one key of a policy names, and what is wrong with them."""
    terms, mistakes = list[Listed](), list[TomlMistake]()
    for path in paths:
        content = lists.get(path, "there is no such file")
        if isinstance(content, str):
            mistakes.append(TomlMistake(key, f"{path}: {content}"))
            continue
        found, wrong = read_list(path, content, key)
        terms += found
        mistakes += wrong
    return terms, mistakes


def read_list(
    path: str, content: bytes, key: KeyPath = ()
) -> tuple[list[Listed], list[TomlMistake]]:
    """Read a list: its terms, and what is wrong with its lines.

    Blank lines and lines that begin with ``#`` are left out; a ``#`` further on belongs to the
    term.
    """
    terms, mistakes = list[Listed](), list[TomlMistake]()
    for number, row in enumerate(content.removeprefix(BOM).split(b"\n"), 1):
        line = row.strip()
        if not line or line.startswith(b"#"):
            continue
        wrong = _undecodable(line) or fault(line.decode())
        if wrong:
            mistakes.append(TomlMistake(key, wrong, path, number))
        else:
            terms.append(Listed(line.decode().strip(), key, path, number))
    if len(mistakes) > MOST_MISTAKES:
        more = len(mistakes) - MOST_MISTAKES
        mistakes[MOST_MISTAKES:] = [TomlMistake(key, f"{more} more lines are wrong", path)]
    return terms, mistakes


def fault(term: str) -> str:
    """Return what is wrong with a term; empty if nothing is."""
    if not any(map(str.isalnum, term)):
        return "must have a letter or a digit"
    if len(term) > LONGEST_TERM:
        return f"must have no more than {LONGEST_TERM} characters"
    control = any(unicodedata.category(c) == "Cc" and not c.isspace() for c in term)
    return "must have no control character" if control else ""


def contradictions(allow: Iterable[Listed], deny: Iterable[Listed]) -> Iterator[TomlMistake]:
    """Name the allowed terms that are denied too: since allowing counts last, they would leak."""
    denied = {fold_term(item.term): item for item in deny}
    for item in allow:
        other = denied.get(fold_term(item.term))
        if other is not None:
            message = f"is denied too, by {other.place}"
            yield TomlMistake(item.key, message, item.file, item.line)


def _undecodable(line: bytes) -> str:
    try:
        line.decode()
    except UnicodeDecodeError:
        return "must be UTF-8"
    return ""


def _list_digest(content: bytes | str) -> str:
    return content if isinstance(content, str) else hashlib.sha256(content).hexdigest()
