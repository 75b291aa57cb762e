"""Print a report page as PDF by a Chromium of the user's own."""

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from deidstream.schemas.errors import InvalidSettings

_SECONDS: Final = 120


def print_page(page: bytes, chromium: str) -> bytes:
    """Print a page as PDF.

    Args:
        page: HTML that needs nothing else.
        chromium: Name or path of the program.

    Raises:
        InvalidSettings: There is no such program, or it prints nothing.
    """
    program = shutil.which(chromium)
    if program is None:
        msg = f"--pdf: there is no program {chromium}"
        raise InvalidSettings(msg)
    with tempfile.TemporaryDirectory() as folder:
        source, printed = Path(folder) / "page.html", Path(folder) / "page.pdf"
        source.write_bytes(page)
        command = [
            program,
            "--headless",
            "--disable-gpu",
            "--no-sandbox",  # it opens one page, of our own making, without scripts or a network
            f"--user-data-dir={folder}/profile",
            "--no-pdf-header-footer",
            f"--print-to-pdf={printed}",
            source.as_uri(),
        ]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS)  # noqa: S603
            return printed.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            msg = f"--pdf: {chromium} printed nothing: {type(error).__name__}"
            raise InvalidSettings(msg) from None
