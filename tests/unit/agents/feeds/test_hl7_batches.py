"""Of a batch, each message is taken on its own, over a connection or from a file."""

import asyncio
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.feeds.ingest_hl7 import Hl7Files
from deidstream.agents.feeds.message_records import MessageReader
from deidstream.agents.feeds.senders import Senders
from deidstream.models.messages.hl7.batches import split_batch
from deidstream.schemas.errors import MissingArtefact
from support.hl7_samples import NAMES, PATIENT, admission, document, message, results
from support.mllp_site import SETTINGS, open_site

FILE = r"FHS|^~\&|REG|HGH|DEID|RES|20240311||||F5" + "\r"
BATCH = r"BHS|^~\&|REG|HGH|DEID|RES|20240311||||B9" + "\r"
GOOD = (document(control_id="M1"), results(control_id="M2"), admission(control_id="M3"))
BAD = message("DFT^P03", [PATIENT], "M4")
TORN = admission(control_id="M5") + "Lindiwe Zyxwvan\r"


def batch(*messages: str) -> str:
    return FILE + BATCH + "".join(messages) + f"BTS|{len(messages)}\rFTS|1\r"


def test_a_batch_is_answered_by_a_batch_and_an_error_costs_its_message_alone() -> None:
    async def run() -> None:
        async with open_site() as site:
            sender = await site.connect()
            answer = await sender.send(batch(GOOD[0], BAD, GOOD[1], TORN, GOOD[2]))
            lines = answer.rstrip("\r").split("\r")
            assert [line[:3] for line in (*lines[:2], *lines[-2:])] == ["FHS", "BHS", "BTS", "FTS"]
            assert lines[0].startswith(r"FHS|^~\&|DEID|RES|REG|HGH|")
            assert (lines[0].split("|")[11], lines[1].split("|")[11]) == ("F5", "B9")
            said = [line.split("|")[1:3] for line in lines if line.startswith("MSA")]
            assert said == [["AA", "M1"], ["AR", "M4"], ["AA", "M2"], ["AE", "M5"], ["AA", "M3"]]
            assert lines[-2] == "BTS|5"
            ids = [note["note_id"] for note in site.broker.notes()]
            assert ids == ["DOC7^EHR", "F77^LAB", "M3^HGH"]
            assert not [name for name in NAMES if name in answer]
            # The same batch once more stores nothing, and a batch may be empty.
            await sender.send(batch(*GOOD))
            assert len(site.broker.kept) == 3
            empty = (await sender.send(BATCH + "BTS|0\r")).split("\r")
            assert [line[:5] for line in empty] == ["BHS|^", "BTS|0", ""]

    asyncio.run(run())


def test_an_event_with_nothing_to_do_is_answered_and_stores_nothing() -> None:
    async def run() -> None:
        async with open_site() as site:
            sender = await site.connect()
            answer = await sender.send(message("ADT^A20", ["EVN||20240311", "NPU|4W^1|C"]))
            assert "\rMSA|AA|M1" in answer
            assert not site.broker.kept

    asyncio.run(run())


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10**6])
@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_messages_are_cut_alike_whatever_the_pieces_and_the_line_ends(size: int, end: str) -> None:
    whole = batch(*GOOD, BAD).replace("\r", end).encode()
    pieces = [whole[start : start + size] for start in range(0, len(whole), size)]
    expected = [one.replace("\r", end).strip().encode() for one in (*GOOD, BAD)]
    assert list(split_batch(pieces, 10**6)) == expected
    framed = b"".join(b"\x0b" + one.encode() + b"\x1c\r" for one in GOOD)
    assert list(split_batch([framed], 10**6)) == [one.strip().encode() for one in GOOD]


@pytest.mark.parametrize("size", [50, 10**6])
def test_a_message_over_the_limit_costs_itself_alone(size: int) -> None:
    long = document(text="Ms. Zyxwvan is well. " * 500, control_id="M9")
    whole = batch(GOOD[0], long, GOOD[2]).encode()
    pieces = [whole[start : start + size] for start in range(0, len(whole), size)]
    found = list(split_batch(pieces, 2_000))
    assert [len(one) > 2_000 for one in found] == [False, True, False]
    assert len(found[1]) == 2_001


def read(path: Path) -> Hl7Files:
    reader = MessageReader(Senders.read(SETTINGS), "raw", 900_000)
    return Hl7Files([path], reader, SETTINGS.message_bytes)


def test_a_file_of_batches_gives_the_records_of_its_messages_and_says_which_are_refused(
    tmp_path: Path,
) -> None:
    file = tmp_path / "night.hl7"
    file.write_bytes((batch(GOOD[0], BAD) + batch(TORN, GOOD[2])).encode())
    files = read(file)
    assert [record.key for record in files.read_records()] == [b"7741902^^^HGH"] * 2
    assert files.tally.taken == 2
    assert files.tally.places == [
        "night.hl7, message 2: UNSUPPORTED_TYPE",
        "night.hl7, message 3: BAD_SEGMENT",
    ]
    assert list(read(file).read_records()) == list(read(file).read_records())


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingArtefact, match=r"none\.hl7: cannot be read"):
        list(read(tmp_path / "none.hl7").read_records())


def test_the_command_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["ingest", "hl7", "--help"])
    assert "night.hl7" in capsys.readouterr().out
