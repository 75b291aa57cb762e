"""Every command of docs/api.md runs as it stands, against a server with the real models."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from deidstream.agents.api.presidio_operators import OFFERED
from deidstream.agents.settings import read_settings
from deidstream.models.presidio.entity_names import ENTITIES
from support.ports import LOOPBACK, free_port
from support.processes import Process, start, wait_until

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
COMMANDS = re.findall(r"```bash\n(curl .*?)```", PAGE, re.DOTALL)
SITE = "http://127.0.0.1:8000"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server that the page starts, on another port."""
    port, log = free_port(), tmp_path_factory.mktemp("api") / "log"
    command = (sys.executable, "-m", "deidstream.agents", "serve", "--memory", "--port", str(port))
    own = {name: value for name, value in os.environ.items() if not name.startswith("DEIDSTREAM_")}
    server = start(command, log=log, env=own)
    served = f"http://{LOOPBACK}:{port}"
    try:
        wait_until(lambda: _is_ready(server, served), seconds=240)
        yield served
    finally:
        server.stop(40)


def _is_ready(server: Process, url: str) -> bool:
    assert server.running, server.last_words()
    try:
        return requests.get(f"{url}/readyz", timeout=5).ok
    except requests.ConnectionError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_a_command_of_the_page_runs(url: str, number: int) -> None:
    command = COMMANDS[number].replace(SITE, url)
    done = subprocess.run(  # noqa: S602 - the page's own line
        command, shell=True, capture_output=True, text=True, check=True, timeout=60
    )
    reply = json.loads(done.stdout)
    assert "error" not in reply
    assert "John Smith" not in done.stdout


def test_the_page_names_every_entity_and_operator() -> None:
    assert all(f"`{entity}`" in PAGE for entity in ENTITIES.values())
    assert all(f"`{label}`" in PAGE for label in ENTITIES)
    assert all(f"`{name}`" in PAGE for name in OFFERED)


def test_the_page_states_the_defaults() -> None:
    api = read_settings({}).api
    for value in (f"{api.requests}, {api.client_requests}", f"{api.body_bytes:,}", f"{api.notes}"):
        assert f"| {value} |" in PAGE
