"""Synonyms of words: of WordNet, where its files are at hand, or of a small table of our own.

WordNet is no package that can be installed with its data, so its folder ``dict`` is named by
whoever has it: the data files of Princeton's WordNet 3, or of Open English WordNet in that form
(``wndb(5WN)``: offset, file, type, number of words in hexadecimal, then each word and its id). The
table has a few hundred words of clinical prose, one set of synonyms a line, so it changes fewer
words than WordNet and takes no wrong senses of them.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

from deidstream.schemas.errors import MissingArtefact

Synonyms = Mapping[str, tuple[str, ...]]
"""The synonyms of each word in small letters, never itself; sorted."""
_DATA_FILES: Final = ("data.noun", "data.verb", "data.adj", "data.adv")
_FIRST_WORD: Final = 4
"""Place of the first word in a line of WordNet."""


def read_own_synonyms() -> Synonyms:
    """Read the table that comes with the study."""
    table = files("deidstream.study.techniques") / "data" / "synonyms.txt"
    lines = table.read_text(encoding="utf-8").splitlines()
    sets = (line.split(", ") for line in lines if line and not line.startswith("#"))
    return group_synonyms(sets)


def read_wordnet(folder: Path) -> Synonyms:
    """Read the sets of synonyms of WordNet: single words, of all senses.

    Raises:
        MissingArtefact: A file is absent, or is none of WordNet's.
    """
    try:
        return group_synonyms(_read_sets(folder))
    except (OSError, ValueError, IndexError) as error:
        msg = f"{folder}: is no folder of WordNet's data files: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def group_synonyms(sets: Iterable[Iterable[str]]) -> Synonyms:
    """Return for each word the others of all its sets."""
    grouped: dict[str, set[str]] = {}
    for one in sets:
        words = set(one)
        for word in words:
            grouped.setdefault(word, set()).update(words - {word})
    return {word: tuple(sorted(others)) for word, others in grouped.items() if others}


def _read_sets(folder: Path) -> Iterator[list[str]]:
    for name in _DATA_FILES:
        with (folder / name).open(encoding="utf-8") as file:
            for line in file:
                if not line.startswith(" "):  # the licence stands in front, indented
                    yield _read_words(line)


def _read_words(line: str) -> list[str]:
    fields = line.split(" ")
    count = int(fields[_FIRST_WORD - 1], 16)
    words = fields[_FIRST_WORD : _FIRST_WORD + 2 * count : 2]
    # "(a)" and its like say where an adjective may stand; "_" joins the words of a phrase.
    bare = (word.partition("(")[0].casefold() for word in words)
    return [word for word in bare if word.isalpha()]
