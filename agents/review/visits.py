"""Visits: who is logged in, for how long, and how often a login may be tried."""

import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import ip_network

from deidstream.agents.review.users import ReviewUser

LONGEST_VISIT = 12 * 3600
"""Seconds after which a login ends, whatever happens."""
TRIES = 5
"""Wrong passwords of one name, or ten times as many from one address, within
:data:`TRY_SECONDS`."""
TRY_SECONDS = 60.0
_MOST_NAMES = 10_000
_OWN_BITS = 64
"""Bits of an IPv6 address that its holder cannot choose."""


@dataclass(slots=True)
class Visit:
    """One login."""

    user: ReviewUser
    csrf: str = field(repr=False)
    """Token that every request that changes something must have in a header."""
    began: float
    used: float


@dataclass(slots=True)
class Visits:
    """The logins of this process, by digests of their cookies."""

    idle_seconds: float
    clock: Callable[[], float] = time.monotonic
    _visits: dict[bytes, Visit] = field(default_factory=dict[bytes, Visit], repr=False)

    def begin(self, user: ReviewUser) -> tuple[str, Visit]:
        """Log a user in; return the value of the cookie, of which only a digest is kept."""
        self.forget_old()
        token = secrets.token_urlsafe(32)
        now = self.clock()
        visit = Visit(user, secrets.token_urlsafe(32), now, now)
        self._visits[_digest(token)] = visit
        return token, visit

    def find(self, token: str, *, used: bool = True) -> Visit | None:
        """Find the visit of a cookie.

        Args:
            token: Value of the cookie.
            used: Whether its user did something. Requests that a page repeats by itself do not
                count, or a visit would never end while its page is open.
        """
        self.forget_old()
        visit = self._visits.get(_digest(token))
        if visit is not None and used:
            visit.used = self.clock()
        return visit

    def end(self, token: str) -> None:
        """Log out."""
        self._visits.pop(_digest(token), None)

    def forget_old(self) -> None:
        """End the visits that were not used for a while, or began too long ago."""
        now = self.clock()
        self._visits = {
            name: visit
            for name, visit in self._visits.items()
            if now - visit.used < self.idle_seconds and now - visit.began < LONGEST_VISIT
        }


def _digest(token: str) -> bytes:
    return sha256(token.encode()).digest()


@dataclass(slots=True)
class LoginLimit:
    """Slows guessing down: a name, and an address, may fail so often in a time.

    No limit is of all names together, or whoever fails often enough would keep everybody out.
    """

    clock: Callable[[], float] = time.monotonic
    _failures: dict[bytes, deque[float]] = field(default_factory=dict[bytes, deque[float]])

    def wait_seconds(self, name: str, address: str) -> float:
        """Return how long to wait before a name may be tried from an address; 0: not at all."""
        tried, asked = self._wait(_digest(name), TRIES), self._wait(_network(address), 10 * TRIES)
        return max(tried, asked)

    def count_failure(self, name: str, address: str) -> None:
        """Count a wrong password."""
        if len(self._failures) > _MOST_NAMES:
            self._failures.clear()
        for key in (_digest(name), _network(address)):
            self._failures.setdefault(key, deque(maxlen=10 * TRIES)).append(self.clock())

    def forgive(self, name: str) -> None:
        """Forget the failures of a name after a right password."""
        self._failures.pop(_digest(name), None)

    def _wait(self, key: bytes, most: int) -> float:
        times = self._failures.get(key, deque())
        recent = [moment for moment in times if moment > self.clock() - TRY_SECONDS]
        return recent[-most] + TRY_SECONDS - self.clock() if len(recent) >= most else 0


def _network(address: str) -> bytes:
    """Return a key of an address, which is no digest of a name; of IPv6 that of its network."""
    try:
        network = ip_network((address, _OWN_BITS), strict=False) if ":" in address else address
    except ValueError:
        return address.encode()
    return str(network).encode()
