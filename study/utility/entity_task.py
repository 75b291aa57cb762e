"""Find diseases and chemicals: a conditional random field, trained on exchanged words.

Word exchange leaves the tags of a sentence where they are, so a model can learn from it. A
technique that puts other sentences in has no tags for them, and is not measured here.
"""

import lzma
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from deidstream.schemas.errors import MissingArtefact
from deidstream.study.rivals.crf import ConditionalRandomField, TaggedTokens
from deidstream.study.rivals.tokens import Entity, read_entities
from deidstream.study.utility.drop import SEEDS, UtilityDrop, measure_drop

ExchangeWords = Callable[[Sequence[str]], Sequence[str]]
"""Returns another word for each word of a sentence."""
Found = frozenset[Entity]


def read_tagged(path: Path) -> list[TaggedTokens]:
    """Read sentences of the IOB corpora: ``word<TAB>tag`` lines with blank ones between, XZ.

    Raises:
        MissingArtefact: The file cannot be read, or is no such file.
    """
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            return list(_cut_sentences(file.read().splitlines()))
    except (OSError, ValueError, lzma.LZMAError) as fault:
        msg = f"{path}: no tagged sentences could be read: {type(fault).__name__}"
        raise MissingArtefact(msg) from None


def _cut_sentences(lines: Sequence[str]) -> Iterator[TaggedTokens]:
    words: list[str] = []
    tags: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            word, tag = line.split("\t")
            words.append(word)
            tags.append(tag)
        elif words:
            yield TaggedTokens(tuple(words), tuple(tags))
            words, tags = [], []


def measure_entity_drop(
    train: Sequence[TaggedTokens],
    test: Sequence[TaggedTokens],
    exchange: ExchangeWords,
    seeds: Sequence[int] = SEEDS,
) -> UtilityDrop:
    """Return what the F1 of exact entities loses if the model learns from exchanged words.

    Args:
        train: Plain sentences.
        test: Plain sentences that no model learned from.
        exchange: The technique.
        seeds: Each draws the training sentences with replacement, the same for both models.
    """
    exchanged = [TaggedTokens(tuple(exchange(one.words)), one.tags) for one in train]
    answers = [
        (answer_entities(train, test, seed), answer_entities(exchanged, test, seed))
        for seed in seeds
    ]
    return measure_drop(answers, partial(score_entities, [read_entities(one.tags) for one in test]))


def answer_entities(
    train: Sequence[TaggedTokens], test: Sequence[TaggedTokens], seed: int
) -> list[Found]:
    """Train on a draw of sentences, and find the entities of the test sentences."""
    rng, count = random.Random(seed), len(train)
    model = ConditionalRandomField.train([train[rng.randrange(count)] for _ in range(count)])
    return [read_entities(model.tag(one.words)) for one in test]


def score_entities(truth: Sequence[Found], told: Sequence[Found]) -> float:
    """Return the micro-averaged F1 of entities that agree in both borders and the label.

    >>> one, other = Entity(0, 1, "Disease"), Entity(3, 3, "Disease")
    >>> score_entities([frozenset({one, other})], [frozenset({one})])
    0.6666666666666666
    """
    hits = sum(len(one & other) for one, other in zip(truth, told, strict=True))
    every = sum(map(len, truth)) + sum(map(len, told))
    return 2 * hits / every if every else 0.0
