"""``python -m deidstream.agents`` is ``deidstream``."""

import sys

from deidstream.agents.cli import main

sys.exit(main())
