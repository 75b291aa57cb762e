"""Rows D1 to D7: hostile and broken messages among good ones."""

import random
from hashlib import sha256

import orjson

from deidstream.schemas.wire import NOTE_BYTES
from harness.broker import configure_topic
from harness.canary_notes import ANY, OUT, CanaryNote, NoteMaker
from harness.history import read_history
from harness.orders import DIE_OF
from harness.rows import Row
from harness.scene import Scene

SMALL_OUTPUT = 20_000
TOO_LARGE = frozenset({"TOO_LARGE", "OUTPUT_TOO_LARGE"})


def _mix(scene: Scene, poison: list[CanaryNote], neighbours: int, seconds: float = 120.0) -> None:
    """Send messages among good notes, and wait for the end of all."""
    maker = scene.loader.maker
    notes = [maker.note() for _ in range(scene.times(neighbours))]
    notes += poison
    random.Random(scene.seed).shuffle(notes)
    scene.fault(f"{len(poison)} hostile messages")
    scene.start_worker()
    scene.loader.send(notes)
    scene.loader.flush()
    scene.healed(f"{len(poison)} hostile messages", seconds)
    scene.recover(seconds)
    scene.settle(seconds)


def _whole(maker: NoteMaker, **fields: object) -> tuple[dict[str, object], str]:
    name = maker.word("poison", maker.made)
    return {"note_id": name, "patient_id": name, "text": f"Mr. {name} was seen."} | fields, name


def _malformed(scene: Scene) -> None:
    """Bad JSON, bad UTF-8, lone surrogates, NUL, nesting, wrong types, nulls."""
    maker, poison = scene.loader.maker, []
    for _ in range(scene.times(5)):
        whole, name = _whole(maker)
        raw = name.encode()
        cases: list[tuple[bytes, str]] = [
            (b"", "BAD_JSON"),
            (b"null", "BAD_JSON"),
            (b'"' + raw + b'"', "BAD_JSON"),
            (b"[" * 100_000, "BAD_JSON"),
            (b'{"a":' * 10_000 + raw, "BAD_JSON"),
            (orjson.dumps([whole]), "BAD_JSON"),
            (orjson.dumps(whole)[:-9], "BAD_JSON"),
            (b"\x1f\x8b\x08" + raw, "BAD_UTF8"),
            ("é".encode()[:1] + raw, "BAD_UTF8"),
            (orjson.dumps(whole).replace(b"Mr.", b"\\ud800"), "BAD_UNICODE"),
            (orjson.dumps(whole | {"text": f"{name}\0"}), "BAD_UNICODE"),
            (orjson.dumps(whole | {"text": None}), "MISSING_FIELD"),
            (orjson.dumps(whole | {"text": [name]}), "WRONG_TYPE"),
            (orjson.dumps(whole | {"note_id": 7}), "WRONG_TYPE"),
            (orjson.dumps(whole | {"known": [name]}), "WRONG_TYPE"),
            (orjson.dumps(whole | {"known": {"names": name}}), "WRONG_TYPE"),
            (orjson.dumps(whole | {"text": " \n\t"}), "EMPTY_TEXT"),
            (orjson.dumps(whole | {"patient_id": " "}), "MISSING_FIELD"),
        ]
        poison += [maker.poison(value, fate, name) for value, fate in cases]
    _mix(scene, poison, 400)


def _schemas(scene: Scene) -> None:
    """A newer schema, fields that are missing, fields that nobody knows, unknown tenants."""
    tenants = scene.folder / "tenants.toml"
    tenants.write_text('[tenants]\ndefault = "default"\n')
    maker, poison = scene.loader.maker, []
    for _ in range(scene.times(8)):
        whole, name = _whole(maker)
        without = {field: value for field, value in whole.items() if field != "patient_id"}
        for value, fate in (
            (whole | {"schema": 2}, "UNKNOWN_SCHEMA"),
            (whole | {"schema": "1"}, "WRONG_TYPE"),
            (whole | {"schema": 0}, "UNKNOWN_SCHEMA"),
            (without, "MISSING_FIELD"),
            (whole | {"tenant": ""}, "MISSING_FIELD"),
        ):
            poison.append(maker.poison(orjson.dumps(value), fate, name))
        note = maker.note()
        extended = orjson.loads(note.value) | {"of a newer minor version": name}
        poison.append(_changed(note, orjson.dumps(extended), OUT))
    _mix(scene, poison, 300)


def _changed(note: CanaryNote, value: bytes, fate: str, key: bytes = b"") -> CanaryNote:
    return CanaryNote(
        value, key or note.key, note.header, fate, note.note_id, note.patient_id, note.text,
        note.canaries,
    )  # fmt: skip


def _oversize(scene: Scene) -> None:
    """Messages around the limit, and outputs over the limit of their topic."""
    limit = {"max.message.bytes": str(SMALL_OUTPUT)}
    configure_topic(scene.kafka, scene.topics()["anonymized"], limit)
    maker, poison = scene.loader.maker, []
    filler = "The patient slept well and had no complaints. "
    for _ in range(scene.times(4)):
        large = maker.note(text=filler * 800)
        poison.append(_changed(large, large.value, ANY))
        name = maker.word("poison", maker.made)
        for length, fate in ((NOTE_BYTES + 1, "TOO_LARGE"), (NOTE_BYTES, "BAD_JSON")):
            start = b'{"text": "' + name.encode()
            poison.append(maker.poison(start + b" " * (length - len(start)), fate, name))
    _mix(scene, poison, 200)
    reasons = _reasons(scene, poison)
    over = [reason for reason, note in zip(reasons, poison, strict=True) if note.fate == ANY]
    scene.expect("outputs over the limit are quarantined", set(over) <= TOO_LARGE, str(set(over)))


def _reasons(scene: Scene, notes: list[CanaryNote]) -> list[str]:
    """Return why each of these was quarantined; empty where it was not."""
    topics = {"quarantine": scene.topics()["quarantine"]}
    history = read_history(scene.kafka.direct, topics)
    letters = [record.fields() for record in history.of("quarantine")]
    by_place = {
        (letter["source"]["partition"], letter["source"]["offset"]): str(letter["reason"])
        for letter in letters
    }
    places = {s.content: (s.partition, s.offset) for s in scene.manifest.sent()}
    return [by_place.get(places[sha256(note.value).hexdigest()], "") for note in notes]


def _duplicates(scene: Scene) -> None:
    """The same note again, as it was and corrected, in and out of order."""
    maker, more = scene.loader.maker, []
    for number in range(scene.times(60)):
        note = maker.note()
        more += [note, note]
        if number % 3 == 0:
            fields = orjson.loads(note.value)
            fields["text"] += " Corrected: slept well."
            more.append(_changed(note, orjson.dumps(fields), OUT))
    _mix(scene, more, 100)


def _pathological(scene: Scene) -> None:
    """Texts that are slow where something is not linear."""
    maker, poison = scene.loader.maker, []
    size = 200_000 if scene.scale >= 2 else 40_000
    texts = (
        "7" * size,
        " " * size + "x",
        "A. " * (size // 3),
        "(" * size,
        "a" * size,
        "1/" * (size // 2),
        "Mr. " * (size // 4),
        "a@" * (size // 2),
        "http://" * (size // 7),
        "".join(f"Mr. {maker.word('crowd', n)} and " for n in range(size // 100)),
    )
    for text in texts:
        note = maker.note(text=text)
        poison.append(_changed(note, note.value, ANY))
    _mix(scene, poison, 100, 300)


def _disguised(scene: Scene) -> None:
    """Known identifiers in disguise: zero-width characters, other scripts' letters, full width."""
    maker, poison = scene.loader.maker, []
    for turn in range(scene.times(20)):
        name = maker.word("disguise", turn)
        for disguise in (
            "\u200b".join(name),
            "\u00ad".join(name),
            "".join(chr(ord(c) + 0xFEE0) for c in name),
            name.translate({ord("a"): 0x430, ord("e"): 0x435, ord("o"): 0x43E}),
            name.upper(),
            " ".join(name),
            "\u202e" + name + "\u202c",
        ):
            note = maker.note(text=f"{disguise} was seen.")
            fields = orjson.loads(note.value)
            fields["known"]["names"] = [*fields["known"].get("names", []), name]
            made = _changed(note, orjson.dumps(fields), ANY)
            poison.append(CanaryNote(
                made.value, made.key, made.header, ANY, made.note_id, made.patient_id, made.text,
                (*made.canaries, name, disguise),
            ))  # fmt: skip
    _mix(scene, poison, 100, 240)


def _deadly(scene: Scene) -> None:
    """A note that kills the process each time it is read, as a fault in a library would."""
    word = "Diesofthis"
    scene.settings[DIE_OF] = word
    maker = scene.loader.maker
    deadly = [_changed(n, n.value, ANY) for n in [maker.note(text=f"{word}.")]]
    scene.loader.send([maker.note() for _ in range(30)])
    scene.loader.send(deadly)
    scene.loader.send([maker.note() for _ in range(30)])
    scene.loader.flush()
    scene.fault("a note that kills the process")
    scene.start_worker()
    scene.healed("a note that kills the process", 90)
    scene.settle()
    scene.kills += scene.unbidden
    reason = _reasons(scene, deadly)[0]
    scene.expect("the note is quarantined", bool(reason), reason or "it is not")
    scene.expect("few workers died of it", 1 <= scene.unbidden <= 8, f"{scene.unbidden} workers")


ROWS = (
    Row("D1", "malformed messages", _malformed),
    Row("D2", "other schemas, missing fields", _schemas),
    Row("D3", "oversize messages and outputs", _oversize),
    Row("D4", "duplicates and corrections", _duplicates),
    Row("D5", "texts that are slow to search", _pathological),
    Row("D6", "known identifiers in disguise", _disguised),
    Row("D7", "a note that kills the process", _deadly, exits=20),
)
