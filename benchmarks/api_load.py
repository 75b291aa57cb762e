"""Time requests to ``deidstream serve`` beside the same notes in process.

    python benchmarks/api_load.py [--seconds 15] [--clients 1 4 16] [--notes 1]

The processor time is that of the server alone, so that it says something on a machine that others
use too; requests a second and latencies do not.
"""

import argparse
import asyncio
import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import httpx
import psutil

from deidstream.agents.deidentifier import Deidentifier
from deidstream.agents.demo.demo import sample_notes
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import encode_note

PORT = 8199


@dataclass(frozen=True, slots=True)
class Load:
    """What some clients saw in one run."""

    clients: int
    latencies: Sequence[float]
    seconds: float
    server_seconds: float
    notes: int

    def line(self) -> str:
        ordered = sorted(self.latencies)
        p50, p95 = (ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.95))
        requests, notes = len(ordered) / self.seconds, self.notes / self.seconds
        spent_ms = self.server_seconds / self.notes * 1e3
        times = f"{p50 * 1e3:8.0f} {p95 * 1e3:8.0f} {spent_ms:9.1f}"
        return f"{self.clients:7} {requests:11.1f} {notes:8.1f} {times}"


@contextmanager
def serving() -> Generator[psutil.Process]:
    command = [sys.executable, "-m", "deidstream.agents", "serve", "--memory"]
    environment = os.environ | {"DEIDSTREAM_API_PORT": str(PORT)}
    server = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        while not ready():
            time.sleep(0.5)
        yield psutil.Process(server.pid)
    finally:
        server.terminate()
        server.wait(30)


def ready() -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{PORT}/readyz").is_success
    except httpx.TransportError:
        return False


def spent(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def numbered(notes: Sequence[RawNote]) -> Iterator[RawNote]:
    """The notes again and again, each time under other ids."""
    for number in itertools.count():
        note = notes[number % len(notes)]
        yield replace(note, note_id=f"{note.note_id}-{number}")


async def load(process: psutil.Process, clients: int, seconds: float, size: int) -> Load:
    notes, latencies = numbered(sample_notes()), list[float]()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{PORT}", timeout=120) as client:
        before, start = spent(process), time.perf_counter()

        async def ask() -> None:
            while time.perf_counter() < start + seconds:
                body = {"notes": [json.loads(encode_note(next(notes))) for _ in range(size)]}
                began = time.perf_counter()
                reply = await client.post("/v1/deidentify", json=body)
                reply.raise_for_status()
                latencies.append(time.perf_counter() - began)

        await asyncio.gather(*(ask() for _ in range(clients)))
        took, used = time.perf_counter() - start, spent(process) - before
    return Load(clients, latencies, took, used, len(latencies) * size)


def in_process(seconds: float, size: int) -> Load:
    notes, latencies, me = numbered(sample_notes()), list[float](), psutil.Process()
    with Deidentifier.load() as deidentifier:
        deidentifier.deidentify(sample_notes())
        before, start = spent(me), time.perf_counter()
        while time.perf_counter() < start + seconds:
            batch = [next(notes) for _ in range(size)]
            began = time.perf_counter()
            deidentifier.deidentify(batch)
            latencies.append(time.perf_counter() - began)
        took, used = time.perf_counter() - start, spent(me) - before
    return Load(0, latencies, took, used, len(latencies) * size)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 4, 16])
    parser.add_argument("--notes", type=int, default=1, help="notes of a request")
    arguments = parser.parse_args()
    print("clients  requests/s  notes/s  p50 ms   p95 ms  CPU ms/note")
    for size in sorted({arguments.notes, 16}):
        print(f"in process, {size} at a time")
        print(in_process(arguments.seconds, size).line())
    with serving() as process:
        print(f"{arguments.notes} notes a request")
        asyncio.run(load(process, 4, 3, arguments.notes))
        for clients in arguments.clients:
            print(asyncio.run(load(process, clients, arguments.seconds, arguments.notes)).line())


if __name__ == "__main__":
    main()
