"""What the machine is, and how much memory a process holds."""

import os
import platform
import re
import resource
import sys
from pathlib import Path

from deidstream.study.bench.bench_figures import Machine

_MEGABYTE = 1_000_000
_KILOBYTE = 1_024


def describe_machine(threads: int = 0) -> Machine:
    """Describe the machine that this process runs on.

    Args:
        threads: ``model.threads`` of the settings; 0: the engine takes every core.
    """
    usable = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return Machine(_processor(), usable, threads or usable, platform.python_version())


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if not described.exists():
        return platform.processor() or platform.machine()
    found = re.search(r"^model name\s*: (.*)$", described.read_text(), re.MULTILINE)
    return found[1].strip() if found else platform.machine()


def resident_mb(process: int | None = None) -> float:
    """Return the resident memory of a process, of this one by default, in megabytes.

    Returns:
        0 where the system does not say.
    """
    state = Path(f"/proc/{process or 'self'}/statm")
    if not state.exists():
        return 0.0
    pages = int(state.read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / _MEGABYTE


def most_resident_mb() -> float:
    """Return the most memory that this process has held, in megabytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # macOS counts bytes, Linux kilobytes.
    return most * (1 if sys.platform == "darwin" else _KILOBYTE) / _MEGABYTE


def most_resident_mb_of(process: int) -> float:
    """Return the most memory that another process has held; 0 where the system does not say."""
    state = Path(f"/proc/{process}/status")
    if not state.exists():
        return 0.0
    found = re.search(r"^VmHWM:\s*(\d+) kB$", state.read_text(), re.MULTILINE)
    return int(found[1]) * _KILOBYTE / _MEGABYTE if found else 0.0


def cpu_seconds(process: int) -> float:
    """Return the processor time that another process has used; 0 where the system does not say."""
    state = Path(f"/proc/{process}/stat")
    if not state.exists():
        return 0.0
    # The name of the command may hold spaces; the numbers follow its parenthesis.
    numbers = state.read_text().rpartition(")")[2].split()
    user, system = numbers[11], numbers[12]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
