"""Read the data files of the packages, most of them lists of words."""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

MODELS = "deidstream.models"
"""The package whose data is read unless another is named."""


def split_list(text: str) -> tuple[str, ...]:
    """Split a list that the source holds as one string."""
    return tuple(text.split())


def read_data(file: str, package: str = MODELS) -> str:
    """Return the text of a file in the folder ``data`` of a package."""
    return files(package).joinpath("data", *file.split("/")).read_text("utf-8")


@cache
def lines(file: str, package: str = MODELS) -> tuple[str, ...]:
    """Return the lines of a list, without comments and empty lines."""
    text = read_data(file, package)
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def words_in(file: str) -> frozenset[str]:
    """Return all words of a list."""
    return frozenset(word for line in lines(file) for word in line.split())


@cache
def sections(file: str) -> Mapping[str, tuple[str, ...]]:
    """Return the words of a list by the heading, such as ``[stems]``, that precedes them."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in lines(file):
        if line.startswith("["):
            heading = line.strip("[]")
        else:
            found.setdefault(heading, []).extend(line.split())
    return MappingProxyType({name: tuple(words) for name, words in found.items()})


def cut_groups(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the headings of a file that ``write_groups`` made, each with the lines below it."""
    for group in text.split("\n[")[1:]:
        heading, words = group.split("]\n", 1)
        yield heading, words.removesuffix("\n").split("\n")


def write_groups(comment: str, groups: Mapping[str, Collection[str]]) -> str:
    """Write terms under headings, both sorted, behind a comment.

    Raises:
        ValueError: A term cannot be told from a heading, or is no line.
    """
    if any(term.startswith("[") or "\n" in term for terms in groups.values() for term in terms):
        msg = "a term begins like a heading or has a line break"
        raise ValueError(msg)
    texts = (
        f"[{name}]\n" + "".join(f"{t}\n" for t in sorted(groups[name])) for name in sorted(groups)
    )
    return comment + "".join(texts)
