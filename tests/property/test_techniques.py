"""Laws of the techniques of a study, whatever the text."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.kneo.words.word_vectors import WordModel
from deidstream.study.techniques.mask_numbers import mask_numbers
from deidstream.study.techniques.sentence_neighbours import find_nearest
from deidstream.study.techniques.sentence_slots import cut_slots
from deidstream.study.techniques.shuffle_sentences import shuffle_sentences
from deidstream.study.techniques.swap_words import swap_words
from deidstream.study.techniques.word_neighbours import LearntWords, WordNeighbours, WordShelf
from deidstream.study.vectors.fit_vectors import VectorPlan
from support.embedding import HashEmbedder
from support.study_notes import study_note

SEEDS = st.integers(0, 2**16)
WORDS = ("knee", "hip", "pain", "fever", "cough", "rash", "ankle", "wrist", "nausea", "chills")
PROSE = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=4, max_size=8).map(
        lambda words: " ".join(words).capitalize() + "."
    ),
    max_size=8,
)
WAY = LearntWords("CBOW", WordModel.WORD2VEC, VectorPlan(dimension=8, epochs=1))
OTHERS = study_note(" ".join(WORDS), fold=1)
SHELF = WordShelf([OTHERS])
EMBED = HashEmbedder().embed


@given(text=st.text(), percent=st.integers(0, 100), seed=SEEDS)
def test_swapping_keeps_the_words_and_the_white_space(text: str, percent: int, seed: int) -> None:
    swapped = swap_words(text, percent, random.Random(seed))
    assert Counter(swapped.split()) == Counter(text.split())
    assert [c for c in swapped if c.isspace()] == [c for c in text if c.isspace()]


@given(text=st.text(), seed=SEEDS)
def test_shuffling_keeps_every_character(text: str, seed: int) -> None:
    assert Counter(shuffle_sentences(text, random.Random(seed))) == Counter(text)


@given(sentences=PROSE, seed=SEEDS)
def test_shuffling_keeps_the_sentences(sentences: list[str], seed: int) -> None:
    shuffled = shuffle_sentences("\n\n".join(sentences), random.Random(seed))
    assert Counter(cut_slots(shuffled).sentences) == Counter(sentences)


@given(text=st.text())
def test_slots_give_the_text_back(text: str) -> None:
    slots = cut_slots(text)
    assert slots.fill(slots.sentences) == text


@given(text=st.text())
def test_no_digit_survives_masking(text: str) -> None:
    assert not any(c.isdecimal() for c in mask_numbers(text))


@given(words=st.lists(st.sampled_from(WORDS), max_size=12), seed=SEEDS)
def test_word_kneo_never_returns_the_word_itself(words: list[str], seed: int) -> None:
    technique = WordNeighbours(WAY, SHELF, 3, 14, seed)
    (output,) = technique.anonymize([study_note(" ".join(words))])
    drawn = output.text.split()
    assert len(drawn) == len(words)
    assert all(before != after for before, after in zip(words, drawn, strict=True))


@given(pool=PROSE, asked=PROSE)
def test_sentence_kneo_never_returns_the_sentence_itself(pool: list[str], asked: list[str]) -> None:
    for sentence, near in zip(asked, find_nearest(asked, pool, EMBED), strict=True):
        assert sentence not in near
        assert len(near) <= 5
