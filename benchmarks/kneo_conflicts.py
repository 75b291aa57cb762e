"""What sentence KNEO says that the note does not: conflicts, what is replaced, and who is found.

    python benchmarks/kneo_conflicts.py NOTES.jsonl [--others MORE.jsonl] [--policy FILE]
        [--cache FOLDER]

Notes are objects with ``note_id``, ``patient_id``, ``text`` and, where their PHI is known,
``spans`` (``start``, ``end``, ``type``), which are embedded as labels. Each replaced sentence is
compared with its original by words and patterns that are written here, apart from those of the
guards. Then each output is matched with all originals by the Jaccard index of their words: found@1
is the share of notes that are nearest to their own original, among the notes and the others.
"""

import argparse
import hashlib
import re
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from deidstream.agents.runtime.load_embedder import load_embedder
from deidstream.agents.runtime.load_models import load_index
from deidstream.agents.settings import read_settings
from deidstream.models.keyring import Keyring
from deidstream.models.kneo.guards.agreement import contradicts
from deidstream.models.kneo.guards.features import read_features
from deidstream.models.kneo.sentence_kneo import KneoQuery, KneoResult, SentenceKneo
from deidstream.models.kneo.units import cut_units
from deidstream.models.policy.reader import read_policy, read_shipped_policy
from deidstream.models.text.word_files import lines
from deidstream.schemas.kneo_policy import Guard
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.ports import Embedder
from deidstream.schemas.span import Replacement, Span
from deidstream.study.attacks.attack_figures import measure_attack
from deidstream.study.attacks.jaccard import compare_word_sets
from deidstream.study.attacks.ranking import rank_originals

KEYRING = Keyring(b"benchmark of conflicts".ljust(32), 1, "default")
NEGATION = re.compile(
    r"(?i)\b(no|not|non|nor|without|denie[sd]|denying|negative|never|none|neither|absent|absence"
    r"|cannot|free of|ruled out|unremarkable for|\w+n['\u2019]t)\b"
)
LEFT, RIGHT = re.compile(r"(?i)\bleft\b|\bL(?= )"), re.compile(r"(?i)\bright\b|\bR(?= )")
BOTH = re.compile(r"(?i)\bbilateral(ly)?\b|\bboth\b")
MALE = re.compile(r"(?i)\b(he|him|his|himself|man|male|gentleman|boy|mr)\b")
FEMALE = re.compile(r"(?i)\b(she|her|hers|herself|woman|female|lady|girl|mrs|ms)\b")
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
STARTED = re.compile(
    r"(?i)\b(start(ed|ing)?|initiat\w+|add(ed)?|resum\w+|restart\w*|began|begin)\b"
)
STOPPED = re.compile(r"(?i)\b(stop(ped)?|h[eo]ld|discontinu\w+|ceas\w+|withheld|off)\b")
UP = re.compile(r"(?i)\b(increas\w+|gain(ed)?|rais\w+|rose|risen|higher|up)\b")
DOWN = re.compile(r"(?i)\b(decreas\w+|lost|loss|lower(ed)?|reduc\w+|fell|fallen|down|drop(ped)?)\b")
BETTER = re.compile(r"(?i)\b(improv\w+|better|resolv\w+)\b")
WORSE = re.compile(r"(?i)\b(wors\w+|deteriorat\w+|progressi\w+)\b")
OPPOSITES = ((STARTED, STOPPED), (UP, DOWN), (BETTER, WORSE))
DRUGS = frozenset(line.casefold() for line in lines("allow_drugs.txt"))


def find_conflicts(own: str, theirs: str) -> Iterator[str]:
    """Yield in what a sentence contradicts the one it replaces."""
    if bool(NEGATION.search(own)) != bool(NEGATION.search(theirs)):
        yield "negation"
    if any(side.search(theirs) and not side.search(own) for side in (LEFT, RIGHT, BOTH)):
        yield "laterality"
    if any(sex.search(theirs) and not sex.search(own) for sex in (MALE, FEMALE)):
        yield "sex"
    if set(NUMBER.findall(theirs)) - set(NUMBER.findall(own)):
        yield "number"
    if set(re.findall(r"[a-z-]+", theirs.casefold())) & DRUGS - set(
        re.findall(r"[a-z-]+", own.casefold())
    ):
        yield "drug"
    for one, other in OPPOSITES:
        if _turns(one, other, own, theirs) or _turns(other, one, own, theirs):
            yield "flip"
            break


def _turns(one: re.Pattern[str], other: re.Pattern[str], own: str, theirs: str) -> bool:
    return bool(one.search(own) and not other.search(own)) and bool(
        other.search(theirs) and not one.search(theirs)
    )


@dataclass(frozen=True, slots=True)
class CachedEmbedder:
    """An embedder whose rows are kept in a folder, by the digest of their text."""

    embedder: Embedder
    folder: Path

    @property
    def dimension(self) -> int:
        return self.embedder.dimension

    @property
    def digest(self) -> str:
        return self.embedder.digest

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        paths = [self.folder / hashlib.sha256(text.encode()).hexdigest() for text in texts]
        new = [n for n, path in enumerate(paths) if not path.exists()]
        for n, row in zip(new, self.embedder.embed([texts[n] for n in new]), strict=True):
            paths[n].write_bytes(row.astype(np.float32).tobytes())
        return np.array([np.frombuffer(path.read_bytes(), np.float32) for path in paths])


def read_notes(path: Path) -> list[Mapping[str, Any]]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def make_query(note: Mapping[str, Any]) -> KneoQuery:
    spans: list[tuple[int, int, PhiLabel]] = [
        (s["start"], s["end"], PhiLabel(s["type"])) for s in note.get("spans", ())
    ]
    landed = [
        Replacement(Span(start, end, label), "", "surrogate", start, end)
        for start, end, label in sorted(spans)
    ]
    name, patient = str(note["note_id"]), str(note["patient_id"])
    return KneoQuery(
        str(note["text"]), tuple(landed), name, frozenset({patient}), KEYRING, lambda _: False
    )


def find_share(outputs: Sequence[str], originals: Sequence[str]) -> float:
    """Return the share of outputs whose nearest original is their own, the one at their place."""
    rows = compare_word_sets(originals, outputs)
    return measure_attack(list(rank_originals(rows, range(len(outputs))))).found(1).share


@dataclass(slots=True)
class Tally:
    """What was counted over all notes."""

    sentences: int = 0
    replaced: int = 0
    withheld: int = 0
    kept: Counter[str] = field(default_factory=Counter[str])
    """Units that stayed, by their form."""
    conflicts: Counter[str] = field(default_factory=Counter[str])
    """Replaced sentences by the kind of their conflict; ``any`` counts each once, ``guards`` what
    the guards themselves would refuse."""
    characters: int = 0
    kept_characters: int = 0
    seconds: float = 0.0

    def add(self, query: KneoQuery, result: KneoResult, pool: Collection[str]) -> None:
        """Count one note."""
        self.replaced += len(result.sources) - result.withheld
        self.withheld += result.withheld
        self.kept.update(map(str, result.kept.elements()))
        self.sentences += len(result.sources) + result.kept.total()
        self.characters += len(query.text)
        self.kept_characters += len(query.text) - sum(end - at for at, end in result.sources)
        units = {unit.start: unit for unit in cut_units(query.text, query.replacements, 1)}
        for source, drawn in zip(result.sources, result.substituted, strict=True):
            if (theirs := result.text[slice(*drawn)]) in pool:
                self._compare(units[source[0]].query, theirs)

    def _compare(self, own: str, theirs: str) -> None:
        kinds = set(find_conflicts(own, theirs))
        self.conflicts.update(kinds | {"any"} if kinds else kinds)
        if contradicts(read_features(own), read_features(theirs), tuple(Guard)):
            self.conflicts["guards"] += 1


def measure(kneo: SentenceKneo, queries: Sequence[KneoQuery]) -> tuple[Tally, list[str]]:
    """Rewrite each note on its own; embed all beforehand, so that only the search is timed."""
    kneo.substitute(queries)
    tally, texts, pool = Tally(), list[str](), frozenset(kneo.index.texts)
    for query in queries:
        began = time.perf_counter()
        result = kneo.substitute([query])[0]
        tally.seconds += time.perf_counter() - began
        tally.add(query, result, pool)
        texts.append(result.text)
    return tally, texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notes", type=Path)
    parser.add_argument("--others", type=Path)
    parser.add_argument("--policy", type=Path, help="a policy file; else the shipped policy kneo")
    parser.add_argument("--cache", type=Path, default=Path("build/kneo_rows"))
    given = parser.parse_args()
    given.cache.mkdir(parents=True, exist_ok=True)
    settings = read_settings({})
    embedder = load_embedder(settings)
    policy = (
        read_policy(given.policy.read_bytes(), name="given")
        if given.policy
        else read_shipped_policy("kneo")
    )
    cached = CachedEmbedder(embedder, given.cache)
    kneo = SentenceKneo(load_index(settings, embedder), cached, policy.kneo)
    notes = read_notes(given.notes)
    tally, texts = measure(kneo, [make_query(note) for note in notes])
    others = read_notes(given.others) if given.others else []
    originals = [str(note["text"]) for note in (*notes, *others)]
    show(tally, find_share(texts, originals), len(notes), len(originals))


def show(tally: Tally, found: float, notes: int, originals: int) -> None:
    table = Table(title=f"{notes} notes, {tally.sentences} sentences and headings")
    table.add_column("measure")
    table.add_column("value", justify="right")
    table.add_row("replaced", f"{tally.replaced / tally.sentences:.3f}")
    table.add_row("characters kept", f"{tally.kept_characters / tally.characters:.3f}")
    table.add_row("dropped or redacted", f"{tally.withheld / tally.sentences:.3f}")
    for form, count in tally.kept.most_common():
        table.add_row(f"kept: {form}", f"{count / tally.sentences:.3f}")
    for kind, count in sorted(tally.conflicts.items(), key=lambda item: -item[1]):
        table.add_row(f"conflict: {kind}", f"{count / max(1, tally.replaced):.3f}")
    table.add_row(f"found@1 of {originals}", f"{found:.3f}")
    table.add_row("ms a note, without embedding", f"{1000 * tally.seconds / notes:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
