"""Translate the labels of a token classifier into ours."""

import re
from collections.abc import Mapping

from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.label import PhiLabel

OUTSIDE = "O"
"""Label of a classifier for a token that is not PHI."""

# BIO, BILOU and BIOES differ in these letters only; IO writes none or I.
_POSITION = re.compile(r"^[BILUES]-(?=.)")
_BEGINNING = re.compile(r"^[BUS]-(?=.)")

SYNONYMS: Mapping[str, PhiLabel] = {
    "NAME": PhiLabel.PATIENT,
    "PERSON": PhiLabel.PATIENT,
    "PER": PhiLabel.PATIENT,
    "STAFF": PhiLabel.DOCTOR,
    "HCW": PhiLabel.DOCTOR,
    "CLINICIAN": PhiLabel.DOCTOR,
    "HOSP": PhiLabel.HOSPITAL,
    "FACILITY": PhiLabel.HOSPITAL,
    "PATORG": PhiLabel.ORGANIZATION,
    "ORG": PhiLabel.ORGANIZATION,
    "VENDOR": PhiLabel.ORGANIZATION,
    "OCCUPATION": PhiLabel.PROFESSION,
    "LOC": PhiLabel.LOCATION_OTHER,
    "LOCATION": PhiLabel.LOCATION_OTHER,
    "GPE": PhiLabel.LOCATION_OTHER,
    "ADDRESS": PhiLabel.STREET,
    "POSTCODE": PhiLabel.ZIP,
    "ZIPCODE": PhiLabel.ZIP,
    "ID": PhiLabel.IDNUM,
    "OTHER": PhiLabel.IDNUM,
    "OTHERPHI": PhiLabel.IDNUM,
    "MRN": PhiLabel.MEDICALRECORD,
    "TELEPHONE": PhiLabel.PHONE,
    "CONTACT": PhiLabel.PHONE,
    "IP": PhiLabel.IPADDR,
    "DOB": PhiLabel.DATE,
}
"""Names other data sets use. One that covers several of ours takes the most identifying."""


def parse_label_map(pairs: str) -> dict[str, str]:
    """Read ``MODEL=PHI`` pairs, comma separated, such as ``MISC=O,HCP=DOCTOR``.

    Raises:
        InvalidSettings: A pair has no ``=``, or a model label occurs twice.
    """
    mapped = [pair.strip() for pair in pairs.split(",") if pair.strip()]
    named = [pair.partition("=") for pair in mapped]
    overrides = {theirs.strip(): ours.strip() for theirs, _, ours in named}
    if len(overrides) != len(mapped) or not all([*overrides.keys(), *overrides.values()]):
        msg = "a label map is MODEL=PHI pairs, each model label once"
        raise InvalidSettings(msg)
    return overrides


def translate_labels(
    model_labels: Mapping[int, str], overrides: Mapping[str, str]
) -> tuple[PhiLabel | None, ...]:
    """Return our label for each output column of a classifier.

    Args:
        model_labels: The checkpoint's ``id2label``; its keys are ``0`` to ``n - 1``.
        overrides: Our label or ``O``, by model label with or without its position prefix.

    Returns:
        Our label of each column, ``None`` for not PHI.

    Raises:
        MissingArtefact: A model label is unknown and not in ``overrides``, or no label is PHI.
        InvalidSettings: ``overrides`` names a label that is not ours, or one that the model lacks.
    """
    names = [model_labels[column] for column in range(len(model_labels))]
    _refuse_unknown(names, overrides)
    columns = tuple(_find_meaning(name, overrides) for name in names)
    if not any(columns) or all(columns):
        msg = "a tagger needs labels that are PHI and one that is not"
        raise MissingArtefact(msg)
    return columns


def find_beginnings(model_labels: Mapping[int, str]) -> tuple[bool, ...]:
    """Return for each output column whether it means that a span begins.

    Where a model has no such column for a label, as under IO, each of the label's does.
    """
    names = [model_labels[column] for column in range(len(model_labels))]
    opening = {_strip_position(name) for name in names if _BEGINNING.match(name)}
    return tuple(
        bool(_BEGINNING.match(name)) or _strip_position(name) not in opening for name in names
    )


def _refuse_unknown(names: list[str], overrides: Mapping[str, str]) -> None:
    theirs = {*names, *map(_strip_position, names)}
    ours = {OUTSIDE, *PhiLabel}
    unknown = [
        f"{key}={value}"
        for key, value in overrides.items()
        if key not in theirs or value not in ours
    ]
    if unknown:
        msg = f"the label map does not fit this tagger: {', '.join(unknown)}"
        raise InvalidSettings(msg)


def _find_meaning(name: str, overrides: Mapping[str, str]) -> PhiLabel | None:
    bare = _strip_position(name)
    mapped = overrides.get(name, overrides.get(bare))
    if (mapped or bare) == OUTSIDE:
        return None
    known = (mapped or bare).upper().replace("-", "_").replace(" ", "_")
    if known in SYNONYMS:
        return SYNONYMS[known]
    if known in PhiLabel.__members__:
        return PhiLabel[known]
    msg = f"model label {name} has no meaning here; map it to a PHI label or to O"
    raise MissingArtefact(msg)


def _strip_position(name: str) -> str:
    return _POSITION.sub("", name)
