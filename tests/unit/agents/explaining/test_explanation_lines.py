"""An explanation is said in lines that a terminal can show, and in JSON that a program can read."""

import json
from dataclasses import replace

import pytest

from deidstream.agents.explaining.explanation_lines import name_place, say_ending, say_place
from deidstream.agents.explaining.print_explanation import encode_explanation, print_explanation
from deidstream.models.explanation.explained_note import (
    DrawReason,
    ExplainedNote,
    ExplainedPlace,
    PlaceEnd,
)
from deidstream.schemas.kneo_report import DeniabilityReport, KneoReport
from deidstream.schemas.note import KnownIdentifiers, NoteStatus, RawNote
from support.explaining import explained

TEXT = "Mr. Quentin Vanterpool was seen on 03/04/2024 with Sara Stedy. Address: 4 Main St, Tele."


@pytest.fixture(scope="module")
def note() -> ExplainedNote:
    return explained(TEXT)


def test_the_way_of_a_village_that_came_out_of_tele_is_said(note: ExplainedNote) -> None:
    (place,) = [one for one in note.places if "Tele" in one.text]
    (one,) = place.replacements
    lines = say_place(note, place)
    said = dict(lines)
    score = f"{one.span.score:.3f}"
    assert name_place(place) == f"[72, 87) STREET {score} '4 Main St, Tele' -> {one.text!r}"
    assert ("reported", "STREET 0.700 rules:address.line '4 Main St, Tele'") in lines
    assert "from namesakes with" in said["piece"]
    assert said["piece"].endswith("the same wherever this patient has place.name 'tele'")


def test_a_report_of_a_term_that_is_no_phi_by_itself_is_said_to_be_dropped(
    note: ExplainedNote,
) -> None:
    (place,) = [one for one in note.places if one.text == "Sara"]
    dropped = dict(say_place(note, place))["not-phi"]
    assert dropped.endswith("'Sara Stedy' (on the built-in list of clinical terms)")


def test_no_line_is_wider_than_a_terminal_and_none_holds_a_sign_that_moves_its_cursor() -> None:
    text = TEXT.replace("Quentin ", "Quentin\x1b[2J ").replace("Main", "Main\u202e")
    printed = print_explanation(explained(text))
    assert max(map(len, printed.splitlines())) <= 100
    assert all(sign.isprintable() for sign in printed.replace("\n", ""))
    assert "Vanterpool" in printed


def test_a_long_text_is_cut_in_its_middle() -> None:
    place = ExplainedPlace(0, 90, "x" * 45 + "y" * 45, PlaceEnd.UNREPORTED, (), (), (), ())
    assert f"'{'x' * 30}…{'y' * 30}'" in name_place(place)
    assert name_place(place).endswith("stays in the text, as no recognizer reported it")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (RawNote("n", "p", TEXT), "emitted, risk "),
        (RawNote("n", "p", " "), "held back at decode, EMPTY_TEXT: There is no text"),
        (RawNote("n", "p", "", status=NoteStatus.CANCELLED), "taken back by its sender"),
        (
            RawNote("n", "p", f"{TEXT} Vanterpool.", known=KnownIdentifiers(("Vanterpool",))),
            "held back at verify, LEAK_DETECTED: The verifier found an original",
        ),
    ],
)
def test_the_ending_of_a_note_is_said(given: RawNote, said: str) -> None:
    note = explained(given)
    assert say_ending(note).startswith(said)
    assert say_ending(note) in print_explanation(note).replace("\n  ", " ")


def test_kneo_is_said_of_the_whole_note(note: ExplainedNote) -> None:
    report = KneoReport(9, 5, {"heading": 3}, 1, deniability=DeniabilityReport(5, 7, 6, 90, 1))
    printed = print_explanation(replace(note, kneo=report))
    assert "  kneo       5 of 9 sentences or words were replaced, 3 heading kept, 1 with" in printed
    assert "6 of deniability 5" in printed


@pytest.mark.parametrize("reason", DrawReason)
def test_every_reason_of_a_draw_is_said(note: ExplainedNote, reason: DrawReason) -> None:
    place = note.places[0]
    (one,) = place.replacements
    piece = one.pieces[0]
    assert piece.draw is not None
    later = replace(piece, draw=replace(piece.draw, number=4, reason=reason))
    told = dict(say_place(note, replace(place, replacements=(replace(one, pieces=(later,)),))))
    assert "draw 5, " in told["piece"]


def test_another_operator_than_the_policy_names_is_said(note: ExplainedNote) -> None:
    place = note.places[0]
    (one,) = place.replacements
    for change, said in (
        ({"doubtful": True, "operator": "redact"}, "not surrogate: "),
        ({"labelled": True}, "the label of what cannot be replaced"),
        ({}, "as the policy says for PATIENT"),
    ):
        changed = replace(place, replacements=(replace(one, **change),))
        assert said in dict(say_place(note, changed))["operator"]
    exchanged = replace(place, replacements=(replace(one, exchanged=True),))
    assert "kneo" in dict(say_place(note, exchanged))


def test_json_has_every_place_with_its_decisions(note: ExplainedNote) -> None:
    (line,) = encode_explanation(note).splitlines()
    read = json.loads(line)
    assert (read["schema"], read["note_id"]) == (1, "n")
    assert read["outcome"]["emitted"] is True
    assert read["outcome"]["policy"] == "surrogate"
    assert [place["text"] for place in read["places"]] == [one.text for one in note.places]
    *_, hoist, last = read["places"]
    assert hoist["decisions"][0]["decision"] == "not-phi"
    assert last["replacements"][0]["pieces"][-1]["draw"]["value"] == "tele"


def test_json_says_why_a_note_is_held_back() -> None:
    read = json.loads(encode_explanation(explained(RawNote("n", "p", " "))))
    assert read["outcome"] == {
        "emitted": False,
        "reason": "EMPTY_TEXT",
        "stage": "decode",
        "leak": None,
    }
    taken_back = RawNote("n", "p", "", status=NoteStatus.CANCELLED)
    assert json.loads(encode_explanation(explained(taken_back)))["outcome"] == {
        "emitted": False,
        "status": "cancelled",
    }


def test_a_span_that_covers_others_is_said_and_so_are_the_forms_of_a_name() -> None:
    note = explained("Mr. Gregory Foust left.")
    (place,) = note.places
    lines = say_place(note, place)
    (covers,) = [text for about, text in lines if about == "reconciled"]
    assert covers.startswith("PATIENT 0.900 rules:name.titled 'Gregory Foust' covers PATIENT")
    pieces = [text for about, text in lines if about == "piece"]
    (one,) = place.replacements
    forms = [piece.draw.surrogate.split() for piece in one.pieces if piece.draw]
    for text, each in zip(pieces, forms, strict=True):
        assert " or ".join(map(repr, each)) in text
