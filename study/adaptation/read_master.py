"""Read master files of a site: HL7 master files, FHIR resources, and CSV with a header."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import orjson

from deidstream.agents.runtime.lines import unpack_gzip
from deidstream.agents.runtime.terminal import say
from deidstream.models.phi.hl7.message_grammar import (
    HEADER,
    Signs,
    read_signs,
    split_fields,
    split_repetitions,
    unescape,
)
from deidstream.models.text.patterns import word_set
from deidstream.schemas.errors import MissingArtefact, Refused
from deidstream.schemas.label import PhiLabel
from deidstream.study.adaptation.master_data import MasterData

_L = PhiLabel
_Resource = Mapping[str, Any]
_BY_TYPE = {
    **dict.fromkeys(("MR", "PI", "PT", "PATIENT"), _L.MEDICALRECORD),
    **dict.fromkeys(("AN", "VN", "ACSN", "FILL", "PLAC"), _L.ACCOUNT),
    **dict.fromkeys(("MD", "LN", "NPI", "DEA", "PRN", "LICENSE"), _L.LICENSE),
    **dict.fromkeys(("SNO", "UDI", "SERIAL"), _L.DEVICE),
    **dict.fromkeys(("MB", "MA", "MC", "NIIP"), _L.HEALTHPLAN),
}
"""The label of an identifier by its type (HL7 table 0203)."""
_COLUMNS: Mapping[PhiLabel, str] = {
    _L.HOSPITAL: "ward unit department clinic hospital facility building service site",
    _L.LOCATION_OTHER: "room theatre theater bed bay place",
    _L.ORGANIZATION: "organization organisation employer school company",
    _L.CITY: "city town village suburb",
    _L.STREET: "street address",
    _L.USERNAME: "username login user",
    _L.MEDICALRECORD: "mrn hospital_number patient_number record_number",
    _L.IDNUM: "id staff_id employee_id badge number identifier",
    _L.ACCOUNT: "account encounter visit episode",
    _L.DEVICE: "device serial serial_number",
    _L.PHONE: "phone extension ext bleep pager telephone",
}
"""Names of columns by label; the name of a label is one too."""
_NAMES = frozenset(
    ["name", "staff", "staff_name", "doctor", "clinician", "consultant", "provider", "nurse"]
)
_GIVEN = word_set("given first first_name given_name forename")
_FAMILY = word_set("family last last_name family_name surname")


def read_master_files(paths: Sequence[Path]) -> MasterData:
    """Read master files, each in the form that its content shows.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A file is in none of the forms; the message says which.
    """
    found = MasterData()
    for path in paths:
        text = _read_text(path)
        begin = text.lstrip()[:4]
        if begin[:3] in {HEADER, "FHS", "BHS"}:
            _read_hl7(text, found)
        elif begin[:1] in {"{", "["}:
            _read_fhir(path, text, found)
        else:
            _read_csv(path, text, found)
    return found


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return unpack_gzip(file).read().decode("utf-8-sig")
    except UnicodeDecodeError:
        msg = f"{path}: must be UTF-8"
        raise Refused(msg) from None
    except (OSError, EOFError) as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _read_hl7(text: str, found: MasterData) -> None:
    """Read a batch of messages: staff, places, and numbers of patients.

    Source: HL7 v2.5.1, chapters 3 (PID), 8 (LOC) and 15 (STF, PRA).
    """
    signs = Signs()
    for line in re.split(r"[\r\n]+", text):
        name = line[:3]
        if name == HEADER:
            signs = read_signs(line) or signs
        read = _SEGMENTS.get(name)
        if read is not None:
            read(_Fields(split_fields(line, signs), signs), found)


class _Fields:
    """The fields of a segment."""

    def __init__(self, fields: Sequence[str], signs: Signs) -> None:
        self._fields, self._signs = fields, signs

    def rows(self, number: int) -> Iterator[list[str]]:
        """Yield the components of each repetition of a field, with escapes read."""
        written = self._fields[number - 1] if number <= len(self._fields) else ""
        for components in split_repetitions(written, self._signs):
            firsts = (one.split(self._signs.subcomponent)[0] for one in components)
            yield [unescape(one, self._signs).strip() for one in firsts] + [""] * 6


def _read_staff(segment: _Fields, found: MasterData) -> None:
    for row in segment.rows(2):
        found.add(_L.IDNUM, row[0])
    for family, given, middle, *_ in segment.rows(3):
        found.add_person(given=given, family=family, middle=middle)
    for street, _, city, *_ in segment.rows(11):
        found.add(_L.STREET, street)
        found.add(_L.CITY, city)


def _read_practitioner(segment: _Fields, found: MasterData) -> None:
    for number, kind, *_ in segment.rows(6):
        found.add(_BY_TYPE.get(kind.upper(), _L.LICENSE), number)


def _read_place(segment: _Fields, found: MasterData) -> None:
    for ward, _, _, facility, *_ in segment.rows(1):
        found.add(_L.HOSPITAL, ward)
        found.add(_L.HOSPITAL, facility)
    for row in (*segment.rows(2), *segment.rows(4)):
        found.add(_L.HOSPITAL, row[0])
    for street, _, city, *_ in segment.rows(5):
        found.add(_L.STREET, street)
        found.add(_L.CITY, city)


def _read_patient(segment: _Fields, found: MasterData) -> None:
    for number, _, _, _, kind, *_ in segment.rows(3):
        found.add(_BY_TYPE.get(kind.upper(), _L.MEDICALRECORD), number)
    for row in segment.rows(18):
        found.add(_L.ACCOUNT, row[0])


_SEGMENTS: Mapping[str, Callable[[_Fields, MasterData], None]] = {
    "STF": _read_staff,
    "PRA": _read_practitioner,
    "LOC": _read_place,
    "PID": _read_patient,
}


def _read_fhir(path: Path, text: str, found: MasterData) -> None:
    """Read resources, one a line, as a list, or in bundles. Names of patients are not read."""
    for resource in _unfold(_parse(path, text)):
        kind = str(resource.get("resourceType"))
        if kind == "Practitioner":
            _read_names(resource, found)
        if kind in _PLACED:
            _read_addresses(resource, found)
        if kind in _NAMED:
            for value in (resource.get("name"), *_list(resource, "alias")):
                found.add(_L.HOSPITAL, str(value or ""))
        if kind in _IDENTIFIED:
            for identifier in _list(resource, "identifier"):
                label = _BY_TYPE.get(_type_of(identifier), _IDENTIFIED[kind])
                found.add(label, str(identifier.get("value", "")))


def _read_names(practitioner: _Resource, found: MasterData) -> None:
    for name in _list(practitioner, "name"):
        given, *middle = map(str, _list(name, "given") or [""])
        found.add_person(given=given, family=str(name.get("family", "")), middle=" ".join(middle))


def _read_addresses(resource: _Resource, found: MasterData) -> None:
    for address in _list(resource, "address"):
        found.add(_L.CITY, str(address.get("city", "")))
        for street in _list(address, "line"):
            found.add(_L.STREET, str(street))


_NAMED = frozenset({"Location", "Organization"})
_PLACED = _NAMED | {"Practitioner"}
_IDENTIFIED = {
    "Practitioner": _L.IDNUM,
    "Patient": _L.MEDICALRECORD,
    "Encounter": _L.ACCOUNT,
    "Device": _L.DEVICE,
}


def _parse(path: Path, text: str) -> list[object]:
    try:
        return [orjson.loads(text)]
    except orjson.JSONDecodeError:
        lines = enumerate(text.split("\n"), 1)
        return [_parse_line(path, number, line) for number, line in lines if line.strip()]


def _parse_line(path: Path, number: int, line: str) -> object:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        msg = f"{path}: line {number}: must be a FHIR resource"
        raise Refused(msg) from None


def _unfold(rows: Iterable[object]) -> Iterator[_Resource]:
    for row in rows:
        if isinstance(row, list):
            yield from _unfold(cast("list[object]", row))
        elif isinstance(row, dict):
            resource = cast("_Resource", row)
            entries = _list(resource, "entry")
            yield resource
            yield from _unfold(entry.get("resource") for entry in entries)


def _list(resource: _Resource, key: str) -> list[Any]:
    """Return what an element has, if it is a list; or what it holds as the only item of one."""
    value = resource.get(key)
    if isinstance(value, list):
        return [one for one in cast("list[object]", value) if isinstance(one, dict | str)]
    return [value] if isinstance(value, dict) else []


def _type_of(identifier: _Resource) -> str:
    kind: Any = identifier.get("type")
    codings = _list(kind, "coding") if isinstance(kind, dict) else []
    return str(codings[0].get("code", "")).upper() if codings else ""


def _read_csv(path: Path, text: str, found: MasterData) -> None:
    """Read a table: the header says by the name of a label, or of a thing, what a column has."""
    try:
        dialect = csv.Sniffer().sniff(text.partition("\n")[0], delimiters=",;\t|")
    except csv.Error:
        dialect = csv.excel  # one column alone
    rows = csv.reader(text.splitlines(), dialect)
    heads = [head.strip().casefold().replace(" ", "_") for head in next(rows, [])]
    known = [_find_label(head) for head in heads]
    people = _NAMES | _GIVEN | _FAMILY
    passed = [head for head, label in zip(heads, known, strict=True) if not label | {head} & people]
    if len(passed) == len(heads):
        msg = f"{path}: no column says what it has: see 'deidstream adapt make --help'"
        raise Refused(msg)
    if passed:
        say(f"{path}: {len(passed)} columns are not read, as their names are unknown")
    for row in rows:
        _read_row(heads, known, row, found)


def _find_label(head: str) -> set[PhiLabel]:
    by_name = {label for label in PhiLabel if label.casefold() == head}
    return by_name or {label for label, names in _COLUMNS.items() if head in names.split()}


def _read_row(
    heads: Sequence[str], known: Sequence[set[PhiLabel]], row: Sequence[str], found: MasterData
) -> None:
    given = family = ""
    for head, labels, value in zip(heads, known, row, strict=False):
        if head in _GIVEN:
            given = value
        elif head in _FAMILY:
            family = value
        elif head in _NAMES or labels == {_L.DOCTOR}:
            _add_whole_name(value, found)
        else:
            for label in labels:
                found.add(label, value)
    found.add_person(given=given, family=family)


def _add_whole_name(value: str, found: MasterData) -> None:
    """Keep ``Given Family`` or ``Family, Given``."""
    family, comma, given = value.partition(",")
    if not comma:
        given, _, family = value.strip().rpartition(" ")
    first, _, middle = given.strip().partition(" ")
    found.add_person(given=first, family=family, middle=middle)
