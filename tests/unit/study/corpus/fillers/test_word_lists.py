"""What fillers draw from is whole, in Latin letters, and drawn by the seed alone."""

import random

from deidstream.study.corpus.fillers.fill import read_lists
from deidstream.study.corpus.fillers.word_lists import (
    Lists,
    Pen,
    census_origins,
    faker_origins,
    read_symbols,
    romanise,
)

GRAMMARS = ("fillers.places.txt", "fillers.work.txt", "fillers.numbers.txt")
DRAWN_ELSEWHERE = {"given", "family"}


def pen(seed: int = 1) -> Pen:
    return Pen(random.Random(seed), Lists({}, (), (), ()))


def test_no_symbol_is_told_in_two_files() -> None:
    symbols = [symbol for file in GRAMMARS for symbol in read_symbols(file)]
    assert len(symbols) == len(set(symbols))


def test_every_symbol_that_an_option_asks_for_is_there() -> None:
    words = read_lists().words
    asked = {
        symbol
        for options in words.values()
        for option in options
        for slot in option.replace("}", "{").split("{")[1::2]
        if not slot.startswith("=")
        for symbol in slot.split("|")
    }
    assert asked - DRAWN_ELSEWHERE <= words.keys()


def test_every_symbol_can_be_written() -> None:
    lists = read_lists()
    writer = Pen(random.Random(3), lists)
    assert all(writer.write(symbol) for symbol in lists.words if symbol != "line")


def test_a_pattern_is_written_letter_for_letter() -> None:
    written = pen().code("%#-??_/^*")
    assert len(written) == 9
    assert written[0] in "123456789"
    assert written[3:5].isupper()
    assert written[5].islower()


def test_scripts_that_are_alphabets_become_latin() -> None:
    assert romanise("Щербаков") == "Shcherbakov"
    assert romanise("Παπαδόπουλος") == "Papadopoulos"
    assert romanise("ბერიძე") == "Beridze"
    assert romanise("Հակոբյան") == "Hakobyan"
    assert romanise("Kovács") == "Kovács"


def test_names_are_of_many_peoples() -> None:
    origins = faker_origins()
    assert len(origins) > 60
    assert all(len(origin.given) > 15 and len(origin.family) > 15 for origin in origins)


def test_registers_hold_common_and_rare_names() -> None:
    common, every = census_origins()
    assert "Smith" in common.family
    assert len(every.family) > 80_000


def test_a_value_is_recalled_within_a_note_alone() -> None:
    one = pen()
    first = one.recall("name", "okafor", lambda: one.code("######"))
    assert one.recall("name", "okafor", lambda: "other") == first
    assert pen(2).recall("name", "okafor", lambda: "other") == "other"
