"""Declares the TOML file of the sources that a corpus is made from, and reads it.

``docs/corpus.md`` explains each key. Every mistake is reported at once, with its line.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
)
from pydantic_core import ErrorDetails

from deidstream.agents.runtime.policy_files import content
from deidstream.models.policy.toml_lines import TomlMistake, parse, report
from deidstream.schemas.errors import InvalidPolicy, InvalidSettings
from deidstream.schemas.label import PhiLabel

PERSON, PLACE, NO_PHI = "person", "place", "no phi"
"""Meanings of labels whose text decides: which person or place it is, or that it stays."""


def _check_meaning(meaning: str) -> str:
    if meaning not in {*PhiLabel, PERSON, PLACE, NO_PHI}:
        msg = f'must be a PHI label, "{PERSON}", "{PLACE}" or "{NO_PHI}"'
        raise ValueError(msg)
    return meaning


def _find_file(path: Path, info: ValidationInfo) -> Path:
    found = cast("Path", info.context) / path
    if not found.is_file():
        msg = f"{found}: there is no such file"
        raise ValueError(msg)
    return found


def _as_tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else (value,)


_Name = Annotated[str, Field(pattern=r"\S")]
_OptionalNames = Annotated[tuple[_Name, ...], BeforeValidator(_as_tuple)]
_Names = Annotated[_OptionalNames, Field(min_length=1)]
_File = Annotated[Path, AfterValidator(_find_file)]
_Files = Annotated[tuple[_File, ...], BeforeValidator(_as_tuple), Field(min_length=1)]
_Meaning = Annotated[str, AfterValidator(_check_meaning)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The keys of every source; a dot in the name of a field leads into an object."""

    path: _Files
    """Files of JSON lines, which may be packed with gzip or xz."""
    share: Annotated[float, Field(gt=0)]
    """Share of the injected notes, in proportion to the shares of the others."""
    only: Mapping[str, _Names] = field(default_factory=dict[str, tuple[str, ...]])
    """Values that a field must have, or the line is not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Splits:
    """Files that say which notes are held out."""

    path: _Files
    id: _Name = "note_id"
    """Field that names the note, in these files and in those of the source."""
    split: _Name = "split"
    train: _Name = "train"
    """A note that is on another side in one of the files, or in none of them, is held out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseSource(Source):
    """Notes that nobody labelled."""

    form: Literal["prose"]
    text: _Names = ("text",)
    """Fields that hold text."""
    spoken: _OptionalNames = ()
    """Fields that hold transcribed speech; it neither teaches words nor is it compared."""
    restore_lines: bool = False
    """Whether line breaks have become commas without a space."""
    splits: Splits | None = None
    apart_from: str = ""
    """A source; what repeats one of its held-out notes is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameSource(Source):
    """Notes with fields that name their patient and doctor."""

    form: Literal["names"]
    text: _Names = ("text",)
    """Fields that hold text."""
    patient_first: _Name
    patient_last: _Name
    doctor: str = ""
    spoken: _OptionalNames = ()
    """Fields that hold transcribed speech, in which names have no capitals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanSource(Source):
    """Notes or sentences with labelled spans."""

    form: Literal["spans"]
    text: _Name = "text"
    spans: _Name = "spans"
    start: _Name = "start"
    """Field of a span; an offset in code points."""
    end: _Name = "end"
    label: _Name = "type"
    labels: Mapping[str, _Meaning] = field(
        default_factory=lambda: {str(label): str(label) for label in PhiLabel}
    )
    """Meaning of each label that is surely right; text of any other is not used."""
    only_labelled: bool = False
    """Whether a text without a sure span is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CityList:
    """A table of American cities, as CSV."""

    path: _File
    city: _Name
    """Column of the city."""
    state: _Name
    """Column of the two letters of the state."""
    county: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueList:
    """A list of values: CSV, JSON, or plain text, a value a line."""

    path: _File
    field: str = ""
    """Column of a CSV file, or key of the list in a JSON file."""
    in_capitals: bool = False
    """Whether values are in capitals, which notes do not write."""


_CityLists = Annotated[tuple[CityList, ...], BeforeValidator(_as_tuple)]
_ValueLists = Annotated[tuple[ValueList, ...], BeforeValidator(_as_tuple)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealLists:
    """Real names and places, beside those of the installed packages and our own."""

    us_cities: _CityLists = ()
    british_towns: _ValueLists = ()
    occupations: _ValueLists = ()
    hospitals: _ValueLists = ()
    hospital_streets: _ValueLists = ()
    """Numbers and streets at which hospitals are."""
    street_names: _ValueLists = ()


class Sources(BaseModel):
    """One TOML file of sources."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, allow_inf_nan=False, hide_input_in_errors=True
    )

    lists: RealLists = RealLists()
    sources: Annotated[
        dict[str, Annotated[ProseSource | NameSource | SpanSource, Field(discriminator="form")]],
        Field(min_length=1),
    ]


def read_sources(file: Path, folder: Path | None = None) -> Sources:
    """Read a file of sources.

    Args:
        file: The TOML file.
        folder: The folder that its paths count from; ``None``: its own.

    Raises:
        InvalidSettings: The file cannot be read, or every mistake in it, one a line.
    """
    source = content(file)
    if isinstance(source, str):
        msg = f"{file}: {source}"
        raise InvalidSettings(msg)
    try:
        table = parse(source, str(file))
    except InvalidPolicy as invalid:
        raise InvalidSettings(str(invalid)) from None
    mistakes = list(_wrong_references(table))
    try:
        # TOML has the types of JSON and dates, and no key is a date.
        text = json.dumps(table, default=lambda _: None)
        read = Sources.model_validate_json(text, context=folder or file.parent)
    except ValidationError as invalid:
        mistakes += map(_mistake, invalid.errors(include_url=False, include_input=False))
    else:
        if not mistakes:
            return read
    raise InvalidSettings(report(dict.fromkeys(mistakes), source, str(file)))


def _wrong_references(table: Mapping[str, object]) -> Iterator[TomlMistake]:
    """Yield each source that is to be apart from one without held-out notes."""
    declared = table.get("sources")
    if not isinstance(declared, dict):
        return
    sources = cast("Mapping[str, object]", declared)
    divided = {
        name for name, source in sources.items() if isinstance(source, dict) and "splits" in source
    }
    for name, source in sources.items():
        if not isinstance(source, dict):
            continue
        other = cast("Mapping[str, object]", source).get("apart_from")
        if isinstance(other, str) and other not in divided:
            yield TomlMistake(("sources", name, "apart_from"), "must name a source with splits")


_FORMS = ("prose", "names", "spans")
_MESSAGES = {
    "extra_forbidden": "unknown key (docs/corpus.md explains each)",
    "unexpected_keyword_argument": "unknown key (docs/corpus.md explains each)",
    "missing": "is required",
    "string_pattern_mismatch": "must not be empty",
    "too_short": "must not be empty",
    "dict_type": "must be a table",
    "dataclass_type": "must be a table",
    "tuple_type": "must be a string or a list of strings",
    "path_type": "must be a string",
    "string_type": "must be a string",
    "json_invalid": "is nested too deeply",
}


def _mistake(error: ErrorDetails) -> TomlMistake:
    key = tuple(part for part in error["loc"] if isinstance(part, str))
    if key[:1] == ("sources",):
        key = (*key[:2], *key[3:])  # behind the name of a source stands its form
    kind = error["type"]
    if kind in _MESSAGES:
        return TomlMistake(key, _MESSAGES[kind])
    if kind.startswith("union_tag"):
        return TomlMistake((*key, "form"), f"must be one of {', '.join(_FORMS)}")
    if kind == "value_error":
        return TomlMistake(key, str(error.get("ctx", {})["error"]))
    return TomlMistake(key, error["msg"].replace("Input should", "must"))
