"""``deidstream corpus``: hand-written notes, their copies, and notes of prose and of frames."""

import gzip
import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main, parser
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.study.corpus.build_corpus import CORPUS, HELD_OUT, CorpusPlan, make_corpus
from deidstream.study.corpus.read_notes import read_labelled_notes
from deidstream.study.corpus.sources import read_sources
from support.filling import write_lines

ROOT = Path(__file__).parents[4]
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
        sources=None,
        out=tmp_path / "out",
        varied=2,
        injected=0,
        composed=5,
        held_out_share=0.3,
    )


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Declare a file of unlabelled notes."""
    write_lines(tmp_path / "notes.jsonl", [{"text": PROSE}])
    file = tmp_path / "sources.toml"
    file.write_text('[sources.ours]\nform = "prose"\npath = "notes.jsonl"\nshare = 1\n')
    return file


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
def test_declared_prose_gets_phi(plan: CorpusPlan, sources: Path) -> None:
    with_prose = replace(plan, sources=read_sources(sources), injected=6, composed=0, varied=0)
    made, _ = make_corpus(with_prose)
    injected = [one for one in _made(plan.out) if not _is_written(one)]
    assert [one.note.note_id for one in injected] == [f"injected-1-{k}" for k in range(6)]
    assert len(_made(plan.out)) == made
    assert any(one.spans for one in injected)
    assert any("cough" in one.note.text.lower() for one in injected)


def test_without_injected_notes_no_prose_is_read(plan: CorpusPlan, sources: Path) -> None:
    (sources.parent / "notes.jsonl").write_text("no JSON")
    without = make_corpus(plan)
    content = (plan.out / CORPUS).read_bytes()
    assert make_corpus(replace(plan, sources=read_sources(sources))) == without
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
    assert (given.labelled, given.sources, given.injected) == ([], None, None)


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
    plan: CorpusPlan, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "declare sources of such prose" in _refused(capsys, plan, "--injected", "3")
    assert "give --sources too" in _refused(capsys, plan, "--data", str(tmp_path))
    assert not plan.out.exists()


def test_mistakes_in_a_file_of_sources_are_refused(
    plan: CorpusPlan, sources: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources.write_text(sources.read_text().replace("share", "shares"))
    said = _refused(capsys, plan, "--sources", str(sources))
    assert f"{sources}:4: sources.ours.shares: unknown key" in said
    assert f"{sources}:1: sources.ours.share: is required" in said
    assert not plan.out.exists()


def test_a_wrong_line_of_a_source_is_refused_by_its_number(
    plan: CorpusPlan, sources: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (sources.parent / "notes.jsonl").write_text('{"text": ["Quillfeather"]}\n')
    assert main([*_flags(plan), "--injected", "3", "--sources", str(sources)]) == 78
    said = capsys.readouterr().err
    assert "notes.jsonl: line 1: the field text must be a string" in said
    assert not any(secret in said for secret in SECRETS)


@pytest.mark.slow
def test_a_site_makes_notes_of_its_own_files(
    plan: CorpusPlan, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "corpus.md").read_text("utf-8")
    (example,) = re.findall(r"```toml\n(\[lists\].*?)```", page, re.DOTALL)
    folder = tmp_path / "site"
    write_lines(folder / "letters.jsonl.gz", [])
    (folder / "letters.jsonl.gz").write_bytes(
        gzip.compress(json.dumps({"note_id": "l1", "body": PROSE}).encode())
    )
    write_lines(folder / "letters-held-out.jsonl", [{"note_id": "l1", "split": "train"}])
    write_lines(
        folder / "visits.jsonl",
        [
            {
                "letter": "Orla Venn has a cough. Her lungs are clear.",
                "dictation": "orla venn has a cough",
                "patient": {"given": "Orla", "family": "Venn"},
                "seen_by": "Dr. Dorr",
            }
        ],
    )
    write_lines(
        folder / "old-labels.jsonl",
        [
            {
                "language": "en",
                "text": "The patient has rested since 3/4/2019.",
                "entities": [{"from": 29, "to": 37, "tag": "DATE"}],
            }
        ],
    )
    (folder / "hospitals.txt").write_text("Zellbridge Moor Infirmary\n")
    (folder / "sources.toml").write_text(example)
    flags = ("--sources", str(folder / "sources.toml"), "--injected", "40", "--composed", "40")
    assert main([*_flags(plan), *flags]) == 0
    assert "40" not in capsys.readouterr().out
    injected = [one for one in _made(plan.out) if one.note.note_id.startswith("injected-")]
    assert {one.note.note_type for one in injected} == {"letters", "visits", "old-labels"}
    assert any("cough" in one.note.text.lower() for one in injected)
    assert any(span.label is PhiLabel.DATE for one in injected for span in one.spans)
    assert not any("orla venn" in one.note.text.lower() for one in injected)


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
