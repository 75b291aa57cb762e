"""SyR, and the synonyms that it draws from."""

import random
from pathlib import Path

import pytest

from deidstream.schemas.errors import MissingArtefact
from deidstream.study.techniques.replace_synonyms import ReplaceSynonyms, replace_synonyms
from deidstream.study.techniques.synonyms import group_synonyms, read_own_synonyms, read_wordnet
from support.study_notes import study_note

SYNONYMS = group_synonyms([["pain", "ache"], ["large", "big", "great"], ["big", "grown"]])


def test_every_word_with_a_synonym_changes_and_keeps_its_capitals() -> None:
    text = "Pain is in the BIG toe: large toe."
    replaced = replace_synonyms(text, 100, {"pain": ("ache",), "big": ("grown",)}, random.Random(1))
    assert replaced == "Ache is in the GROWN toe: large toe."


def test_stop_words_and_numbers_stay() -> None:
    assert (
        replace_synonyms("the 2", 100, {"the": ("a",), "2": ("two",)}, random.Random(1)) == "the 2"
    )


def test_a_share_of_the_words_is_chosen() -> None:
    text = "pain " * 10
    replaced = replace_synonyms(text, 20, SYNONYMS, random.Random(1))
    assert replaced.split().count("ache") == 2


def test_synonyms_of_all_sets_count_and_no_word_is_its_own() -> None:
    assert SYNONYMS == {
        "pain": ("ache",),
        "ache": ("pain",),
        "large": ("big", "great"),
        "great": ("big", "large"),
        "big": ("great", "grown", "large"),
        "grown": ("big",),
    }


def test_our_own_table_can_be_read() -> None:
    table = read_own_synonyms()
    assert "soreness" in table["pain"]
    assert all(word not in others for word, others in table.items())
    assert next(ReplaceSynonyms(100, 1, table).anonymize([study_note("zyx")])).text == "zyx"


WORDNET = """  1 This software and database is being provided to you, the LICENSEE
14323683 26 n 03 ache 0 aching 0 dull_ache 1 001 @ 14322699 n 0000 | a dull persistent pain
00001740 00 a 02 able(p) 0 capable 1 000 | having the means
"""


def test_data_files_of_wordnet_are_read(tmp_path: Path) -> None:
    (tmp_path / "data.noun").write_text(WORDNET)
    for name in ("data.verb", "data.adj", "data.adv"):
        (tmp_path / name).write_text("")
    assert read_wordnet(tmp_path) == {
        "ache": ("aching",),
        "aching": ("ache",),
        "able": ("capable",),
        "capable": ("able",),
    }


def test_another_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingArtefact, match="no folder of WordNet"):
        read_wordnet(tmp_path)
    for name in ("data.noun", "data.verb", "data.adj", "data.adv"):
        (tmp_path / name).write_text("not of WordNet\n")
    with pytest.raises(MissingArtefact, match="no folder of WordNet"):
        read_wordnet(tmp_path)
