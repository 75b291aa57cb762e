"""Surrogates are kept apart within their note."""

from deidstream.models.keyring import canonical
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import Scope
from support.vault import World, detected, lines, replacer

NAME = (PhiLabel.PATIENT, "Vanterpool")


def test_a_surrogate_that_turns_up_as_an_original_gives_way_in_that_note_alone() -> None:
    world, made = World(), replacer()
    note = detected([NAME])
    (stands,) = lines(world.write(made, [note])[0])
    meeting = detected([NAME, (PhiLabel.DOCTOR, stands)], number=2)
    written = world.write(made, [meeting])[0]
    other, doctor = lines(written)
    assert canonical(other) not in {canonical(stands), canonical(doctor), "vanterpool"}
    assert written.displaced == 1
    assert world.write(made, [meeting])[0].text == written.text
    assert lines(world.write(made, [note])[0]) == [stands]


def test_no_surrogate_holds_a_city_of_the_note() -> None:
    world, made = World(), replacer()
    town = (PhiLabel.CITY, "Upper Corran")
    (stands,) = lines(world.write(made, [detected([town])])[0])
    city = stands.split(" ")[-1]
    written = world.write(made, [detected([town, (PhiLabel.CITY, city)], number=2)])[0]
    assert city not in lines(written)[0].split(" ")
    assert lines(world.write(made, [detected([town])])[0]) == [stands]


def test_no_word_of_the_landscape_stands_where_somebody_is_called_by_it() -> None:
    world, made = World(), replacer()
    clinic = (PhiLabel.HOSPITAL, "Dry Creek Hospital")
    (stands,) = lines(world.write(made, [detected([clinic])])[0])
    lake = stands.split(" ")[-2]
    written = world.write(made, [detected([clinic, (PhiLabel.DOCTOR, lake)], number=2)])[0]
    assert lake not in lines(written)[0].split(" ")
    assert len(lines(written)[0].split(" ")) == len(stands.split(" "))


def test_forty_numbers_of_a_document_are_told_apart_though_there_are_a_hundred() -> None:
    numbers = [(PhiLabel.PHONE, f"{201 + n}-{n * 37:04d}") for n in range(40)]
    made = replacer(None, {PhiLabel.PHONE: Scope.DOCUMENT})
    written = World().write(made, [detected(numbers)])[0]
    assert len(set(lines(written))) == len(numbers)
    assert written.displaced == 0


def test_two_mentions_that_are_drawn_anew_do_not_give_way_to_each_other() -> None:
    numbers = [(PhiLabel.PHONE, f"{201 + n}-{n * 37:04d}") for n in range(40)]
    made = replacer(None, {PhiLabel.PHONE: Scope.MENTION})
    alone = [lines(World().write(made, [detected(numbers[:1])])[0])[0]]
    assert lines(World().write(made, [detected(numbers)])[0])[:1] == alone
