"""The measures of a study, in the order in which it shows them."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from deidstream.study.attacks.dense import compare_vectors, embed_notes
from deidstream.study.attacks.jaccard import compare_word_sets
from deidstream.study.attacks.sentence_table import Embed, read_sentences
from deidstream.study.attacks.tfidf import compare_rare_words
from deidstream.study.attacks.word_rows import Similarities
from deidstream.study.measures.alid import Alid
from deidstream.study.measures.code_groups import CodeGroups
from deidstream.study.measures.code_levels import CodeLevels
from deidstream.study.measures.entity_recall import EntityRecall
from deidstream.study.measures.found import (
    AverageSimilarity,
    Found,
    OutputLikenesses,
    OwnSimilarity,
)
from deidstream.study.measures.jsc import Jsc, JscOfLevels
from deidstream.study.measures.learnt_f1 import (
    Asked,
    LearntChange,
    LearntF1,
    LearnVectors,
    OutputLearner,
)
from deidstream.study.measures.lr import Lr
from deidstream.study.measures.lrdi import Lrdi
from deidstream.study.measures.lrqi import Lrqi
from deidstream.study.measures.measure import Measure
from deidstream.study.measures.nsdcg import Nsdcg, NsdcgOfLevels
from deidstream.study.measures.smr import Smr
from deidstream.study.measures.survivors import Survivors
from deidstream.study.measures.vector_classifier import ReadVectors
from deidstream.study.techniques.technique import StudyNote

MISSES: Final = 600
"""Planted for the measure of survivors: 95 % intervals of at most eight points."""
EMBEDDED: Final = 300
"""Outputs that are attacked by sentence vectors: to embed their sentences takes by far the longest
of all measures, and the interval of a share of so many has at most twelve points."""


def list_measures(
    notes: Sequence[StudyNote], vectors: ReadVectors, embed: Embed | None, seed: int
) -> list[Measure]:
    """List every measure.

    Args:
        notes: What techniques are applied to.
        vectors: Reads the vectors of words that a classifier goes by.
        embed: Embeds sentences, for the attack by vectors; without it that attack is left out.
        seed: Draws the identifiers that are overlooked, the outputs that vectors attack, and the
            notes by which a change of F1 is judged.
    """
    groups, levels = CodeGroups(notes), CodeLevels(notes)
    words = OutputLikenesses(compare_word_sets)
    listed: list[Measure] = [
        Smr(),
        Alid(),
        Lr(),
        Lrdi(),
        Lrqi(),
        EntityRecall(direct=True),
        EntityRecall(direct=False),
        Survivors(MISSES, seed),
        Found("words", words),
        Found("words", words, whole=True),
        Found("rare words", OutputLikenesses(compare_rare_words)),
        OwnSimilarity(words),
        AverageSimilarity(words),
        Jsc(groups),
        Nsdcg(groups),
        JscOfLevels(levels),
        NsdcgOfLevels(levels),
        *_list_learnt(vectors, seed),
    ]
    if embed is not None:
        sentences = OutputLikenesses(partial(_compare_by_vectors, embed), EMBEDDED, seed)
        listed.append(Found("sentence vectors", sentences))
    return listed


def _list_learnt(vectors: ReadVectors, seed: int) -> Iterator[Measure]:
    """List what is learnt by words and by their vectors, asked plain notes and outputs."""
    for learner in (OutputLearner(), OutputLearner(LearnVectors(vectors), "vectors")):
        for asked in Asked:
            measured = LearntF1(learner, asked)
            yield measured
            yield LearntChange(measured, seed)


def _compare_by_vectors(
    embed: Embed, candidates: Sequence[str], outputs: Sequence[str]
) -> Iterator[Similarities]:
    table = read_sentences([*candidates, *outputs])
    dimension = embed(["one"]).shape[1]
    vectors = embed_notes(table, embed, dimension)
    return compare_vectors(vectors[: len(candidates)], vectors[len(candidates) :])
