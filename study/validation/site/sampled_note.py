"""A note of the sample: its original, its output, and what was replaced in it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName


@dataclass(frozen=True, slots=True)
class FoundSpan:
    """An identifier that was found."""

    start: int
    end: int
    label: PhiLabel
    operator: str
    out_start: int
    out_end: int
    is_control: bool = False
    """Whether readers see it as plain text, to show whether they find it."""

    @property
    def stays(self) -> bool:
        """Whether the policy leaves it as it is."""
        return self.operator == OperatorName.KEEP


@dataclass(frozen=True, slots=True)
class SampledNote:
    """A note that is read."""

    number: int
    """From 1, in the order of reading."""
    output_id: str
    patient: str
    """Pseudonym, as in the outputs."""
    stratum: str
    is_extra: bool
    """Whether it was drawn beyond the plain sample, because its stratum is risky."""
    facts: Mapping[str, str]
    """What slices are made by."""
    text: str = field(repr=False)
    output: str = field(repr=False)
    spans: tuple[FoundSpan, ...]
    made_by: str = ""
    """Policy and pipeline of the output, in JSON; empty where the frame of the sample says it."""
    kept_places: Mapping[str, int] = field(default_factory=dict[str, int])
    """Values that stay as they came, by place; empty where the frame of the sample has them."""

    @property
    def replaced(self) -> tuple[FoundSpan, ...]:
        """The identifiers that do not stay."""
        return tuple(span for span in self.spans if not span.stays)

    def encode(self) -> dict[str, Any]:
        """Return the note as a record."""
        return asdict(self)

    @classmethod
    def decode(cls, record: Mapping[str, Any]) -> "SampledNote":
        """Read a record that :meth:`encode` returned."""
        fields = dict(record)
        fields["spans"] = tuple(
            FoundSpan(**(span | {"label": PhiLabel(span["label"])})) for span in record["spans"]
        )
        return cls(**fields)
