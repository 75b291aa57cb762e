"""Write docs/metrics.md from the catalogue of metrics."""

from pathlib import Path
from typing import get_args

from deidstream.stream.observing.metric_catalogue import (
    HELP,
    LABELS,
    CounterName,
    GaugeName,
    HistogramName,
)

PAGE = Path(__file__).parents[1] / "docs/metrics.md"
HEAD = """# Metrics

Every metric that `/metrics` has, from the catalogue in `stream/observing/metric_catalogue.py`;
`python benchmarks/metrics_page.py` writes this page, and a test compares it.
Labels have closed sets of values: none is text of a note, a patient or a tenant.
Histograms are in seconds where their names say so. Beside these, each process has the
`process_*` metrics of the Prometheus client. A command has only the values of what it does: a probe
has no lag.

| metric | kind | labels | meaning |
|---|---|---|---|
"""


def page() -> str:
    """The page as it should be."""
    kinds = {"counter": CounterName, "gauge": GaugeName, "histogram": HistogramName}
    rows = [
        f"| `{name}` | {kind} | {', '.join(LABELS.get(name, ()))} | {HELP[name]} |"
        for kind, names in kinds.items()
        for name in sorted(get_args(names))
    ]
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
