"""Laws of word KNEO, whatever the text."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.keyring import Keyring
from deidstream.models.kneo.words.near_words import NearWords
from deidstream.models.kneo.words.word_kneo import WordKneo, WordQuery, WordResult
from deidstream.models.kneo.words.word_vectors import WordModel
from deidstream.models.kneo.words.words_and_numbers import cut_words, normal_word
from deidstream.schemas.word_policy import (
    CodeRule,
    DrawnFor,
    NumberRule,
    UnknownRule,
    WordPolicy,
)
from support.word_vectors import WORDS, small_vectors

NEAR = {model: NearWords(small_vectors(model)) for model in WordModel}
pieces = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(WORDS).map(str.upper),
    st.sampled_from(
        [" ", "\n", ". ", "'s ", "-", "/", "[PATIENT]", "12", "3.5", "\u2022", "\u00e9"]
    ),
    st.text(max_size=4),
)
texts = st.lists(pieces, max_size=30).map("".join)
policies = st.builds(
    WordPolicy,
    degree=st.integers(2, 5),
    degree_to=st.integers(5, 20),
    drawn_for=st.sampled_from(DrawnFor),
    numbers=st.sampled_from([NumberRule.LABEL, NumberRule.PERTURB]),
    unknown=st.sampled_from(UnknownRule),
)
models = st.sampled_from(WordModel)


def run(text: str, policy: WordPolicy, model: WordModel, banned: frozenset[str]) -> WordResult:
    query = WordQuery(text, (), "n", Keyring(b"k" * 32, 1, "t"), banned.__contains__)
    return WordKneo(NEAR[model], policy).substitute(query)


@given(texts, policies, models, st.frozensets(st.sampled_from(WORDS), max_size=8))
def test_every_word_is_another_and_none_is_banned(
    text: str, policy: WordPolicy, model: WordModel, banned: frozenset[str]
) -> None:
    old = list(cut_words(text))
    result = run(text, policy, model, banned)
    new = [result.text[start:end] for start, end in result.written]
    if policy.unknown is UnknownRule.LABEL:
        assert len(old) == len(new)
        for one, other in zip(old, new, strict=True):
            if one.is_number:
                assert other != one.text
            else:
                keys = NEAR[model].keys_of(normal_word(one.text))
                assert keys.isdisjoint(NEAR[model].keys_of(other.casefold()))
    assert banned.isdisjoint(other.casefold() for other in new)
    report = result.report
    assert report.replaced + report.withheld == report.units == len(old)


@given(texts, policies, models)
def test_what_is_between_words_stays(text: str, policy: WordPolicy, model: WordModel) -> None:
    def between(whole: str, places: list[tuple[int, int]]) -> str:
        edges = [0, *(edge for place in places for edge in place), len(whole)]
        return "".join(whole[a:b] for a, b in list(pairwise(edges))[::2])

    result = run(text, policy, model, frozenset())
    assert between(text, [(one.start, one.end) for one in cut_words(text)]) == between(
        result.text, list(result.written)
    )


@given(texts, policies, models)
def test_a_replay_writes_the_same(text: str, policy: WordPolicy, model: WordModel) -> None:
    assert run(text, policy, model, frozenset()) == run(text, policy, model, frozenset())


@given(texts, policies, models)
def test_signs_and_kept_codes_move_nothing_else(
    text: str, policy: WordPolicy, model: WordModel
) -> None:
    plain = run(text, policy, model, frozenset())
    shown = run(text, replace(policy, signs=True), model, frozenset())
    drawn = [
        [result.text[start:end] for start, end in result.report.exchanged]
        for result in (plain, shown)
    ]
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == plain.report.replaced
    assert len(shown.text) == len(plain.text) + 2 * len(drawn[0])
    keeping = run(text, replace(policy, codes=CodeRule.KEEP), model, frozenset())
    assert keeping.report.units == plain.report.units
    left = "".join(keeping.text[start:end] for start, end in keeping.kept)
    assert not left or any(c.isdigit() for c in left)
