"""A real Redis service on this machine: a primary, two replicas, and Sentinels that fail over."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis

from support.ports import LOOPBACK, free_port
from support.processes import Process, start, wait_ready, wait_until
from support.redis_server import Redis

SERVICE = "surrogates"
SERVERS = SENTINELS = 3
_DOWN_MILLISECONDS = 1_000
"""Silence after which a Sentinel thinks that the primary is away."""


@dataclass(slots=True)
class SentinelService:
    """Servers of one service, and the Sentinels that decide which of them is the primary."""

    home: Path
    servers: tuple[Redis, ...]
    ports: tuple[int, ...] = field(default_factory=lambda: _ports(SENTINELS))
    sentinels: list[Process] = field(default_factory=list[Process])
    login: str = ""
    """Password that the Sentinels ask for; empty: none."""

    @property
    def url(self) -> str:
        """The address for clients."""
        at = ",".join(f"{LOOPBACK}:{port}" for port in self.ports)
        option = f"?sentinel_password={self.login}" if self.login else ""
        return f"redis+sentinel://{at}/{SERVICE}/0{option}"

    def start(self) -> None:
        """Start everything, and wait until the Sentinels know of each other and of the replicas.

        Raises:
            NeverReady: A server does not answer.
            TimeoutError: The Sentinels do not find each other.
        """
        primary, *replicas = self.servers
        primary.start()
        for replica in replicas:
            replica.options = ("--replicaof", f"{LOOPBACK} {primary.port}")
            replica.start()
        for port in self.ports:
            self._start_sentinel(port, primary.port)
        wait_until(self._all_known, seconds=30.0)
        for replica in replicas:
            _wait_in_step(replica)

    def primary(self) -> Redis:
        """Return the server that the Sentinels call the primary."""
        with self._asked() as sentinel:
            found: Any = sentinel.sentinel_get_master_addr_by_name(SERVICE)
        _, port = found
        return next(each for each in self.servers if each.port == int(port))

    def replicas(self) -> list[Redis]:
        """Return the other servers."""
        primary = self.primary()
        return [each for each in self.servers if each is not primary]

    def fail_over(self) -> Redis:
        """Kill the primary, wait until another server is it, and return the killed one.

        Raises:
            TimeoutError: The Sentinels choose no other.
        """
        killed = self.primary()
        killed.kill9()
        wait_until(lambda: self.primary() is not killed, seconds=30.0)
        return killed

    def return_as_replica(self, killed: Redis) -> None:
        """Start a killed server again, as a replica of the present primary, and see it in step.

        Raises:
            TimeoutError: It is not in step in time.
        """
        primary = self.primary()
        killed.options = ("--replicaof", f"{LOOPBACK} {primary.port}")
        killed.start()
        _wait_in_step(killed)

    def stop(self) -> None:
        """End everything that runs."""
        for sentinel in self.sentinels:
            sentinel.stop()
        for server in self.servers:
            server.stop()

    def _start_sentinel(self, port: int, primary: int) -> None:
        file = self.home / f"sentinel-{port}.conf"
        lines = (
            f"port {port}",
            f"bind {LOOPBACK}",
            f"dir {self.home}",
            f"sentinel monitor {SERVICE} {LOOPBACK} {primary} 2",
            f"sentinel down-after-milliseconds {SERVICE} {_DOWN_MILLISECONDS}",
            f"sentinel failover-timeout {SERVICE} 3000",
            *(
                (f"requirepass {self.login}", f"sentinel sentinel-pass {self.login}")
                if self.login
                else ()
            ),
        )
        file.write_text("\n".join(lines) + "\n")
        log = self.home / f"sentinel-{port}.log"
        process = start(("redis-server", str(file), "--sentinel"), log=log, cwd=self.home)
        self.sentinels.append(process)
        wait_ready(process, lambda: self._answers(port), seconds=20.0)

    def _client(self, port: int) -> redis.Redis:
        return redis.Redis(LOOPBACK, port, password=self.login or None, socket_timeout=2.0)

    def _asked(self) -> redis.Redis:
        return self._client(self.ports[0])

    def _answers(self, port: int) -> bool:
        try:
            with self._client(port) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def _all_known(self) -> bool:
        for port in self.ports:
            with self._client(port) as client:
                state: Any = client.sentinel_master(SERVICE)
            if (
                state["num-other-sentinels"] < len(self.ports) - 1
                or state["num-slaves"] < len(self.servers) - 1
            ):
                return False
        return True


@contextmanager
def running_sentinels(
    home: Path, *, appendonly: bool = False, login: str = ""
) -> Generator[SentinelService]:
    """Run a fresh service in ``home``, an empty folder; what was started is stopped."""
    for number in range(SERVERS):
        (home / f"server-{number}").mkdir()
    servers = tuple(
        Redis(home / f"server-{number}", appendonly=appendonly) for number in range(SERVERS)
    )
    service = SentinelService(home, servers, login=login)
    try:
        service.start()
        yield service
    finally:
        service.stop()


def _wait_in_step(replica: Redis) -> None:
    with redis.Redis.from_url(replica.url) as client:
        wait_until(lambda: client.info("replication")["master_link_status"] == "up", seconds=30.0)


def _ports(count: int) -> tuple[int, ...]:
    return tuple(free_port() for _ in range(count))
