import subprocess
import sys

import pytest

THREADS = """
import sys
import numpy as np
from threadpoolctl import threadpool_info
sys.argv = ["deidstream", "--help"]
import deidstream.agents.__main__ as process
try:
    process.run()
except SystemExit:
    pass
import torch
found = [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]
print(found, torch.get_num_threads())
"""


@pytest.mark.slow
def test_a_process_leaves_threads_to_the_engines() -> None:
    environment = {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    ended = subprocess.run(  # noqa: S603  our own code
        [sys.executable, "-c", THREADS],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert ended.stdout.splitlines()[-1] == "[1] 2"
