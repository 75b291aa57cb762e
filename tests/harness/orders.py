"""Names of what the harness orders a stub worker to do, in its environment."""

SESSION = "HARNESS_SESSION_SECONDS"
"""Session of the consumer, shorter than the settings allow."""
POINT = "HARNESS_KILL_AT"
"""Named point at which the worker dies."""
PASS = "HARNESS_KILL_AT_PASS"
"""At which pass of that point."""
MARK = "HARNESS_KILL_MARK"
"""File that gets the point's name before the worker dies."""
DIE_OF = "HARNESS_DIE_OF"
"""Word of a note that kills the process which detects its PHI."""
DEFECT = "HARNESS_DEFECT"
"""Defect that is planted into the worker, for the harness to catch."""
POINTS = (
    "after-decode",
    "after-detection",
    "after-redis-write",
    "after-produce",
    "before-commit",
    "during-commit",
)

POLICY = """\
technique = "surrogate"
recognizers = ["rules", "known"]

[operators]
AGE = "generalise"

[dates]
max_shift_days = 365
"""
