"""Run a command on a real Kafka and a real Redis of this machine, started for it alone.

    make services && PYTHONPATH=tests python benchmarks/with_services.py COMMAND ...

``--brokers B --redis URL`` are added at the end of the command.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from support.kafka import running_kafka
from support.redis_server import running_redis


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        homes = Path(name) / "kafka", Path(name) / "redis"
        for home in homes:
            home.mkdir()
        with running_kafka(homes[0]) as kafka, running_redis(homes[1]) as redis:
            command = [*sys.argv[1:], "--brokers", kafka.bootstrap, "--redis", redis.url]
            return subprocess.run(command, check=False).returncode  # noqa: S603  the caller's command


if __name__ == "__main__":
    sys.exit(main())
