"""Ports for servers on the loopback interface."""

import os
import random
import socket

LOOPBACK = "127.0.0.1"

# Below the range from which the kernel gives ports to outgoing connections. Otherwise a client
# could be given the port of a server that has just been killed, and even connect to itself.
# Processes that run tests side by side have ports of their own.
_PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_PROCESSES = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
_PORTS = range(20_000 + _PROCESS % _PROCESSES, 32_000, _PROCESSES)
_given: set[int] = set()
"""Ports that this process has taken; a server may not have started on its port yet, or be down."""


def free_port() -> int:
    """Find a port without a listener, another one each time.

    It is not reserved against processes of other runs, so use it at once.
    """
    for port in random.sample(_PORTS, k=1_000):
        if port in _given:
            continue
        with socket.socket() as probe:
            # As servers do: a port whose old connections linger in TIME_WAIT is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
        _given.add(port)
        return port
    msg = f"no free port between {_PORTS.start} and {_PORTS.stop}"
    raise RuntimeError(msg)
