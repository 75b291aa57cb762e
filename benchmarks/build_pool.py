"""Build the pool that the package ships, and optionally its index.

    python benchmarks/build_pool.py GOLD.jsonl ... --out models/data/pool/sentences.jsonl.xz
    python benchmarks/build_pool.py GOLD.jsonl ... --out FILE --index FOLDER --references GOLD.jsonl

A pool sentence comes from a fictional gold note, without its PHI, or from the frames in
benchmarks/pool. The same inputs give the same file. The reference contexts of the index come from
the gold notes named as references: notes that are to be scored must not be among them.
"""

import argparse
import hashlib
import importlib.util
import itertools
import json
import lzma
import math
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from deidstream.models.kneo.pool import (
    Materials,
    PoolSentence,
    build_index,
    comparison_key,
    is_fitting,
    keep_unfound,
)
from deidstream.models.neural.sentence_embedder import SentenceEmbedder
from deidstream.models.neural.weights import PACKAGED
from deidstream.models.recognizers.dictionary.dictionary import DictionaryRecognizer
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.models.risk.contexts import Highlighted, take_contexts
from deidstream.models.text.sentences import Sentence, split_sentences

FRAMES = Path(__file__).parent / "pool"
PER_FRAME = 20
CONTEXT_WORDS = 5
MOST_CONTEXTS = 6_000

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

# Words that are also surnames or places, and say nothing of anybody.
PLAIN = frozenset({"na", "no", "ar", "pa", "al", "el", "foley", "holter", "apgar", "gram", "lyme"})
# Peoples, places, callings and speech that the gold notes hold in passing, and blanks of forms.
TELLING = re.compile(
    r"[\"\u201c\u201d\[\]_<>]|\b(?:Māori|Ngāti|Porou|Whaea|Hmong|Mongolian|Mississippi|Montreal"
    r"|Seattle|Quebec|Kodiaks?|Edinburgh|Brussels|Caribbean|Himalayan|Jehovah|Punjabi|Urdu|Korean"
    r"|Chinese|Russian|Romanian|Thai|Swiss|Australian|Canadian|African|American|Mediterranean|Nordic"
    r"|Navy|Army|deployed|prison|murder|Cpl|Sgt|Rev|Barmah|Wisconsin|Toronto|pastor|mosque|temple"
    r"|church|rabbi|imam|priest|[Rr]osary|CST|EST|PST|Thompson|Gulf|Twi|English|Asian|Naghten"
    r"|Security|Registry|Chaplain|Officer|Attn|Polish|Ojibwe|Miami|Diadema|Falloon|Riesling)\b"
    r"|\b(?i:interpreter for|refugee|asylum|celebrity|lawsuit)"
)

# What a rewritten sentence may not hold: a stand-in where it does not read well.
GARBLED = re.compile(
    r"the team[-,]|the team [A-Z]{2}|[(,.] ?the (?:consultant|nurse)"
    r"|\b(?:w|[Oo]rder|stay at) the consultant|the (?:consultant|nurse) [A-Z0-9]"
    r"|[Tt]he (?:consultant|nurse) (?:found|\()|(?:consultant|team)(?:'s)?$"
    r"|[^\s,;:] (?<!by )(?<!with )(?<!to )(?<!from )(?<!and )(?<!told )the nurse"
    r"|[Ll]ives at the hospital"
)


def read_gold(paths: Iterable[Path]) -> list[dict]:
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


def gold_sentences(note: dict) -> Iterator[PoolSentence]:
    """Yield the sentences of a note in which no span is left once some are written neutrally."""
    spans = sorted(note["spans"], key=lambda span: span["start"])
    for piece in split_sentences(note["text"]):
        inside = [s for s in spans if s["start"] < piece.end and s["end"] > piece.start]
        whole = all(s["start"] >= piece.start and s["end"] <= piece.end for s in inside)
        if whole and not piece.heading:
            text = neutral(masked(note["text"], piece, inside))
            if "⟦" not in text:
                yield PoolSentence(text, note["patient_id"])


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


def framed() -> Iterator[PoolSentence]:
    """Fill each frame with up to ``PER_FRAME`` of its choices, drawn by its own text."""
    fillers: dict[str, list[str]] = {}
    for line in content("fillers"):
        name, _, choices = line.partition(" = ")
        fillers[name] = choices.split(" | ")
    for path in sorted(FRAMES.glob("*.txt")):
        if path.stem != "fillers":
            for frame in content(path.stem):
                for text in filled(frame, fillers):
                    yield PoolSentence(text[:1].upper() + text[1:])


def content(stem: str) -> list[str]:
    lines = (FRAMES / f"{stem}.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def filled(frame: str, fillers: dict[str, list[str]]) -> Iterator[str]:
    draws = random.Random(hashlib.sha256(frame.encode()).digest())
    seen: set[str] = set()
    choices = [m.split("|") for m in re.findall(r"\[([^\]]*)\]", frame)]
    slots = re.findall(r"\{(\w+)\}", re.sub(r"\[[^\]]*\]", "", frame))
    size = math.prod(map(len, choices)) * math.prod(len(fillers[slot]) for slot in slots)
    for _ in range(8 * PER_FRAME):
        if len(seen) == min(PER_FRAME, size):
            return
        text = re.sub(r"\[([^\]]*)\]", lambda m: draws.choice(m[1].split("|")), frame)
        text = re.sub(r"\{(\w+)\}", lambda m: draws.choice(fillers[m[1]]), text)
        if text not in seen:
            seen.add(text)
            yield text


def surnames() -> frozenset[str]:
    """Given names and surnames of the ``names`` package, small letters."""
    spec = importlib.util.find_spec("names")
    files = Path(spec.origin).parent.glob("dist.*") if spec and spec.origin else ()
    lines = itertools.chain.from_iterable(path.read_text().splitlines() for path in files)
    return frozenset(line.split()[0].lower() for line in lines)


def nameless(sentences: list[PoolSentence]) -> list[PoolSentence]:
    """Keep the sentences in which no capitalised word is a name that is not also a plain word."""
    names = surnames()
    text = "\n".join(sentence.text for sentence in sentences)
    plain = PLAIN | {word for word in re.findall(r"[^\W\d_]+", text) if word.islower()}
    risky = names - plain
    return [s for s in sentences if not TELLING.search(s.text) and not named(s.text, risky)]


def named(text: str, risky: frozenset[str]) -> bool:
    words = re.findall(r"[^\W\d_]+", text)
    return any(word.istitle() and len(word) > 1 and word.lower() in risky for word in words)


def pool(gold: list[dict]) -> list[PoolSentence]:
    found = itertools.chain(itertools.chain.from_iterable(map(gold_sentences, gold)), framed())
    distinct: dict[str, PoolSentence] = {}
    for sentence in found:
        if is_fitting(sentence.text):
            distinct.setdefault(comparison_key(sentence.text), sentence)
    recognizers = [RulesRecognizer(), DictionaryRecognizer.build({})]
    return list(keep_unfound(nameless(list(distinct.values())), recognizers))


def contexts(gold: list[dict]) -> list[str]:
    """The words around gold spans, other spans as labels; evenly thinned where there are many."""
    found: dict[str, None] = {}
    for note in gold:
        marked = [Highlighted(s["start"], s["end"], s["type"]) for s in note["spans"]]
        found.update(
            dict.fromkeys(filter(None, take_contexts(note["text"], marked, CONTEXT_WORDS)))
        )
    texts = list(found)
    step = max(1.0, len(texts) / MOST_CONTEXTS)
    return [texts[int(i * step)] for i in range(int(len(texts) / step))]


def write(sentences: Iterable[PoolSentence], out: Path) -> None:
    lines = (json.dumps([s.text, s.donor], ensure_ascii=False) for s in sentences)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(lzma.compress(("\n".join(lines) + "\n").encode(), preset=9))


def index(sentences: list[PoolSentence], references: list[dict], folder: Path) -> None:
    materials = Materials(sentences, contexts(references))
    embedder = SentenceEmbedder.load(dtype="fp32")
    digest = build_index(
        embedder, PACKAGED, materials, folder, lambda done, _: print(done, end=" ")
    )
    print(f"\n{len(materials.contexts)} contexts; index {digest}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--index", type=Path)
    parser.add_argument("--references", type=Path, nargs="+", default=[])
    arguments = parser.parse_args()
    gold = read_gold(arguments.gold)
    sentences = pool(gold)
    write(sentences, arguments.out)
    donated = sum(bool(sentence.donor) for sentence in sentences)
    print(f"{len(sentences)} sentences, {donated} of them from gold notes")
    if arguments.index:
        index(sentences, read_gold(arguments.references), arguments.index)


if __name__ == "__main__":
    main()
