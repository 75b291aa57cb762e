"""Judge a run offline: what was sent against what came out, by the invariants I1 to I6."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.models.keyring import Keyring, canonical
from deidstream.schemas.label import PhiLabel, is_direct
from deidstream.schemas.policy import OperatorName
from harness.canary_notes import ANY, OUT
from harness.history import History, OutputRecord
from harness.manifest import Sent
from support.surrogate_uses import SurrogateUses


@dataclass(frozen=True, slots=True)
class Finding:
    """How often one invariant was broken, and where first; never a text."""

    invariant: str
    count: int
    where: tuple[str, ...] = ()

    @classmethod
    def of(cls, invariant: str, where: Iterable[str]) -> "Finding":
        """Count places, and keep the first."""
        found = sorted(where)
        return cls(invariant, len(found), tuple(found[:5]))


@dataclass(slots=True)
class Verdict:
    """What the verifier found in one run."""

    sent: int
    emitted: int
    quarantined: int
    records: int
    aborted: int
    """Records that no reader of committed records gets."""
    duplicates: int
    """Records too many, for a reader of everything."""
    committed_duplicates: int
    """Records too many, for a reader of committed records."""
    tolerated: int = 0
    """Good notes that were quarantined for a reason which the row tolerates."""
    findings: list[Finding] = field(default_factory=list[Finding])

    @property
    def clean(self) -> bool:
        """Whether no invariant was broken."""
        return not any(finding.count for finding in self.findings)


@dataclass(slots=True)
class Verifier:
    """The offline verifier of one run."""

    sent: Sequence[Sent]
    history: History
    keyrings: Sequence[Keyring]
    """Of every key version that was in force."""
    exactly_once: bool
    """Whether a reader of committed records was promised no duplicate."""
    lost_by_retention: frozenset[tuple[int, int]] = frozenset()
    """Messages that the broker deleted before anybody read them."""
    tolerated: frozenset[str] = frozenset()
    """Reasons for which any note may be quarantined."""
    _notes: dict[str, list[Sent]] = field(init=False)
    """Messages by the pseudonym of their note, under any key version."""
    _of_id: dict[str, list[Sent]] = field(default_factory=dict[str, list[Sent]])
    """Messages by the id of their note."""

    def __post_init__(self) -> None:
        notes: defaultdict[str, list[Sent]] = defaultdict(list)
        for item in self.sent:
            for pseudonym in self._pseudonyms(item):
                notes[pseudonym].append(item)
            self._of_id.setdefault(item.note_id, []).append(item)
        self._notes = dict(notes)

    def _version(self, item: Sent, pseudonym: str) -> int:
        """Return the key version under which a note has this pseudonym."""
        made = {k.pseudonym("note", item.note_id): k.version for k in self.keyrings}
        return made[pseudonym]

    def _pseudonyms(self, item: Sent) -> set[str]:
        if not item.note_id:
            return set()
        return {keyring.pseudonym("note", item.note_id) for keyring in self.keyrings}

    def judge(self) -> Verdict:
        """Check every invariant that can be checked offline."""
        emitted = {
            str(r.fields()["note_id"]) for r in self.history.of("anonymized", committed=True)
        }
        letters = self._letters(self.history.of("quarantine", committed=True))
        committed_duplicates = self._duplicates(committed=True)
        verdict = Verdict(
            sent=len(self.sent),
            emitted=len(emitted),
            quarantined=len(letters),
            records=len(self.history.records),
            aborted=sum(r.place not in self.history.committed for r in self.history.records),
            duplicates=len(self._duplicates(committed=False)),
            committed_duplicates=len(committed_duplicates),
            tolerated=sum(
                item.fate == OUT and letters.get((item.partition, item.offset)) in self.tolerated
                for item in self.sent
            ),
        )
        promised = committed_duplicates if self.exactly_once else []
        verdict.findings = [
            Finding.of("I1 no loss", self._lost(emitted, letters)),
            Finding.of("I1 expected fate", self._wrong_fates(emitted, letters)),
            Finding.of("I2 no differing duplicate", self._differing()),
            Finding.of("I2 no committed duplicate", promised),
            Finding.of("I4 consistency", self._inconsistent()),
            Finding.of("I5 order per key", self._disordered()),
            Finding.of("I6 risk pairing", self._unpaired()),
        ]
        return verdict

    def _letters(self, records: Sequence[OutputRecord]) -> dict[tuple[int, int], str]:
        letters: dict[tuple[int, int], str] = {}
        for record in records:
            fields = record.fields()
            source = fields["source"]
            letters[source["partition"], source["offset"]] = str(fields["reason"])
        return letters

    def _lost(self, emitted: set[str], letters: Mapping[tuple[int, int], str]) -> list[str]:
        lost: list[str] = []
        for item in self.sent:
            place = item.partition, item.offset
            if place in self.lost_by_retention or place in letters:
                continue
            if self._pseudonyms(item) & emitted:
                continue
            lost.append(f"raw {place}")
        strangers = emitted - set(self._notes)
        return lost + [f"output of no input: {len(strangers)}"] * len(strangers)

    def _wrong_fates(self, emitted: set[str], letters: Mapping[tuple[int, int], str]) -> list[str]:
        wrong: list[str] = []
        for item in self.sent:
            place = item.partition, item.offset
            reason = letters.get(place)
            is_out = bool(self._pseudonyms(item) & emitted)
            if item.fate == OUT and reason not in {None, *self.tolerated}:
                wrong.append(f"raw {place}: quarantined {reason}")
            elif item.fate not in {OUT, ANY} and (is_out or reason not in {None, item.fate}):
                wrong.append(f"raw {place}: {reason or 'emitted'}, not {item.fate}")
        return wrong

    def _duplicates(self, *, committed: bool) -> list[str]:
        too_many: list[str] = []
        for kind in ("anonymized", "risk"):
            records = self.history.of(kind, committed=committed)
            inputs = [self._notes.get(str(r.fields()["note_id"]), [None])[0] for r in records]
            counts = Counter(item.note_id for item in inputs if item)
            too_many += [
                f"{kind} of seq {self._of_id[note][0].seq}"
                for note, count in counts.items()
                for _ in range(count - len(self._of_id[note]))
            ]
        letters = [
            (r.fields()["source"]["partition"], r.fields()["source"]["offset"])
            for r in self.history.of("quarantine", committed=committed)
        ]
        counted = Counter(letters)
        return too_many + [
            f"quarantine {place}" for place, count in counted.items() for _ in range(count - 1)
        ]

    def _differing(self) -> list[str]:
        made: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for kind in ("anonymized", "risk"):
            for record in self.history.of(kind):
                name = kind, str(record.fields()["output_id"])
                made[name].add(hashlib.sha256(record.key + b"|" + record.value).hexdigest())
        for record in self.history.of("quarantine"):
            fields = record.fields()
            source = fields["source"]
            name = "quarantine", f"{source['partition']}/{source['offset']}"
            made[name].add(f"{fields['reason']} {fields['stage']}")
        return [f"{kind} {name}" for (kind, name), values in made.items() if len(values) > 1]

    def _inconsistent(self) -> list[str]:
        uses = SurrogateUses()
        owners: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        for record in self.history.of("audit"):
            fields = record.fields()
            for item in self._notes.get(str(fields["note_id"]), ())[:1]:
                version = self._version(item, str(fields["note_id"]))
                for label, original, made in _replaced(item.text, fields):
                    uses.add((item.patient_id, str(version), label, original), made, item.text)
        for record in self.history.of("anonymized"):
            fields = record.fields()
            for item in self._notes.get(str(fields["note_id"]), ()):
                owner = item.patient_id, self._version(item, str(fields["note_id"]))
                owners[owner].add(str(fields["patient_id"]))
        split = ["several surrogates of one original"] * uses.count_split()
        return split + [
            f"pseudonyms of one patient: {len(o)}" for o in owners.values() if len(o) > 1
        ]

    def _disordered(self) -> list[str]:
        last: dict[tuple[bytes, str, int], int] = {}
        seen: set[str] = set()
        wrong: list[str] = []
        for record in self.history.of("anonymized", committed=True):
            note = str(record.fields()["note_id"])
            if note in seen or note not in self._notes:
                continue
            seen.add(note)
            first = self._notes[note][0]
            # Another key version gives a patient another key, and so another partition.
            key = record.key, first.patient_id, first.partition
            if first.offset < last.get(key, -1):
                wrong.append(f"raw {first.partition}/{first.offset}")
            last[key] = max(first.offset, last.get(key, -1))
        return wrong

    def _unpaired(self) -> list[str]:
        notes = Counter(
            str(r.fields()["output_id"]) for r in self.history.of("anonymized", committed=True)
        )
        risks = Counter(
            str(r.fields()["output_id"]) for r in self.history.of("risk", committed=True)
        )
        if self.exactly_once:
            return [name for name in set(notes) | set(risks) if notes[name] != risks[name]]
        return list(set(notes) ^ set(risks))


def _replaced(text: str, fields: Mapping[str, object]) -> Iterable[tuple[str, str, str]]:
    out = str(fields["text"])
    replacements: Sequence[Mapping[str, object]] = fields["replacements"]  # type: ignore[assignment]
    for one in replacements:
        label = str(one["label"])
        # What is doubtful becomes its label and no surrogate, by the words around it.
        if not is_direct(PhiLabel(label)) or one["operator"] == OperatorName.REDACT:
            continue
        start, end, out_start, out_end = (
            int(str(one[name])) for name in ("start", "end", "out_start", "out_end")
        )
        yield label, canonical(text[start:end]), canonical(out[out_start:out_end])
