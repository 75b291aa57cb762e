"""Names of clinical concepts: of a user's UMLS subset, or of a small table of our own.

UMLS needs a licence, so a site names its own ``MRCONSO.RRF`` (columns of the UMLS reference manual,
chapter 3: concept, language, ..., name in column 15). The table that comes with the study has
signs, diseases and drugs of everyday notes, the names of one concept a line. The paper finds
concepts by cTAKES, which also knows words in another order and endings; here a concept is found by
its very names, longest first.
"""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

from deidstream.schemas.errors import MissingArtefact

Concepts = Mapping[str, tuple[str, ...]]
"""All names of the concept of each name, in small letters, itself among them; one that several
concepts share has the names of the first."""
_CONCEPT, _LANGUAGE, _NAME, _COLUMNS = 0, 1, 14, 18
_MOST_WORDS: Final = 6
"""Words of the longest name that is read: of UMLS's longer ones hardly one stands in a note."""


def read_own_concepts() -> Concepts:
    """Read the table that comes with the study."""
    table = files("deidstream.study.techniques") / "data" / "concepts.txt"
    lines = table.read_text(encoding="utf-8").splitlines()
    return _list_names(line.split(", ") for line in lines if line and not line.startswith("#"))


def read_umls(path: Path) -> Concepts:
    """Read the English names of a file ``MRCONSO.RRF``.

    Raises:
        MissingArtefact: It cannot be read, or is no such file.
    """
    names: dict[str, list[str]] = {}
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                columns = line.split("|")
                if columns[_LANGUAGE] == "ENG" and len(columns) >= _COLUMNS:
                    names.setdefault(columns[_CONCEPT], []).append(columns[_NAME].casefold())
    except (OSError, IndexError, UnicodeDecodeError) as error:
        msg = f"{path}: is no MRCONSO.RRF: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    return _list_names(iter(names.values()))


def _list_names(concepts: Iterator[list[str]]) -> Concepts:
    listed: dict[str, tuple[str, ...]] = {}
    for names in concepts:
        # A name that many vocabularies have stands there as often, and is drawn as often (A.2).
        short = tuple(name for name in names if len(name.split()) <= _MOST_WORDS)
        for name in short:
            listed.setdefault(name, short)
    return listed
