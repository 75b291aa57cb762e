"""What the codes of risks and failures mean, in words for people who read one note."""

from collections.abc import Mapping

from deidstream.models.risk.suspects import Suspect
from deidstream.models.risk.told_facts import ToldFact, ToldKind
from deidstream.schemas.errors import LeakKind, Reason

_OF_RISK: Mapping[str, str] = {
    "POSSIBLE_IDENTIFIER": "The text may still contain a {what}.",
    "UNSEEN_IDENTIFIER": "So many identifiers were found that one {what} may have been overlooked.",
    "OWN_ORIGINAL_NEAREST": "No other note resembles the output as much as its own original does.",
    "OWN_ORIGINAL_NEAR": "Fewer than five other notes resemble the output more than its own"
    " original does.",
    "OWN_ORIGINAL_HIDDEN": "Several other notes resemble the output more than its own original"
    " does.",
    "TRUE_FACT": "A true fact stays in the text: {what}.",
    "TOLD_FACT": "The text tells what others may know the person by: {what}.",
    "RARE_WORDS": "The text has words that few notes hold.",
    "UNIQUE_CONTEXT": "The words around a replaced {what} resemble no other note.",
    "NO_ENTITY": "Nothing was replaced in this note, so nothing could be compared.",
}
_IN_WORDS: Mapping[str, str] = {
    "HANDLE": "e-mail address or user name",
    "NETWORK": "network address",
    "PERSON": "person's name",
    "PHONE": "telephone number",
    "TIME": "date",
}
"""Groups of labels whose names say little to a reader."""
_OF_FAILURE: Mapping[Reason, str] = {
    Reason.BAD_UTF8: "The message is not UTF-8.",
    Reason.BAD_JSON: "The message is not one JSON object.",
    Reason.BAD_UNICODE: "The text holds characters that are not valid Unicode.",
    Reason.MISSING_FIELD: "A required field of the message is missing.",
    Reason.WRONG_TYPE: "A field of the message has the wrong type.",
    Reason.UNKNOWN_TENANT: "The tenant may not send notes.",
    Reason.UNSUPPORTED_LANGUAGE: "The note is not in English, and the policy holds such notes"
    " back.",
    Reason.EMPTY_TEXT: "There is no text to de-identify.",
    Reason.DUPLICATE_ID: "Another row of the archive has the same id and another text.",
    Reason.UNKNOWN_SCHEMA: "The record is of a newer schema than this version reads.",
    Reason.TOO_LARGE: "The note is over the size limit.",
    Reason.UNSUPPORTED_RESOURCE: "The FHIR resource is of a type, or has an extension, that is not"
    " read.",
    Reason.BAD_DOCUMENT: "The XML is not well-formed, has a document type, or is too deep.",
    Reason.UNSUPPORTED_DOCUMENT: "The XML is no clinical document (CDA R2).",
    Reason.SEVERAL_PATIENTS: "The Bundle, or the document, is about several patients.",
    Reason.REWRITTEN_RESOURCE: "The policy exchanges sentences or words, so that no FHIR resource"
    " or clinical document can be written again.",
    Reason.UNSCANNABLE_ATTACHMENT: "The text of an attachment cannot be read.",
    Reason.OUTPUT_TOO_LARGE: "The output is over the size limit of its topic.",
    Reason.INVALID_SPAN: "A mark or a finding lies outside the text.",
    Reason.RECOGNIZER_UNFINISHED: "Not every recognizer of the policy finished on the note.",
    Reason.LEAK_DETECTED: "The verifier found an original identifier in the output.",
    Reason.IDENTIFYING_CORRELATION: "The correlation holds an identifier of the note.",
    Reason.UNDENIABLE: "The output is nearer to its own original than the policy permits.",
    Reason.RISK_TOO_HIGH: "The policy holds notes of this risk back.",
    Reason.TOO_SLOW: "The note takes more computing time than it may.",
    Reason.STAGE_FAILED: "A stage of the pipeline failed on this note.",
    Reason.PROCESS_KILLED: "The worker crashed several times while it processed this note.",
}
_OF_LEAK: Mapping[LeakKind, str] = {
    LeakKind.KNOWN: "It holds an identifier that the sender states for this patient.",
    LeakKind.REPEATED: "An identifier that is replaced at one place is left at another: mark all"
    " of its occurrences, or clear the one that is not an identifier.",
    LeakKind.FORMAT: "It holds a number or an address whose form shows what it is.",
    LeakKind.DETECTED: "A recognizer finds an identifier in it that is not a surrogate.",
    LeakKind.LOST: "A direct identifier that was found was not replaced.",
    LeakKind.UNCHANGED: "A surrogate equals what it replaces.",
    LeakKind.COPIED: "A long run of the note's own words is left.",
}
_OF_TOLD: Mapping[ToldKind, str] = {
    ToldKind.PUBLIC_PERSON: "Few people are this, and it is public who they are.",
    ToldKind.PUBLIC_EVENT: "The news were of such events, with the day and often with names.",
    ToldKind.RARE_DISEASE: "Of 200,000 people about one has this disease.",
    ToldKind.ONLY_ONE: "Nobody else is meant.",
    ToldKind.OCCUPATION: "An occupation stays in the text.",
}
_OF_SUSPECT: Mapping[str, str] = {
    "initials": "Its letters are those of a name that was replaced.",
    "name": "A list of names holds it.",
    "unlisted": "No list of ordinary or clinical words holds it.",
    "long-number": "It is as long as a number of record.",
    "mixed": "It mixes letters and digits.",
    "beside": "It stands beside something that was replaced.",
    "plain-within": "It has a capital within a sentence.",
}
"""Facts of a suspect that a reader can see."""


def explain_risk(code: str) -> str:
    """Return a sentence for a reason of a risk report, such as ``TRUE_FACT:AGE``.

    >>> explain_risk("TRUE_FACT:AGE")
    'A true fact stays in the text: age.'
    """
    kind, _, detail = code.partition(":")
    sentence = _OF_RISK.get(kind)
    if sentence is None:
        return code
    return sentence.format(what=_in_words(detail))


def explain_told(told: ToldFact) -> str:
    """Return what a place tells of its person, in a sentence."""
    return _OF_TOLD[told.kind]


def explain_failure(reason: Reason, leak: LeakKind | None = None) -> str:
    """Return a sentence or two for the reason of a failed note."""
    sentence = _OF_FAILURE[reason]
    return f"{sentence} {_OF_LEAK[leak]}" if leak is not None else sentence


def explain_suspect(suspect: Suspect) -> list[str]:
    """Return what makes a stretch suspect, each in a sentence, the strongest first."""
    told = suspect.evidence
    sentences = [sentence for fact, sentence in _OF_SUSPECT.items() if fact in told]
    doubt = suspect.doubt
    if doubt is None:
        return sentences
    reported = f"{doubt.source} reported it as {_in_words(doubt.label)}, with score"
    refused = "refused" in told
    why = "and a list or what stands around it spoke against it" if refused else "which was too low"
    return [f"{reported} {doubt.score:.2f}, {why}.", *sentences]


def _in_words(detail: str) -> str:
    return _IN_WORDS.get(detail) or detail.lower().replace("_", " ") or "identifier"
