"""The process ``deidstream``; ``python -m deidstream.agents`` is the same."""

import sys

from deidstream.agents.cli.main import main
from deidstream.stream.containment import contain_text, forbid_core_dumps


def run() -> int:
    """Run the command line in a process that keeps text of notes to itself."""
    contain_text()
    forbid_core_dumps()
    return main()


if __name__ == "__main__":
    sys.exit(run())
