"""Lists of terms beside a policy file: one term a line, ``#`` for comments."""

import hashlib
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.models.phi.not_phi import normal
from deidstream.models.policy.syntax import BOM
from deidstream.schemas.label import PhiLabel

LONGEST_TERM = 200
"""Characters of a term; what is longer is a paragraph that went astray."""
MOST_MISTAKES = 20
"""Mistakes reported of one list; a file of the wrong kind has one on every line."""

Lists = Mapping[str, bytes | str]
"""By path as the policy names it, what a list holds; a text says why it cannot be had."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong under one key of a policy; it never quotes a value."""

    key: str
    said: str
    place: str = ""
    """File and line, where it is a list's; otherwise the key tells them."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A term and where it stands."""

    term: str = field(repr=False)
    key: str
    place: str = ""
    """File and line, for a term of a list."""


def list_paths(source: bytes) -> tuple[str, ...]:
    """Return the lists that a policy names, sorted, each once.

    What is not TOML, or is written where no path belongs, names none: reading it as a policy tells.
    """
    try:
        table = tomllib.loads(source.decode())
    except (ValueError, RecursionError):
        return ()
    by_label = table.get("dictionaries")
    labels = list(by_label.values()) if isinstance(by_label, dict) else []
    columns = [table.get("allow_files"), *labels]
    named = [path for column in columns if isinstance(column, list) for path in column]
    return tuple(sorted({path for path in named if isinstance(path, str)}))


def policy_digest(source: bytes, lists: Lists) -> str:
    """Return the SHA-256 of a policy file or, when it names lists, of it and all of them.

    The digest is then that of what ``sha256sum`` writes of the policy, as its standard input, and
    of each list in the order of the paths: ``(sha256sum <POLICY; sha256sum LIST ...) | sha256sum``.
    A list that cannot be had counts with the reason.
    """
    own = hashlib.sha256(source).hexdigest()
    if not lists:
        return own
    rows = [f"{own}  -\n", *(f"{_told(lists[path])}  {path}\n" for path in sorted(lists))]
    return hashlib.sha256("".join(rows).encode()).hexdigest()


def read_list(path: str, content: bytes, key: str) -> tuple[list[Listed], list[Mistake]]:
    """Read a list: its terms, and what is wrong with its lines.

    Blank lines and lines that begin with ``#`` are left out; a ``#`` further on is the term's own.
    """
    terms, mistakes = list[Listed](), list[Mistake]()
    for place, line in _lines(path, content):
        said = _undecodable(line) or fault(line.decode())
        if said:
            mistakes.append(Mistake(key, said, place))
        else:
            terms.append(Listed(line.decode().strip(), key, place))
    if len(mistakes) > MOST_MISTAKES:
        more = Mistake(key, f"{len(mistakes) - MOST_MISTAKES} more lines are wrong", path)
        mistakes[MOST_MISTAKES:] = [more]
    return terms, mistakes


def fault(term: str) -> str:
    """Say what is wrong with a term; nothing when it is right."""
    if not any(map(str.isalnum, term)):
        return "must have a letter or a digit"
    if len(term) > LONGEST_TERM:
        return f"must have no more than {LONGEST_TERM} characters"
    control = any(unicodedata.category(c) == "Cc" and not c.isspace() for c in term)
    return "must have no control character" if control else ""


def contradictions(
    allow: Sequence[Listed], deny: Mapping[PhiLabel, Sequence[Listed]]
) -> Iterator[Mistake]:
    """Name the allowed terms that are denied too: as allowing counts last, they would leak."""
    denied = {normal(item.term): item for items in deny.values() for item in items}
    for item in allow:
        other = denied.get(normal(item.term))
        if other is not None:
            yield Mistake(item.key, f"is denied too, by {other.place or other.key}", item.place)


def _lines(path: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    rows = content.removeprefix(BOM).split(b"\n")
    stripped = ((number, row.strip()) for number, row in enumerate(rows, 1))
    return ((f"{path}:{number}", row) for number, row in stripped if row and row[:1] != b"#")


def _undecodable(line: bytes) -> str:
    try:
        line.decode()
    except UnicodeDecodeError:
        return "must be UTF-8"
    return ""


def _told(content: bytes | str) -> str:
    return content if isinstance(content, str) else hashlib.sha256(content).hexdigest()
