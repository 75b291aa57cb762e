"""``deidstream corpus``: hand-written notes, their copies, and notes of prose and of frames."""

import json
import lzma
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main, parser
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.study.corpus.build_corpus import CORPUS, HELD_OUT, CorpusPlan, make_corpus
from deidstream.study.corpus.read_notes import read_labelled_notes

MARKED = (
    "# note_type: letter\n\nDear Dr. [[DOCTOR|Quillfeather]],\n"
    "I saw [[PATIENT|Amara Vanterpool]] on [[DATE|{day} March 2031]] in [[CITY|Zellbridge]].\n"
)
PROSE = (
    "SUBJECTIVE: The patient is here for a cough that began some days ago. She has no fever. "
    "She has been taking warm tea and rest.\n"
    "OBJECTIVE: The lungs are clear. The heart is regular. There is no swelling of the legs.\n"
    "PLAN: The patient will rest and drink. She will come back if the cough does not go away."
)
SECRETS = ("Quillfeather", "Vanterpool", "Zellbridge")


@pytest.fixture
def marked(tmp_path: Path) -> Path:
    folder = tmp_path / "marked"
    (folder / "deep").mkdir(parents=True)
    for number in range(1, 13):
        place = folder / "deep" if number % 2 else folder
        (place / f"{number:03}.txt").write_text(MARKED.replace("{day}", str(number)))
    return folder


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    path = tmp_path / "labelled.jsonl"
    notes = [
        {
            "note_id": f"n{number}",
            "patient_id": f"p{number // 2}",
            "text": "Seen by Brightwater.",
            "spans": [{"start": 8, "end": 19, "type": "DOCTOR"}],
        }
        for number in range(8)
    ]
    path.write_text("".join(json.dumps(note) + "\n" for note in notes))
    return path


@pytest.fixture
def plan(marked: Path, labelled: Path, tmp_path: Path) -> CorpusPlan:
    return CorpusPlan(
        marked=marked,
        labelled=(labelled,),
        data=None,
        out=tmp_path / "out",
        varied=2,
        injected=0,
        composed=5,
        held_out_share=0.3,
    )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Prose of our own, laid out as the folders of real prose are."""
    folder = tmp_path / "data"
    split = {"id": "1", "split": "train"}
    _lines(folder / "mtsamples" / "mtsamples_shared.jsonl.xz", {"id": "1", "text": PROSE})
    _lines(folder / "mtsamples" / "task_specialty.jsonl", split)
    _lines(folder / "mtsamples" / "task_note_type.jsonl", split)
    _lines(folder / "mts_dialog" / "mts_dialog.jsonl.xz")
    _lines(folder / "aci_bench" / "aci_bench_trainvalid.jsonl.xz")
    _lines(folder / "asq_phi" / "asq_phi_shared.jsonl")
    for name in ("synth_dataset_v2", "generated_large"):
        _lines(folder / "presidio_research" / f"{name}.jsonl.xz")
    return folder


def _lines(path: Path, *rows: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(lzma.compress(content) if path.suffix == ".xz" else content)


def _made(out: Path) -> list[LabelledNote]:
    return read_labelled_notes(out / CORPUS)


def _apart(out: Path) -> list[LabelledNote]:
    return read_labelled_notes(out / HELD_OUT)


def _is_written(labelled: LabelledNote) -> bool:
    return not labelled.note.note_id.startswith(("injected-", "composed-"))


def _flags(plan: CorpusPlan) -> list[str]:
    return [
        *("corpus", "--marked", str(plan.marked), "--labelled", *map(str, plan.labelled)),
        *("--out", str(plan.out), "--varied", "2", "--composed", "5", "--held-out-share", "0.3"),
    ]


@pytest.mark.slow
def test_each_written_note_is_learnt_from_with_its_copies_or_kept_apart(plan: CorpusPlan) -> None:
    made, apart = make_corpus(plan)
    notes, held_out = _made(plan.out), _apart(plan.out)
    assert (len(notes), len(held_out)) == (made, apart)
    written = [one for one in notes if _is_written(one)]
    assert made == len(written) + plan.composed
    # The copies of a note are its patient's.
    patients = Counter(one.note.patient_id for one in written)
    out = Counter(one.note.patient_id for one in held_out)
    assert patients
    assert out
    assert patients.keys().isdisjoint(out)
    assert len(written) == 3 * (20 - len(held_out))
    assert set(patients.values()) == {3, 6}
    assert {out[f"p{number}"] for number in range(4)} <= {0, 2}
    assert len({one.note.note_id for one in notes}) == made


@pytest.mark.slow
def test_copies_have_other_phi_of_the_same_labels(plan: CorpusPlan) -> None:
    make_corpus(replace(plan, composed=0, held_out_share=0, varied=4))
    notes = _made(plan.out)
    copies = [one for one in notes if ".v" in one.note.note_id]
    assert len(copies) == 80
    for copy in copies:
        assert {span.label for span in copy.spans} <= {
            PhiLabel.DOCTOR,
            PhiLabel.PATIENT,
            PhiLabel.DATE,
            PhiLabel.CITY,
        }
        assert "Quillfeather" not in copy.note.text
    assert len({copy.note.text for copy in copies}) == len(copies)
    assert _apart(plan.out) == []


def test_the_same_seed_makes_the_same_bytes(plan: CorpusPlan, tmp_path: Path) -> None:
    outs = [replace(plan, out=tmp_path / name, seed=seed) for name, seed in _OUTS]
    for each in outs:
        make_corpus(each)
    one, again, other = [
        [(each.out / name).read_bytes() for name in (CORPUS, HELD_OUT)] for each in outs
    ]
    assert one == again
    assert one[0] != other[0]
    assert one[1] != other[1]


_OUTS = (("one", 1), ("again", 1), ("other", 2))


@pytest.mark.slow
def test_real_prose_gets_phi_where_a_folder_has_some(plan: CorpusPlan, data: Path) -> None:
    with_prose = replace(plan, data=data, injected=6, composed=0, varied=0)
    made, _ = make_corpus(with_prose)
    injected = [one for one in _made(plan.out) if not _is_written(one)]
    assert [one.note.note_id for one in injected] == [f"injected-1-{k}" for k in range(6)]
    assert len(_made(plan.out)) == made
    assert any(one.spans for one in injected)
    assert any("cough" in one.note.text.lower() for one in injected)


def test_without_injected_notes_no_prose_is_read(plan: CorpusPlan, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    without = make_corpus(plan)
    content = (plan.out / CORPUS).read_bytes()
    assert make_corpus(replace(plan, data=tmp_path / "empty")) == without
    assert (plan.out / CORPUS).read_bytes() == content


def test_the_command_makes_what_the_plan_makes(
    plan: CorpusPlan, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, apart = make_corpus(plan)
    other = replace(plan, out=tmp_path / "other")
    assert main(_flags(other)) == 0
    assert f"{made} training notes, {apart} held out" in capsys.readouterr().err
    for name in (CORPUS, HELD_OUT):
        assert (other.out / name).read_bytes() == (plan.out / name).read_bytes()


def test_the_flags_default_to_the_plans_own_numbers() -> None:
    given = parser().parse_args(["corpus", "--marked", "m", "--out", "o"])
    usual = CorpusPlan(Path("m"), (), None, Path("o"))
    numbers = (given.varied, given.composed, given.held_out_share, given.seed)
    assert numbers == (usual.varied, usual.composed, usual.held_out_share, usual.seed)
    assert (given.labelled, given.data, given.injected) == ([], None, None)


def _refused(capsys: pytest.CaptureFixture[str], plan: CorpusPlan, *flags: str) -> str:
    assert main([*_flags(plan), *flags]) == 78
    said = capsys.readouterr().err
    assert not any(secret in said for secret in SECRETS)
    assert not (plan.out / CORPUS).exists() or not (plan.out / CORPUS).read_bytes()
    return said


def test_a_wrong_mark_is_refused_by_its_place(
    plan: CorpusPlan, capsys: pytest.CaptureFixture[str]
) -> None:
    (plan.marked / "002.txt").write_text("# note_type: x\n\nseen\nby [[DOCTR|Quillfeather]]")
    said = _refused(capsys, plan)
    assert "002.txt: line 4, column 4: a mark names no label" in said


def test_an_absent_folder_of_marked_notes_is_refused(
    plan: CorpusPlan, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = _refused(capsys, replace(plan, marked=tmp_path / "none"))
    assert f"{tmp_path / 'none'}: cannot be read: FileNotFoundError" in said


def test_an_absent_or_wrong_file_of_labelled_notes_is_refused(
    plan: CorpusPlan, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    none = tmp_path / "none.jsonl"
    assert "none.jsonl: cannot be read" in _refused(capsys, replace(plan, labelled=(none,)))
    none.write_text('{"text": "Quillfeather"}\n')
    said = _refused(capsys, replace(plan, labelled=(none,)))
    assert "none.jsonl: line 1: MISSING_FIELD" in said


def test_injected_notes_need_prose(
    plan: CorpusPlan, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "name a folder of such prose" in _refused(capsys, plan, "--injected", "3")
    assert not plan.out.exists()
    (data / "mtsamples" / "task_specialty.jsonl").unlink()
    assert main([*_flags(plan), "--injected", "3", "--data", str(data)]) == 78
    assert "task_specialty.jsonl is not there" in capsys.readouterr().err


@pytest.mark.slow
def test_a_folder_of_lists_must_hold_them_all(
    plan: CorpusPlan, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "lists").mkdir()
    assert main([*_flags(plan), "--injected", "0", "--data", str(data)]) == 78
    said = capsys.readouterr().err
    assert "us_cities_29880.csv: cannot be read: FileNotFoundError" in said


@pytest.mark.parametrize(
    "flags",
    [("--varied", "-1"), ("--composed", "some"), ("--held-out-share", "2"), ("--seed", "x")],
)
def test_numbers_that_are_none_are_a_matter_of_usage(
    plan: CorpusPlan, flags: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main([*_flags(plan), *flags])
    assert left.value.code == 64
    assert "usage" in capsys.readouterr().err
