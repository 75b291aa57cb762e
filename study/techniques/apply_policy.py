"""The policies of deidstream itself, DeIDClinic's two ways among them, and DeI by our recognition.

Sources: DeI is Larbi et al., section 3, item 1 (there by Philter): what was found becomes ``XXXX``.
DeIDClinic is Paul et al., section 3.3.3: ``deidclinic-redact.toml`` and
``deidclinic-replace.toml``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from deidstream.agents.deidentifier import DeidentifiedNote, Deidentifier
from deidstream.agents.runtime.compose import compose
from deidstream.agents.settings import Settings
from deidstream.study.survival.planted_misses import PlantedMiss
from deidstream.study.survival.survivors import MissFound, find_fates, with_embedder
from deidstream.study.techniques.technique import Output, StudyNote
from deidstream.study.vectors.remembering import RememberingEmbedder

MASK: Final = "XXXX"


@dataclass(frozen=True, slots=True)
class ApplyPolicy:
    """Runs a policy over the notes, in this process."""

    name: str
    policy: str | Path
    """Name of a shipped policy, or path of a policy file."""
    settings: Settings
    seed: int
    """Makes the key: outputs of a study are compared, not released."""
    family: str = "deidstream"
    masked: bool = False
    """Whether ``XXXX`` stands in the place of each replacement."""

    def anonymize(self, notes: Sequence[StudyNote]) -> Iterator[Output]:
        """Yield the outputs; a note that the policy refuses has none.

        Raises:
            Refused: The policy, a model or an index is missing or wrong.
        """
        raw = [note.labelled.note for note in notes]
        with Deidentifier.load(self.policy, key=self._key, settings=self.settings) as deidentifier:
            for number, result in enumerate(deidentifier.deidentify(raw)):
                if isinstance(result, DeidentifiedNote):
                    yield Output(_mask(result) if self.masked else result.text, number)

    def find_fates(self, misses: Sequence[PlantedMiss]) -> Iterator[MissFound]:
        """Yield what becomes of each identifier that recognition overlooks.

        Raises:
            Refused: The policy, a model or an index is missing or wrong.
        """
        runtime = compose(replace(self.settings, policy=str(self.policy)), root=self._key)
        embedder = RememberingEmbedder(runtime.models.embedder)
        yield from find_fates(with_embedder(runtime.pipeline, embedder), misses)

    @property
    def _key(self) -> bytes:
        return sha256(f"study {self.seed}".encode()).digest()


def _mask(result: DeidentifiedNote) -> str:
    parts, at = list[str](), 0
    for landed in result.replacements:
        parts += [result.text[at : landed.out_start], MASK]
        at = landed.out_end
    return "".join([*parts, result.text[at:]])
