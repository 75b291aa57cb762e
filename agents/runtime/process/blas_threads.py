"""Keep the products of small arrays on the thread that asks for them.

BLAS cuts a product of two thousand rows in two, and its second thread spins until it gets a core
that an engine or another batch is using. That cost ``kneo-notes`` a tenth more processor time.
"""

from threadpoolctl import threadpool_limits


def limit_blas_threads() -> None:
    """Let BLAS libraries that are loaded use one thread; engines keep theirs."""
    threadpool_limits(limits=1, user_api="blas")
