"""The listener: an answer says AA when the broker has the note, and why when it has not."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from deidstream.models.messages.hl7.message_faults import ANSWERS, MessageFault
from deidstream.schemas.errors import Unavailable
from deidstream.schemas.wire import decode
from deidstream.stream.delivery.failures import OversizeRecords
from deidstream.stream.observing import metrics
from support.hl7_samples import NAMES, PATIENT, admission, document, message
from support.mllp_site import SETTINGS, MllpSite, Sender, open_site


def on_site(
    body: Callable[[MllpSite, Sender], Awaitable[None]], settings: object = SETTINGS
) -> None:
    async def run() -> None:
        async with open_site(settings) as site:  # type: ignore[arg-type]
            sender = await site.connect()
            await body(site, sender)

    asyncio.run(run())


def code(answer: str) -> str:
    """MSA-1, with the fault that ERR-5 names."""
    msa, *errors = answer.rstrip("\r").split("\r")[1:]
    fault = errors[0].split("|")[5].partition("^")[0] if errors else ""
    return f"{msa.split('|')[1]} {fault}".strip()


def test_a_message_is_answered_once_the_broker_has_its_note() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        site.broker.free.clear()
        sending = asyncio.create_task(sender.send(document(control_id="M77")))
        await asyncio.sleep(0.05)
        assert not sending.done()
        site.broker.free.set()
        answer = await sending
        assert code(answer) == "AA"
        assert answer.split("\r")[0].startswith(r"MSH|^~\&|DEID|RES|REG|HGH|")
        assert answer.split("\r")[1] == "MSA|AA|M77"
        (note,) = site.broker.notes()
        assert note["note_id"] == "DOC7^EHR"
        assert site.broker.kept[0].key == b"7741902^^^HGH"

    on_site(body)


REFUSED: dict[str, tuple[bytes | str, str]] = {
    "no header": ("PID|1||4410", "AR NO_HEADER"),
    "empty": ("", "AR NO_HEADER"),
    "a charge": (message("DFT^P03", [PATIENT]), "AR UNSUPPORTED_TYPE"),
    "a query": (message("ADT^A19", [PATIENT]), "AR UNSUPPORTED_EVENT"),
    "no control id": (admission(control_id=""), "AR NO_CONTROL_ID"),
    "no patient": (message("ADT^A01", ["EVN|A01"]), "AE NO_PATIENT"),
    "two patients": (
        message("ADT^A01", [PATIENT, PATIENT.replace("7741902", "8")]),
        "AE SEVERAL_PATIENTS",
    ),
    "a cancel of nothing": (document("T11", number="", text=""), "AE NO_DOCUMENT"),
    "a line that is no segment": (message("ADT^A01", [PATIENT, "Lindiwe"]), "AE BAD_SEGMENT"),
    "an unknown character set": (admission(f18="KLINGON"), "AR UNKNOWN_CHARACTER_SET"),
    "two character sets": (admission(f18="8859/1~8859/2"), "AR UNKNOWN_CHARACTER_SET"),
    "other bytes than its character set": (
        admission(f18="UNICODE UTF-8").encode().replace(b"Rose", b"R\xf6se"),
        "AE BAD_CHARACTERS",
    ),
    "not the ASCII it says": (
        admission(f18="ASCII").replace("Rose", "R\xf6se").encode(),
        "AE BAD_CHARACTERS",
    ),
    "too many names": (
        message("ADT^A01", [PATIENT, *(f"NK1|{n}|Zyxwvan^Lindiwe{n}" for n in range(1001))]),
        "AE TOO_MANY_VALUES",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_message_is_refused_with_a_reason_that_quotes_nothing(name: str) -> None:
    bad, expected = REFUSED[name]

    async def body(site: MllpSite, sender: Sender) -> None:
        answer = await sender.send(bad)
        assert code(answer) == expected
        assert not any(planted in answer for planted in (*NAMES, "KLINGON"))
        assert not site.broker.kept
        assert code(await sender.send(admission())) == "AA"

    on_site(body)


def test_without_kafka_the_sender_is_told_to_send_again_and_stays_connected() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        site.broker.failures.append(Unavailable("kafka"))
        assert code(await sender.send(admission())) == "AE KAFKA_UNAVAILABLE"
        site.broker.free.clear()
        assert code(await sender.send(admission())) == "AE KAFKA_UNAVAILABLE"
        site.broker.free.set()
        assert code(await sender.send(admission())) == "AA"
        assert len(site.broker.kept) == 1

    on_site(body)


def test_a_duplicate_is_answered_and_not_stored_again() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        before = metrics.value("deid_mllp_messages_total", "duplicate")
        assert code(await sender.send(admission())) == "AA"
        assert code(await sender.send(admission(f7="20240311081559"))) == "AA"
        assert len(site.broker.kept) == 1
        assert metrics.value("deid_mllp_messages_total", "duplicate") == before + 1
        assert code(await sender.send(admission("A04"))) == "AE CHANGED_DUPLICATE"
        assert code(await sender.send(admission("A04", f4="OTHER"))) == "AA"
        assert len(site.broker.kept) == 2

    on_site(body)


def test_a_message_that_is_sent_twice_at_once_is_stored_once() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        other = await site.connect()
        site.broker.free.clear()
        sent = document(control_id="M79")
        sending = asyncio.gather(sender.send(sent), other.send(sent))
        await asyncio.sleep(0.05)
        site.broker.free.set()
        assert [code(answer) for answer in await sending] == ["AA", "AA"]
        assert len(site.broker.kept) == 1

    on_site(body)


def test_of_two_sent_at_once_the_second_is_stored_where_the_first_fails() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        other = await site.connect()
        site.broker.free.clear()
        site.broker.failures.append(OversizeRecords())
        sent = document(control_id="M80")
        sending = asyncio.gather(sender.send(sent), other.send(sent))
        await asyncio.sleep(0.05)
        site.broker.free.set()
        assert sorted([code(answer) for answer in await sending]) == ["AA", "AR TOO_LARGE"]
        assert len(site.broker.kept) == 1

    on_site(body)


def test_a_message_over_the_limit_costs_itself_alone() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        large = document(text="x" * 300_000, control_id="BIG")
        answer = await sender.send(large)
        assert code(answer) == "AR TOO_LARGE"
        assert "MSA|AR|BIG|" in answer
        site.broker.failures.append(OversizeRecords())
        assert code(await sender.send(admission())) == "AR TOO_LARGE"
        assert code(await sender.send(admission())) == "AA"

    on_site(body, replace(SETTINGS, message_bytes=100_000))


def test_what_is_no_block_ends_the_connection_and_a_lost_end_costs_one_message() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        lost, whole = admission(control_id="LOST").encode(), admission(control_id="W").encode()
        await sender.send_bytes(b"\x0b" + lost + b"\x0b" + whole + b"\x1c\r\r\n")
        answer = await sender.answer()
        assert code(answer) == "AR BAD_FRAME"
        assert "MSA|AR|LOST|" in answer
        assert "MSA|AA|W" in await sender.answer()
        await sender.send_bytes(b"GET / HTTP/1.1\r\n\r\n")
        assert code(await sender.answer()) == "AR BAD_FRAME"
        assert await sender.closed()
        assert len(site.broker.kept) == 1

    on_site(body)


def test_a_vertical_tab_in_a_text_ends_no_block() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        assert code(await sender.send(document(text="One.\x0bTwo.", control_id="M81"))) == "AA"
        assert code(await sender.send(admission(control_id="M82"))) == "AA"
        first, _ = site.broker.notes()
        assert "One. Two." in str(first["text"])

    on_site(body)


@pytest.mark.parametrize("pieces", [1, 3])
def test_what_ends_a_block_in_half_stands_within_its_text(pieces: int) -> None:
    whole = document(text="Takes aspirin.\x1cSevere penicillin allergy.", control_id="M84").encode()

    async def body(site: MllpSite, sender: Sender) -> None:
        block = b"\x0b" + whole + b"\x1c\r"
        for start in range(0, len(block), len(block) // pieces + 1):
            await sender.send_bytes(block[start : start + len(block) // pieces + 1])
        assert code(await sender.answer()) == "AA"
        (note,) = site.broker.notes()
        assert "Takes aspirin. Severe penicillin allergy." in str(note["text"])

    on_site(body)


def test_the_two_bytes_of_an_end_may_come_apart() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        await sender.send_bytes(b"\x0b" + admission(control_id="M85").encode() + b"\x1c")
        await asyncio.sleep(0.05)
        assert not site.broker.kept
        large = b"\x0b" + document(text="x" * 300_000, control_id="BIG").encode() + b"\x1c"
        await sender.send_bytes(b"\r" + large)
        assert code(await sender.answer()) == "AA"
        await asyncio.sleep(0.05)
        await sender.send_bytes(b"\r")
        assert code(await sender.answer()) == "AR TOO_LARGE"

    on_site(body, replace(SETTINGS, message_bytes=100_000))


def test_a_block_that_goes_on_behind_its_end_is_refused_as_a_whole() -> None:
    text = "Takes aspirin.\x1c\rSevere penicillin allergy."
    halved = document(text=text, control_id="M86").encode()

    async def body(site: MllpSite, sender: Sender) -> None:
        answer = await sender.send(halved)
        assert code(answer) == "AR BAD_FRAME"
        assert "MSA|AR|M86|" in answer
        assert await sender.closed()
        assert not site.broker.kept

    on_site(body)


def test_a_zero_byte_in_a_text_is_a_blank() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        assert code(await sender.send(document(text="One.\0Two.\\X00\\Three."))) == "AA"
        (record,) = site.broker.kept
        assert "One. Two. Three." in decode(record.value).text

    on_site(body)


def test_half_messages_keep_others_out_no_longer_than_their_deadline() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        half = document(control_id="M87").encode()[:300]
        slow = [sender, *[await site.connect() for _ in range(3)]]
        for one in slow:
            await one.send_bytes(b"\x0b" + half)
        assert await (await site.connect()).closed()
        for one in slow:
            answer = await one.answer()
            assert code(answer) == "AE UNFINISHED"
            assert "MSA|AE|M87|" in answer
            assert await one.closed()
        assert code(await (await site.connect()).send(admission())) == "AA"

    on_site(body, replace(SETTINGS, connections=4, block_seconds=0.2))


def test_a_slow_message_has_one_deadline_and_a_silent_connection_has_another() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        await asyncio.sleep(0.3)
        await sender.send_bytes(b"\x0b" + document(control_id="M88").encode()[:300])
        for _ in range(3):
            await asyncio.sleep(0.06)
            await sender.send_bytes(b"x")
        assert code(await sender.answer()) == "AE UNFINISHED"
        assert not site.broker.kept

    on_site(body, replace(SETTINGS, block_seconds=0.2))


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_a_byte_order_mark_before_a_message_is_skipped(start: bytes) -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        whole = b"\x0b" + start + admission(control_id="M83").encode()
        await sender.send_bytes(whole + whole + b"\x1c\r")
        assert code(await sender.answer()) == "AR BAD_FRAME"
        answer = await sender.answer()
        assert (code(answer), answer.split("\r")[1]) == ("AA", "MSA|AA|M83")
        assert len(site.broker.kept) == 1

    on_site(body)


def test_messages_may_come_in_pieces_and_several_at_once() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        blocks = b"".join(
            b"\x0b" + admission(control_id=f"M{n}").encode() + b"\x1c\r" for n in range(20)
        )
        for start in range(0, len(blocks), 97):
            await sender.send_bytes(blocks[start : start + 97])
        answers = [await sender.answer() for _ in range(20)]
        assert [f"MSA|AA|M{n}" for n in range(20)] == [one.split("\r")[1] for one in answers]
        assert len(site.broker.kept) == 20

    on_site(body)


def test_too_many_and_silent_connections_are_closed() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        assert code(await sender.send(admission())) == "AA"
        assert await (await site.connect()).closed()
        assert await sender.closed()

    on_site(body, replace(SETTINGS, connections=1, idle_seconds=0.1))


def test_a_stop_answers_what_was_taken_and_takes_no_more() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        idle = await site.connect()
        site.broker.free.clear()
        sending = asyncio.create_task(sender.send(admission()))
        await asyncio.sleep(0.05)
        stopping = asyncio.create_task(site.listener.stop(5))
        await asyncio.sleep(0.05)
        assert await idle.closed()
        assert not stopping.done()
        site.broker.free.set()
        assert code(await sending) == "AA"
        assert await stopping
        with pytest.raises(ConnectionRefusedError):
            await site.connect()

    on_site(body)


def test_only_listed_facilities_may_send_each_for_its_tenant() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        assert code(await sender.send(admission())) == "AA"
        assert code(await sender.send(admission(f4="SOUTH"))) == "AA"
        assert code(await sender.send(admission(f4="ELSEWHERE"))) == "AR UNKNOWN_SENDER"
        assert [note["tenant"] for note in site.broker.notes()] == ["general", "south"]

    on_site(body, replace(SETTINGS, senders="HGH=general, SOUTH=south"))


ENHANCED = {
    "asks for the accept answer": ({"f15": "AL", "f16": "NE"}, ["CA"]),
    "asks for both": ({"f15": "AL", "f16": "AL"}, ["CA", "AA"]),
    "asks for the other": ({"f15": "NE", "f16": "AL"}, ["AA"]),
    "asks on success": ({"f15": "SU"}, ["CA"]),
}


@pytest.mark.parametrize("name", ENHANCED)
def test_the_enhanced_mode_gives_the_answers_that_were_asked_for(name: str) -> None:
    header, expected = ENHANCED[name]

    async def body(_site: MllpSite, sender: Sender) -> None:
        answers = [await sender.send(admission(**header))]
        answers += [await sender.answer() for _ in expected[1:]]
        assert [code(answer) for answer in answers] == expected

    on_site(body)


def test_a_sender_that_wants_no_answer_gets_none() -> None:
    async def body(site: MllpSite, sender: Sender) -> None:
        quiet = admission(f15="ER", f16="NE").encode()
        await sender.send_bytes(b"\x0b" + quiet + b"\x1c\r")
        bad = admission(f15="ER", f16="NE", control_id="").encode()
        await sender.send_bytes(b"\x0b" + bad + b"\x1c\r")
        assert code(await sender.answer()) == "CR NO_CONTROL_ID"
        assert len(site.broker.kept) == 1

    on_site(body)


def test_every_fault_has_an_answer() -> None:
    assert set(ANSWERS) == set(MessageFault)
