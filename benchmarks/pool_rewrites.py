"""Write the sentences of a note with PHI marked in a neutral way, for build_pool.py."""

import re

from deidstream.models.text.sentences import Sentence

RELATION = (
    "wife|husband|partner|son|daughter|mother|father|mum|mom|dad|sister|brother|aunt|uncle|niece"
    "|nephew|grandson|granddaughter|grandmother|grandfather|cousin|neighbour|neighbor|friend|carer"
)
TITLE = r"(?:Mr|Mrs|Ms|Miss|Mx)\.?"
PERSON = "woman|man|boy|girl|lady|gentleman|male|female|patient|child|teenager|primigravida"
# Applied in order to sentences in which a span is written as ⟦LABEL⟧ or ⟦AGE:years⟧.
REWRITES = [
    (rf"\b(his|her|their|the|my|whose) ({RELATION}),? (?:{TITLE} )?⟦PATIENT⟧(?:'s)?", r"\1 \2"),
    (
        rf"(^|\b(?:with|by|for|to|that|told|saw|met|why|when|if) ){TITLE} ⟦PATIENT⟧",
        r"\1the patient",
    ),
    (r"\bpatient,? ⟦PATIENT⟧", "patient"),
    (r"\b(?:Drs?|dr|Prof)\.? ⟦DOCTOR⟧(?!,)", "the consultant"),
    (r"\b(?:our |the |flight |specialist |clinical )*(?:[Nn]urse|Sister|RN) ⟦DOCTOR⟧", "the nurse"),
    (r"\b(per|by|with|from|paged|called) ⟦DOCTOR⟧(?:,? (?:MD|DO|RN|NP|PA)\b)?", r"\1 the team"),
    (r"\b(at|from|to) (?:the )?⟦HOSPITAL⟧", r"\1 the hospital"),
    (rf"\b([Aa])n? ⟦AGE:(\d+)⟧[- ]year[- ]old (?={PERSON})", r"\1 ⟦OLD:\2⟧ "),
    (rf"\b([Tt]his|the|pleasant) ⟦AGE:(\d+)⟧[- ]year[- ]old (?={PERSON})", r"\1 ⟦OLD:\2⟧ "),
    (r",? at (?:age |the age of )⟦AGE:\d+⟧", ""),
    (r"[,;]? ?\((?:on )?⟦DATE⟧\)", ""),
    (r"\b([Ss])ince (?:last )?⟦DATE⟧(?! ?\d)", r"\1ince last month"),
    (r"\blast ⟦DATE⟧", "last week"),
    (r"\bnext ⟦DATE⟧", "next week"),
    (r"(?<!came),? (?:on|in|of|dated|as of) ⟦DATE⟧(?! ?\d)", ""),
]
REWRITES = [(re.compile(pattern), text) for pattern, text in REWRITES]

# What a rewritten sentence may not hold: a stand-in where it does not read well.
GARBLED = re.compile(
    r"the team[-,]|the team [A-Z]{2}|[(,.] ?the (?:consultant|nurse)"
    r"|\b(?:w|[Oo]rder|stay at) the consultant|the (?:consultant|nurse) [A-Z0-9]"
    r"|[Tt]he (?:consultant|nurse) (?:found|\()|(?:consultant|team)(?:'s)?$"
    r"|[^\s,;:] (?<!by )(?<!with )(?<!to )(?<!from )(?<!and )(?<!told )the nurse"
    r"|[Ll]ives at the hospital"
)


def masked(text: str, piece: Sentence, spans: list[dict]) -> str:
    parts, begin = [], piece.start
    for span in spans:
        years = f":{span['text']}" if span["type"] == "AGE" else ""
        parts += [text[begin : span["start"]], f"⟦{span['type']}{years}⟧"]
        begin = span["end"]
    return " ".join("".join([*parts, text[begin : piece.end]]).split())


def neutral(text: str) -> str:
    if "⟦" not in text:
        return text
    for pattern, replacement in REWRITES:
        text = pattern.sub(replacement, text)
    text = re.sub(r"(\b[Aa] )?⟦OLD:(\d+)⟧", stage_of_life, text)
    if GARBLED.search(text):
        return "⟦⟧"
    text = re.sub(r" +([,.;:])(?=\s|$)", r"\1", " ".join(text.split())).strip(" ,;:")
    return text[:1].upper() + text[1:]


def stage_of_life(match: re.Match[str]) -> str:
    years = int(match[2])
    for limit, word in ((13, "young"), (18, "teenage"), (40, "young"), (65, "middle-aged")):
        if years < limit:
            return (match[1] or "") + word
    article = (match[1] or "").replace("a ", "an ").replace("A ", "An ")
    return article + "older"
