"""The settings of the worker: its batches, its limits, and its dead letters."""

from dataclasses import dataclass
from typing import Literal

from deidstream.agents.settings.setting_declaration import setting
from deidstream.schemas.wire import NOTE_BYTES


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """How notes are grouped into batches."""

    tokens: int = setting("Most word pieces of a batch; a smaller backlog is cut finer", 16_384, 1)
    notes: int = setting("Most notes taken at once", 64, 1)
    wait_seconds: float = setting(
        "Longest wait for more notes while two groups are computed; else none waits",
        0.25,
        0.001,
    )
    forward_tokens: int = setting("Padded tokens of one forward pass", 4_096, 16)


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """Limits of the worker."""

    note_bytes: int = setting("Longest message that is read", NOTE_BYTES, 1)
    note_seconds: float = setting(
        "Processor seconds of a note, and as much again per 50 kB; 0: no limit", 15.0, 0
    )
    note_pieces: int = setting(
        "Most word pieces of a note per 1000 bytes, from 20,000 on; 0: no limit", 550, 0
    )
    drain_seconds: float = setting("Longest wait for notes in flight on SIGTERM", 20.0, 0)
    stall_seconds: float = setting("Without progress for this long, /livez fails", 120.0, 1)
    log_level: Literal["debug", "info", "warning", "error"] = setting(
        "Least level of its log lines", "info"
    )


@dataclass(frozen=True, slots=True)
class QuarantineSettings:
    """Dead letters (docs/quarantine.md)."""

    log: str = setting("Audit log of 'quarantine show --with-text', which requires one", "")
    stop_share: float = setting(
        "Stop when more than this share of notes fails by our fault; 1: never", 0.5, 0
    )
    stop_notes: int = setting("Number of notes that this share is of", 200, 1)
    crashes: int = setting("Ends of a process at which the note in work is quarantined", 3, 2)
