"""The records of a note in any interleaving of the topics give one row."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from deidstream.agents.tables.note_join import REQUIRED, NoteJoin, NoteState, list_retractions
from deidstream.agents.tables.output_parts import PartKind, read_part
from deidstream.schemas.outcome import Coordinates
from support.output_records import SampleNote, history, left_over, placed

ALL = frozenset(PartKind)
NOTES = history(13)


class Rows:
    """A table in memory."""

    def __init__(self, kinds: frozenset[PartKind] = REQUIRED) -> None:
        self.join = NoteJoin(kinds)
        self.states: dict[str, NoteState] = {}
        self.rows: dict[str, object] = {}

    def write(self) -> None:
        notes = self.join.open_notes()
        self.join.settle({note: state for note, state in self.states.items() if note in notes})
        changes = self.join.take_changes()
        for change in changes:
            if change.row is None:
                self.states.pop(change.note_id, None)
                self.rows.pop(change.note_id, None)
            else:
                self.states[change.note_id] = NoteState(change.output_id, change.precedence)
                self.rows[change.note_id] = change.row
        for gone in list_retractions(changes):
            self.states[gone.note_id] = NoteState(gone.output_id, gone.precedence, gone=True)

    @property
    def outputs(self) -> dict[str, str]:
        return {note: self.states[note].output_id for note in self.rows}


def feed(rows: Rows, notes: Sequence[SampleNote], turns: st.DataObject) -> None:
    """Feed each topic in its own order, in drawn turns, with writes in between."""
    kinds = sorted(rows.join.kinds)
    queues = {kind: list(placed(notes, kind)) for kind in kinds}
    while any(queues.values()):
        kind = turns.draw(st.sampled_from([kind for kind in kinds if queues[kind]]))
        for source, value in queues[kind][: turns.draw(st.integers(1, 30))]:
            rows.join.take(read_part(kind, value), source)
            queues[kind].pop(0)
        if turns.draw(st.booleans()):
            rows.write()
    rows.write()


@given(st.data())
def test_any_interleaving_gives_the_last_output_of_each_note(turns: st.DataObject) -> None:
    rows = Rows()
    feed(rows, NOTES, turns)
    assert rows.outputs == left_over(NOTES)
    assert rows.join.count_waiting() == 0


@given(st.data())
def test_a_replay_leaves_the_rows_as_they_are(turns: st.DataObject) -> None:
    rows = Rows()
    feed(rows, NOTES, turns)
    before = dict(rows.rows)
    feed(rows, NOTES, turns)
    assert rows.rows == before


@given(st.data())
def test_entities_join_as_a_third_part(turns: st.DataObject) -> None:
    rows = Rows(ALL)
    feed(rows, [note for note in NOTES if not note.cancelled], turns)
    expected = left_over([note for note in NOTES if not note.cancelled])
    assert rows.outputs == expected


@given(st.data())
def test_reading_one_topic_again_changes_nothing(turns: st.DataObject) -> None:
    rows = Rows()
    feed(rows, NOTES, turns)
    before = dict(rows.rows)
    kind = turns.draw(st.sampled_from(sorted(REQUIRED)))
    for source, value in placed(NOTES, kind):
        rows.join.take(read_part(kind, value), source)
    rows.write()
    assert rows.rows == before
    assert rows.join.count_waiting() == 0


def test_a_part_that_waits_holds_its_position() -> None:
    join = NoteJoin()
    notes = [SampleNote(0), SampleNote(3), SampleNote(6)]
    for source, value in placed(notes, PartKind.NOTE):
        join.take(read_part(PartKind.NOTE, value), source)
    (first, value), _second, third = placed(notes, PartKind.RISK)
    assert join.first_waiting() == {("notes.anonymized", 0): 0}
    for source, record in (third, (first, value)):
        join.take(read_part(PartKind.RISK, record), source)
    assert join.first_waiting() == {("notes.anonymized", 0): 1}
    assert join.count_waiting(PartKind.NOTE) == 1
    assert join.give_up_oldest(0) == [Coordinates("notes.anonymized", 0, 1)]
    assert join.first_waiting() == {}
