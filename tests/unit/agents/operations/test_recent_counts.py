"""The counts of the last quarter of an hour."""

from deidstream.agents.operations.recent_counts import SLOT_LENGTHS, SLOTS, RecentCounts
from deidstream.agents.operations.running_counts import RunningCounts


class Counter:
    """Notes that end at one a second, by a clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def read(self) -> RunningCounts:
        return RunningCounts({"notes": {"emitted": self.now - 1_000_000.0}})

    def recent(self) -> RecentCounts:
        return RecentCounts(lambda: self.now, self.read)

    def run(self, recent: RecentCounts, seconds: float) -> None:
        for _ in range(int(seconds / 2)):
            self.now += 2
            recent.look()


def test_a_window_is_a_quarter_of_an_hour_long() -> None:
    counter = Counter()
    recent = counter.recent()
    recent.look()
    counter.run(recent, 4_000)
    window = recent.window(recent.look())
    assert 895 <= window.at <= 905
    assert window.counts.total("notes") == window.at


def test_a_young_worker_has_a_short_window() -> None:
    counter = Counter()
    recent = counter.recent()
    recent.look()
    counter.run(recent, 60)
    assert recent.window(recent.look()).at == 60
    assert recent.hour(recent.look()).at == 60


def test_the_last_seconds_are_seen_at_once() -> None:
    counter = Counter()
    recent = counter.recent()
    recent.look()
    counter.run(recent, 600)
    now = recent.now(recent.look())
    assert 15 <= now.at <= 20
    assert now.counts.total("notes") == now.at


def test_slots_hold_what_was_counted_in_them() -> None:
    counter = Counter()
    recent = counter.recent()
    recent.look()
    counter.run(recent, 1_200)
    slots = recent.notes_by_slot()
    assert len(slots) == SLOTS
    # It is looked at every two seconds, so that a slot has four, five or six of them.
    assert all(4 <= notes <= 6 for notes in slots.values())


def test_a_day_is_kept_in_as_many_slots_as_a_quarter_of_an_hour() -> None:
    counter = Counter()
    recent = counter.recent()
    for _ in range(100_000 // 20):
        counter.now += 20
        recent.look()
    for length in SLOT_LENGTHS[1:]:
        slots = recent.notes_by_slot(length)
        assert len(slots) == SLOTS
        assert set(slots.values()) == {float(length)}
    kept = [*recent.history.values(), recent.slots, recent.minutes]
    assert sum(map(len, kept)) <= 4 * (SLOTS + 1) + 61
    assert list(recent.history[480][0].counts.parts) == ["notes"]


def test_a_worker_that_could_not_look_spreads_its_notes() -> None:
    counter = Counter()
    recent = counter.recent()
    recent.look()
    counter.now += 50
    recent.look()
    assert list(recent.notes_by_slot().values()) == [5.0] * 10


def test_a_clock_that_is_set_back_starts_anew() -> None:
    counter = Counter()
    recent = counter.recent()
    recent.look()
    counter.now -= 500
    assert recent.window(recent.look()).at == 0


def test_a_clock_that_is_set_back_a_little_loses_no_note() -> None:
    moment, counted = 1_000_000.0, 0.0
    recent = RecentCounts(lambda: moment, lambda: RunningCounts({"notes": {"emitted": counted}}))
    for _ in range(300):
        recent.look()
        moment, counted = moment + 2, counted + 2
    moment -= 300
    for _ in range(20):
        recent.look()
        moment, counted = moment + 2, counted + 2
    now = recent.now(recent.look())
    assert now.counts.total("notes") / now.at == 1.0  # and not none until the clock has caught up
    assert recent.window(recent.look()).counts.total("notes") == 640
    assert sum(recent.notes_by_slot().values()) >= 600


def test_a_clock_that_is_set_forward_by_years_has_no_slot_for_each_second_of_them() -> None:
    counter = Counter()
    recent = counter.recent()
    recent.look()
    counter.now += 1.7e9
    recent.look()
    assert len(recent.notes_by_slot()) == SLOTS
