"""Sentence KNEO on pools with slots, and on pools that hold the very notes that are rewritten."""

from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.keyring import Keyring
from deidstream.models.kneo import index
from deidstream.models.kneo.index import Index
from deidstream.models.kneo.kneo_query import KneoQuery, KneoResult
from deidstream.models.kneo.sentence_kneo import SentenceKneo
from deidstream.models.kneo.slots import write_bare
from deidstream.schemas.kneo_policy import KneoPolicy, Otherwise
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Replacement, Span
from deidstream.study.pools.pool import choose_pool
from support.embedding import HashEmbedder

EMBEDDER = HashEmbedder()
KEYRING = Keyring(b"k" * 32, 1, "default")
ANYTHING = KneoPolicy(min_cosine=0.0, guards=(), otherwise=Otherwise.KEEP)
TEXT = "Seen in clinic by Ada Lane on 3/4/2019 for rest. She is well."
SURROGATES = {"Ada Lane": PhiLabel.DOCTOR, "3/4/2019": PhiLabel.DATE}


def vocabulary(texts: list[str], donors: list[tuple[str, ...]] | None = None) -> Index:
    rows = EMBEDDER.embed([*map(write_bare, texts)])
    named = donors or [() for _ in texts]
    return index.build(rows, texts, named, rows[:1], ("hash", EMBEDDER.digest))


def rewrite(pool: Index, text: str = TEXT, patient: str = "p", **changes: object) -> KneoResult:
    landed = [
        Replacement(Span(900 + n, 910 + n, label), name, "surrogate", start, start + len(name))
        for n, (name, label) in enumerate(SURROGATES.items())
        if (start := text.find(name)) >= 0
    ]
    query = KneoQuery(text, tuple(landed), "note-1", frozenset({patient}), KEYRING, lambda _: False)
    policy = KneoPolicy(**{"min_cosine": 0.0, "guards": (), "otherwise": Otherwise.KEEP} | changes)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return SentenceKneo(pool, EMBEDDER, policy).substitute([query])[0]


def test_slots_are_filled_with_the_surrogates_of_the_replaced_sentence() -> None:
    result = rewrite(vocabulary(["Dr. [DOCTOR] saw him on [DATE] in clinic for tests"]))
    assert result.text.startswith("Dr. Ada Lane saw him on 3/4/2019 in clinic for tests ")
    landed = [
        (one.span.label, result.text[one.out_start : one.out_end]) for one in result.replacements
    ]
    assert landed == [(PhiLabel.DOCTOR, "Ada Lane"), (PhiLabel.DATE, "3/4/2019")]


def test_a_sentence_whose_slots_cannot_be_filled_is_passed_over() -> None:
    pool = [
        "On [DATE] he went to [HOSPITAL] for tests",
        "[DOCTOR] and [DOCTOR] went for tests",
        # In the replaced sentence the doctor stands first, and replacements keep their order.
        "On [DATE] he went to [DOCTOR] for tests",
    ]
    assert rewrite(vocabulary(pool)).text == TEXT
    assert rewrite(vocabulary([*pool, "She went in for rest and tests"])).text != TEXT


def test_a_filled_sentence_that_is_banned_is_passed_over() -> None:
    pool = vocabulary(["Then Dr. [DOCTOR] went for tests in clinic"])
    query = KneoQuery(
        TEXT,
        (Replacement(Span(900, 908, PhiLabel.DOCTOR), "Ada Lane", "surrogate", 18, 26),),
        "note-1",
        frozenset({"p"}),
        KEYRING,
        lambda text: "Dr. Ada" in text,
    )
    assert SentenceKneo(pool, EMBEDDER, ANYTHING).substitute([query])[0].text == TEXT


WORDS = "pain fever cough rash nausea chills ache swelling fatigue cramp".split()  # noqa: SIM905
sentences = st.lists(st.sampled_from(WORDS), min_size=4, max_size=14).map(
    lambda words: " ".join(words).capitalize() + "."
)


@given(st.lists(st.lists(sentences, min_size=1, max_size=4), min_size=2, max_size=4))
def test_nobody_gets_a_sentence_of_his_own_from_a_pool_of_all_notes(
    written: list[list[str]],
) -> None:
    notes = [RawNote("n", f"p{n}", " ".join(each)) for n, each in enumerate(written)]
    pool = choose_pool(notes, [])
    if not pool.sentences:
        return
    made = vocabulary([s.text for s in pool.sentences], [s.donors for s in pool.sentences])
    for note, own in zip(notes, written, strict=True):
        changes = {"max_cosine": 1.0, "max_jaccard": 1.0}
        result = rewrite(made, note.text, note.patient_id, **changes)
        drawn = {result.text[start:end] for start, end in result.substituted}
        assert drawn.isdisjoint(own)
