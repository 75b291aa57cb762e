"""``deidstream evaluate``: exit codes, what it writes, and what it must not."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from deidstream.agents.cli.main import main

TEXT = "Mr. Quentin Vanterpool (MRN: 5512873) was seen by Dr. Brightwater in Zell."
MARKS = {
    "Quentin Vanterpool": "PATIENT",
    "5512873": "MEDICALRECORD",
    "Brightwater": "DOCTOR",
    "Zell": "CITY",
}
SECRETS = ("Vanterpool", "5512873", "Brightwater", "Zell", "was seen", "Foley")


def span(original: str, label: str, text: str = TEXT) -> dict[str, object]:
    start = text.index(original)
    return {"start": start, "end": start + len(original), "type": label}


NOTE = {
    "note_id": "n1",
    "patient_id": "p1",
    "text": TEXT,
    "spans": [span(*mark) for mark in MARKS.items()],
}
CLEAN: dict[str, object] = {
    "note_id": "n2",
    "patient_id": "p2",
    "text": "Foley <b>in</b> place & draining.",
    "spans": [],
}
# Right, wrong label, boundary; Zell is missed and Foley spurious.
PREDICTED = [
    {
        "note_id": "n1",
        "spans": [
            span("5512873", "MEDICALRECORD"),
            span("Brightwater", "PATIENT"),
            span("Vanterpool", "PATIENT"),
        ],
    },
    {"note_id": "n2", "spans": [{"start": 0, "end": 5, "label": "DOCTOR"}]},
]


def written(path: Path, records: list[Any]) -> Path:
    lines = (r if isinstance(r, str) else json.dumps(r) for r in records)
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return written(tmp_path / "gold.jsonl", [NOTE, CLEAN])


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    return written(tmp_path / "spans.jsonl", PREDICTED)


def evaluate(gold: Path, predictions: Path, *flags: str) -> int:
    return main(["evaluate", str(gold), "--predictions", str(predictions), *flags])


def record(path: Path) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(path.read_bytes())
    return parsed


def test_predictions_are_scored(gold: Path, predictions: Path, tmp_path: Path) -> None:
    out = tmp_path / "figures.json"
    assert evaluate(gold, predictions, "--json", str(out)) == 0
    figures = record(out)
    assert figures["gold"]["notes"] == 2
    assert figures["gold"]["notes_without_phi"] == 1
    assert figures["subject"]["kind"] == "predictions"
    assert list(figures["recognizers"]) == ["predictions"]
    score = figures["recognizers"]["predictions"]
    # Of five tokens Quentin and Zell are left; Foley goes in vain.
    assert score["headline"]["redact_recall"] == 0.6
    assert score["headline"]["redact_precision"] == 0.75
    assert score["headline"]["leak_free_notes"] == 0.5
    assert score["headline"]["leaks_per_1000_notes"] == 1000
    assert score["cells"]["strict typed all"]["micro"]["found"] == 1
    assert score["cells"]["overlap typed all"]["micro"]["found"] == 2
    assert score["cells"]["covered blind all"]["labels"]["CITY"]["recall"] == 0
    kinds = {mistake["kind"]: mistake["spans"] for mistake in score["mistakes"]}
    assert kinds == {"missed": 1, "wrong label": 1, "boundary": 1, "spurious": 1}


def test_nothing_holds_text_unless_asked(
    gold: Path, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures, page = tmp_path / "f.json", tmp_path / "p.html"
    assert evaluate(gold, predictions, "--json", str(figures), "--html", str(page)) == 0
    said = capsys.readouterr()
    for text in (said.out, said.err, figures.read_text(), page.read_text()):
        assert [secret for secret in SECRETS if secret in text] == []
    assert "holds text" not in said.err + page.read_text()
    assert "0.600" in said.out


def test_errors_hold_text_and_that_is_said(
    gold: Path, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    errors, page = tmp_path / "e.jsonl", tmp_path / "p.html"
    flags = ("--errors", str(errors), "--html", str(page), "--context", "4")
    assert evaluate(gold, predictions, *flags) == 0
    listed = [json.loads(line) for line in errors.read_text().splitlines()]
    assert [one["kind"] for one in listed] == ["boundary", "wrong label", "missed", "spurious"]
    assert (listed[0]["before"], listed[0]["text"], listed[0]["after"]) == (
        "Mr. ",
        "Quentin Vanterpool",
        " (MR",
    )
    assert listed[0]["gold"] == {"start": 4, "end": 22, "label": "PATIENT"}
    assert listed[2]["predicted"] is None
    said = capsys.readouterr().err
    assert f"{errors} holds text of notes" in said
    assert f"{page} holds text of notes" in said
    assert "This page holds text of notes" in page.read_text()


class _Page(HTMLParser):
    """Checks that what opens closes, and keeps what would load something."""

    VOID = frozenset({"meta"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        if tag in {"script", "link", "img", "b2"} or {"src", "href"} & {name for name, _ in attrs}:
            self.loads.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def test_the_page_is_whole_and_loads_nothing(gold: Path, predictions: Path, tmp_path: Path) -> None:
    page = tmp_path / "p.html"
    assert evaluate(gold, predictions, "--html", str(page), "--with-text") == 0
    parsed = _Page()
    parsed.feed(page.read_text())
    assert (parsed.open, parsed.loads) == ([], [])
    assert "$" not in parsed.words
    # Text of the note is shown, not obeyed.
    assert "Foley <b>in</b> place & draining." in parsed.words
    assert '<mark class="gold">Quentin </mark><mark class="both">Vanterpool</mark>' in (
        page.read_text()
    )


def test_what_cannot_be_read_is_counted_and_said(
    predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = [
        "{",
        {"note_id": "x"},
        NOTE | {"spans": [{"start": 0, "end": 3, "type": "SECRET"}]},
        NOTE | {"spans": [{"start": 0, "end": 999, "type": "DATE"}]},
        NOTE | {"spans": ["Vanterpool"]},
        NOTE | {"spans": [{"start": 0.5, "end": 2.5, "type": "DATE"}]},
        NOTE | {"known": "Vanterpool"},
    ]
    gold = written(tmp_path / "gold.jsonl", [*broken, NOTE])
    out = tmp_path / "f.json"
    assert evaluate(gold, predictions, "--json", str(out)) == 1
    assert record(out)["gold"]["notes"] == 1
    assert record(out)["unscored"] == {
        "BAD_JSON at decode": 1,
        "MISSING_FIELD at decode": 1,
        "WRONG_TYPE at decode": 5,
    }
    said = capsys.readouterr().err
    assert "5 x WRONG_TYPE at decode (first in line 3: spans, item 1: its type is none of" in said
    assert "1 x MISSING_FIELD at decode (first in line 2: text is missing)" in said
    assert not any(secret in said for secret in (*SECRETS, "SECRET"))


def test_predictions_that_do_not_fit_are_said(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    predictions = written(
        tmp_path / "spans.jsonl",
        [
            {"note_id": "n1", "spans": [{"start": 0, "end": 999, "label": "DATE"}]},
            {"note_id": "n9", "spans": []},
            {"note_id": "n1", "spans": [{"start": 0, "end": 2, "label": "NOBODY"}]},
            "[]",
        ],
    )
    assert evaluate(gold, predictions) == 1
    said = capsys.readouterr().err
    assert "gold notes not scored: 1 x INVALID_SPAN at detect" in said
    assert "2 x WRONG_TYPE" in said
    assert "1 gold notes have no line of predictions" in said
    assert "2 notes of the predictions are not among the scored" in said


def test_an_unread_line_of_predictions_is_in_the_exit_code(gold: Path, tmp_path: Path) -> None:
    assert evaluate(gold, written(tmp_path / "spans.jsonl", [*PREDICTED, "{"])) == 1


def test_lines_of_one_note_add_up(gold: Path, tmp_path: Path) -> None:
    halves = [{"note_id": "n1", "spans": [span(*mark)]} for mark in MARKS.items()]
    out = tmp_path / "f.json"
    assert evaluate(gold, written(tmp_path / "s.jsonl", halves), "--json", str(out)) == 0
    assert record(out)["recognizers"]["predictions"]["headline"]["strict_f1"] == 1


def test_wrong_questions_are_refused(
    gold: Path, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(tmp_path / "no.jsonl", predictions) == 78
    assert evaluate(gold, tmp_path / "no.jsonl") == 78
    assert evaluate(gold, predictions, "--json", str(tmp_path / "no" / "f.json")) == 78
    assert evaluate(gold, predictions, "--errors-of", "tagger") == 78
    assert evaluate(written(tmp_path / "empty.jsonl", ["{"]), predictions) == 78
    assert evaluate(written(tmp_path / "twice.jsonl", [NOTE, NOTE]), predictions) == 78
    assert "no note could be scored: 1 x BAD_JSON" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        evaluate(gold, predictions, "--policy", "surrogate")
    assert caught.value.code == 64


def test_the_record_is_the_same_every_time(gold: Path, predictions: Path, tmp_path: Path) -> None:
    files = [tmp_path / "1.json", tmp_path / "2.json"]
    for file in files:
        evaluate(gold, predictions, "--json", str(file))
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.slow
def test_recognizers_are_scored_alone_and_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = NOTE | {"known": {"names": ["Quentin Vanterpool"]}}
    gold = written(tmp_path / "gold.jsonl", [known, CLEAN])
    out, errors = tmp_path / "f.json", tmp_path / "e.jsonl"
    flags = ["--policy", "redact", "--json", str(out)]
    assert (
        main(["evaluate", str(gold), *flags, "--errors", str(errors), "--errors-of", "known"]) == 0
    )
    figures = record(out)
    assert figures["subject"]["name"] == "redact"
    assert list(figures["recognizers"]) == ["dictionary", "known", "rules", "tagger", "union"]
    recall = {n: s["headline"]["redact_recall"] for n, s in figures["recognizers"].items()}
    assert recall["known"] == 0.4
    assert recall["rules"] >= 0.8
    assert recall["union"] >= max(recall.values())
    kinds = [json.loads(line)["kind"] for line in errors.read_text().splitlines()]
    assert kinds == ["missed"] * 3
    assert "union, by label" in capsys.readouterr().out


@pytest.mark.parametrize("label", ["STUDY_NUMBER", "IDNUM"])
def test_gold_of_a_label_of_the_policys_own_or_of_its_like_is_found(
    tmp_path: Path, label: str
) -> None:
    policy = tmp_path / "own.toml"
    policy.write_text(
        'technique = "redact"\nrecognizers = ["rules"]\n[labels]\nSTUDY_NUMBER = "IDNUM"\n'
        "[patterns.study]\nlabel = \"STUDY_NUMBER\"\npattern = 'ST-\\d{5}'\n"
    )
    text = "Randomised as ST-10423 and went home."
    note = {"note_id": "n", "patient_id": "p", "text": text}
    gold = written(tmp_path / "gold", [note | {"spans": [span("ST-10423", label, text)]}])
    out = tmp_path / "scores.json"
    command = ["evaluate", str(gold), "--policy", str(policy), "--json", str(out)]
    assert main(command) == 0
    leaks = json.loads(out.read_text())["recognizers"]["union"]["leaks"]
    assert (leaks["spans"], leaks["missed"]) == (1, 0)
