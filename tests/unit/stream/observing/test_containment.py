"""What a process writes on its own account holds no text of a note."""

import subprocess
import sys
from pathlib import Path

import pytest

CANARY = "Zyxwvutson"
START = """
import logging, os, sys, threading, warnings
from deidstream.stream.observing.containment import contain_text, forbid_core_dumps
from deidstream.stream.observing.logs import configure
contain_text()
forbid_core_dumps()
configure("debug")
CANARY = "Zyxwvutson"
"""
LEAKS = {
    "a logger made later, with a handler of its own": """
log = logging.getLogger("library.made.later")
log.setLevel(logging.DEBUG)
log.addHandler(logging.StreamHandler())
log.debug("key %s", CANARY)
log.warning("value %(value)s", {"value": CANARY}, stack_info=True)
try:
    int(CANARY)
except ValueError:
    log.exception("crashed on " + CANARY)
""",
    "a warning": "warnings.warn(CANARY)",
    "an uncaught error": "raise ValueError(CANARY)",
    "an error with a cause": """
try:
    int(CANARY)
except ValueError as error:
    raise KeyError(CANARY) from error
""",
    "an error of a thread": """
thread = threading.Thread(target=lambda: int(CANARY))
thread.start()
thread.join()
""",
    "an error of a destructor": """
class Holder:
    def __del__(self):
        raise ValueError(CANARY)
Holder()
""",
    "an error that no task reads": """
import asyncio
async def fail():
    raise ValueError(CANARY)
async def forget():
    task = asyncio.create_task(fail())
    await asyncio.sleep(0)
asyncio.run(forget(), debug=True)
""",
    "the last resort of logging": """
logging.root.handlers.clear()
logging.getLogger("library").error("bad %s", CANARY)
""",
}


def run(script: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)  # noqa: S603 - our own script


@pytest.mark.parametrize("name", LEAKS)
def test_no_stream_holds_text(name: str) -> None:
    ended = run(START + LEAKS[name])
    assert ended.stderr
    assert CANARY.encode() not in ended.stderr + ended.stdout


@pytest.mark.parametrize("name", LEAKS)
def test_each_would_without_containment(name: str) -> None:
    bare = "import logging, threading, warnings\nCANARY = 'Zyxwvutson'\n"
    assert CANARY.encode() in run(bare + LEAKS[name]).stderr


def test_a_process_writes_no_core_file() -> None:
    script = START + "print(open('/proc/self/limits').read())\n"
    limits = run(script).stdout.decode()
    (line,) = [line for line in limits.splitlines() if line.startswith("Max core file size")]
    assert line.split()[4:6] == ["0", "0"]


def test_the_command_line_is_contained() -> None:
    installed = Path(sys.executable).with_name("deidstream").read_text()
    assert "deidstream.agents.__main__" in installed


def test_a_contained_record_still_says_what_happened() -> None:
    script = """
def coordinator_dead():
    name = "aiokafka.consumer.group_coordinator"
    logging.getLogger(name).warning("Marking the coordinator dead %s", CANARY)
coordinator_dead()
"""
    assert b'"event":"kafka-coordinator-moved"' in run(START + script).stderr
