"""The review page beside the demo, with a user of its own."""

import asyncio
import contextlib
import re
import secrets
import signal
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from deidstream.agents.review.review_folder import ReviewFolder
from deidstream.agents.review.users import ReviewRole, ReviewUser, UserFile
from deidstream.agents.settings import PREFIX
from deidstream.stream.parent_end import end_with_parent

USER = "demo"
STOP_SECONDS = 20
LOOK_SECONDS = 0.2
_ADDRESS = re.compile(rb"https?://[^\s/]+")


@dataclass(frozen=True, slots=True)
class ReviewAccess:
    """How to get to a running review page."""

    log: Path
    password: str = field(repr=False)
    page: asyncio.subprocess.Process = field(repr=False)

    async def address(self) -> str:
        """Wait for the page, and return its address; ``""`` if it did not start."""
        while self.page.returncode is None:
            if found := _ADDRESS.search(self.log.read_bytes()):
                return found[0].decode()
            await asyncio.sleep(LOOK_SECONDS)
        return ""


@asynccontextmanager
async def running_review(
    environment: Mapping[str, str], folder: Path, port: int
) -> AsyncGenerator[ReviewAccess]:
    """Run ``deidstream review`` with one user, and terminate it at the end.

    Args:
        environment: Settings of the demo's worker, whose key and policy it uses.
        folder: Where its users, its audit log and its policies are.
        port: Where it is.
    """
    password = secrets.token_hex(8)
    own = ReviewFolder(folder)
    own.make()
    UserFile(own.users).add(ReviewUser(USER, ReviewRole.REVIEWER), password)
    file = folder / "page.log"
    # A pipe that nobody reads would stop the page once it is full.
    with file.open("wb") as log:
        page = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "deidstream.agents", "review", "--port", str(port)),
            env={**environment, f"{PREFIX}_REVIEW_FOLDER": str(folder)},
            stdout=log,
            stderr=log,
            # Ctrl-C of a terminal is for the demo, which ends its parts one after another.
            process_group=0,
            # Nothing else runs between fork and exec, and no lock is taken there.
            preexec_fn=end_with_parent,
        )
    try:
        yield ReviewAccess(file, password, page)
    finally:
        with contextlib.suppress(ProcessLookupError):
            page.send_signal(signal.SIGTERM)
        await asyncio.wait_for(page.wait(), STOP_SECONDS)
