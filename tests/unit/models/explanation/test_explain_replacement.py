"""A replacement is explained by its operator, its pieces, their pools and the number of a draw."""

import re
from dataclasses import replace

import pytest

from deidstream.models.explanation.explained_note import (
    DrawReason,
    ExplainedDraw,
    ExplainedPiece,
    ExplainedReplacement,
)
from deidstream.models.operators.table import operators
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.surrogates.allocation import PROBES
from deidstream.models.surrogates.replacer import Replacer
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName, RecognizerName, Scope
from support.explaining import replacements
from support.vault import ROOT, World, detected, replacer

NAMES = "Keith Kevin Kyle Kurt Karl Kent Kirk Kelvin Kris Kasey Kerry Kory Kermit"


def explain(label: PhiLabel, text: str, made: Replacer | None = None) -> ExplainedReplacement:
    """How the only span of a note is replaced."""
    ((one,),) = replacements(World(), made or replacer(), [detected([(label, text)])])
    return one


def drawn(pieces: tuple[ExplainedPiece, ...]) -> list[ExplainedDraw]:
    return [piece.draw for piece in pieces if piece.draw is not None]


def shipped(name: str) -> Replacer:
    policy = read_shipped_policy(name)
    return Replacer(policy, operators(policy), ROOT, 1)


def test_the_words_of_a_street_are_drawn_from_the_list_they_are_on() -> None:
    one = explain(PhiLabel.STREET, "4 Main St, Tele")
    assert [(piece.text, piece.role) for piece in one.pieces] == [
        ("4", "code"),
        ("Main", "proper"),
        ("St", "kept"),
        ("Tele", "proper"),
    ]
    assert one.pieces[2].draw is None
    number, main, tele = drawn(one.pieces)
    assert number.kind == "place.code"
    assert re.fullmatch(r"streets with [A-Z], places\.classes\.txt", main.pool)
    assert re.fullmatch(r"namesakes with [A-Z], places\.towns\.txt", tele.pool)
    assert (tele.value, tele.scope, tele.number, tele.reason) == (
        "tele",
        Scope.PATIENT,
        0,
        DrawReason.FIRST,
    )
    assert one.text == f"{number.surrogate} {main.surrogate} St, {tele.surrogate}"


def test_a_name_says_its_people_and_a_short_form_its_name() -> None:
    one = explain(PhiLabel.PATIENT, "Dr. Jon Vanterpool, J.V.")
    given, family, letters = (drawn(one.pieces)[place] for place in (0, 1, 2))
    assert (given.kind, given.value) == ("name.given", "jonathan")
    assert re.fullmatch(r"given names of men with [A-Z], english", given.pool)
    assert re.fullmatch(r"surnames with [A-Z], english", family.pool)
    assert letters.pool == "the scope's table of initials of names"
    assert {piece.role for piece in one.pieces} == {"kept", "name", "initials"}


@pytest.mark.parametrize(
    ("label", "text", "kind", "pool"),
    [
        (PhiLabel.CITY, "Boston", "region.CITY", r"cities of US\.[A-Z]{2}, places\.cities\.txt"),
        (PhiLabel.CITY, "Quenbyhole", "region.CITY", r"towns, places\.towns\.txt"),
        (PhiLabel.STATE, "Ohio", "region.STATE", "states of the country.*"),
        (PhiLabel.HOSPITAL, "St. Mary Hospital", "place.saint", r"saints, places\.classes\.txt"),
        (PhiLabel.HOSPITAL, "Corran Creek Hospital", "place.terrain", "features.*"),
        (PhiLabel.PHONE, "419-555-0137", "phone", "numbers of its numbering plan.*"),
        (PhiLabel.MEDICALRECORD, "MRN 551-123", "id.number", "letters and digits of the same.*"),
        (PhiLabel.SSN, "078-05-1120", "id.SSN.front", "areas in which no number is issued"),
        (PhiLabel.DATE, "03/04/2024", "date.shift", "days by which all dates.*"),
        (PhiLabel.PROFESSION, "plumber", "profession", r"professions\.txt"),
        (PhiLabel.EMAIL, "ada@quill.example", "contact.domain", "domains reserved.*"),
        (PhiLabel.ZIP, "02115-1234", "id.ZIP", "postcodes of the state.*"),
    ],
)
def test_an_identity_says_what_it_is_drawn_from(
    label: PhiLabel, text: str, kind: str, pool: str
) -> None:
    one = explain(label, text)
    draws = {each.kind: each for each in drawn(one.pieces)}
    assert re.fullmatch(pool, draws[kind].pool)


def test_a_token_is_drawn_by_the_key() -> None:
    policy = replace(
        read_shipped_policy("surrogate"),
        operators={**read_shipped_policy("surrogate").operators, PhiLabel.IDNUM: OperatorName.HASH},
    )
    one = explain(PhiLabel.IDNUM, "5512873", Replacer(policy, operators(policy), ROOT, 1))
    assert one.operator == "hash"
    assert [draw.pool for draw in drawn(one.pieces)] == ["tokens of the key"]


def test_another_draw_is_taken_if_others_have_the_earlier_ones() -> None:
    notes = [detected([(PhiLabel.PATIENT, name)], number=n) for n, name in enumerate(NAMES.split())]
    found = [one for (one,) in replacements(World(), replacer(), notes)]
    draws = [draw for one in found for draw in drawn(one.pieces)]
    later = [draw for draw in draws if draw.number]
    assert later
    assert {draw.reason for draw in later} == {DrawReason.NEXT}
    assert len({draw.surrogate for draw in draws}) == len(draws)


def test_the_last_draw_is_shared_if_the_pool_is_exhausted() -> None:
    numbers = [(PhiLabel.PHONE, f"{201 + n}-{n * 37:04d}") for n in range(99)]
    notes = [detected([one], number=number) for number, one in enumerate(numbers)]
    found = [one for (one,) in replacements(World(), replacer(), notes)]
    shared = [d for one in found for d in drawn(one.pieces) if d.reason is DrawReason.SHARED]
    assert shared
    assert {draw.number for draw in shared} == {PROBES}


def test_a_surrogate_gives_way_to_an_original_of_the_note() -> None:
    name, world = (PhiLabel.PATIENT, "Vanterpool"), World()
    ((first,),) = replacements(world, replacer(), [detected([name])])
    meeting = detected([name, (PhiLabel.DOCTOR, first.text)], number=2)
    ((one, _),) = replacements(world, replacer(), [meeting])
    (draw,) = drawn(one.pieces)
    assert draw.number > PROBES
    assert draw.reason is DrawReason.REDRAWN


def test_in_a_scope_within_the_note_a_surrogate_gives_way_too() -> None:
    numbers = [(PhiLabel.PHONE, f"{201 + n}-{n * 37:04d}") for n in range(40)]
    made = replacer(None, {PhiLabel.PHONE: Scope.DOCUMENT})
    (found,) = replacements(World(), made, [detected(numbers)])
    draws = [draw for one in found for draw in drawn(one.pieces)]
    assert {draw.scope for draw in draws} == {Scope.DOCUMENT}
    assert {draw.reason for draw in draws} == {DrawReason.FIRST, DrawReason.REDRAWN}


def test_a_doubtful_span_says_which_operator_did_not_run() -> None:
    policy = replace(
        read_shipped_policy("surrogate"), recognizers=frozenset({RecognizerName.TAGGER})
    )
    note = detected([(PhiLabel.PATIENT, "Vanterpool")])
    doubtful = replace(note, spans=tuple(span.scored(0.6) for span in note.spans))
    ((one,),) = replacements(World(), Replacer(policy, operators(policy), ROOT, 1), [doubtful])
    assert (one.operator, one.named, one.doubtful) == ("redact", OperatorName.SURROGATE, True)
    assert one.pieces == ()


def test_what_cannot_be_read_says_that_its_label_stands_there() -> None:
    one = explain(PhiLabel.DATE, "Foo 99")
    assert (one.text, one.labelled, one.doubtful) == ("[DATE]", True, False)
    assert not explain(PhiLabel.DATE, "03/04/2024").labelled
    assert not explain(PhiLabel.PATIENT, "Vanterpool", shipped("redact")).labelled


def test_surrogates_drawn_at_random_are_explained_by_their_seeds() -> None:
    seeds = iter(bytes([n]) * 32 for n in range(200))
    one = explain(PhiLabel.PATIENT, "Quentin Vanterpool", replacer(lambda: next(seeds)))
    given, family = drawn(one.pieces)
    assert one.text == f"{given.surrogate.split()[0]} {family.surrogate}"


def test_nothing_of_the_note_is_in_a_repr() -> None:
    one = explain(PhiLabel.STREET, "4 Main St, Vanterpool")
    assert all(word not in repr(one) for word in ("Main", "Vanterpool", one.text))
