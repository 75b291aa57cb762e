"""Re-identification on a real Redis: who may write, who may read, and what the log says."""

import asyncio
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.reidentification import reidentifier as reidentify
from deidstream.agents.reidentification.reidentifier import MOST_TOKENS
from deidstream.agents.runtime.reversible_access import records_are_on, reversible_keys
from deidstream.agents.runtime.reversible_writer import ReversibleWriter
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.settings import list_settings, read_settings
from deidstream.models.reidentification.reversible_record import ReversibleKeys
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.observing.health import Health
from deidstream.stream.redis.reversible_store import PREFIX
from support.redis_server import Redis, missing, running_redis
from support.reversible_site import Site, surrogate_of

pytestmark = pytest.mark.skipif(missing() is not None, reason="no redis-server")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    with running_redis(tmp_path_factory.mktemp("reverse")) as made:
        yield made


@pytest.fixture
def site(server: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    made = Site(server, tmp_path)
    made.admin().flushall()
    made.users()
    write_key(tmp_path / "key")
    write_key(tmp_path / "reverse")
    for name, value in made.environment("reader").items():
        monkeypatch.setenv(name, value)
    return made


def test_the_worker_writes_what_only_the_entitled_read(site: Site) -> None:
    outcome = site.kept()
    name, number = (surrogate_of(outcome, o) for o in ("Quentin Vanterpool", "5512873"))
    assert site.reidentify(site.tokens(outcome, name, number)) == 0
    mode = stat.S_IMODE((site.folder / "out.jsonl").stat().st_mode)
    assert mode == stat.S_IRUSR | stat.S_IWUSR
    found = {line["text"]: line["originals"] for line in site.out()}
    assert found == {
        name: [{"label": "PATIENT", "text": "Quentin Vanterpool"}],
        number: [{"label": "MEDICALRECORD", "text": "5512873"}],
    }


def test_it_is_off_unless_both_are_set(site: Site) -> None:
    off = read_settings({})
    assert not records_are_on(off)
    assert asyncio.run(ReversibleWriter.connect(off, Health(60))) is None
    with pytest.raises(InvalidSettings):
        records_are_on(site.settings(DEIDSTREAM_REVERSE_REDIS_URL=""))
    assert "secret" not in str(list_settings(site.settings()))
    tokens = site.folder / "tokens.jsonl"
    tokens.write_text("{}")
    del os.environ["DEIDSTREAM_REVERSE_LOG"]
    assert site.reidentify(tokens) == 78
    for name in ("REDIS_URL", "KEY_FILE"):
        del os.environ[f"DEIDSTREAM_REVERSE_{name}"]
    assert site.reidentify(tokens) == 78


def test_every_token_is_logged_and_never_its_text(site: Site) -> None:
    outcome = site.kept()
    name = surrogate_of(outcome, "Quentin Vanterpool")
    assert site.reidentify(site.tokens(outcome, name, "Nobody Atall")) == 0
    assert [bool(line["originals"]) for line in site.out()] == [True, False]
    records = site.log()
    assert [(r["number"], r["outcome"], r["count"]) for r in records] == [
        (1, "decoded", 1),
        (2, "unknown", 0),
    ]
    first = records[0]
    assert (first["tenant"], first["case"], first["purpose"]) == ("mercy", "C-7", "TREAT")
    assert (first["requester"], first["approver"], first["uid"]) == ("ann", "bob", os.getuid())
    assert first["policy"] == outcome.note.policy.sha256
    assert name not in (site.folder / "log").read_text()
    assert "Vanterpool" not in (site.folder / "log").read_text()


def test_the_tokens_of_another_tenant_stay_closed(site: Site) -> None:
    outcome = site.kept(tenant="other")
    tokens = site.tokens(outcome, surrogate_of(outcome, "Quentin Vanterpool"))
    assert site.reidentify(tokens) == 0
    assert [line["originals"] for line in site.out()] == [[]]
    assert site.reidentify(tokens, tenant="other") == 0
    assert site.out()[0]["originals"][0]["text"] == "Quentin Vanterpool"


@pytest.mark.parametrize(
    "changed",
    [
        {"approver": "Ann "},
        {"case": " "},
        {"purpose": "CURIOSITY"},
        {"requester": ""},
        {"requester": "a\nb"},
        {"tenant": "mercy\udcff"},
    ],
)
def test_one_person_without_a_case_or_purpose_gets_nothing(
    site: Site, changed: dict[str, str]
) -> None:
    outcome = site.kept()
    assert site.reidentify(site.tokens(outcome, "x"), **changed) == 78
    assert not (site.folder / "log").exists()
    assert not (site.folder / "out.jsonl").exists()


def test_the_rate_is_limited_for_each_tenant_and_said_in_the_log(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEIDSTREAM_REVERSE_HOURLY", "3")
    outcome = site.kept()
    two = site.tokens(outcome, "a", "b")
    assert site.reidentify(two) == 0
    site.out()
    assert site.reidentify(two) == 78
    assert site.log()[-1]["outcome"] == "refused: rate"
    assert site.reidentify(two, tenant="other") == 0


def test_an_output_is_never_written_over(site: Site) -> None:
    outcome = site.kept()
    (site.folder / "out.jsonl").write_text("kept")
    assert site.reidentify(site.tokens(outcome, "a")) == 78
    assert (site.folder / "out.jsonl").read_text() == "kept"


@pytest.mark.parametrize("line", ["{", "[]", '{"output_id": "x"}', '{"output_id": 1, "text": "a"}'])
def test_what_is_no_token_is_refused_without_its_text(
    site: Site, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tokens = site.folder / "tokens.jsonl"
    tokens.write_text(f'{{"output_id": "x", "text": "Vanterpool"}}\n{line}\n')
    assert site.reidentify(tokens) == 78
    said = capsys.readouterr().err
    assert "tokens.jsonl:2" in said
    assert "Vanterpool" not in said
    many = "\n".join(
        json.dumps({"output_id": "x", "text": f"t{n}"}) for n in range(MOST_TOKENS + 1)
    )
    tokens.write_text(many)
    assert site.reidentify(tokens) == 78


def test_a_changed_log_is_found_and_stops_everything(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome, log = site.kept(), site.folder / "log"
    tokens = site.tokens(outcome, "a", "b", "c")
    assert site.reidentify(tokens) == 0
    site.out()
    assert main(["audit", "verify", str(log)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("3 records, whole; head ")
    head, whole = told.split()[-1], log.read_text()
    log.write_text("".join(whole.splitlines(keepends=True)[:2]))
    assert main(["audit", "verify", str(log)]) == 0
    assert main(["audit", "verify", str(log), "--head", head]) == 78
    lines = whole.splitlines(keepends=True)
    log.write_text(lines[0] + lines[1].replace('"ann"', '"eve"') + lines[2])
    assert main(["audit", "verify", str(log)]) == 78
    assert "record 2 is the first broken one" in capsys.readouterr().err
    assert site.reidentify(tokens) == 78
    assert not (site.folder / "out.jsonl").exists()


def test_a_record_under_another_key_is_refused_and_logged(site: Site) -> None:
    outcome = site.kept()
    text = surrogate_of(outcome, "5512873")
    root = reversible_keys(site.settings()).roots[1]
    name = ReversibleKeys(root, "mercy").name(outcome.note.output_id, text)
    site.admin().set(PREFIX + name, b"x" * 64)
    assert site.reidentify(site.tokens(outcome, text)) == 78
    assert site.log()[-1]["outcome"] == "refused: unreadable"
    assert not (site.folder / "out.jsonl").exists()


def test_a_rotated_key_opens_what_was_kept_before(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_key(site.folder / "reverse.v2")
    later = {
        "DEIDSTREAM_REVERSE_KEY_FILE": str(site.folder / "reverse.v2"),
        "DEIDSTREAM_REVERSE_KEY_VERSION": "2",
        "DEIDSTREAM_REVERSE_KEY_PREVIOUS": f"1={site.folder / 'reverse'}",
    }
    first = site.kept()
    second = site.kept(note="n2", **later)
    text = surrogate_of(first, "5512873")
    # Who has the first key alone is told, instead of "unknown" and no word more.
    assert site.reidentify(site.tokens(second, text)) == 0
    assert site.out()[0]["originals"] == []
    assert "of key version 2 are stored" in " ".join(capsys.readouterr().err.split())
    for name, value in later.items():
        monkeypatch.setenv(name, value)
    for outcome in (first, second):
        assert site.reidentify(site.tokens(outcome, text, "Nobody Atall")) == 0
        assert [len(line["originals"]) for line in site.out()] == [1, 0]
    assert "key version" not in capsys.readouterr().err
    assert [r["key_version"] for r in site.log()] == [1, 1, 2, 2, 2]
    monkeypatch.setenv("DEIDSTREAM_REVERSE_KEY_PREVIOUS", f"1={site.folder / 'key'}")
    assert site.reidentify(site.tokens(first, text)) == 78
    monkeypatch.setenv("DEIDSTREAM_REVERSE_KEY_PREVIOUS", "2=x")
    assert site.reidentify(site.tokens(first, text)) == 78
    assert "DEIDSTREAM_REVERSE_KEY_PREVIOUS: must be" in capsys.readouterr().err


def test_an_output_that_cannot_be_written_is_no_output(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int, content: bytes) -> None:
        os.write(handle, content[:10])
        raise OSError

    monkeypatch.setattr(reidentify, "write_whole", full)
    assert site.reidentify(site.tokens(site.kept(), "a")) == 78
    assert not (site.folder / "out.jsonl").exists()
    assert len(site.log()) == 1


def test_a_redis_that_is_away_is_69(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = site.kept()
    monkeypatch.setenv("DEIDSTREAM_REVERSE_REDIS_URL", "redis://reader:secret@127.0.0.1:1/1")
    assert site.reidentify(site.tokens(outcome, "a")) == 69
    assert not (site.folder / "out.jsonl").exists()
