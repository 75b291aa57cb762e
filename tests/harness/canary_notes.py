"""Seeded notes: every field of every note holds a canary, a word that must come out nowhere."""

import hashlib
import random
from dataclasses import dataclass, field

import orjson

from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.wire import encode_note

OUT = "out"
"""The fate of a note that must be emitted."""
ANY = "any"
"""The fate of a message that may be emitted or quarantined, but must end as one of the two."""
HEADER = "harness-canary"
FULL = 10
"""Every so many notes, one has every kind of identifier."""
_PAIRS = tuple(c + v for c in "bdfghjklmnprstvwxyz" for v in "aeiou")


@dataclass(frozen=True, slots=True)
class CanaryNote:
    """One message on its way to the raw topic, and what must become of it."""

    value: bytes = field(repr=False)
    key: bytes = field(repr=False)
    header: bytes = field(repr=False)
    fate: str
    """:data:`OUT`, :data:`ANY`, or the reason for which it must be quarantined."""
    note_id: str = field(default="", repr=False)
    patient_id: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    canaries: tuple[str, ...] = field(default=(), repr=False)


@dataclass(slots=True)
class NoteMaker:
    """Makes the notes of one run; the same seed makes the same notes."""

    seed: str
    patients: int = 50
    made: int = 0

    def word(self, kind: str, number: int) -> str:
        """Return a name that no list holds and no surrogate can be by chance."""
        digest = hashlib.sha256(f"{self.seed}|{kind}|{number}".encode()).digest()
        return "".join(_PAIRS[byte % len(_PAIRS)] for byte in digest[:7]).capitalize()

    def number(self, kind: str, number: int) -> str:
        """Return an identifier that no surrogate can be by chance."""
        digest = hashlib.sha256(f"{self.seed}|{kind}|{number}".encode()).digest()
        digits = int.from_bytes(digest[:8], "big") % 10**12
        return f"Q{_PAIRS[digest[8] % len(_PAIRS)][0].upper()}{digits:012}"

    def note(
        self, patient: int | None = None, text: str = "", number: int | None = None
    ) -> CanaryNote:
        """Make the next note; ``text`` is put behind the usual one."""
        if number is None:
            number, self.made = self.made, self.made + 1
        owner = number * 7919 % self.patients if patient is None else patient
        family, record = self.word("family", owner), self.number("record", owner)
        doctor, street = self.word("doctor", number), self.word("street", number)
        known, account = self.word("known", number), self.number("account", number)
        note_id = f"{self.word('note', number)}-{number}"
        # Names cost most of a note's time, so most notes have few.
        body = f"Dr. {doctor} saw {family}. MRN: {record}. Account {account}. {text}"
        if number % FULL == 0:
            body = (
                f"Patient: {family}, Tom. Seen by Dr. {doctor} on 03/04/2024. Mr. {family} lives "
                f"at 12 {street} Street. MRN: {record}. {known} agrees, account {account}. {text}"
            )
        names = (family, known) if number % FULL == 0 else (family,)
        raw = RawNote(
            note_id,
            record,
            body.rstrip(),
            authored_at="2024-04-03",
            known=KnownIdentifiers(names=names, identifiers=(account,)),
        )
        header = self.word("header", number)
        return CanaryNote(
            value=encode_note(raw),
            key=record.encode(),
            header=header.encode(),
            fate=OUT,
            note_id=note_id,
            patient_id=record,
            text=raw.text,
            canaries=(family, record, doctor, street, known, account, note_id, header),
        )

    def poison(self, value: bytes, fate: str, *canaries: str) -> CanaryNote:
        """Make a message that is no note; its key and header hold canaries too."""
        number, self.made = self.made, self.made + 1
        key, header = self.number("key", number), self.word("header", number)
        return CanaryNote(
            value, key.encode(), header.encode(), fate, canaries=(key, header, *canaries)
        )

    def some_poison(self, chance: random.Random) -> CanaryNote:
        """Make one of the usual broken messages, with a canary in it."""
        name = self.word("poison", self.made)
        whole = {"note_id": name, "patient_id": name, "text": f"Mr. {name} was seen."}
        value, fate = chance.choice(
            (
                (b'{"text": "' + name.encode(), "BAD_JSON"),
                (b'{"text": "' + name.encode() + b'\xff"}', "BAD_UTF8"),
                (orjson.dumps(whole | {"text": f"{name}\0"}), "BAD_UNICODE"),
                (orjson.dumps(whole | {"schema": 99}), "UNKNOWN_SCHEMA"),
                (orjson.dumps({"note_id": name}), "MISSING_FIELD"),
                (orjson.dumps(whole | {"text": "  "}), "EMPTY_TEXT"),
                (orjson.dumps(whole | {"known": name}), "WRONG_TYPE"),
            )
        )
        return self.poison(value, fate, name)
