"""The contracts as JSON Schema (draft 2020-12); ``schemas/json`` holds them as files."""

from collections.abc import Mapping
from types import MappingProxyType

from deidstream.schemas.correlation import PATTERN
from deidstream.schemas.documents.attachment import AttachmentFault
from deidstream.schemas.errors import NoteField, Reason, Stage
from deidstream.schemas.json_schema import (
    Schema,
    count,
    described,
    json_object,
    maybe,
    non_empty,
    numbers,
    one_of,
    record,
    resource,
    share,
    string,
    strings,
    unless_cancelled,
)
from deidstream.schemas.kneo_contract import KNEO_REPORT
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import LinkType, NoteStatus
from deidstream.schemas.outcome import LevelRule, RiskLevel
from deidstream.schemas.policy import Technique
from deidstream.schemas.quarantine_record import Action, Cause
from deidstream.schemas.wire import SCHEMA

_VERSION: Schema = {"const": SCHEMA, "description": "Version of this contract."}
_PSEUDONYM: Schema = {
    "type": "string",
    "pattern": "^[0-9a-f]{32}$",
}
_OUTPUT: Schema = {
    "type": "string",
    "pattern": "^[0-9a-f]{32}$",
    "description": "Keyed digest of tenant, note, policy and pipeline: the key to deduplicate by.",
}


def _correlation(description: str) -> Schema:
    return {"type": "string", "pattern": PATTERN, "description": description}


def _input_id(description: str) -> Schema:
    said = f"{description} An integer counts as its digits."
    return non_empty(said) | {"type": ["string", "integer"]}


_PRECEDENCE: Schema = {
    "type": "string",
    "pattern": "^(?:1(?:0|1[0-9a-f]{36}){2}[012]|0[012][0-9a-f]{36})$",
    "description": "Greater for a newer version of the same note, as text; tells no time. Absent: "
    "nothing is known of the version.",
}
_CORRELATION = _correlation("As the sender chose it; absent where it chose none.")
_PIPELINE = json_object(
    {
        "version": string("Version of deidstream."),
        "recognizers": strings("Every one of these finished on the note."),
        "tagger": maybe(
            string("Digest of the tagger's weights; of both, with a comma, if two judge.")
        ),
        "embedder": maybe(
            string("Digest of the embedder's weights; how precisely it embeds if it did.")
        ),
        "index": maybe(string("Digest of the index's manifest.")),
        "vectors": maybe(string("Digest of the word vectors' manifest.")),
        "key_version": count("Version of the root key that pseudonyms and surrogates follow from."),
        "mapping": string("prf: surrogates follow from the key; random: the store alone has them."),
        "epoch": count("Mapping epoch: in another one all surrogates are other ones."),
    }
)
_MADE_BY = described(_PIPELINE, "Software, models and key that made the output; no time is in it.")
_IDS: dict[str, Schema] = {
    "schema": _VERSION,
    "output_id": _OUTPUT,
    "note_id": described(_PSEUDONYM, "Keyed pseudonym of the note; a correction has the same."),
    "patient_id": described(
        _PSEUDONYM, "Keyed pseudonym of the patient; also the key of the message."
    ),
}
_SPAN: dict[str, Schema] = {
    "start": count("First code point of the original."),
    "end": count("Code point after its last."),
    "label": string("PHI label (i2b2/UTHealth 2014), or one that the policy declares."),
    "source": string("Recognizer, and its rule where it has one."),
    "score": share("Probability that the span touches PHI."),
    "operator": string("The operator that wrote the replacement."),
    "out_start": count("First code point of the replacement in the output."),
    "out_end": count("Code point after its last."),
}
_REPLACEMENTS: Schema = {
    "type": "array",
    "items": json_object(
        _SPAN,
        {"like": one_of(PhiLabel, "The PHI label that one of the policy's own is like.")},
    ),
    "description": "The spans that were replaced, in the order of the text.",
}

_POLICY = described(
    json_object(
        {"name": string("Name of the policy."), "sha256": string("Digest of its file and lists.")},
        {"release": non_empty("Whose ids these are; absent: those of all releases.")},
    ),
    "The policy that made the output.",
)
_RETRACTION = (*_IDS, "policy", "pipeline")
"""What a record has that takes a note back, beside its status."""

CONTRACTS: Mapping[str, Schema] = MappingProxyType(
    {
        "notes.raw": unless_cancelled(
            record(
                "A clinical note as the hospital sends it",
                {
                    "note_id": _input_id("The sender's id of the note."),
                    "patient_id": _input_id("The sender's id of the patient, such as the MRN."),
                    "text": non_empty(
                        "The note. Offsets anywhere are code points of it, half open."
                    ),
                },
                {
                    "status": maybe(
                        one_of(
                            NoteStatus,
                            "Of a note sent before; absent: new. cancelled: no text.",
                        )
                    ),
                    "schema": maybe(_VERSION),
                    "tenant": maybe(non_empty("Whose keys and policy apply; absent: default.")),
                    "note_type": maybe(
                        string("Kind of the note in a few words, such as discharge_summary.")
                    ),
                    "language": maybe(string("Language of the text, BCP 47.")),
                    "authored_at": maybe(string("When the note was written, ISO 8601.")),
                    "version": maybe(
                        {
                            "type": ["integer", "string"],
                            "pattern": "^[0-9]+$",
                            "minimum": 0,
                            "description": "Number of this version in the source; a higher one is "
                            "newer, whatever comes last.",
                        }
                    ),
                    "source_time": maybe(
                        string(
                            "When the source changed the note, ISO 8601; a later one is newer, "
                            "whatever the version."
                        )
                    ),
                    "correlation": maybe(
                        _correlation(
                            "Chosen by the sender to find the outputs by, which carry it "
                            "unchanged. A note whose correlation holds an identifier of it is "
                            "quarantined."
                        )
                    ),
                    "resource": maybe(
                        resource(
                            "A FHIR resource of R4 or R5 in place of the text; what the record "
                            "does not state of the note follows from it."
                        )
                    ),
                    "document": maybe(
                        non_empty(
                            "A clinical document (CDA R2) in XML in place of the text; what the "
                            "record does not state of the note follows from it. A text that is "
                            "such a document is read as one."
                        )
                    ),
                    "links": maybe(
                        {
                            "type": "array",
                            "items": json_object(
                                {
                                    "type": one_of(
                                        LinkType, "What the patient is to the other number."
                                    ),
                                    "patient_id": non_empty("The other number of a patient."),
                                }
                            ),
                            "description": "Numbers that the patient was merged with, or is apart "
                            "from (docs/merges.md).",
                        }
                    ),
                    "known": maybe(
                        described(
                            json_object(
                                {},
                                {
                                    "names": maybe(strings("Names of patient and relatives.")),
                                    "identifiers": maybe(strings("MRN, SSN, account numbers.")),
                                    "dates": maybe(strings("Dates such as the birth date.")),
                                    "phones": maybe(strings("Telephone numbers.")),
                                    "addresses": maybe(strings("Street addresses.")),
                                    "staff": maybe(
                                        strings("Names of staff, such as the attending.")
                                    ),
                                },
                            ),
                            "Identifiers that the sender knows; they are looked for in the text.",
                        )
                    ),
                },
            ),
            ("note_id", "patient_id"),
            instead=("resource", "document"),
        ),
        "notes.anonymized": unless_cancelled(
            record(
                "A note that may leave",
                _IDS
                | {
                    "text": non_empty("De-identified text."),
                    "note_type": maybe(
                        string(
                            "As it came, where it is up to eight ordinary words and none of them "
                            "is an identifier of the note; else null."
                        )
                    ),
                    "authored_at": maybe(
                        string(
                            "When the note was written, shifted as its dates are; null where it "
                            "came without, was no moment, or the policy does not shift dates."
                        )
                    ),
                    "technique": one_of(Technique, "How the text was made safe."),
                    "policy": _POLICY,
                    "pipeline": _MADE_BY,
                },
                {
                    "status": one_of(
                        NoteStatus,
                        "corrected: in place of an earlier output; cancelled: delete it.",
                    ),
                    "precedence": _PRECEDENCE,
                    "correlation": _CORRELATION,
                    "language": string("Of the text, BCP 47; und: too little prose to say."),
                    "resource": resource(
                        "The resource that the note came as, de-identified; the text is cut out "
                        "of it."
                    ),
                    "document": non_empty(
                        "The clinical document that the note came as, de-identified, in XML; the "
                        "text is cut out of it."
                    ),
                    "changes": described(
                        json_object(
                            {
                                "words": count("Words and numbers of the note that were replaced."),
                                "clinical": count(
                                    "Those of them that belong to the vocabulary of notes: a fact "
                                    "may have been lost."
                                ),
                                "labels": count("Replacements that are labels, such as [DATE]."),
                            }
                        ),
                        "What was replaced for the sake of identifiers, in counts.",
                    ),
                    "kneo": described(
                        KNEO_REPORT, "What KNEO did with the note; absent without KNEO."
                    ),
                },
            ),
            _RETRACTION,
        ),
        "notes.risk": unless_cancelled(
            record(
                "How likely the note is to be re-identified",
                _IDS
                | {
                    "level": one_of(RiskLevel, "The level of the worst measure that counts."),
                    "score": share("The value of the worst measure that counts."),
                    "measures": numbers(
                        "From 0 to 1, by the name of the measure (docs/risk.md); a measure that "
                        "embeds text is there only where the policy counts it."
                    ),
                    "reasons": strings(
                        "Codes such as UNIQUE_CONTEXT:DATE, most weighty first; never text."
                    ),
                    "method": string("The measures that made the level."),
                },
                {
                    "method_version": count(
                        "Version of the way the measures are computed; absent: 1."
                    ),
                    "precedence": _PRECEDENCE,
                    "rule": one_of(
                        LevelRule,
                        "By which rule the level was made: threshold; share, of all notes; "
                        "share-of-type, of the notes of its type. Absent: threshold.",
                    ),
                    "cuts": numbers(
                        "The scores from which a note was yellow and red by that rule."
                    ),
                    "correlation": _CORRELATION,
                    "status": one_of(NoteStatus, "cancelled: the note is taken back."),
                    "policy": _POLICY,
                    "pipeline": _MADE_BY,
                },
            ),
            _RETRACTION,
        ),
        "notes.patients": record(
            "What two patients are to each other, by their pseudonyms",
            {
                "schema": _VERSION,
                "output_id": _OUTPUT,
                "patient_id": described(
                    _PSEUDONYM, "Keyed pseudonym of a patient; of two merged ones, the survivor."
                ),
                "type": one_of(
                    (LinkType.REPLACES, LinkType.SEEALSO, LinkType.APART),
                    "replaces: outputs of both are of one patient, and later ones have patient_id; "
                    "seealso: they are of one person; apart: no longer so.",
                ),
                "other_id": described(_PSEUDONYM, "That of the other one."),
                "policy": _POLICY,
                "pipeline": _MADE_BY,
            },
        ),
        "notes.quarantine": record(
            "A note that did not pass: where it lies, never what it says",
            {
                "schema": _VERSION,
                "source": described(
                    json_object(
                        {
                            "topic": string("Topic, or file, of the original."),
                            "partition": count("Its partition."),
                            "offset": count("Offset, or line number from 0."),
                        }
                    ),
                    "Where the original lies.",
                ),
                "reason": one_of(Reason, "Why it did not pass (docs/quarantine.md)."),
                "stage": one_of(Stage, "Stage at which it failed."),
                "attempts": count("How often it was tried."),
                "pipeline": _MADE_BY,
            },
            {
                "field": one_of(NoteField, "The field that is wrong, where one is."),
                "position": count("Byte of the message at which reading ended."),
                "attachment": one_of(AttachmentFault, "Why an attachment cannot be read."),
                "correlation": _correlation(
                    "As the sender chose it. Absent where it had none, where the message could "
                    "not be read, and where a word of it is a word of the note."
                ),
                "mark": described(
                    json_object(
                        {
                            "action": one_of(Action, "What an operator did with this dead letter."),
                            "by": string("Name of the operator."),
                            "at": string("When, ISO 8601."),
                        },
                        {
                            "why": one_of(Cause, "Why it was discarded."),
                            "case": string("Number of the operator's ticket."),
                        },
                    ),
                    "What an operator did with the dead letter; absent on the dead letter itself.",
                ),
            },
        ),
        "notes.audit": record(
            "Where PHI was and what replaced it; under separate authority",
            {
                "schema": _VERSION,
                "note_id": string("Pseudonym on the topic, the given id in files."),
                "text": string("Text as emitted."),
                "replacements": _REPLACEMENTS,
            },
            {
                "output_id": described(
                    _OUTPUT, "That of the output; absent in records of versions before 0.2."
                ),
                "precedence": _PRECEDENCE,
            },
        ),
        "notes.sample": record(
            "An output that was drawn for readers, and where its original lies; under separate "
            "authority",
            {
                **_IDS,
                "source": described(
                    json_object(
                        {
                            "topic": string("Topic of the original."),
                            "partition": count("Its partition."),
                            "offset": count("Its offset."),
                        }
                    ),
                    "Where the original lies, as long as its topic keeps it.",
                ),
                "level": one_of(RiskLevel, "The risk level of the output."),
                "text": string("Text as emitted."),
                "replacements": _REPLACEMENTS,
                "policy": _POLICY,
                "pipeline": _MADE_BY,
            },
        ),
    }
)
