import lzma
from pathlib import Path

import pytest

from deidstream.schemas.errors import MissingArtefact
from deidstream.study.rivals.crf import ConditionalRandomField, TaggedTokens, describe_tokens
from deidstream.study.utility.entity_task import measure_entity_drop, read_tagged

DISEASES = ("ataxia", "gout", "asthma", "measles", "scurvy", "lupus")
HEALTHY = ("joy", "rain", "snow", "trees", "birds", "light")


def sentences(count: int = 60) -> list[TaggedTokens]:
    made: list[TaggedTokens] = []
    for n in range(count):
        seen, tag = (DISEASES[n % 6], "B-Disease") if n % 2 else (HEALTHY[n % 6], "O")
        made.append(TaggedTokens(("We", "saw", seen, "in", f"case{n}"), ("O", "O", tag, "O", "O")))
    return made


def test_a_field_finds_what_it_has_learned() -> None:
    model = ConditionalRandomField.train(sentences())
    assert model.tag(("They", "saw", "gout", "in", "mice")) == ["O", "O", "B-Disease", "O", "O"]


def test_lists_are_features_of_a_word_and_its_neighbours() -> None:
    described = describe_tokens(("Dr", "Lane"), {"surname": frozenset({"lane"})})
    assert "list=surname" in described[1]
    assert "1:list=surname" in described[0]
    assert "-1:edge" in described[0]


def test_exchanged_words_teach_less() -> None:
    train, test = sentences(), sentences(6)
    kept = measure_entity_drop(train, test, lambda words: words, (0, 1))
    assert kept.differences == (0.0, 0.0)
    lost = measure_entity_drop(train, test, lambda words: ["x"] * len(words), (0, 1))
    assert max(lost.anonymized) < min(lost.plain)


def test_a_corpus_is_read_by_sentences(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv.xz"
    path.write_bytes(lzma.compress(b"We\tO\nsaw\tO\ngout\tB-Disease\n\nAll\tO\n"))
    assert [(one.words, one.tags) for one in read_tagged(path)] == [
        (("We", "saw", "gout"), ("O", "O", "B-Disease")),
        (("All",), ("O",)),
    ]
    path.write_bytes(b"no such thing")
    with pytest.raises(MissingArtefact, match="no tagged sentences"):
        read_tagged(path)
