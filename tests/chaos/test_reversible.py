"""Real workers that keep reversible records: who finds originals, and what a kill leaves behind."""

import json
import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.long_notes import LONG_BYTES
from deidstream.agents.runtime.root_keys import read_key
from deidstream.models.reidentification.reversible_record import IRREVERSIBLE, ReversibleKeys
from deidstream.schemas.note import RawNote
from deidstream.stream.redis.reversible_store import PREFIX
from support.kafka import Kafka
from support.reversible_site import Site, running_site
from support.service import Service, many_notes

NOTES = 40
SECONDS = 300
SHORTEST = 6
"""Shorter originals occur in random bytes and in times by chance."""
pytestmark = [pytest.mark.broker, pytest.mark.chaos, pytest.mark.slow]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A Redis that keeps every write, with the users of the manual; commands run as the reader."""
    options = ("--appendfsync", "always", "--loglevel", "debug")
    with running_site(tmp_path, appendonly=True, options=options) as made:
        for name, value in made.environment("reader").items():
            monkeypatch.setenv(name, value)
        yield made


@pytest.fixture
def service(kafka: Kafka, site: Site) -> Iterator[Service]:
    """Workers that keep records, in small groups."""
    settings = site.environment("writer") | {"DEIDSTREAM_BATCH_NOTES": "4"}
    made = Service(kafka, site.server.url, site.folder, settings)
    yield made
    made.stop()


def drained(service: Service) -> None:
    """Stop the worker in order: what it emitted has its records then."""
    service.wait_for(NOTES, SECONDS)
    worker = service.workers[-1]
    worker.send(signal.SIGTERM)
    assert worker.wait(30) == 0, service.logs()[-3000:]


def reversed_of(service: Service, notes: Sequence[RawNote]) -> dict[tuple[str, str], set[str]]:
    """The originals of each output and surrogate, according to the audit topic."""
    by_id = {service.keyring().pseudonym("note", note.note_id): note for note in notes}
    outputs = {str(one["note_id"]): str(one["output_id"]) for one in service.records("anonymized")}
    found: dict[tuple[str, str], set[str]] = {}
    for audit in service.records("audit"):
        text, original = str(audit["text"]), by_id[str(audit["note_id"])].text
        for each in cast("list[dict[str, Any]]", audit["replacements"]):
            written = text[each["out_start"] : each["out_end"]]
            if each["operator"] not in IRREVERSIBLE and written != f"[{each['label']}]":
                token = outputs[str(audit["note_id"])], written
                found.setdefault(token, set()).add(original[each["start"] : each["end"]])
    return found


def expected(site: Site, wanted: dict[tuple[str, str], set[str]]) -> set[bytes]:
    keys = ReversibleKeys(read_key(str(site.folder / "reverse")), "default")
    return {PREFIX + keys.name(*token) for token in wanted}


def ask(site: Site, wanted: dict[tuple[str, str], set[str]], **changed: str) -> int:
    lines = (json.dumps({"output_id": output, "text": text}) for output, text in wanted)
    (site.folder / "tokens.jsonl").write_text("\n".join(lines))
    return site.reidentify(site.folder / "tokens.jsonl", tenant="default", **changed)


def written(site: Site) -> bytes:
    """Every byte that Redis has on disk, its log included."""
    site.admin().save()
    files = sorted(path for path in Path(site.server.home).rglob("*") if path.is_file())
    assert {".aof", ".rdb", ".log"} <= {file.suffix for file in files}
    return b"".join(file.read_bytes() for file in files)


def forgotten(site: Site, notes: Sequence[RawNote], monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget one patient, as the user that may, then all."""
    for name, value in site.environment("forgetter").items():
        monkeypatch.setenv(name, value)
    patients = sorted({note.patient_id for note in notes})
    before, lists = site.names(), site.lists()
    assert len(lists) == len(patients) > 1
    assert site.forget(patients[0], tenant="default") == 0
    assert (len(site.lists()), site.names() < before) == (len(lists) - 1, True)
    assert site.names()
    assert site.forget(*patients, tenant="default") == 0
    assert (site.names(), site.lists()) == (set(), set())


def test_what_a_worker_keeps_only_the_entitled_find(
    service: Service,
    site: Site,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    notes = many_notes(NOTES)
    service.send(notes)
    service.start_worker()
    drained(service)
    wanted = reversed_of(service, notes)
    assert len(wanted) > NOTES
    assert site.names() == expected(site, wanted)
    some = dict(list(wanted.items())[:100])
    with pytest.raises(SystemExit):
        main(["reidentify", "tokens.jsonl", "--tenant", "default", "--requester", "ann"])
    assert ask(site, some, approver="Ann") == 78
    assert not (site.folder / "out.jsonl").exists()
    assert ask(site, some) == 0
    found = {(line["output_id"], line["text"]): line["originals"] for line in site.out()}
    assert {token: {one["text"] for one in found[token]} for token in some} == some
    capsys.readouterr()
    assert main(["audit", "verify", str(site.folder / "log")]) == 0
    assert capsys.readouterr().out.startswith(f"{len(some)} records, whole")
    forgotten(site, notes, monkeypatch)
    held = written(site)
    originals = {one for each in wanted.values() for one in each if len(one) >= SHORTEST}
    assert len(originals) > NOTES // 4
    logs = service.logs().encode()
    assert [one for one in originals if one.encode() in held or one.encode() in logs] == []
    assert all(one.encode().hex().encode() not in held for one in originals)


def test_a_long_note_has_its_records_and_keeps_its_place(service: Service, site: Site) -> None:
    notes = many_notes(NOTES)
    middle = notes[NOTES // 2]
    plain = "The abdomen was soft and not tender.\n"
    text = f"{middle.text}\n{plain * (LONG_BYTES // len(plain))}{middle.text}"
    # Its patient has notes before it and behind it.
    long = replace(middle, text=text, patient_id=notes[0].patient_id)
    notes = [
        *notes[: NOTES // 2],
        long,
        *(replace(n, patient_id=long.patient_id) for n in notes[-9:]),
    ]
    service.send(notes)
    service.start_worker()
    service.wait_for(len(notes), SECONDS)
    worker = service.workers[-1]
    worker.send(signal.SIGTERM)
    assert worker.wait(60) == 0, service.logs()[-3000:]
    wanted = reversed_of(service, notes)
    assert site.names() == expected(site, wanted)
    pseudonym = service.keyring().pseudonym
    mine = [pseudonym("note", n.note_id) for n in notes if n.patient_id == long.patient_id]
    made = service.records("anonymized")
    ids = [str(one["note_id"]) for one in made]
    assert [each for each in ids if each in mine] == mine
    (output,) = (
        str(one["output_id"]) for one in made if one["note_id"] == pseudonym("note", long.note_id)
    )
    of_long = {token: its for token, its in wanted.items() if token[0] == output}
    assert of_long
    assert ask(site, of_long) == 0
    assert {one["text"] for line in site.out() for one in line["originals"]} == {
        one for each in of_long.values() for one in each
    }


def test_a_killed_worker_leaves_one_set_of_records(service: Service, site: Site) -> None:
    notes = many_notes(NOTES)
    service.send(notes)
    service.start_worker()
    service.wait(lambda: service.count("anonymized") >= NOTES // 4, SECONDS)
    service.workers[-1].kill9()
    service.start_worker()
    drained(service)
    wanted = reversed_of(service, notes)
    assert len({output for output, _ in wanted}) == NOTES
    assert site.names() == expected(site, wanted)
    some = dict(list(wanted.items())[-100:])
    assert ask(site, some) == 0
    assert {one["text"] for line in site.out() for one in line["originals"]} == {
        one for each in some.values() for one in each
    }
