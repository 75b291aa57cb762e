"""Build the pool that the package ships, and optionally its index.

    python benchmarks/build_pool.py GOLD.jsonl ... --out models/data/pool/sentences.jsonl.xz
    python benchmarks/build_pool.py GOLD.jsonl ... --out FILE --index FOLDER --references GOLD.jsonl

A pool sentence comes from a fictional note, without its PHI, or from the frames in benchmarks/pool;
folders of notes marked inline follow --marked, such as training/notes and training/styles, and give
plain clinical prose alone. Each of these notes is a reference note of the index. The same inputs
give the same file. The reference contexts of the index come from the gold notes named as
references: notes that are to be scored must not be among them.
"""

import argparse
import hashlib
import itertools
import json
import lzma
import math
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from pool_rewrites import masked, neutral

from deidstream.models.kneo.forms import Form, form_of
from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.sentence_embedder import SentenceEmbedder
from deidstream.models.neural.weights import PACKAGED
from deidstream.models.phi.names.name_lists import census
from deidstream.models.phi.not_phi import common_words
from deidstream.models.recognizers.dictionary.dictionary import DictionaryRecognizer
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.models.references.common_lines import comparison_key
from deidstream.models.references.reference_notes import SourceNote
from deidstream.models.risk.contexts import Highlighted, take_contexts
from deidstream.models.text.sentences import Sentence, split_sentences
from deidstream.study.corpus.marked import read_folder
from deidstream.study.pools.index_builder import Materials, build_index
from deidstream.study.pools.pool import PoolSentence, keep_unfound
from deidstream.study.pools.sifting import refuse_text

FRAMES = Path(__file__).parent / "pool"
PER_FRAME = 20
CONTEXT_WORDS = 5
LEAST_WORDS, SMALL = 5, 0.75
# Speech, marks of forms and damaged text, which read oddly in another note.
SPOKEN = re.compile(
    r"[^ -~]|[\"|=~^{}\\#*<>\[\]]|: .*: |\b(?i:i|me|my|we|us|our|you|your|he'll|she'll|i'm)\b"
    r"|\b(?=\w*\d)(?=\w*[a-z]{2})\w+"
)
MOST_CONTEXTS = 6_000

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


def read_gold(paths: Iterable[Path]) -> list[dict]:
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


def read_marked(folders: Iterable[Path]) -> list[dict]:
    """Read notes marked inline; each is a donor of its own, named after its file."""
    notes = itertools.chain.from_iterable(map(read_folder, folders))
    return [
        {
            "text": marked.note.text,
            "note_type": marked.note.note_type,
            "patient_id": marked.note.note_id.removesuffix(".txt"),
            "spans": [
                {
                    "start": span.start,
                    "end": span.end,
                    "type": span.label.value,
                    "text": marked.note.text[span.start : span.end],
                }
                for span in marked.spans
            ],
        }
        for marked in notes
    ]


def pieces_of(note: dict) -> Iterator[tuple[Sentence, str]]:
    """Yield the pieces of a note; ⟦LABEL⟧ is left where a span could not be written neutrally."""
    spans = sorted(note["spans"], key=lambda span: span["start"])
    for piece in split_sentences(note["text"]):
        inside = [s for s in spans if s["start"] < piece.end and s["end"] > piece.start]
        text = masked(note["text"], piece, inside)
        written = neutral(text)
        yield piece, text if "⟦" in written else written


def gold_sentences(note: dict) -> Iterator[PoolSentence]:
    """Yield the sentences of a note in which no span is left once some are written neutrally."""
    for piece, text in pieces_of(note):
        if not piece.heading and "⟦" not in text:
            yield PoolSentence(text, note["patient_id"])


def prose_sentences(note: dict) -> Iterator[PoolSentence]:
    """Yield the sentences of a note that are prose: many notes of odd styles are forms."""
    for sentence in gold_sentences(note):
        if is_prose(sentence.text):
            yield sentence


def is_prose(text: str) -> bool:
    """Tell whether a sentence is plain clinical prose, such as could stand in any note."""
    words = re.findall(r"[^\W\d_]+", text)
    small = [word for word in words if word.islower()]
    return (
        SPOKEN.search(text) is None
        and text[-1:] == "."
        and text[:1].isupper()
        and len(words) >= LEAST_WORDS
        and len(small) >= SMALL * len(words)
        and common_words().issuperset(small)
        and form_of(text, "") is Form.PROSE
    )


def source_note(note: dict) -> SourceNote:
    pieces = (re.sub(r"⟦(\w+)(?::\d+)?⟧", r"\1", text) for _, text in pieces_of(note))
    return SourceNote(note["patient_id"], tuple(pieces), note.get("note_type"))


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


def census_names() -> frozenset[str]:
    """Given names and surnames of the census, small letters."""
    lists = census()
    return frozenset({*lists.female, *lists.male, *lists.family})


def nameless(sentences: list[PoolSentence]) -> list[PoolSentence]:
    """Keep the sentences in which no capitalised word is a name that is not also a plain word."""
    names = census_names()
    text = "\n".join(sentence.text for sentence in sentences)
    plain = PLAIN | {word for word in re.findall(r"[^\W\d_]+", text) if word.islower()}
    risky = names - plain
    return [s for s in sentences if not TELLING.search(s.text) and not named(s.text, risky)]


def named(text: str, risky: frozenset[str]) -> bool:
    words = re.findall(r"[^\W\d_]+", text)
    return any(word.istitle() and len(word) > 1 and word.lower() in risky for word in words)


def pool(gold: list[dict], marked: list[dict]) -> list[PoolSentence]:
    found = itertools.chain(
        itertools.chain.from_iterable(map(gold_sentences, gold)),
        framed(),
        itertools.chain.from_iterable(map(prose_sentences, marked)),
    )
    distinct: dict[str, PoolSentence] = {}
    for sentence in found:
        if not refuse_text(sentence.text):
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


def index(materials: Materials, folder: Path) -> None:
    embedder = SentenceEmbedder.load(run=EngineOptions(dtype="fp32"))
    digest = build_index(
        embedder, PACKAGED, materials, folder, lambda done, _: print(done, end=" ")
    )
    print(f"\n{len(materials.contexts)} contexts, {len(materials.notes)} notes; index {digest}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path, nargs="+")
    parser.add_argument("--marked", type=Path, nargs="+", default=[])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--index", type=Path)
    parser.add_argument("--references", type=Path, nargs="+", default=[])
    arguments = parser.parse_args()
    gold, marked = read_gold(arguments.gold), read_marked(arguments.marked)
    sentences = pool(gold, marked)
    write(sentences, arguments.out)
    donated = sum(bool(sentence.donor) for sentence in sentences)
    print(f"{len(sentences)} sentences, {donated} of them from notes")
    if arguments.index:
        compared = contexts(read_gold(arguments.references))
        notes = [source_note(note) for note in gold + marked]
        index(Materials(sentences, compared, notes), arguments.index)


if __name__ == "__main__":
    main()
