"""The original of an output is the latest message of its note, under each key that is kept."""

from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from deidstream.agents.review.original_search import NotePseudonyms, OriginalSearch, step_back
from deidstream.agents.runtime.policy_files import DEFAULT, Tenants, find_policy
from deidstream.agents.runtime.root_keys import RootKeys
from deidstream.models.keyring import Keyring
from deidstream.models.release_ids import note_pseudonym
from deidstream.schemas.note import NoteStatus, RawNote
from deidstream.schemas.wire import encode_note
from deidstream.stream.kafka.topic_reader import Bounds

OLD, NEW = bytes(range(32)), bytes(range(1, 33))
KEYS = RootKeys(2, {1: OLD, 2: NEW})
NOTE = RawNote("n-1", "p-1", "Seen today.", tenant="mercy")


@dataclass(frozen=True, slots=True)
class Message:
    """A message as the Kafka client gives it."""

    value: bytes | None
    offset: int
    timestamp: int
    topic: str = "notes.raw"
    partition: int = 0


def search(pseudonym: str, tenants: Tenants | None = None) -> OriginalSearch:
    policies = {DEFAULT: find_policy("surrogate")}
    named = NotePseudonyms(KEYS, tenants or Tenants(), policies)
    return OriginalSearch(named, frozenset({pseudonym}))


def pseudonym(root: bytes, version: int, release: str = "") -> str:
    return note_pseudonym(Keyring(root, version, NOTE.tenant), NOTE.note_id, release)


def test_note_is_found_under_each_key_that_is_kept() -> None:
    for version, root in KEYS.roots.items():
        looking = search(pseudonym(root, version))
        looking.look_at(
            [Message(b"{", 0, 0), Message(None, 1, 0), Message(encode_note(NOTE), 2, 0)]
        )
        (found,) = looking.found.values()
        assert found.note == NOTE
        assert found.source.offset == 2


def test_latest_message_counts_whatever_is_read_first() -> None:
    corrected = replace(NOTE, text="Seen yesterday.", status=NoteStatus.CORRECTED)
    early, late = Message(encode_note(NOTE), 4, 10), Message(encode_note(corrected), 9, 8)
    elsewhere = replace(late, offset=1, timestamp=20, partition=1)
    for order in ([early, late], [late, early], [early, elsewhere], [elsewhere, early]):
        looking = search(pseudonym(NEW, 2))
        for message in order:
            looking.look_at([message])
        assert [one.note.text for one in looking.found.values()] == ["Seen yesterday."]


def test_tenant_without_a_policy_has_no_outputs() -> None:
    looking = search(pseudonym(NEW, 2), Tenants(otherwise=None))
    looking.look_at([Message(encode_note(NOTE), 0, 0)])
    assert looking.found == {}


@given(
    st.dictionaries(st.integers(0, 3), st.tuples(st.integers(0, 30), st.integers(0, 30))),
    st.integers(1, 40),
)
def test_steps_cover_every_offset_once_and_the_newest_first(
    ranges: dict[int, tuple[int, int]], most: int
) -> None:
    bounds = {number: Bounds(first, first + length) for number, (first, length) in ranges.items()}
    read = {number: list[int]() for number in bounds}
    for step in step_back(bounds, most):
        for number, one in step.items():
            assert one.first < one.end
            read[number] = [*range(one.first, one.end), *read[number]]
    assert read == {number: list(range(one.first, one.end)) for number, one in bounds.items()}
