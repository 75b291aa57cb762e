"""Another language than English is identified by strong evidence alone."""

import base64
import random
import time
import unicodedata
from pathlib import Path

import pycld2
import pytest

from deidstream.models.text.language import LONGEST_READ, identify_language
from deidstream.schemas.languages import ENGLISH, UNDETERMINED, is_other_language
from deidstream.study.corpus.marked import read_folder

ROOT = Path(__file__).parents[4]
FOLDER = ROOT / "tests" / "languages"


def read_notes(name: str) -> list[str]:
    return (FOLDER / f"{name}.txt").read_text("utf-8").split("====\n")


NOTES = [
    (file.stem, number, text)
    for file in sorted(FOLDER.glob("??.txt"))
    for number, text in enumerate(read_notes(file.stem))
]
UNSURE = {("de", 5), ("de", 6), ("es", 3), ("pt", 3)}
"""Too short without their nouns, or in capitals without accents."""
LABS = "Na 138 K 4.2 Cl 101 HCO3 24 BUN 14 Cr 0.9 Ca 9.1 Mg 2.0 Alb 4.0 AST 22 ALT 18 Hgb 13.2 "
ENGLISH_NOTES = [
    *read_notes("english"),
    LABS * 6,
    base64.b64encode(random.Random(1).randbytes(900)).decode(),
    "acgtgactgacctgatcgatcgtagctagcatcgatcagctagctagcatcgatgctagcta " * 9,
]


@pytest.mark.parametrize(("language", "number", "text"), NOTES)
def test_notes_in_other_languages(language: str, number: int, text: str) -> None:
    unsure = (language, number) in UNSURE
    assert identify_language(text) in ({ENGLISH, UNDETERMINED} if unsure else {language})


@pytest.mark.parametrize("text", ENGLISH_NOTES)
def test_english_is_never_another_language(text: str) -> None:
    assert not is_other_language(identify_language(text))


@pytest.mark.parametrize("folder", ["styles", "notes"])
def test_no_text_of_the_training_is_another_language(folder: str) -> None:
    found = {
        each.note.note_id: identify_language(each.note.text)
        for each in read_folder(ROOT / "training" / folder)
    }
    assert len(found) > 200
    assert {name: code for name, code in found.items() if is_other_language(code)} == {}


@pytest.mark.parametrize("text", read_notes("half_translated"))
def test_a_half_translated_note_is_english(text: str) -> None:
    assert identify_language(text) == ENGLISH


def test_accents_may_be_written_apart() -> None:
    _, _, text = next(note for note in NOTES if note[0] == "fr")
    assert identify_language(unicodedata.normalize("NFD", text)) == "fr"


def test_a_long_note_is_judged_by_slices_from_all_over_it() -> None:
    spanish = "\n".join(text for language, _, text in NOTES if language == "es")
    english = ENGLISH_NOTES[3]
    assert identify_language(spanish * 9) == "es"
    assert identify_language(english * 40 + spanish * 9) == ENGLISH
    assert identify_language(spanish * 3 + english * 90 + spanish) == ENGLISH


@pytest.mark.parametrize(
    "part", ["a", "a ", "é", "e\u0301", "\u0301", "汉", "<b>", "\ufdfa", "Aa1"]
)
def test_the_time_does_not_grow_with_the_note(part: str) -> None:
    def seconds(size: int) -> float:
        text = (part * size)[:size]
        times = []
        for _ in range(5):
            start = time.thread_time()
            identify_language(text)
            times.append(time.thread_time() - start)
        return min(times)

    seconds(LONGEST_READ)
    assert seconds(900_000) < 10 * seconds(LONGEST_READ) + 0.01


@pytest.mark.parametrize("size", [300, LONGEST_READ, 900_000])
@pytest.mark.parametrize(
    "part",
    ["a\x00b ", "\ud800é ", "\U0001d15e", "\ufb2c ", "<b>x ", "\u202eabc ", "𐍈", "İ", "汉"],
)
def test_the_library_reads_few_bytes_and_only_letters_and_blanks(
    part: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[bytes] = []

    def detect(prose: bytes, **_: object) -> tuple[bool, int, tuple[object, ...]]:
        given.append(prose)
        return True, len(prose), ()

    monkeypatch.setattr(pycld2, "detect", detect)
    identify_language((part * size)[:size])
    for prose in given:
        assert len(prose) <= 4 * (LONGEST_READ + 4)
        # The dot is what is left of a capital I with one, in small letters.
        assert all(one.isalpha() or one in " \u0307" for one in prose.decode())


@pytest.mark.parametrize("text", ["", " \n", "1234 / 5678", "Stable.", "\ud800", "ok " * 30])
def test_too_little_prose_to_say(text: str) -> None:
    assert identify_language(text) == UNDETERMINED
