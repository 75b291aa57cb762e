"""An index of a hundred short notes about organs, and notes like them, for laws of KNEO."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product

from deidstream.models.keyring import Keyring
from deidstream.models.kneo import index
from deidstream.models.kneo.index import Index
from deidstream.models.kneo.kneo_query import KneoQuery
from deidstream.models.kneo.sentence_kneo import SentenceKneo
from deidstream.models.references.reference_notes import SourceNote
from deidstream.schemas.kneo_policy import KneoPolicy, OnUndeniable, OtherLines
from deidstream.study.pools.source_notes import PoolRows, make_references, number_sentences
from support.embedding import HashEmbedder

EMBEDDER = HashEmbedder(dimension=64)
KEYRING = Keyring(b"k" * 32, 1, "default")
ORGANS = "heart liver spleen kidney retina tongue ankle wrist thumb scalp".split()  # noqa: SIM905
FINDINGS = (
    *("was tender on", "was enlarged on", "was quite normal on", "was without change on"),
    *("seemed stable on", "looked pale on", "moved freely on", "was swollen on"),
)
TESTS = ("examination", "imaging", "inspection")
SENTENCES = tuple(
    f"The {organ} {finding} {test} today."
    for organ, finding, test in product(ORGANS, FINDINGS, TESTS)
)
KINDS = ("progress note", "discharge summary", "letter", None)
POLICY = KneoPolicy(
    neighbours=1,
    min_cosine=0.0,
    guards=(),
    donors=1,
    donors_among=10,
    same_type=False,
    other_lines=OtherLines.DROP,
    on_undeniable=OnUndeniable.EMIT,
)


def pieces_of(number: int) -> tuple[str, ...]:
    """The lines of note ``number``: twelve sentences, mostly about two organs, and a heading."""
    first, second = number % 10, (number // 10 + 3) % 10
    places = [24 * first + (5 * number + k) % 24 for k in range(6)]
    places += [24 * second + (7 * number + k) % 24 for k in range(6)]
    return ("PLAN", *(SENTENCES[place] for place in dict.fromkeys(places)))


@cache
def noted_index(count: int = 100) -> Index:
    """An index of notes, each of a patient of its own."""
    notes = [SourceNote(f"p{i}", pieces_of(i), KINDS[i % 4]) for i in range(count)]
    rows = EMBEDDER.embed(SENTENCES)
    pool = PoolRows(SENTENCES, rows, number_sentences(SENTENCES))
    (plan,) = EMBEDDER.embed(["PLAN"])
    made = make_references(notes, pool, {"PLAN": plan})
    given: list[set[str]] = [set() for _ in SENTENCES]
    for number, note in enumerate(notes):
        for row in made.rows.of(number).tolist():
            given[row].add(note.donor)
    return index.build(rows, SENTENCES, given, rows[:1], ("hash", EMBEDDER.digest), made)


def query(lines: Sequence[str], **changes: object) -> KneoQuery:
    """A note of lines, by a patient who is not in the index."""
    text = "\n".join(lines) + "\n"
    plain = KneoQuery(text, (), "note-1", frozenset({"me"}), KEYRING, lambda _: False)
    return replace(plain, **changes)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def kneo(policy: KneoPolicy = POLICY, pool: Index | None = None) -> SentenceKneo:
    """Sentence KNEO over the index."""
    return SentenceKneo(pool or noted_index(), EMBEDDER, policy)
