import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from deidstream.schemas.errors import MissingArtefact, Refused
from deidstream.study.corpus.prose.rows import Row, read_rows, read_source_rows
from deidstream.study.corpus.sources import ProseSource

SECRET = "Quillfeather"


@pytest.mark.parametrize(
    ("name", "pack"), [("a.jsonl", bytes), ("a.jsonl.gz", gzip.compress), ("a.xz", lzma.compress)]
)
def test_lines_are_read_plain_or_packed(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / name
    path.write_bytes(pack(b'{"text": "one"}\n\n{"text": "two"}\n'))
    rows = list(read_rows(path))
    assert [row.text("text") for row in rows] == ["one", "two"]
    assert [row.place for row in rows] == [f"{path}: line 1", f"{path}: line 3"]


def test_a_byte_order_mark_is_not_part_of_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('\ufeff{"text": "one"}\n', "utf-8")
    assert [row.text("text") for row in read_rows(path)] == ["one"]


@pytest.mark.parametrize("line", [f'["{SECRET}"]', f'{{"text": "{SECRET}'])
def test_a_line_that_is_no_object_is_refused_by_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"{{}}\n{line}\n")
    with pytest.raises(Refused, match=r"a\.jsonl: line 2: must be a JSON object$") as refused:
        list(read_rows(path))
    assert SECRET not in str(refused.value)


def test_a_file_that_is_not_packed_as_it_says_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xz"
    path.write_bytes(b"{}\n")
    with pytest.raises(MissingArtefact, match="cannot be read: LZMAError"):
        list(read_rows(path))


def test_a_dot_leads_into_an_object() -> None:
    row = Row("f: line 1", {"meta": {"name": {"first": "Orla"}}, "text": "x"})
    assert row.text("meta.name.first") == "Orla"
    assert row.find("meta.other.first") is None
    assert row.find("text.first") is None


def test_line_ends_become_line_feeds_and_places_stay() -> None:
    text = Row("f", {"text": "one\r\ntwo\rthree"}).text("text")
    assert text == "one \ntwo\nthree"


@pytest.mark.parametrize("value", [None, 3, [SECRET], {"a": SECRET}])
def test_a_field_that_is_no_text_is_refused_by_its_name(value: object) -> None:
    with pytest.raises(Refused, match="f: line 4: the field text must be a string") as refused:
        Row("f: line 4", {"text": value}).text("text")
    assert SECRET not in str(refused.value)


def test_a_key_may_be_a_number() -> None:
    assert Row("f", {"id": 7}).key("id") == Row("f", {"id": "7"}).key("id") == "7"
    with pytest.raises(Refused, match="the field id must be a string or a whole number"):
        Row("f", {}).key("id")


def test_only_lines_of_the_declared_values_are_read(tmp_path: Path) -> None:
    paths = (tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    for number, path in enumerate(paths):
        lines = [{"split": split, "year": 2000 + number} for split in ("train", "valid", "test")]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    only = {"split": ("train", "valid"), "year": ("2001",)}
    source = ProseSource(path=paths, share=1, form="prose", only=only)
    assert [row.key("split") for row in read_source_rows(source)] == ["train", "valid"]
