"""Run several workers as processes of one command, which share the cores of a machine.

One worker leaves a part of two cores idle: Python runs on one core at a time, and the threads of a
forward pass wait for the slowest of them. Workers of one thread each do not wait for each other.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence

from deidstream.agents.settings import PREFIX, Settings
from deidstream.stream.parent_end import end_with_parent

DONE, BROKEN = 0, 70
WORKER = (sys.executable, "-m", "deidstream.agents", "worker")


def plan_environments(settings: Settings, processes: int, cores: int) -> list[Mapping[str, str]]:
    """Return the variables that each worker has beside those of the command's own environment.

    The cores are shared out, unless the settings name the threads of the models. The ops servers
    listen on consecutive ports from the one of the settings on; port 0 remains, and takes any.

    Args:
        settings: Of the command.
        processes: How many workers, at least 1.
        cores: Of the machine.
    """
    threads = settings.model.threads or max(1, cores // processes)
    first = settings.http.port
    environments: list[Mapping[str, str]] = []
    for place in range(processes):
        port = first + place if first else 0
        environments.append(
            {f"{PREFIX}_MODEL_THREADS": str(threads), f"{PREFIX}_HTTP_PORT": str(port)}
        )
    return environments


async def run_workers(
    environments: Sequence[Mapping[str, str]], command: Sequence[str] = WORKER
) -> int:
    """Run a worker for each environment until SIGTERM or SIGINT, or until one of them ends.

    Then all get SIGTERM, and drain as a worker alone does. One that ends by itself ends the
    others too, so that whatever supervises the command starts all of them again. Should this
    process be killed, they get SIGTERM too (on Linux).

    Returns:
        The exit code: 0 where all ended well, the first other code of a worker, or 70 where a
        signal ended one.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    workers = [
        await asyncio.create_subprocess_exec(
            *command,
            env={**os.environ, **own},
            # Nothing else runs between fork and exec, and no lock is taken there.
            preexec_fn=end_with_parent,
        )
        for own in environments
    ]
    ends = [asyncio.create_task(worker.wait()) for worker in workers]
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait([*ends, stopped], return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    for worker in workers:
        if worker.returncode is None:
            worker.terminate()
    return _choose_code(await asyncio.gather(*ends))


def _choose_code(codes: Sequence[int]) -> int:
    failed = [code for code in codes if code != DONE]
    if not failed:
        return DONE
    return failed[0] if failed[0] > 0 else BROKEN
