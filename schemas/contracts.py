"""The contracts as JSON Schema (draft 2020-12); ``schemas/json`` holds them as files."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from deidstream.schemas.errors import NoteField, Reason, Stage
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.outcome import RiskLevel
from deidstream.schemas.policy import Technique
from deidstream.schemas.quarantine_record import Action, Cause
from deidstream.schemas.wire import SCHEMA

Schema = dict[str, object]


def _string(description: str) -> Schema:
    return {"type": "string", "description": description}


def _non_empty(description: str) -> Schema:
    return {"type": "string", "minLength": 1, "pattern": r"\S", "description": description}


def _maybe(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _strings(description: str) -> Schema:
    return {"type": "array", "items": {"type": "string"}, "description": description}


def _enum(members: Iterable[str], description: str) -> Schema:
    return {"enum": [str(member) for member in members], "description": description}


def _count(description: str) -> Schema:
    return {"type": "integer", "minimum": 0, "description": description}


def _numbers(description: str) -> Schema:
    values: Schema = {"type": "number"}
    return {"type": "object", "additionalProperties": values, "description": description}


def _share(description: str) -> Schema:
    return {"type": "number", "minimum": 0, "maximum": 1, "description": description}


def _object(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    properties = dict(required) | dict(optional or {})
    return {"type": "object", "required": list(required), "properties": properties}


def _record(
    title: str, required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None
) -> Schema:
    head: Schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return head | _object(required, optional)


_VERSION: Schema = {"const": SCHEMA, "description": "Version of this contract."}
_PSEUDONYM: Schema = {
    "type": "string",
    "pattern": "^[0-9a-f]{32}$",
    "description": "Keyed pseudonym.",
}
_OUTPUT: Schema = {
    "type": "string",
    "pattern": "^[0-9a-f]{32}$",
    "description": "Keyed digest of tenant, note, policy and pipeline: the key to deduplicate by.",
}
_PIPELINE = _object(
    {
        "version": _string("Version of deidstream."),
        "recognizers": _strings("Every one of these finished on the note."),
        "tagger": _maybe(_string("Digest of the tagger's weights.")),
        "embedder": _maybe(_string("Digest of the embedder's weights.")),
        "index": _maybe(_string("Digest of the index's manifest.")),
        "vectors": _maybe(_string("Digest of the word vectors' manifest.")),
        "key_version": _count("Version of the root key."),
        "mapping": _string(
            "prf: surrogates follow from the key; random: the store alone has them."
        ),
        "epoch": _count("Mapping epoch."),
    }
)
_IDS: dict[str, Schema] = {
    "schema": _VERSION,
    "output_id": _OUTPUT,
    "note_id": _PSEUDONYM,
    "patient_id": _PSEUDONYM,
}
_SPAN: dict[str, Schema] = {
    "start": _count("First code point of the original."),
    "end": _count("Code point after its last."),
    "label": _enum(PhiLabel, "PHI label (i2b2/UTHealth 2014)."),
    "source": _string("Recognizer, and its rule where it has one."),
    "score": _share("Confidence."),
    "operator": _string("What was done."),
    "out_start": _count("First code point of the replacement in the output."),
    "out_end": _count("Code point after its last."),
}

_KNEO = _object(
    {
        "units": _count("Lines and sentences, or words, that the note was cut into."),
        "replaced": _count("Sentences of the pool, or drawn words, in the text."),
        "kept": {
            "type": "object",
            "additionalProperties": _count("Units of this form."),
            "description": "Units that stay as they were, by form.",
        },
        "withheld": _count("Units that were dropped or redacted."),
        "kept_characters": _share("Share of the characters that stand in kept units."),
        "donors": _count("Patients, or chosen notes, that gave the sentences."),
    },
    {
        "anonymity_set": _count("Notes that each donor was drawn among."),
        "deniability": _object(
            {
                "wanted": _count("Rank that the policy asks for."),
                "jaccard": _count("Rank of the own original by shared words."),
                "dense": _count("Rank of the own original by sentence vectors."),
                "of": _count("Reference notes it was ranked among."),
                "rounds": _count("How often the text was changed for it."),
                "redacted": {"type": "boolean", "description": "Every sentence was left out."},
                "reached": {"type": "boolean", "description": "Both ranks are the wanted one."},
            }
        ),
    },
)

CONTRACTS: Mapping[str, Schema] = MappingProxyType(
    {
        "notes.raw": _record(
            "A clinical note as the hospital sends it",
            {
                "note_id": _non_empty("The sender's id of the note."),
                "patient_id": _non_empty("The sender's id of the patient, such as the MRN."),
                "text": _non_empty("The note. Offsets anywhere are code points of it, half open."),
            },
            {
                "schema": _maybe(_VERSION),
                "tenant": _maybe(_non_empty("Whose keys and policy apply; absent: default.")),
                "note_type": _maybe(_string("Such as discharge_summary.")),
                "language": _maybe(_string("BCP 47.")),
                "authored_at": _maybe(_string("When the note was written, ISO 8601.")),
                "known": _maybe(
                    _object(
                        {},
                        {
                            "names": _maybe(_strings("Names of patient and relatives.")),
                            "identifiers": _maybe(_strings("MRN, SSN, account numbers.")),
                            "dates": _maybe(_strings("Dates such as the birth date.")),
                            "phones": _maybe(_strings("Telephone numbers.")),
                            "addresses": _maybe(_strings("Street addresses.")),
                            "staff": _maybe(_strings("Names of staff, such as the attending.")),
                        },
                    )
                ),
            },
        ),
        "notes.anonymized": _record(
            "A note that may leave",
            _IDS
            | {
                "text": _non_empty("De-identified text."),
                "note_type": _maybe(_string("As it came.")),
                "authored_at": _maybe(_string("Shifted as the text's dates are, or null.")),
                "technique": _enum(Technique, "How the text was made safe."),
                "policy": _object(
                    {"name": _string("Policy."), "sha256": _string("Digest of its file.")},
                    {"release": _non_empty("Whose ids these are; absent: those of all releases.")},
                ),
                "pipeline": _PIPELINE,
            },
            {
                "language": _string("Of the text, BCP 47; und: too little prose to say."),
                "kneo": _KNEO,
            },
        ),
        "notes.risk": _record(
            "How likely the note is to be re-identified",
            _IDS
            | {
                "level": _enum(RiskLevel, "Worst of the configured measures."),
                "score": _share("Of the worst measure."),
                "measures": _numbers("By name; what embeds text is measured only where it counts."),
                "reasons": _strings("Codes, most weighty first."),
                "method": _string("The measures that made the level."),
            },
            {"method_version": _count("Of the way they are computed; from 2 on written.")},
        ),
        "notes.quarantine": _record(
            "A note that did not pass: where it lies, never what it says",
            {
                "schema": _VERSION,
                "source": _object(
                    {
                        "topic": _string("Topic, or file, of the original."),
                        "partition": _count("Partition."),
                        "offset": _count("Offset, or line number from 0."),
                    }
                ),
                "reason": _enum(Reason, "Why."),
                "stage": _enum(Stage, "Where."),
                "attempts": _count("Tries."),
                "pipeline": _PIPELINE,
            },
            {
                "field": _enum(NoteField, "The field that is wrong, where one is."),
                "position": _count("Byte of the message at which reading ended."),
                "mark": _object(
                    {
                        "action": _enum(Action, "What an operator did with this dead letter."),
                        "by": _string("Who."),
                        "at": _string("When, ISO 8601."),
                    },
                    {
                        "why": _enum(Cause, "Why it was discarded."),
                        "case": _string("Number of the operator's ticket."),
                    },
                ),
            },
        ),
        "notes.audit": _record(
            "Where PHI was and what replaced it; under separate authority",
            {
                "schema": _VERSION,
                "note_id": _string("Pseudonym on the topic, the given id in files."),
                "text": _string("Text as emitted."),
                "replacements": {"type": "array", "items": _object(_SPAN)},
            },
        ),
    }
)
