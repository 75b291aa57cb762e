"""De-identification from Python: load once, then call it with notes.

The pipeline and the service are those of the worker, so a note becomes the same output here and
there.
"""

# pyarrow has no types.
# pyright: reportUnknownParameterType=false

import json
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from deidstream.agents.runtime.load_as_deployment import load_as_deployment
from deidstream.agents.runtime.local_ranks import LocalRanks
from deidstream.agents.runtime.local_service import LocalService, LoopThread, local_service
from deidstream.agents.runtime.plans_ahead import group_patients
from deidstream.agents.runtime.policy_choice import PolicyChoice, choose_policies
from deidstream.agents.runtime.process.garbage import collecting_rarely
from deidstream.agents.runtime.root_keys import RootKeys, fresh_key, require_key
from deidstream.agents.settings import Settings
from deidstream.agents.tables.input_columns import InputColumns
from deidstream.models.explanation.explain_run import PlaceQuestion
from deidstream.models.explanation.explained_note import ExplainedNote
from deidstream.schemas.extras import Extra, needing
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import AnonymizedNote, Failed, Outcome, Retracted, RiskReport
from deidstream.schemas.span import Replacement, Span
from deidstream.schemas.wire import encode_note
from deidstream.stream.redis.memory_store import MemorySurrogateStore

if TYPE_CHECKING:
    import pyarrow as pa

    from deidstream.agents.runtime.guards.redis_guard import RedisGuard
    from deidstream.agents.tables.note_batches import ArrowStream

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DeidentifiedNote:
    """A note that passed every stage; its ``repr`` shows no text."""

    record: AnonymizedNote
    """The output record, as ``schemas.wire.encode_anonymized`` writes it."""
    risk: RiskReport
    """How likely the note is to be re-identified: level, score and reasons."""

    @property
    def text(self) -> str:
        """The de-identified text."""
        return self.record.text

    @property
    def replacements(self) -> tuple[Replacement, ...]:
        """The replaced spans, in the order of the text.

        ``span`` has the offsets in the input and the label, ``text`` the replacement, and
        ``out_start`` and ``out_end`` the offsets in the output. They mark what is a surrogate:
        keep them where the notes are kept.
        """
        return self.record.permit.replacements


Result = DeidentifiedNote | Retracted | Failed
"""The outcome of a note. ``Failed`` has a reason and a stage; neither it nor ``Retracted``, the
outcome of a note whose status is ``cancelled``, has text."""


class Deidentifier:
    """De-identifies notes in this process, under one policy and one key.

    Make one with :meth:`load`, which takes seconds, and use it for many notes. All methods block
    and may be called from any thread, also from a thread that runs an event loop; the models work
    on one batch at a time, so more threads do not make it faster. A process that was forked from
    the one that loaded it cannot use it.

    No method returns text that a stage of the pipeline has not passed: a note that fails comes
    back as :class:`Failed`.

    >>> with Deidentifier.load("surrogate", key=bytes(range(32))) as deidentifier:
    ...     result = deidentifier.deidentify("Mr. John Smith was seen on 03/04/2024.")
    ...     found = deidentifier.find("Mr. John Smith was seen on 03/04/2024.")
    >>> isinstance(result, DeidentifiedNote) and "Smith" not in result.text
    True
    >>> [(span.start, span.end, str(span.label)) for span in found]
    [(4, 14, 'PATIENT'), (27, 37, 'DATE')]
    """

    def __init__(
        self,
        service: LocalService,
        *,
        timeout_seconds: float | None = None,
        loop: LoopThread | None = None,
    ) -> None:
        """Start the event loop that the service runs on; :meth:`load` does this for its callers."""
        self._service = service
        self._timeout_seconds = timeout_seconds
        self._loop = loop or LoopThread()

    @classmethod
    def load(
        cls,
        policy: str | Path | None = None,
        *,
        key: bytes | str | Path | None = None,
        redis_url: str | None = None,
        settings: Settings | None = None,
        timeout_seconds: float | None = None,
    ) -> Self:
        """Load models, policy and key.

        Args:
            policy: Name of a shipped policy or path of a policy file, for the notes of all tenants.
                Without it, the policies that the settings name.
            key: 32 bytes, or the path of a key file. Without it, the key file that the settings
                name; without that, a fresh key, under which surrogates differ in the next process.
            redis_url: Where surrogates are kept and shared with workers; needs a key file unless
                ``key`` is given. Without it, they are kept in memory and go with this object.
            settings: All other settings; the defaults when not given. Environment variables are not
                read: pass ``read_settings(os.environ)`` to read them.
            timeout_seconds: Longest time of one call. Without it, a call waits as long as Redis
                cannot be reached.

        Raises:
            Refused: A policy, key, model, index or setting is missing or wrong, or Redis may not be
                used as a vault.
            Unavailable: Redis cannot be reached.
        """
        settings = _override(settings or Settings(), policy, key, redis_url)
        root = require_key(key) if isinstance(key, bytes) else None
        if root is None and not settings.key.file and redis_url is None:
            root = fresh_key()
        guard = _guard(settings, root) if redis_url is not None else None
        loop = LoopThread()
        with ExitStack() as unless_admitted:
            unless_admitted.callback(loop.stop, guard.close if guard else _close_nothing)
            with collecting_rarely():
                choose = partial(choose_policies, root=root)
                choice = loop.run(load_as_deployment(choose, settings, guard), None)
            service = _make_service(settings, choice, guard)
            unless_admitted.pop_all()
        deidentifier = cls(service, timeout_seconds=timeout_seconds, loop=loop)
        with ExitStack() as unless_admitted:
            unless_admitted.callback(deidentifier.close)
            deidentifier._run(service.admit())
            unless_admitted.pop_all()
        return deidentifier

    @overload
    def deidentify(self, notes: str | RawNote) -> Result: ...
    @overload
    def deidentify(self, notes: Iterable[RawNote]) -> list[Result]: ...
    def deidentify(self, notes: str | RawNote | Iterable[RawNote]) -> Result | list[Result]:
        """De-identify a text, a note, or several notes.

        A text alone counts as the only note of a patient of its own. Notes that belong together
        are consistent with each other when they are given as :class:`RawNote` with the same
        ``patient_id``.

        Returns:
            The result of the text or note, or the results of the notes in their order.

        Raises:
            Refused: Redis has lost surrogates, or the mapping epoch has all its notes.
            TimeoutError: The call took longer than ``timeout_seconds``.
            TypeError: It is none of these.
            RuntimeError: This object is closed.
        """
        if isinstance(notes, str | RawNote):
            return self._batch([notes])[0]
        # The keys of a mapping would otherwise be taken for texts.
        if isinstance(notes, Mapping | bytes) or not isinstance(notes, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - types are not checked at run time
            raise _refuse(notes)
        return [
            result
            for batch in _chunks(notes, self._service.batch_notes)
            for result in self._batch(batch)
        ]

    def deidentify_batch(
        self,
        batch: "pa.RecordBatch",
        columns: InputColumns | None = None,
        *,
        keep: Sequence[str] = (),
    ) -> "pa.RecordBatch":
        """De-identify the notes of a ``pyarrow.RecordBatch``, each row a note.

        All rows of a patient are read before the first surrogate of the patient is chosen, so that
        the order of the rows is nothing: a patient whose rows are all in one batch has the same
        surrogates in any.

        Args:
            batch: The rows; it may have further columns.
            columns: Which columns have the fields of a note; by default they are guessed by name.
            keep: Columns that the outputs have too, first and as they are: none of them is looked
                at for PHI. The column of the text is refused.

        Returns:
            One row for each row, in their order, with the columns ``keep`` and those of
            ``agents.tables.outcome_rows``. Its ``status`` is ``anonymized``, ``quarantined``, with
            a ``reason``, or ``retracted``. A row without an id or text is quarantined; an id may be
            a whole number.

        Raises:
            InvalidSettings: A column is missing or may not be kept. Nothing has been done then.
            MissingExtra: pyarrow is not installed.
            Refused: As :meth:`deidentify`; so for ``TimeoutError`` and ``RuntimeError``.
        """
        with needing(Extra.ANALYTICS, "deidentify_batch"):
            from deidstream.agents.tables import note_batches  # noqa: PLC0415  pyarrow
        names = batch.schema.names
        columns = columns or InputColumns.guess(names)
        columns.check(names, keep)
        note_batches.output_schema(batch.schema, keep)
        outcomes = self._run_rows([batch], columns)
        return note_batches.join_outcomes(batch, keep, outcomes)

    def deidentify_table(
        self,
        data: "ArrowStream",
        columns: InputColumns | None = None,
        *,
        keep: Sequence[str] = (),
    ) -> "pa.Table":
        """De-identify the notes of a table, as :meth:`deidentify_batch` does those of a batch.

        Args:
            data: A table or reader of pyarrow, a frame of polars or of pandas 2.2 and later, a
                result of DuckDB: what has ``__arrow_c_stream__``. It is read to its end first.
            columns: As there.
            keep: As there.

        Returns:
            A ``pyarrow.Table`` with one row for each row, in their order.

        Raises:
            TypeError: ``data`` is something else.
            InvalidSettings: As there; so for all others.
        """
        with needing(Extra.ANALYTICS, "deidentify_table"):
            from deidstream.agents.tables import note_batches  # noqa: PLC0415  pyarrow
        schema, batches = note_batches.read_batches(data)
        columns = columns or InputColumns.guess(schema.names)
        columns.check(schema.names, keep)
        outputs = note_batches.output_schema(schema, keep)
        rows = [*batches]
        outcomes = iter(self._run_rows(rows, columns))
        made = [
            note_batches.join_outcomes(batch, keep, [*islice(outcomes, batch.num_rows)])
            for batch in rows
        ]
        return note_batches.make_table(made, outputs)

    def find(self, note: str | RawNote) -> tuple[Span, ...]:
        """Find the PHI of a text or note, by the policy of this object, in the order of the text.

        Raises:
            Rejected: It is not a note, or a recognizer did not finish on it, also within the time
                that a note may take.
            TimeoutError: The call took longer than ``timeout_seconds``.
            RuntimeError: This object is closed.
        """
        return self._run(self._service.find(_encode(note)))

    def explain(
        self, note: str | RawNote, *, at: int | None = None, word: str | None = None
    ) -> ExplainedNote:
        """Explain why words of a text or note are replaced, or are not.

        The note goes through the pipeline as in :meth:`deidentify`, and nothing is stored: what was
        reported, decided and drawn is kept and returned. It holds text of the note, which its
        ``repr`` does not show.

        Args:
            note: A text or a note.
            at: Offset of a character, in code points: the word that holds it is explained.
            word: A word, or several: each place is explained where they stand alone, in whatever
                case. Without either, every span that is replaced is explained.

        Raises:
            ValueError: Both an offset and a word are given.
            Refused: Redis has lost surrogates.
            TimeoutError: The call took longer than ``timeout_seconds``.
            RuntimeError: This object is closed.
        """
        if at is not None and word is not None:
            msg = "ask for an offset or for a word, not for both"
            raise ValueError(msg)
        return self._run(self._service.explain(_encode(note), PlaceQuestion(at, word)))

    def close(self) -> None:
        """Release models and connections. Calls in progress in other threads are cancelled."""
        self._loop.stop(self._service.close)

    def __enter__(self) -> Self:
        """Return this object."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def _batch(self, notes: Sequence[str | RawNote]) -> list[Result]:
        outcomes = self._run(self._service.run([_encode(note) for note in notes]))
        return [_result(outcome) for outcome in outcomes]

    def _run_rows(
        self, batches: Sequence["pa.RecordBatch"], columns: InputColumns
    ) -> list[Outcome]:
        """Bring rows to their outcomes, all of some patients at a time."""
        from deidstream.agents.tables import note_batches  # noqa: PLC0415  pyarrow

        patients: list[object] = []
        for batch in batches:
            patients += note_batches.read_column(batch.column(columns.patient_id))
        values = [value for batch in batches for value in note_batches.encode_rows(batch, columns)]
        outcomes: dict[int, Outcome] = {}
        for places in group_patients(patients, self._service.batch_notes):
            group = [values[place] for place in places]
            made = self._run(self._service.run(group, together=True))
            outcomes.update(zip(places, made, strict=True))
        return [outcomes[place] for place in range(len(values))]

    def _run(self, call: Coroutine[Any, Any, T]) -> T:
        return self._loop.run(call, self._timeout_seconds)


def _override(
    settings: Settings, policy: str | Path | None, key: bytes | str | Path | None, url: str | None
) -> Settings:
    if policy is not None:
        # A policy that is named is meant for every note.
        settings = replace(settings, policy=str(policy), policies_file="")
    if isinstance(key, str | Path):
        settings = replace(settings, key=replace(settings.key, file=str(key)))
    if url is not None:
        settings = replace(settings, redis=replace(settings.redis, url=url))
    return settings


def _guard(settings: Settings, root: bytes | None) -> "RedisGuard":
    with needing(Extra.SERVICE, "redis_url"):
        from deidstream.agents.runtime.guards.redis_guard import connect_guard  # noqa: PLC0415  Redis alone

    version = settings.key.version
    keys = None if root is None else RootKeys(version, {version: root})
    return connect_guard(settings, writes=True, keys=keys)


async def _close_nothing() -> None:
    """Close nothing: surrogates are in memory."""


def _make_service(
    settings: Settings, choice: PolicyChoice, guard: "RedisGuard | None"
) -> LocalService:
    store = MemorySurrogateStore() if guard is None else guard.store
    service = local_service(settings, choice.default, store, choice.tenant_pipelines())
    ranks = LocalRanks()
    if guard is not None:
        ranks = LocalRanks.in_redis(guard.store.client, settings.redis.deployment)
    return LocalService(service, guard, settings.batch.notes, settings.redis.check_seconds, ranks)


def _chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    remaining = iter(items)
    while chunk := list(islice(remaining, size)):
        yield chunk


def _refuse(given: object) -> TypeError:
    return TypeError(
        "takes a text, a RawNote or an iterable of RawNote, no "
        f"{type(given).__name__}: RawNote(note_id, patient_id, text) makes a note"
    )


def _encode(item: object) -> bytes:
    # Callers' types are not checked at run time.
    if isinstance(item, str):
        note = _only_note(item)
    elif isinstance(item, RawNote):
        note = item
    else:
        raise _refuse(item)
    try:
        return encode_note(note)
    except TypeError:
        # UTF-8 has no lone surrogates. JSON can escape them, and decoding then refuses the note.
        return json.dumps(asdict(note)).encode()


def _only_note(text: str) -> RawNote:
    name = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return RawNote(name, name, text)


def _result(outcome: Outcome) -> Result:
    if isinstance(outcome, Failed | Retracted):
        return outcome
    return DeidentifiedNote(outcome.note, outcome.risk)
