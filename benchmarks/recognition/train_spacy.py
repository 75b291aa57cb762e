"""Trains a spaCy pipeline for Presidio on the notes that our tagger learnt last.

    .cache/peers/presidio/bin/python benchmarks/recognition/train_spacy.py CORPUS.jsonl... \\
        --held-out HELD_OUT.jsonl --out .cache/peers/presidio-model [--minutes 20]

Runs in Presidio's environment. The corpus is what ``deidstream corpus`` writes. The entity
recognizer of spaCy's small English model is trained on with more labels and a tokenizer that parts
more words. It learns until the processor time is spent; of its states the one with the best F1 on
the held-out notes is kept. Nothing printed holds text of a note.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

import spacy
from presidio_labels import ENTITIES, MODEL, SPACY_NAMES
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import compile_infix_regex, filter_spans, minibatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.language import Language

SEED = 7
SIGNS = r"[:;=|^~<>(){}\[\],/_#+*&]"
"""Signs that part words here too, unlike in spaCy's English: notes write ``DOB:03/04/1950``."""
DROPPED = 0.15
"""Share of the inputs that a step of training does not see."""
ROUND_PIECES = 1_000
"""Pieces learnt between two measurements."""
MOST_TOKENS = 150
"""A longer note is learnt in pieces, so that a batch holds many kinds of notes."""
BATCH = 8


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a spaCy pipeline for Presidio.")
    parser.add_argument("corpus", metavar="CORPUS.jsonl", type=Path, nargs="+")
    parser.add_argument("--held-out", metavar="FILE.jsonl", type=Path, required=True)
    parser.add_argument("--out", metavar="FOLDER", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=20.0, help="of processor time: 20")
    arguments = parser.parse_args()
    nlp = prepared_pipeline()
    learnt = [piece for path in arguments.corpus for piece in read_pieces(path, nlp)]
    held_out = [example(doc, nlp) for doc in read_docs(arguments.held_out, nlp)]
    print(f"{len(learnt)} pieces to learn, {len(held_out)} held-out notes", flush=True)
    learn(nlp, learnt, held_out, 60 * arguments.minutes, arguments.out)


def prepared_pipeline() -> Language:
    nlp = spacy.load(MODEL)
    for name in nlp.pipe_names:
        if name != "ner":
            nlp.remove_pipe(name)
    infixes = [*nlp.Defaults.infixes, SIGNS]
    nlp.tokenizer.infix_finditer = compile_infix_regex(infixes).finditer
    recognizer = nlp.get_pipe("ner")
    for entity in sorted(ENTITIES.values()):
        recognizer.add_label(spacy_name(entity))
    return nlp


def spacy_name(entity: str) -> str:
    return SPACY_NAMES.get(entity, entity)


def read_docs(path: Path, nlp: Language) -> Iterator[Doc]:
    """Read labelled notes; a span that begins or ends inside a token takes the whole of it."""
    for line in path.read_bytes().splitlines():
        note = json.loads(line)
        doc = nlp.make_doc(note["text"])
        spans = (
            doc.char_span(
                each["start"],
                each["end"],
                spacy_name(ENTITIES[each["type"]]),
                alignment_mode="expand",
            )
            for each in note["spans"]
        )
        doc.set_ents(filter_spans([span for span in spans if span is not None]))
        yield doc


def read_pieces(path: Path, nlp: Language) -> Iterator[Example]:
    """Read labelled notes in pieces that end where a token of no entity does."""
    for doc in read_docs(path, nlp):
        start = 0
        for token in doc:
            full = token.i + 1 - start >= MOST_TOKENS and not token.ent_type_
            if full or token.i + 1 == len(doc):
                yield example(doc[start : token.i + 1].as_doc(), nlp)
                start = token.i + 1


def example(gold: Doc, nlp: Language) -> Example:
    words, spaces = [token.text for token in gold], [bool(token.whitespace_) for token in gold]
    return Example(Doc(nlp.vocab, words=words, spaces=spaces), gold)


def learn(
    nlp: Language,
    learnt: Sequence[Example],
    held_out: Sequence[Example],
    seconds: float,
    out: Path,
) -> None:
    """Learn until the processor time is spent; write the state with the best F1 so far."""
    rng, best = random.Random(SEED), -1.0
    spacy.util.fix_random_seed(SEED)
    optimizer = nlp.resume_training()
    begun, steps = time.process_time(), shuffled_batches(learnt, rng)
    while time.process_time() - begun < seconds:
        losses: dict[str, float] = {}
        for _ in range(ROUND_PIECES // BATCH):
            nlp.update(next(steps), sgd=optimizer, drop=DROPPED, losses=losses)
        with nlp.use_params(optimizer.averages):
            scores = nlp.evaluate(held_out)
            kept = scores["ents_f"] > best
            if kept:
                best = scores["ents_f"]
                nlp.to_disk(out)
        print(
            f"{time.process_time() - begun:6.0f} s  loss {losses['ner']:8.0f}  "
            f"recall {scores['ents_r']:.3f}  precision {scores['ents_p']:.3f}  "
            f"F1 {scores['ents_f']:.3f}{'  kept' if kept else ''}",
            flush=True,
        )


def shuffled_batches(learnt: Sequence[Example], rng: random.Random) -> Iterator[list[Example]]:
    """Yield batches without end, each piece once before any comes again."""
    while True:
        for batch in minibatch(rng.sample(learnt, len(learnt)), size=BATCH):
            yield list(batch)


if __name__ == "__main__":
    main()
