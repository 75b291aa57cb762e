from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.models.keyring import Keyring
from deidstream.models.kneo import index
from deidstream.models.kneo.drafts import DROPPED
from deidstream.models.kneo.guards.agreement import contradicts
from deidstream.models.kneo.guards.features import read_features
from deidstream.models.kneo.index import Index
from deidstream.models.kneo.kneo_query import KneoQuery, KneoResult
from deidstream.models.kneo.sentence_kneo import SentenceKneo
from deidstream.models.kneo.unit_kinds import UnitKind
from deidstream.schemas.kneo_policy import Guard, KneoPolicy, Otherwise
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Replacement, Span
from support.embedding import HashEmbedder

SYMPTOMS = (
    *("fever", "cough", "nausea", "chest pain", "rash", "vomiting", "headache", "fatigue"),
    *("itching", "swelling", "dizziness", "thirst", "tremor"),
)
ANYTHING = KneoPolicy(min_cosine=0.0, guards=())
"""Lets every neighbour stand."""
POOL = [
    *(f"The patient denies any {symptom} since last week" for symptom in SYMPTOMS),
    *(f"Seen in clinic with {symptom} by the team" for symptom in SYMPTOMS),
    *(f"Continue treatment of {symptom} and return soon" for symptom in SYMPTOMS),
]
EMBEDDER = HashEmbedder()
KEYRING = Keyring(b"k" * 32, 1, "default")
NOTE = "PLAN:\nThe patient denies any pain since last week. Seen in clinic by Ada Lane.\nHome.\n"


def vocabulary(donors: Callable[[int], str] = lambda _: "") -> Index:
    rows = EMBEDDER.embed(POOL)
    donated = [donors(i) for i in range(len(POOL))]
    return index.build(rows, POOL, donated, rows[:1], ("hash", EMBEDDER.digest))


def query(text: str = NOTE, *names: str, **changes: object) -> KneoQuery:
    landed: list[Replacement] = []
    for name in names:
        start = text.index(name)
        span = Span(start + 100, start + 100 + len(name), PhiLabel.PATIENT)
        landed.append(Replacement(span, name, "surrogate", start, start + len(name)))
    plain = KneoQuery(
        text, tuple(landed), "note-1", frozenset({"patient-1"}), KEYRING, lambda _: False
    )
    return replace(plain, **changes)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def kneo(policy: KneoPolicy | None = None, pool: Index | None = None) -> SentenceKneo:
    return SentenceKneo(pool or vocabulary(), EMBEDDER, policy or KneoPolicy())


def one(asked: KneoQuery, made: SentenceKneo | None = None) -> KneoResult:
    return (made or kneo()).substitute([asked])[0]


def drawn(result: KneoResult) -> list[str]:
    return [result.text[start:end] for start, end in result.substituted]


def test_every_open_sentence_comes_from_the_pool() -> None:
    result = one(query())
    assert len(drawn(result)) == 2
    assert set(drawn(result)) <= set(POOL)


def test_headings_short_sentences_and_gaps_stay() -> None:
    result = one(query())
    first, second = drawn(result)
    assert result.text == f"PLAN:\n{first} {second}\nHome.\n"
    assert result.kept == {UnitKind.HEADING: 1, UnitKind.SHORT: 1}


def test_sources_are_the_sentences_replaced() -> None:
    result = one(query())
    assert [NOTE[start:end] for start, end in result.sources] == [
        "The patient denies any pain since last week.",
        "Seen in clinic by Ada Lane.",
    ]


def test_the_drawn_are_among_the_nearest() -> None:
    first, second = drawn(one(query()))
    assert first.startswith("The patient denies")
    assert second.startswith("Seen in clinic")


def test_replacements_of_a_substituted_sentence_vanish() -> None:
    assert one(query(NOTE, "Ada Lane")).replacements == ()


def test_a_replacement_that_stays_is_moved() -> None:
    text = "The patient denies any pain since last week. Ada.\n"
    result = one(query(text, "Ada"))
    (moved,) = result.replacements
    assert result.text[moved.out_start : moved.out_end] == "Ada"
    assert moved.span == query(text, "Ada").replacements[0].span


def test_the_name_in_a_sentence_does_not_steer_the_choice() -> None:
    other = NOTE.replace("Ada Lane", "chest pain")
    assert drawn(one(query(NOTE, "Ada Lane"))) == drawn(one(query(other, "chest pain")))


def test_replay_gives_the_same_and_another_note_or_key_may_not() -> None:
    assert one(query()) == one(query())
    notes = {one(query(note_id=f"note-{i}")).text for i in range(20)}
    assert len(notes) > 3
    keys = {one(query(keyring=Keyring(bytes([i]) * 32, 1, "default"))).text for i in range(20)}
    assert len(keys) > 3


def test_a_note_does_not_depend_on_the_notes_beside_it() -> None:
    notes = [query(), query(NOTE, "Ada Lane", note_id="b"), query("Continue with rash and return")]
    made = kneo()
    assert made.substitute(notes) == [made.substitute([note])[0] for note in notes]


def test_all_sentences_of_a_batch_are_embedded_in_one_call() -> None:
    embedder = HashEmbedder()
    made = SentenceKneo(vocabulary(), embedder, KneoPolicy())
    made.substitute([query(), query(note_id="b"), query("Seen in clinic again today.")])
    assert embedder.calls == [3]


def test_a_patient_never_gets_his_own_sentence() -> None:
    pool = vocabulary(lambda i: "patient-1" if i < len(SYMPTOMS) else "patient-2")
    for i in range(20):
        result = one(query(note_id=str(i)), kneo(pool=pool))
        assert not set(drawn(result)) & set(POOL[: len(SYMPTOMS)])


def test_sentences_of_nobody_are_for_all() -> None:
    assert len(drawn(one(query(donors=frozenset())))) == 2


@pytest.mark.parametrize("text", POOL[:4])
def test_a_sentence_does_not_come_back_itself(text: str) -> None:
    for i in range(20):
        assert drawn(one(query(text + ".", note_id=str(i)))) != [text]


def test_words_in_common_are_limited_too() -> None:
    policy = KneoPolicy(max_cosine=1.0, max_jaccard=0.5)
    (text,) = drawn(one(query(POOL[0]), kneo(policy)))
    assert not text.startswith("The patient denies")


def test_cosine_to_the_query_is_limited() -> None:
    policy = KneoPolicy(neighbours=1, max_jaccard=1.0)
    assert drawn(one(query(POOL[0]), kneo(policy))) != [POOL[0]]
    policy = KneoPolicy(neighbours=1, max_jaccard=1.0, max_cosine=1.1)
    assert drawn(one(query(POOL[0]), kneo(policy))) == [POOL[0]]


@pytest.mark.slow
def test_each_sentence_of_a_note_is_drawn_on_its_own() -> None:
    text = "The patient denies any pain since then. " * 2
    pairs = {tuple(drawn(one(query(text, note_id=str(i))))) for i in range(60)}
    assert len(pairs) > KneoPolicy().neighbours


def has_cough(text: str) -> bool:
    return "cough" in text


def is_anything(text: str) -> bool:
    return bool(text)


def is_not_return_soon(text: str) -> bool:
    return text != "Continue treatment of rash and return soon"


def test_a_banned_sentence_is_passed_over() -> None:
    for i in range(20):
        result = one(query(note_id=str(i), banned=has_cough))
        assert "cough" not in result.text


def test_where_nothing_may_stand_in_the_sentence_may_stay() -> None:
    asked = query(NOTE, "Ada Lane", banned=is_anything)
    result = one(asked, kneo(KneoPolicy(otherwise=Otherwise.KEEP)))
    assert (result.text, result.replacements) == (NOTE, asked.replacements)
    assert (result.substituted, result.sources, result.withheld) == ((), (), 0)
    assert result.kept == {UnitKind.HEADING: 1, UnitKind.SHORT: 1, UnitKind.PROSE: 2}


def test_the_search_widens_while_there_are_too_few() -> None:
    policy = replace(ANYTHING, neighbours=1)
    result = one(query(banned=is_not_return_soon), kneo(policy))
    assert drawn(result) == ["Continue treatment of rash and return soon", DROPPED]


def test_no_pool_sentence_comes_twice_in_a_note() -> None:
    text = "The patient denies any pain since then. " * 12
    chosen = drawn(one(query(text)))
    assert len(chosen) == len(set(chosen)) == 12


def test_one_neighbour_is_the_nearest() -> None:
    (text,) = drawn(one(query("Denies any cough last week"), kneo(KneoPolicy(neighbours=1))))
    assert text == "The patient denies any cough since last week"


def test_nothing_is_asked_of_the_model_where_nothing_is_open() -> None:
    embedder = HashEmbedder()
    result = SentenceKneo(vocabulary(), embedder, KneoPolicy()).substitute([query("PLAN:\nHome.")])
    assert (result[0].text, embedder.calls) == ("PLAN:\nHome.", [])


def test_a_dropped_sentence_leaves_a_mark() -> None:
    result = one(query(NOTE, "Ada Lane", banned=is_anything))
    assert result.text == f"PLAN:\n{DROPPED}\nHome.\n"
    assert (result.withheld, result.replacements) == (2, ())
    assert len(result.sources) == 2


def test_a_redacted_sentence_has_labels_for_surrogates() -> None:
    policy = KneoPolicy(otherwise=Otherwise.REDACT)
    result = one(query(NOTE, "Ada Lane", banned=is_anything), kneo(policy))
    assert result.text == NOTE.replace("Ada Lane", "[PATIENT]")
    assert (result.withheld, result.replacements) == (2, ())


def test_a_neighbour_that_is_not_near_enough_is_passed_over() -> None:
    near = one(query(POOL[0]), kneo(KneoPolicy(min_cosine=0.5)))
    assert drawn(near) != [DROPPED]
    far = one(query(POOL[0]), kneo(KneoPolicy(min_cosine=0.97)))
    assert drawn(far) == [DROPPED]


def test_without_guards_a_neighbour_may_contradict() -> None:
    asked = query("The patient reports any fever since last week.")
    assert drawn(one(asked, kneo(ANYTHING)))[0].startswith("The patient denies")
    guarded = replace(ANYTHING, guards=(Guard.NEGATION,))
    assert not drawn(one(asked, kneo(guarded)))[0].startswith("The patient denies")


SAID = st.lists(
    st.sampled_from(
        [
            *("The patient denies fever.", "He was seen with cough.", "Left knee: rash and cough."),
            *("Continue aspirin 5 mg and return soon.", "Warfarin was held for two days."),
            *("Seen in clinic by the team.", "The pain has worsened since last week."),
        ]
    ),
    max_size=5,
).map(" ".join)
STATED = [
    *("He was seen in clinic with cough", "The left knee has a rash", "The right knee has a rash"),
    *("Continue aspirin 10 mg and return soon", "Continue aspirin and return soon"),
    *("Warfarin was continued for two days", "Warfarin was held by the team", "The pain is better"),
    *("The pain has been worse since Monday", "She was seen in clinic with fever"),
]


@pytest.mark.slow
@settings(max_examples=40)
@given(st.lists(SAID, min_size=1, max_size=4))
def test_no_drawn_neighbour_conflicts_and_no_note_depends_on_the_others(notes: list[str]) -> None:
    texts = [*POOL, *STATED]
    rows = EMBEDDER.embed(texts)
    pool = index.build(rows, texts, [""] * len(texts), rows[:1], ("hash", EMBEDDER.digest))
    made = kneo(KneoPolicy(neighbours=2, min_cosine=0.0), pool)
    queries = [query(text, note_id=str(i)) for i, text in enumerate(notes)]
    results = made.substitute(queries)
    assert results == [made.substitute([asked])[0] for asked in queries]
    for asked, result in zip(queries, results, strict=True):
        for source, theirs in zip(result.sources, drawn(result), strict=True):
            own = read_features(asked.text[slice(*source)])
            assert theirs == DROPPED or not contradicts(own, read_features(theirs), tuple(Guard))


def test_what_is_dropped_in_a_row_leaves_one_mark() -> None:
    text = "Zebras ate a lot here. Gnus ran off at noon.\nOwls sat up all night.\nHome.\n"
    result = one(query(text, "Gnus"), kneo(KneoPolicy(min_cosine=0.9)))
    assert result.text == f"{DROPPED}\nHome.\n"
    assert result.withheld == len(result.sources) == len(result.substituted) == 3
    assert {result.text[a:b] for a, b in result.substituted} == {DROPPED}
