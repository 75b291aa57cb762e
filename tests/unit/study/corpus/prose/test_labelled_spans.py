import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from deidstream.schemas.errors import Refused
from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.frames import TemplateSlot
from deidstream.study.corpus.prose.prose import Passage
from deidstream.study.corpus.prose.read_prose import read_prose
from deidstream.study.corpus.sources import read_sources
from support.filling import show_sentences, transcription, write_prose

WORDS = "the patient was seen with a clear chest and came to clinic in good spirits she feels well"
OWN = '[sources.ours]\nform = "spans"\npath = "notes.jsonl"\nshare = 1\n'
Said = Sequence[tuple[str, str]]


def labelled(text: str, said: Said, key: str = "type") -> dict[str, Any]:
    spans = [
        {"start": text.index(value), "end": text.index(value) + len(value), key: label}
        for label, value in said
    ]
    return {"text": text, "spans": spans}


def read_own(folder: Path, *rows: object, more: str = "") -> Sequence[Passage]:
    """Read lines of our own form with as few keys as possible."""
    (folder / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "sources.toml").write_text(OWN + more)
    return read_prose(read_sources(folder / "sources.toml"))["ours"]


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("she came 3/4/2019", [("DATE", "3/4/2019")], ["she came [DATE]"]),
        ("she came with Orla Venn", [("NAME", "Orla Venn")], []),
        ("the patient Orla Venn", [("NAME", "Orla Venn")], ["the patient [PATIENT]"]),
        ("she saw Dr. Venn", [("NAME", "Venn")], ["she saw Dr. [DOCTOR]"]),
        ("seen in Ohio", [("WHERE", "Ohio")], ["seen in [STATE]"]),
        ("seen in Vennbury", [("WHERE", "Vennbury")], []),
        ("seen in Venn Hospital", [("WHERE", "Venn Hospital")], ["seen in [HOSPITAL]"]),
        ("she came with Venn", [("GP", "Venn")], ["she came with [DOCTOR]"]),
        ("seen with Mr. Venn", [("TITLE", "Mr."), ("GP", "Venn")], ["seen with Mr. [DOCTOR]"]),
        ("the chest was clear", [("MOOD", "clear")], []),
        ("she was seen well", [("DATE", " ")], []),
        ("the chest was clear", [], ["the chest was clear"]),
    ],
)
def test_a_label_counts_where_it_is_sure(
    tmp_path: Path, text: str, said: Said, expected: list[str]
) -> None:
    queries = [labelled(text, said, "label")]
    file = write_prose(tmp_path, [transcription(1, WORDS)], {"m-1": "train"}, queries=queries)
    assert show_sentences(read_prose(read_sources(file))["queries"]) == expected


def test_without_a_map_labels_are_ours(tmp_path: Path) -> None:
    passages = read_own(
        tmp_path,
        labelled("The patient was seen with Orla Venn.", [("PATIENT", "Orla Venn")]),
        labelled("The chest was clear with Venn.", [("WHO", "Venn")]),
    )
    assert show_sentences(passages) == ["The patient was seen with [PATIENT]."]


@pytest.mark.parametrize(
    ("label", "name", "part"),
    [
        ("PATIENT", "Orla Venn", "full"),
        ("PATIENT", "Orla", "first"),
        ("DOCTOR", "Orla Venn", "full"),
        ("DOCTOR", "Venn", "last"),
    ],
)
def test_a_name_is_written_in_its_form_again(
    tmp_path: Path, label: str, name: str, part: str
) -> None:
    (passage,) = read_own(tmp_path, labelled(f"She was seen with {name}.", [(label, name)]))
    (slot,) = (each for each in passage.lines[0].sentences[0] if isinstance(each, TemplateSlot))
    assert (slot.label, slot.part, slot.given) == (PhiLabel(label), part, "")


def test_texts_without_a_span_may_be_left_out(tmp_path: Path) -> None:
    rows = (
        labelled("The chest was clear.", []),
        labelled("She came 3/4/2019.", [("DATE", "3/4/2019")]),
    )
    assert len(read_own(tmp_path, *rows)) == 2
    assert len(read_own(tmp_path, *rows, more="only_labelled = true\n")) == 1


def test_fields_have_the_names_that_a_site_gave_them(tmp_path: Path) -> None:
    row = {"body": {"text": "She came 3/4/2019."}, "phi": [{"from": 9, "to": 17, "kind": "WHEN"}]}
    keys = 'text = "body.text"\nspans = "phi"\nstart = "from"\nend = "to"\nlabel = "kind"\n'
    passages = read_own(tmp_path, row, more=keys + 'labels.WHEN = "DATE"\n')
    assert show_sentences(passages) == ["She came [DATE]."]


@pytest.mark.parametrize(
    ("spans", "why"),
    [
        (None, "the field spans must be a list of spans"),
        (["Venn"], "a span must have start, end and type"),
        ([{"start": "0", "end": 4, "type": "DATE"}], "a span must have start, end and type"),
        ([{"start": 0, "end": 4}], "a span must have start, end and type"),
        ([{"start": 0, "end": 99, "type": "DATE"}], "beyond the text"),
        ([{"start": -2, "end": 3, "type": "DATE"}], "beyond the text"),
        ([{"start": 3, "end": 3, "type": "DATE"}], "are empty"),
        ([{"start": a, "end": b, "type": "DATE"} for a, b in ((0, 4), (3, 6))], "spans overlap"),
    ],
)
def test_spans_that_do_not_fit_are_refused_by_their_line(
    tmp_path: Path, spans: object, why: str
) -> None:
    with pytest.raises(Refused, match=f"notes.jsonl: line 1: .*{why}") as refused:
        read_own(tmp_path, {"text": "Venn was seen.", "spans": spans})
    assert "Venn" not in str(refused.value)
