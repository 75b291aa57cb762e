import itertools
import sys
from hashlib import sha256
from pathlib import Path

import faiss
import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from deidstream.models.checked_folder import DIGEST, MANIFEST
from deidstream.models.kneo import index, vector_store
from deidstream.models.kneo.index import Index
from deidstream.models.kneo.index_folder import FILES
from deidstream.models.kneo.vector_store import Storage
from deidstream.models.references.reference_notes import ReferenceNotes, SourceNote
from deidstream.schemas.errors import MissingArtefact
from deidstream.study.pools.source_notes import PoolRows, make_references, number_sentences
from support.embedding import HashEmbedder

EMBEDDER = HashEmbedder(dimension=96)
WORDS = "pain fever cough rash nausea chills ache swelling fatigue cramp".split()  # noqa: SIM905
TEXTS = [" ".join(pair) for pair in itertools.permutations(WORDS, 2)]
ORDERED = [" ".join(three) for three in itertools.combinations(WORDS, 3)]


def built(texts: list[str] = ORDERED) -> Index:
    donors = [f"donor-{i % 7}" if i % 3 else "" for i in range(len(texts))]
    rows = EMBEDDER.embed(texts)
    contexts = EMBEDDER.embed(["seen by today", "lives in with"])
    return index.build(rows, texts, donors, contexts, ("hash", EMBEDDER.digest), notes_of(texts))


def notes_of(texts: list[str]) -> ReferenceNotes:
    """Return one note with the even rows, one with the odd, and one without any."""
    pieces = (tuple(texts[::2]), tuple(texts[1::2]), ("Assessment", "seen by PATIENT"))
    sources = [SourceNote(f"p{i}", each) for i, each in enumerate(pieces)]
    pool = PoolRows(texts, EMBEDDER.embed(texts), number_sentences(texts))
    others = dict(zip(pieces[2], EMBEDDER.embed(pieces[2]), strict=True))
    return make_references(sources, pool, others)


def donors_of(vocabulary: Index) -> list[tuple[str, ...]]:
    return [vocabulary.donors.of(row) for row in range(len(vocabulary.texts))]


def rows_of(found: list[tuple[index.Neighbour, ...]]) -> list[list[int]]:
    return [[neighbour.row for neighbour in near] for near in found]


def test_a_sentence_finds_itself_first() -> None:
    found = built().search(EMBEDDER.embed(ORDERED), 3)
    assert [near[0].row for near in found] == list(range(len(ORDERED)))
    assert all(near[0].cosine == pytest.approx(1.0, abs=1e-3) for near in found)


def test_neighbours_are_the_nearest_by_cosine() -> None:
    rows = EMBEDDER.embed(ORDERED)
    exact = np.sort(rows @ rows.T, axis=1)[:, ::-1][:, :5]
    found = built().search(rows, 5)
    cosines = np.array([[neighbour.cosine for neighbour in near] for near in found])
    assert np.abs(cosines - exact).max() < 2e-3


def test_equal_cosines_come_by_row_number() -> None:
    (near,) = built(TEXTS).search(EMBEDDER.embed(["pain fever"]), 12)
    assert near[0].cosine == near[1].cosine
    assert list(near) == sorted(near, key=lambda n: (-n.cosine, n.row))


def test_ties_at_the_edge_do_not_depend_on_how_many_are_asked() -> None:
    (three,) = built(TEXTS).search(EMBEDDER.embed(["pain fever"]), 1)
    (more,) = built(TEXTS).search(EMBEDDER.embed(["pain fever"]), 9)
    assert three == more[:1]


def test_what_is_less_near_than_asked_is_left_out() -> None:
    queries = EMBEDDER.embed(["pain fever"])
    (near,) = built(TEXTS).search(queries, len(TEXTS))
    least = near[len(near) // 2].cosine
    (cut,) = built(TEXTS).search(queries, len(TEXTS), least)
    assert cut == tuple(one for one in near if one.cosine >= least)
    assert 0 < len(cut) < len(near)


@pytest.mark.slow
def test_results_do_not_depend_on_the_queries_beside() -> None:
    vocabulary = built()
    queries = EMBEDDER.embed(TEXTS)
    together = vocabulary.search(queries, 7)
    assert together == [vocabulary.search(queries[i : i + 1], 7)[0] for i in range(len(queries))]


def many(count: int, dimension: int) -> NDArray[np.float32]:
    rows = np.random.default_rng(5).normal(size=(count, dimension)).astype(np.float32)
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


@pytest.mark.slow
def test_the_compressed_type_agrees_with_the_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = many(3_000, 96)
    texts = [str(i) for i in range(len(rows))]
    parts = (texts, [""] * len(rows), rows[:1], ("hash", "d"))
    exact = index.build(rows, *parts)
    monkeypatch.setattr(vector_store, "EXACT_LIMIT", 100)
    compressed = index.build(rows, *parts)
    assert isinstance(compressed.vectors, faiss.IndexRefine)
    queries = many(3_050, 96)[-50:]
    found = compressed.search(queries, 5)
    kept = [len({*a} & {*b}) for a, b in zip(rows_of(found), rows_of(exact.search(queries, 5)))]  # noqa: B905
    # Random directions are harder to tell apart than sentences.
    assert sum(kept) > 0.85 * 5 * len(queries)
    assert found == [compressed.search(queries[i : i + 1], 5)[0] for i in range(len(queries))]


@pytest.mark.parametrize("plan", ["SQfp16", "SQ8", "PQ24x4fs,Refine(SQfp16)"])
def test_parsed_vectors_hold_on_to_their_file(plan: str) -> None:
    made = vector_store.build_vectors(many(3_000, 96), plan)
    content = vector_store.write_vectors(made)
    held = sys.getrefcount(content)
    parsed = vector_store.parse_vectors(content)
    assert sys.getrefcount(content) > held
    del content
    filled = [bytes([n % 256]) * made.ntotal * 96 * 2 for n in range(20)]
    queries = many(3_050, 96)[-50:]
    found = [*vector_store.search_vectors(parsed, queries, 5)]
    assert found == [*vector_store.search_vectors(made, queries, 5)]
    assert len(filled) == 20


def test_the_threads_of_torch_are_left_as_they_were() -> None:
    threads = torch.get_num_threads()
    built().search(EMBEDDER.embed(TEXTS[:2]), 5)
    assert torch.get_num_threads() == threads


def test_large_pools_are_compressed_where_the_dimension_allows() -> None:
    limit = vector_store.EXACT_LIMIT
    assert vector_store.choose_plan(limit, 384) == "SQfp16"
    assert vector_store.choose_plan(limit + 1, 384) == "PQ96x4fs,Refine(SQfp16)"
    assert vector_store.choose_plan(limit + 1, 256) == "PQ64x4fs,Refine(SQfp16)"
    assert vector_store.choose_plan(limit + 1, 102) == "SQfp16"
    assert vector_store.choose_plan(10**6, 384) == "PQ96x4fs,Refine(SQ8)"
    assert vector_store.choose_plan(10**6, 384, Storage.FP16) == "PQ96x4fs,Refine(SQfp16)"
    assert vector_store.choose_plan(10, 384, Storage.INT8) == "SQ8"


def test_fewer_come_where_there_are_fewer() -> None:
    (near,) = built(ORDERED[:3]).search(EMBEDDER.embed(["pain"]), 10)
    assert len(near) == 3


def test_no_query_no_result() -> None:
    assert built().search(np.empty((0, 96), np.float32), 5) == []


@pytest.mark.parametrize(("shape", "count"), [((1, 95), 5), ((96,), 5), ((1, 96), 0)])
def test_a_query_that_does_not_fit_is_refused(shape: tuple[int, ...], count: int) -> None:
    with pytest.raises(ValueError, match="dimension"):
        built().search(np.zeros(shape, np.float32), count)


def test_parts_that_do_not_fit_are_refused() -> None:
    rows = EMBEDDER.embed(["a", "b"])
    with pytest.raises(ValueError, match="fit together"):
        index.build(rows, ["a"], ["", ""], rows, ("hash", "d"))
    with pytest.raises(ValueError, match="line break"):
        index.build(rows, ["a", "secret\n"], ["", ""], rows, ("hash", "d"))
    with pytest.raises(ValueError, match="fit its sentences"):
        index.build(rows[:1], ["a"], [""], rows, ("hash", "d"), notes_of(["a", "b"]))


def test_an_index_may_have_no_notes(tmp_path: Path) -> None:
    rows = EMBEDDER.embed(["a", "b"])
    made = index.build(rows, ["a", "b"], ["", ""], rows, ("hash", EMBEDDER.digest))
    index.save(made, tmp_path)
    assert len(index.load(tmp_path, EMBEDDER.digest).notes) == 0


def test_the_vectors_of_rows_are_those_that_were_stored() -> None:
    vocabulary = built()
    assert np.abs(vocabulary.vectors_of([7, 2]) - EMBEDDER.embed(ORDERED)[[7, 2]]).max() < 1e-3
    assert vocabulary.vectors_of([]).shape == (0, 96)


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    vocabulary = built()
    digest = index.save(vocabulary, tmp_path)
    loaded = index.load(tmp_path, EMBEDDER.digest)
    assert list(loaded.texts) == list(vocabulary.texts) == ORDERED
    assert donors_of(loaded) == donors_of(vocabulary)
    assert (loaded.digest, loaded.facts) == (digest, vocabulary.facts)
    assert np.array_equal(loaded.contexts, vocabulary.contexts)
    assert loaded.notes.donors == ("p0", "p1", "p2")
    assert loaded.notes.salt == vocabulary.notes.salt
    assert np.array_equal(loaded.notes.vectors, vocabulary.notes.vectors)
    for number in range(3):
        rows, words = loaded.notes.rows, loaded.notes.words
        assert np.array_equal(rows.of(number), vocabulary.notes.rows.of(number))
        assert np.array_equal(words.of(number), vocabulary.notes.words.of(number))
    queries = EMBEDDER.embed(TEXTS[:20])
    assert loaded.search(queries, 5) == vocabulary.search(queries, 5)


def test_a_sentence_keeps_all_its_donors(tmp_path: Path) -> None:
    rows = EMBEDDER.embed(["one", "two", "three"])
    made = index.build(rows, ["one", "two", "three"], [("b", "a"), "", "a"], rows, ("hash", "d"))
    index.save(made, tmp_path)
    for each in (made, index.load(tmp_path, "d")):
        assert [{*each.donors.of(row)} for row in range(3)] == [{"a", "b"}, set(), {"a"}]
        assert [each.donors.holds(row, {"b", "x"}) for row in range(3)] == [True, False, False]
        assert sorted(each.donors) == ["a", "b"]


@pytest.mark.parametrize("by", ["this code", "other code"])
def test_features_are_those_of_the_code_in_use(
    tmp_path: Path, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["no fever on the left", "takes 5 mg of aspirin"]
    rows = EMBEDDER.embed(texts)
    made = index.build(rows, texts, ["", ""], rows, ("hash", "d"))
    index.save(made, tmp_path)
    if by == "other code":
        monkeypatch.setattr(index, "features_digest", lambda: "other")
    loaded = index.load(tmp_path, "d")
    assert [loaded.features.row(n) for n in range(2)] == [made.features.row(n) for n in range(2)]


@pytest.mark.parametrize("name", sorted(FILES))
@pytest.mark.parametrize("place", [0, -1])
def test_a_flipped_byte_is_refused(tmp_path: Path, name: str, place: int) -> None:
    index.save(built(), tmp_path)
    content = bytearray((tmp_path / name).read_bytes())
    content[place] ^= 1
    (tmp_path / name).write_bytes(content)
    with pytest.raises(MissingArtefact, match=name):
        index.load(tmp_path, EMBEDDER.digest)


def test_nothing_is_parsed_before_its_checksum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.save(built(), tmp_path)
    (tmp_path / "donors.txt").write_bytes(b"")

    def parsed(_: object) -> None:
        pytest.fail("faiss read an index of a folder that does not match")

    monkeypatch.setattr(faiss, "deserialize_index", parsed)
    with pytest.raises(MissingArtefact):
        index.load(tmp_path, EMBEDDER.digest)


def test_another_embedder_is_refused(tmp_path: Path) -> None:
    index.save(built(), tmp_path)
    with pytest.raises(MissingArtefact, match="embedder"):
        index.load(tmp_path, "another")


def test_counts_that_differ_from_the_manifest_are_refused(tmp_path: Path) -> None:
    index.save(built(ORDERED[:5]), tmp_path / "a")
    index.save(built(ORDERED[:6]), tmp_path / "b")
    text = (tmp_path / "b" / MANIFEST).read_text().replace('"sentences": 6', '"sentences": 5')
    (tmp_path / "b" / MANIFEST).write_text(text)
    (tmp_path / "b" / DIGEST).write_text(sha256(text.encode()).hexdigest())
    with pytest.raises(MissingArtefact, match="fit"):
        index.load(tmp_path / "b", EMBEDDER.digest)
