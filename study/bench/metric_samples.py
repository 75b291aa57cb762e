"""Read a worker's metrics, of this process or of another, and subtract what was there before."""

from collections.abc import Mapping
from dataclasses import dataclass

from prometheus_client.parser import text_string_to_metric_families

from deidstream.stream.observing import metrics

MOST = float("inf")
Key = tuple[str, frozenset[tuple[str, str]]]
"""Name and labels of a series."""


@dataclass(frozen=True, slots=True)
class MetricSamples:
    """The values of all series at one moment, or what was added between two."""

    values: Mapping[Key, float]

    @classmethod
    def parse(cls, exposition: str) -> "MetricSamples":
        """Read Prometheus' text form."""
        values: dict[Key, float] = {}
        for family in text_string_to_metric_families(exposition):
            for sample in family.samples:
                values[sample.name, frozenset(sample.labels.items())] = sample.value
        return cls(values)

    @classmethod
    def read_own(cls) -> "MetricSamples":
        """Read the metrics of this process."""
        return cls.parse(metrics.exposition().decode())

    def since(self, before: "MetricSamples") -> "MetricSamples":
        """Return what was added since an earlier moment, for counters and histograms."""
        return MetricSamples(
            {key: value - before.values.get(key, 0.0) for key, value in self.values.items()}
        )

    def total(self, name: str) -> float:
        """Sum a series over its labels; a series that does not exist sums to 0."""
        return sum(value for (own, _), value in self.values.items() if own == name)

    def mean(self, name: str) -> float:
        """Return the mean of what a histogram observed; 0 if it observed nothing."""
        count = self.total(f"{name}_count")
        return self.total(f"{name}_sum") / count if count else 0.0

    def by_label(self, name: str, label: str) -> dict[str, float]:
        """Return a series by the value of one label; under ``""`` what does not have the label."""
        found: dict[str, float] = {}
        for (own, labels), value in self.values.items():
            if own == name:
                part = dict(labels).get(label, "")
                found[part] = found.get(part, 0.0) + value
        return found

    def quantile(self, name: str, share: float) -> float:
        """Return the upper bound of the bucket in which a share of the observations ends.

        Returns:
            0 if nothing was observed; infinity if it is above all bounds.
        """
        buckets = {float(le): n for le, n in self.by_label(f"{name}_bucket", "le").items()}
        total = buckets.get(MOST, 0.0)
        if not total:
            return 0.0
        return min(bound for bound, count in buckets.items() if count >= share * total)
