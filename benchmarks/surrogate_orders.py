"""Count the identities whose surrogate depends on the order in which notes come.

    PYTHONPATH=tests python benchmarks/surrogate_orders.py [--patients N]

Charts are made up: four notes of a patient, each with four persons of its own beside the patient,
two telephone numbers, a record number and a city. Every name is drawn from the lists of surnames
and given names by equal chances, which collides more often than names as frequent as people have
them. Notes go through planning and allocation alone, with marked spans.
"""

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence

from deidstream.models.phi.names.name_lists import peoples
from deidstream.models.records import Detected, ScopedIdentity
from deidstream.models.surrogates.replacer import Replacer
from deidstream.schemas.label import PhiLabel
from support.vault import World, detected, replacer
from support.vault_laws import allocate
from support.vault_notes import POOLS

NOTES_OF_PATIENT = 4
PERSONS_OF_NOTE = 4
SHARDS = 16
BATCH = 64
Surrogates = dict[ScopedIdentity, str]


def make_charts(patients: int, drawn: random.Random) -> Iterator[Detected]:
    family, given = sorted(peoples().family), sorted(peoples().given)

    def name() -> str:
        return f"{drawn.choice(given).title()} {drawn.choice(family).title()}"

    for patient in range(patients):
        own = [
            (PhiLabel.PATIENT, name()),
            (PhiLabel.MEDICALRECORD, str(drawn.randrange(10**6, 10**7))),
        ]
        for number in range(NOTES_OF_PATIENT):
            phones = [f"{drawn.randrange(201, 990)}-555-{drawn.randrange(10**4):04}" for _ in "ab"]
            items = [
                *own,
                *((PhiLabel.DOCTOR, name()) for _ in range(PERSONS_OF_NOTE)),
                *((PhiLabel.PHONE, phone) for phone in phones),
                (PhiLabel.CITY, drawn.choice(POOLS[PhiLabel.CITY])),
            ]
            yield detected(items, f"P{patient}", number)


def feed(made: Replacer, world: World, notes: Sequence[Detected]) -> Surrogates:
    """Bring notes to their surrogates one batch after another, as a worker does."""
    return allocate(made, world, notes, BATCH)


def archive(
    made: Replacer, world: World | None, notes: Sequence[Detected], drawn: random.Random
) -> Surrogates:
    """Bring notes to their surrogates by shards, all notes of a patient together.

    Args:
        made: Of one key.
        world: The store of all shards; without it, each has a store of its own.
        notes: In any order.
        drawn: Deals out the patients.
    """
    homes: dict[str, int] = {}
    shards: list[list[Detected]] = [[] for _ in range(SHARDS)]
    for note in notes:
        home = homes.setdefault(note.note.patient_id, drawn.randrange(SHARDS))
        shards[home].append(note)
    found: Surrogates = {}
    for shard in shards:
        charts: dict[str, list[Detected]] = {}
        for note in shard:
            charts.setdefault(note.note.patient_id, []).append(note)
        own = world or World()
        for chart in charts.values():
            allocation = made.allocate([made.plan(note) for note in chart], together=True)
            while own.answer(allocation):
                pass
            found |= allocation.result().surrogates
    return found


def count_other(one: Mapping[ScopedIdentity, str], other: Mapping[ScopedIdentity, str]) -> int:
    return sum(one.get(scoped) != other.get(scoped) for scoped in one.keys() | other.keys())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patients", type=int, default=800)
    drawn = random.Random(31)
    notes = list(make_charts(parser.parse_args().patients, drawn))
    made, shared = replacer(), World()
    mixed = [drawn.sample(notes, len(notes)) for _ in range(4)]

    fed = feed(made, World(), notes)
    archived = archive(made, None, mixed[0], drawn)
    print(f"{len(notes):,} notes, {len(fed):,} identities; with another surrogate:")
    print("feed, another order:", count_other(fed, feed(made, World(), mixed[1])))
    print("archive, another order and other shards:", end=" ")
    print(count_other(archived, archive(made, None, mixed[1], drawn)))
    print("feed and archive, each with a store of its own:", count_other(fed, archived))

    half = len(notes) // 2
    first = feed(made, shared, mixed[2][:half])
    whole = archive(made, shared, mixed[3], drawn)
    again = feed(made, shared, mixed[0])
    print("feed of half, archive of all, replay of all, one store:", end=" ")
    print(sum(whole[s] != text for s, text in first.items()) + count_other(whole, again))


if __name__ == "__main__":
    main()
