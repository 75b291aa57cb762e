"""The folder in which the commands of a page are run, by a shell and in their order."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deidstream.agents.runtime.root_keys import write_key
from support.attachments import make_docx
from support.page_commands import ROOT, furnish
from support.ports import free_port

ENDED = {
    r"deidstream worker": "deidstream worker &",
    r"deidstream consume --follow": (
        "deidstream consume --follow >followed & id=$!; until_in followed output_id; kill $id"
    ),
    r"(deidstream export .*) --follow": (
        r"\1 --follow & id=$!; sleep 8; kill $id; wait $id || [ $? -eq 143 ]"
    ),
    r"DEIDSTREAM_HTTP_PORT=8081 (deidstream ingest mllp) &": (
        r"\1 2>heard & until_in heard started"
    ),
    r"(deidstream review users add \w+)": r"echo a-long-password | \1 --password-stdin",
    r"deidstream review": (
        "deidstream review --port 0 >said 2>&1 & id=$!; until_in said 'page is at'; kill $id"
    ),
    r"helm install (notes .*)": r"helm template \1 --kube-version 1.37",
}
"""Commands that only their reader ends, or that ask, or need a cluster: what is run instead."""
_HEAD = """\
set -euo pipefail
trap 'code=$?; kill $(jobs -p) 2>/dev/null || :; wait || :; exit $code' EXIT
until_in() { # FILE WORDS: wait until a file has them, for 90 s
  for _ in $(seq 900); do grep -qs -- "$2" "$1" && return; sleep .1; done
  cat "$1" >&2
  return 1
}
"""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A folder with what pages name, and the services that their commands reach."""

    folder: Path
    environment: Mapping[str, str]
    instead: Mapping[str, str]
    """Texts of pages that stand for something here: addresses, folders of the system."""

    def run(self, lines: Sequence[str], *, seconds: float) -> str:
        """Run lines in one shell; return the one that failed with its last words, or nothing."""
        script = [_HEAD]
        for number, line in enumerate(lines):
            text = _ended(line)
            for old, new in self.instead.items():
                text = text.replace(old, new)
            script += [f"echo {number} >at", text]
        done = subprocess.run(  # noqa: S603 - the lines of our own pages
            ["/bin/bash", "-c", "\n".join(script)],
            cwd=self.folder,
            env=dict(self.environment),
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        if done.returncode == 0:
            return ""
        at = int((self.folder / "at").read_text())
        return f"{lines[at]}: exit {done.returncode}: {done.stderr[-500:]}"


def _ended(line: str) -> str:
    for pattern, other in ENDED.items():
        if found := re.fullmatch(pattern, line):
            return found.expand(other)
    return line


def make_sandbox(folder: Path, *, brokers: str, redis_url: str) -> Sandbox:
    """Furnish a folder: notes, files of a deployment, the environment of ``make install``."""
    furnish(folder)
    port = free_port()
    shutil.copytree(ROOT / "deploy", folder / "deploy", symlinks=True)
    for name in ("Makefile", "docker-compose.yml"):
        shutil.copy(ROOT / name, folder / name)
    for name in (".venv", "training"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("etc", "data", "letters"):
        (folder / name).mkdir()
    for name in ("letters/first.docx", "letter.docx"):
        (folder / name).write_bytes(make_docx("Mr. John Smith was seen.", cell="MRN 4471923"))
    key = folder / "site.key"
    write_key(key)
    path = f"{ROOT / '.venv/bin'}:{ROOT / '.cache/helm'}:{os.environ['PATH']}"
    environment = {
        "PATH": path,
        "HOME": str(folder),
        "HF_HUB_OFFLINE": "1",
        "DEIDSTREAM_KEY_FILE": str(key),
        "DEIDSTREAM_MODEL_ENGINE": "torch",
        "DEIDSTREAM_HTTP_PORT": "0",
        "DEIDSTREAM_KAFKA_BROKERS": brokers,
        "DEIDSTREAM_KAFKA_PARTITIONS": "1",
        "DEIDSTREAM_REDIS_URL": redis_url,
        "DEIDSTREAM_REDIS_DEPLOYMENT": folder.name.replace("_", "-"),
        "DEIDSTREAM_KAFKA_GROUP": folder.name,
        "DEIDSTREAM_MLLP_PORT": str(port),
    }
    instead = {
        "/etc/deidstream/": f"{folder}/etc/",
        "/data/": f"{folder}/data/",
        "localhost:9092": brokers,
        "broker:9092": brokers,
        "redis://localhost:6379/0": redis_url,
        "redis://redis:6379/0": redis_url,
        "--port 2575": f"--port {port}",
        "DEIDSTREAM_HTTP_PORT=8080": "DEIDSTREAM_HTTP_PORT=0",
        " NAME": " surrogate",
        " N ": " 2 ",
    }
    return Sandbox(folder, environment, instead)
