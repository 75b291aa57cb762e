"""The parts of an evaluation: excerpts, tables, and notes that cannot be detected."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import orjson
import pytest

from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.runtime.terminal import align_columns
from deidstream.models.operators.table import operators
from deidstream.models.surrogates.replacer import Replacer
from deidstream.schemas.errors import InvalidSpan, Refused, Stage
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Replacement, Span
from deidstream.study.evaluation.evaluation import NoteMistake, evaluate
from deidstream.study.evaluation.reports import ExcerptPart, excerpt, write_errors
from deidstream.study.evaluation.run_evaluation import write_surrogates
from deidstream.study.evaluation.tables import (
    agreement_rows,
    interval,
    number,
    share,
    write_agreements,
)
from deidstream.study.scoring.clinical_content import Fate
from deidstream.study.scoring.error_kinds import ErrorKind, Mistake
from deidstream.study.scoring.match import Extent
from deidstream.study.scoring.one_surrogate import Agreement, Relation
from support.notes import note

NAME = PhiLabel.PATIENT


def noted(text: str, gold: Extent | None, predicted: Extent | None) -> NoteMistake:
    return NoteMistake(note(text=text), Mistake(ErrorKind.BOUNDARY, gold, predicted))


def test_an_excerpt_shows_which_side_is_where() -> None:
    mistake = noted("seen Ada Quill today", Extent(5, 14, NAME), Extent(9, 20, NAME))
    assert excerpt(mistake, 3) == (
        ExcerptPart("en "),
        ExcerptPart("Ada ", gold=True),
        ExcerptPart("Quill", gold=True, predicted=True),
        ExcerptPart(" today", predicted=True),
        ExcerptPart(""),
    )


def test_an_excerpt_may_do_without_context_or_a_side() -> None:
    early = noted("a Quill.", Extent(2, 7, NAME), None)
    assert [part.text for part in excerpt(early, 5)] == ["a ", "Quill", "."]
    missed = noted("Quill", Extent(0, 5, NAME), None)
    assert excerpt(missed, 0) == (ExcerptPart(""), ExcerptPart("Quill", gold=True), ExcerptPart(""))


def test_text_of_a_part_is_not_in_its_repr() -> None:
    assert "Quill" not in repr(excerpt(noted("Quill", Extent(0, 5, NAME), None), 0))


def test_a_table_is_aligned() -> None:
    rows = [("rules", "0.5"), ("x", "10.25")]
    assert align_columns(("name", "P"), rows) == "name       P\nrules    0.5\nx      10.25"


def test_what_is_undefined_is_a_dash() -> None:
    assert (share(None), number(None), interval(None)) == ("-", "-", "-")
    assert (share(0.12345), number(1234.56), interval((0.1, 1))) == (
        "0.123",
        "1,234.6",
        "0.100-1.000",
    )


def gold_of(path: Path, number: int) -> Path:
    spans = [{"start": 0, "end": 3, "type": "PATIENT"}]
    lines = [
        orjson.dumps({"note_id": f"n{n}", "text": f"Ada {n}", "spans": spans})
        for n in range(number)
    ]
    path.write_bytes(b"\n".join(lines))
    return path


def find_but_one(notes: Sequence[RawNote]) -> Mapping[str, list[tuple[Span, ...]]]:
    if any(each.note_id == "n7" for each in notes):
        raise InvalidSpan(Stage.DETECT)
    return {"fixed": [(Span(0, 3, NAME),) for _ in notes]}


def take_for_label(_: Span) -> Fate:
    return Fate.DESTROYED


def test_a_note_that_cannot_be_detected_costs_only_itself(tmp_path: Path) -> None:
    gold = gold_of(tmp_path / "gold", 150)
    found = evaluate(gold, find_but_one, fate_of=take_for_label, mistakes_of="fixed")
    assert found.scores["fixed"].all_notes.notes == 149
    assert found.scores["fixed"].redact.recall == 1.0
    assert found.unscored == {"INVALID_SPAN at detect": 1}
    assert found.mistakes == []


def test_it_is_refused_when_no_note_is_left(tmp_path: Path) -> None:
    def broken(_notes: Sequence[RawNote]) -> Mapping[str, list[tuple[Span, ...]]]:
        raise ValueError("Ada")  # noqa: EM101

    with pytest.raises(Refused, match="3 x STAGE_FAILED at detect") as caught:
        evaluate(gold_of(tmp_path / "gold", 3), broken, fate_of=take_for_label)
    assert "Ada" not in str(caught.value)


def replace_second(_: RawNote, spans: Sequence[Span]) -> list[Replacement]:
    drawn = zip(spans, ("Weir", "Bain", "Weir"), strict=True)
    return [Replacement(span, text, "surrogate") for span, text in drawn]


def test_mentions_of_one_original_are_counted_and_listed(tmp_path: Path) -> None:
    text = "Mrs Quill. Quill left. Quill"
    spans = [{"start": at, "end": at + 5, "type": "PATIENT"} for at in (4, 11, 23)]
    gold = tmp_path / "gold"
    gold.write_bytes(orjson.dumps({"note_id": "n", "text": text, "spans": spans}))

    def find(notes: Sequence[RawNote]) -> Mapping[str, list[tuple[Span, ...]]]:
        return {"fixed": [tuple(Span(at, at + 5, NAME) for at in (4, 11, 23)) for _ in notes]}

    found = evaluate(
        gold, find, fate_of=take_for_label, replace_spans=replace_second, mistakes_of="fixed"
    )
    assert found.agreements == {Relation.NAME: {Agreement.AGREES: 1, Agreement.DIFFERS: 1}}
    name, every = agreement_rows(found)
    assert name == ("same word of a name", "2", "1", "1", "0", "0", "1,000.0")
    assert every[1:] == name[1:]
    assert "same word of a name" in write_agreements(found)
    errors = tmp_path / "errors"
    write_errors(errors, found.mistakes, found.disagreements, of="fixed", context=4)
    (line,) = map(orjson.loads, errors.read_bytes().splitlines())
    assert (line["before"], line["text"], line["written"]) == ("ll. ", "Quill", "Bain")
    assert (line["other"], line["other_written"]) == ("Quill", "Weir")
    assert (line["kind"], line["agreement"]) == ("one surrogate", "differ")
    assert "Quill" not in repr(found)
    without = evaluate(gold, find, fate_of=take_for_label)
    assert not without.agreements


def test_surrogates_are_those_of_the_policy() -> None:
    policy = find_policy("surrogate")
    replacer = Replacer(policy, operators(policy), bytes(32), key_version=1)
    spans = [Span(0, 9, NAME), Span(14, 19, NAME)]
    whole, again = write_surrogates(replacer, note(text="Ada Quill ... Quill"), spans)
    assert whole.text.split()[1] == again.text
    assert again.text != "Quill"
