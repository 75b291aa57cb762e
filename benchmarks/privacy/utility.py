"""Measure what tasks and word vectors lose if they learn from outputs, with five seeds.

    python benchmarks/privacy/utility.py --data FOLDER --work FOLDER
        [--parts classes,vectors,entities,pairs] [--json FILE]

FOLDER of --data holds ``mtsamples``, ``biomed_ner``, ``intrinsic_pairs`` and ``medquad``. Classes:
specialty and sort of document of MTSamples. Vectors: the specialty, told by a model that reads
vectors of words and is asked plain notes or outputs. Entities: NCBI-disease and BC5CDR. Pairs: word
vectors that were learnt anew from outputs, compared with the judgement of people. Word vectors of
the techniques are learnt from the other folds, those for entities from MedQuAD and the training
sentences.
"""

import argparse
import lzma
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from collection import TASKS, CollectedNote, collect
from figures import Output
from learnt_vectors import exchange_words, learn_words
from numpy.typing import NDArray
from techniques import KEYRING, merge, redact, surrogate

from deidstream.models.kneo.words.near_words import NearWords
from deidstream.models.kneo.words.word_kneo import WordKneo, WordQuery
from deidstream.models.kneo.words.word_vectors import (
    WordModel,
    WordVectors,
    load_word_vectors,
    shipped_vectors,
)
from deidstream.models.kneo.words.words_and_numbers import cut_words, normal_word
from deidstream.schemas.word_policy import DrawnFor, NumberRule, WordPolicy
from deidstream.study.measures.vector_classifier import fit_means, read_means
from deidstream.study.rivals.crf import TaggedTokens
from deidstream.study.rivals.tokens import read_entities
from deidstream.study.utility.class_task import ClassNotes, answer_classes, score_classes
from deidstream.study.utility.drop import SEEDS, UtilityDrop, measure_drop
from deidstream.study.utility.entity_task import answer_entities, read_tagged, score_entities
from deidstream.study.utility.word_pairs import (
    PAIR_FILES,
    WordPair,
    measure_agreement,
    read_pairs,
)
from deidstream.study.vectors.fit_vectors import VectorPlan, fit_word_vectors

DEGREES = {f"N = {n}": (n, n) for n in (3, 5, 7, 9)} | {"N = 3-14": (3, 14)}
CORPORA = {"NCBI-disease": "NCBI-disease-IOB", "BC5CDR": "BC5CDR-IOB"}
PAIR_DEGREES = ("N = 3", "N = 5", "N = 7")
"""Those of table 3 of Abdalla et al."""
_PAIR_PLAN = VectorPlan(dimension=100, window=5, min_count=2, epochs=5)
"""Abdalla et al. have 100 dimensions and a window of 5; five passes are what gensim takes."""


@dataclass(slots=True)
class Figures:
    """Prints each figure as it comes, and keeps them."""

    rows: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def add(self, task: str, technique: str, drop: UtilityDrop) -> None:
        low, high = drop.interval
        self._keep(
            task=task,
            technique=technique,
            plain=float(np.mean(drop.plain)),
            anonymized=float(np.mean(drop.anonymized)),
            change=drop.change,
            low=low,
            high=high,
            p=drop.p_value,
        )

    def _keep(self, **row: Any) -> None:  # noqa: ANN401
        self.rows.append(row)
        print({k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()}, flush=True)

    def add_pairs(self, pairs: str, corpus: str, found: Sequence[float], covered: int) -> None:
        self._keep(pairs=pairs, corpus=corpus, mean=float(np.mean(found)), each=found, of=covered)


def policy_of(degrees: tuple[int, int]) -> WordPolicy:
    return WordPolicy(degree=degrees[0], degree_to=degrees[1])


def policy_by_mention(degrees: tuple[int, int]) -> WordPolicy:
    """Draw each mention of a word anew, as Algorithm 1 of Abdalla et al. does."""
    return replace(policy_of(degrees), drawn_for=DrawnFor.MENTION)


def measure_classes(notes: Sequence[CollectedNote], work: Path, figures: Figures) -> None:
    near = learn_words(notes, work)
    made: dict[str, Callable[[], Iterable[Output]]] = {
        "surrogate": partial(surrogate, notes),
        "merged 2": partial(merge, notes, 2),
    }
    for name, degrees in DEGREES.items():
        made[f"words, {name}"] = partial(exchange_words, notes, near, policy_of(degrees))
    plain = list(redact(notes))
    answers = {task: list(answer_task(notes, plain, task)) for task in TASKS}
    for name, write in made.items():
        outputs = list(write())
        for task in TASKS:
            truth = [note.classes[task] for note in notes if note.splits.get(task) == "test"]
            pairs = list(zip(answers[task], answer_task(notes, outputs, task), strict=True))
            figures.add(task, name, measure_drop(pairs, partial(score_classes, truth)))


def answer_task(
    notes: Sequence[CollectedNote], outputs: Sequence[Output], task: str
) -> Iterator[list[str]]:
    chosen = [o for o in outputs if notes[o.own].splits.get(task) in {"train", "valid"}]
    train = ClassNotes([o.text for o in chosen], [notes[o.own].classes[task] for o in chosen])
    test = [note.redacted for note in notes if note.splits.get(task) == "test"]
    for seed in SEEDS:
        yield answer_classes(train, test, seed)


def measure_vectors(notes: Sequence[CollectedNote], work: Path, figures: Figures) -> None:
    """Tell the specialty by the mean vectors of words, which are of one fold for all notes."""
    near = learn_words(notes, work)
    told = [note for note in notes if "specialty" in note.classes]
    plain = means_by_split(told, [note.redacted for note in told], near[0].vectors)
    before = [plain.answer(plain.test, seed) for seed in SEEDS]
    truth = [note.classes["specialty"] for note in told if note.splits["specialty"] == "test"]
    for name, degrees in DEGREES.items():
        texts = [one.text for one in exchange_words(told, near, policy_by_mention(degrees))]
        outputs = means_by_split(told, texts, near[0].vectors)
        for asked, test in (("plain notes", plain.test), ("outputs", outputs.test)):
            pairs = [
                (one, outputs.answer(test, seed)) for one, seed in zip(before, SEEDS, strict=True)
            ]
            drop = measure_drop(pairs, partial(score_classes, truth))
            figures.add(f"specialty by vectors, of {asked}", f"words, {name}", drop)


@dataclass(frozen=True, slots=True)
class MeansBySplit:
    """The mean vectors of notes that are learnt from, with their classes, and of those asked."""

    train: NDArray[np.float32]
    classes: Sequence[str]
    test: NDArray[np.float32]

    def answer(self, asked: NDArray[np.float32], seed: int) -> list[str]:
        """Learn from a draw of notes, and tell the classes of others."""
        rng, count = random.Random(seed), len(self.classes)
        drawn = [rng.randrange(count) for _ in range(count)]
        model = fit_means(self.train[drawn], [self.classes[number] for number in drawn])
        return list(map(str, model.predict(asked)))


def means_by_split(
    notes: Sequence[CollectedNote], texts: Sequence[str], vectors: WordVectors
) -> MeansBySplit:
    means = read_means(texts, vectors)
    tested = np.array([note.splits["specialty"] == "test" for note in notes])
    taught = [note for note in notes if note.splits["specialty"] != "test"]
    return MeansBySplit(means[~tested], [n.classes["specialty"] for n in taught], means[tested])


def read_answers(data: Path, most: int | None = None) -> Iterator[list[str]]:
    """Yield the words of health answers."""
    with lzma.open(data / "medquad" / "medquad_answers.jsonl.xz") as file:
        for number, line in enumerate(file):
            if most is not None and number >= most:
                return
            yield list(normal_words(orjson.loads(line)["answer"]))


def normal_words(text: str) -> Iterator[str]:
    return (normal_word(token.text) for token in cut_words(text) if not token.is_number)


def measure_entities(data: Path, corpora: Sequence[str], figures: Figures) -> None:
    answers = list(read_answers(data))
    for name in corpora:
        folder = data / "biomed_ner" / CORPORA[name]
        train, test = (read_tagged(folder / f"{part}.tsv.xz") for part in ("train", "test"))
        words = [list(normal_words(" ".join(one.words))) for one in train]
        plan = VectorPlan(epochs=5, min_count=2)
        near = NearWords(fit_word_vectors([*answers, *words], plan, WordModel.WORD2VEC))
        truth = [read_entities(one.tags) for one in test]
        plain = [answer_entities(train, test, seed) for seed in SEEDS]
        for degree in ("N = 3", "N = 3-14"):
            exchanged = exchange_tagged(train, near, policy_of(DEGREES[degree]))
            pairs = [
                (one, answer_entities(exchanged, test, seed))
                for one, seed in zip(plain, SEEDS, strict=True)
            ]
            figures.add(
                name, f"words, {degree}", measure_drop(pairs, partial(score_entities, truth))
            )


def exchange_tagged(
    train: Sequence[TaggedTokens], near: NearWords, policy: WordPolicy
) -> list[TaggedTokens]:
    """Exchange the words of sentences one by one, so that the tags stay where they are."""
    policy = WordPolicy(policy.degree, policy.degree_to, numbers=NumberRule.LABEL)
    kneo = WordKneo(near, policy)
    made: list[TaggedTokens] = []
    for number, sentence in enumerate(train):
        text = "\n".join(sentence.words)
        query = WordQuery(text, (), str(number), KEYRING, lambda _: False)
        words = kneo.substitute(query).text.split("\n")
        made.append(TaggedTokens(tuple(words), sentence.tags))
    return made


def measure_pairs(notes: Sequence[CollectedNote], data: Path, work: Path, figures: Figures) -> None:
    """Learn vectors from notes, then from health answers too, as they are and after word KNEO.

    Words are drawn once for each degree; the five seeds are those of the learning.
    """
    sets = {name: read_pairs(data / "intrinsic_pairs" / file) for name, file in PAIR_FILES.items()}
    shipped = load_word_vectors(shipped_vectors())
    for name, pairs in sets.items():
        agreed = measure_agreement(pairs, shipped.vector_of)
        if agreed.correlation is not None:
            figures.add_pairs(name, "included vectors", [agreed.correlation], agreed.covered)
    near = learn_words(notes, work)
    corpora = {"plain": [list(normal_words(note.redacted)) for note in notes]}
    for name in PAIR_DEGREES:
        outputs = exchange_words(notes, near, policy_by_mention(DEGREES[name]))
        corpora[name] = [list(normal_words(one.text)) for one in outputs]
    for corpus, texts in corpora.items():
        compare_with_people(f"{corpus}, notes", texts, sets, figures)
    answers = list(read_answers(data))
    for corpus, texts in corpora.items():
        more = answers if corpus == "plain" else list(exchange_answers(answers, near[0], corpus))
        compare_with_people(f"{corpus}, notes and answers", [*texts, *more], sets, figures)


def compare_with_people(
    corpus: str,
    texts: Sequence[Sequence[str]],
    sets: Mapping[str, Sequence[WordPair]],
    figures: Figures,
) -> None:
    """Learn vectors with five seeds, and compare each with the judgement of people."""
    learnt = [fit_word_vectors(texts, _plan_of(seed), WordModel.WORD2VEC) for seed in SEEDS]
    for name, pairs in sets.items():
        found = [measure_agreement(pairs, one.vector_of) for one in learnt]
        values = [one.correlation for one in found if one.correlation is not None]
        if values:
            figures.add_pairs(name, corpus, values, found[0].covered)


def exchange_answers(
    answers: Sequence[Sequence[str]], near: NearWords, degree: str
) -> Iterator[list[str]]:
    kneo = WordKneo(near, policy_by_mention(DEGREES[degree]))
    for number, words in enumerate(answers):
        query = WordQuery(" ".join(words), (), f"answer {number}", KEYRING, lambda _: False)
        yield list(normal_words(kneo.substitute(query).text))


def _plan_of(seed: int) -> VectorPlan:
    plan = _PAIR_PLAN
    return VectorPlan(
        plan.dimension, plan.window, plan.min_count, epochs=plan.epochs, seed=seed + 1
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--parts", default="classes,vectors,entities,pairs")
    parser.add_argument("--corpora", default=",".join(CORPORA))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    figures, parts = Figures(), given.parts.split(",")
    notes = collect(given.data)
    if "classes" in parts:
        measure_classes(notes, given.work, figures)
    if "vectors" in parts:
        measure_vectors(notes, given.work, figures)
    if "pairs" in parts:
        measure_pairs(notes, given.data, given.work, figures)
    if "entities" in parts:
        measure_entities(given.data, given.corpora.split(","), figures)
    if given.json:
        given.json.write_bytes(orjson.dumps(figures.rows, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
