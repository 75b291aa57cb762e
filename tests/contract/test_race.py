"""Two workers that meet new identities at once, on a real Redis, each a process of its own."""

import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
import redis as blocking

from deidstream.models.keyring import Keyring, canonical
from deidstream.models.records import ConsistencyScope, ScopedIdentity
from deidstream.models.surrogates.allocation import PROBES
from deidstream.models.surrogates.scopes import holder_value, slot_name, written_forms
from deidstream.schemas.policy import Scope
from deidstream.stream.redis.surrogate_store import PREFIX
from support.profiles import PROFILE
from support.racing import PER_ROUND, Course, Ran, raced
from support.redis_server import Redis, running_redis
from support.vault import ROOT, detected

RACES = PROFILE.races
"""Identities that are new to both workers."""
SAY = logging.getLogger("race")
"""Tells the figures (``--log-cli-level=INFO``)."""
RING = Keyring(ROOT, 1, "default")
pytestmark = [pytest.mark.broker, pytest.mark.slow, pytest.mark.timeout(1200)]


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    """A Redis that nobody else asks."""
    with running_redis(tmp_path_factory.mktemp("redis")) as running:
        yield running


def agreed(one: Ran, other: Ran) -> dict[ScopedIdentity, str]:
    """The one surrogate of each identity."""
    assert one.came.keys() == other.came.keys()
    both = {scoped: one.came[scoped] | other.came[scoped] for scoped in one.came}
    assert [len(came) for came in both.values() if len(came) != 1] == []
    return {scoped: came.pop() for scoped, came in both.items()}


def owned(server: Redis, found: dict[ScopedIdentity, str]) -> set[ScopedIdentity]:
    """The identities that have their surrogates for themselves, as Redis says."""
    with blocking.Redis.from_url(server.url) as client, client.pipeline(transaction=False) as asked:
        slots = [
            (s, n, holder_value(RING, n, s.identity)) for s in found for n in names(s, found[s])
        ]
        for _, name, _ in slots:
            asked.hget(PREFIX + name[:16], name[16:])
        kept = asked.execute()
    others = {s for (s, _, mine), value in zip(slots, kept, strict=True) if value != mine}
    return set(found) - others


def names(scoped: ScopedIdentity, surrogate: str) -> list[bytes]:
    return [
        slot_name(RING, scoped.scope, form) for form in written_forms(scoped.identity, surrogate)
    ]


@pytest.mark.parametrize("scope", [Scope.PATIENT, Scope.TENANT])
@pytest.mark.parametrize("at_random", [False, True], ids=["prf", "random"])
def test_two_workers_that_race_agree_and_a_third_with_nothing_in_mind_reads_the_same(
    server: Redis, scope: Scope, *, at_random: bool
) -> None:
    course = Course(server.url, RACES // PER_ROUND, at_random, scope)
    started = time.monotonic()
    one, two = raced(course, ("first", "second"))
    took = time.monotonic() - started
    found = agreed(one, two)
    (third,) = raced(course, ("third",))
    assert third.came == {scoped: {surrogate} for scoped, surrogate in found.items()}
    assert third.claimed == 0
    alone = owned(server, found)
    shared = len(found) - len(alone)
    # Counted whenever a note has it: an identity may come again under another spelling.
    assert shared <= min(one.shared, two.shared, third.shared)
    assert scope is Scope.TENANT or one.shared == two.shared == shared == 0
    taken = Counter((s.scope, form) for s in alone for form in written_forms(s.identity, found[s]))
    assert set(taken.values()) == {1}
    met = one.claimed + two.claimed - len(alone)
    assert met > RACES // 20, "they did not race"
    lost = one.lost + two.lost
    SAY.info("%s of %s met, %s claims lost, %s shared, %.1f s", met, len(found), lost, shared, took)


Place = tuple[ConsistencyScope, str]


def contest(course: Course) -> tuple[dict[ScopedIdentity, list[str]], set[Place]]:
    """The draws of each identity, in order, and how the originals are written."""
    made, draws, originals = course.replacer(), dict[ScopedIdentity, list[str]](), set[Place]()
    for number in range(course.rounds):
        for item in course.items(number):
            planned = made.plan(detected([item], course.patient(number)))
            talk = made.allocate([planned])
            for s in planned.exclusive:
                draws[s] = [talk.derive(planned, s, at, talk.seeds) for at in range(PROBES + 1)]
                originals |= {(s.scope, canonical(text)) for text in (s.identity.value, item[1])}
    return draws, originals


def reach(
    draws: dict[ScopedIdentity, list[str]], originals: set[Place]
) -> dict[ScopedIdentity, int]:
    """How many of its draws an identity may come to: one more for each that others may take."""
    found = dict.fromkeys(draws, 1)
    while True:
        wanted = Counter(place for s in draws for place in places(s, draws[s][: found[s]]))
        wanted.update(originals)
        pushed = {
            s
            for s in draws
            if found[s] <= PROBES
            and any(wanted[place] > 1 for place in places(s, [draws[s][found[s] - 1]]))
        }
        if not pushed:
            return found
        found |= {s: found[s] + 1 for s in pushed}


def places(scoped: ScopedIdentity, surrogates: Iterable[str]) -> set[Place]:
    return {
        (scoped.scope, form) for text in surrogates for form in written_forms(scoped.identity, text)
    }


def test_a_flush_while_they_race_changes_only_what_others_contend_for(server: Redis) -> None:
    rounds = RACES // PER_ROUND
    course = Course(server.url, rounds, laps=2, flushed_after=rounds + rounds // 20)
    draws, originals = contest(course)
    reached = reach(draws, originals)
    came = {scoped: set[str]() for scoped in draws}
    for ran in raced(course, ("first", "second")):
        for scoped, some in ran.came.items():
            came[scoped] |= some
    assert [s for s in came if not came[s] <= set(draws[s][: reached[s]])] == []
    sure = sum(number == 1 for number in reached.values())
    assert sure > len(came) // 2
    changed = sum(len(some) > 1 for some in came.values())
    assert changed
    SAY.info("%s of %s contended for, %s changed", len(came) - sure, len(came), changed)
