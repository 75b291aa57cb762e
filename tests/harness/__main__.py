"""Run the harness."""

import sys

from harness.command import main

sys.exit(main())
