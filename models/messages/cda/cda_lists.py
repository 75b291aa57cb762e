"""The lists of what may stay of CDA documents: elements, codes of the standard, identifiers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from deidstream.models.text.word_files import lines, sections, words_in
from deidstream.schemas.label import PhiLabel

_OID = re.compile(r"[0-2](?:\.[0-9]{1,20}){1,30}")
_ANY = UNNAMED = "*"


@cache
def element_kinds() -> Mapping[str, str]:
    """Return how each element is treated, by its name; those of SDTC have their prefix."""
    listed = sections("cda.elements.txt")
    return MappingProxyType({name: kind for kind, names in listed.items() for name in names})


def are_codes(words: str) -> bool:
    """Return whether a text consists of codes of the reference model."""
    return words_in("cda.codes.txt").issuperset(words.split())


@dataclass(frozen=True, slots=True)
class _PublicIds:
    """``models/data/cda.oids.txt``."""

    terminologies: Mapping[str, str]
    issuers: Mapping[str, str]
    templates: tuple[str, ...]


def name_terminology(oid: str) -> str | None:
    """Return what a public code system is called, or ``*``; ``None`` for another one."""
    return _find(_public_ids().terminologies, oid)


def label_number(oid: str) -> PhiLabel | None:
    """Return the label of the numbers of a public issuer; ``None`` for another one."""
    label = _find(_public_ids().issuers, oid)
    return PhiLabel(label) if label else None


def is_template(oid: str) -> bool:
    """Return whether an identifier is one of a public template or value set."""
    return _OID.fullmatch(oid) is not None and oid.startswith(_public_ids().templates)


def _find(listed: Mapping[str, str], oid: str) -> str | None:
    found = listed.get(oid)
    if _OID.fullmatch(oid) is None:
        return None
    while found is None and "." in oid:
        oid = oid.rpartition(".")[0]
        found = listed.get(f"{oid}.{_ANY}")
    return found


@cache
def _public_ids() -> _PublicIds:
    found: dict[str, list[str]] = {}
    heading = ""
    for line in lines("cda.oids.txt"):
        if line.startswith("["):
            heading = line.strip("[]")
        else:
            found.setdefault(heading, []).append(line)
    return _PublicIds(
        MappingProxyType(dict(line.split(" ", 1) for line in found["terminologies"])),
        MappingProxyType(dict(line.split(" ", 1) for line in found["issuers"])),
        tuple(found["templates"]),
    )
