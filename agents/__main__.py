"""The process ``deidstream``; ``python -m deidstream.agents`` is the same."""

import sys

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.process.blas_threads import limit_blas_threads
from deidstream.agents.runtime.process.garbage import collect_rarely, keep_loaded
from deidstream.stream.observing.containment import contain_text, forbid_core_dumps


def run() -> int:
    """Run the command line in a process that keeps text of notes to itself."""
    contain_text()
    forbid_core_dumps()
    collect_rarely()
    limit_blas_threads()
    try:
        return main()
    finally:
        # Otherwise the interpreter looks for garbage among all modules before it ends. DuckDB
        # would list on stderr, as lost, what is then left.
        if "duckdb" not in sys.modules:
            keep_loaded()


if __name__ == "__main__":
    sys.exit(run())
