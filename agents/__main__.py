"""``python -m deidstream.agents`` is ``deidstream``."""

import sys

from deidstream.agents.cli.main import main

sys.exit(main())
