"""The policies of deidstream itself, DeIDClinic's two ways among them, and DeI by our recognition.

Sources: DeI is Larbi et al., section 3, item 1 (there by Philter): what was found becomes ``XXXX``.
DeIDClinic is Paul et al., section 3.3.3: ``deidclinic-redact.toml`` and
``deidclinic-replace.toml``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deidstream.agents.deidentifier import DeidentifiedNote
from deidstream.study.survival.planted_misses import PlantedMiss
from deidstream.study.survival.survivors import MissFound, find_fates
from deidstream.study.techniques.policy_models import PolicyModels
from deidstream.study.techniques.technique import Output, StudyNote

MASK: Final = "XXXX"


@dataclass(frozen=True, slots=True)
class ApplyPolicy:
    """Runs a policy over the notes, in this process."""

    name: str
    policy: str | Path
    """Name of a shipped policy, or path of a policy file."""
    models: PolicyModels
    family: str = "deidstream"
    masked: bool = False
    """Whether ``XXXX`` stands in the place of each replacement."""

    def anonymize(self, notes: Sequence[StudyNote]) -> Iterator[Output]:
        """Yield the outputs; a note that the policy refuses has none.

        Raises:
            Refused: The policy, a model or an index is missing or wrong.
        """
        raw = [note.labelled.note for note in notes]
        with self.models.deidentifier(self.policy) as deidentifier:
            for number, result in enumerate(deidentifier.deidentify(raw)):
                if isinstance(result, DeidentifiedNote):
                    yield Output(_mask(result) if self.masked else result.text, number)

    def find_fates(self, misses: Sequence[PlantedMiss]) -> Iterator[MissFound]:
        """Yield what becomes of each identifier that recognition overlooks.

        Raises:
            Refused: The policy, a model or an index is missing or wrong.
        """
        yield from find_fates(self.models.compose(self.policy).pipeline, misses)


def _mask(result: DeidentifiedNote) -> str:
    parts, at = list[str](), 0
    for landed in result.replacements:
        parts += [result.text[at : landed.out_start], MASK]
        at = landed.out_end
    return "".join([*parts, result.text[at:]])
