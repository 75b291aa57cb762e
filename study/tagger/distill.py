"""Teach a tagger of few layers what one of many answers, so that it answers nearly as well.

The pupil begins as some layers of its teacher, with its embeddings and head. It learns the
teacher's probabilities (Hinton et al., Distilling the Knowledge in a Neural Network, 2015), the
labels, and at first what the teacher's layers compute (Jiao et al., TinyBERT, 2020).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import torch
from torch import Tensor, nn

from deidstream.models.neural.tokenizer import read_json
from deidstream.models.neural.weights import digest
from deidstream.schemas.errors import InvalidSettings
from deidstream.study.tagger.examples import OUTPUTS, Batch
from deidstream.study.tagger.lesson import label_loss, run_model
from deidstream.study.tagger.start import start

TEMPERATURE: Final = 1.5
"""By which logits are divided before they are compared: the less likely outputs count for more."""
LABELS: Final = 0.3
"""Weight of the labels, where the teacher's probabilities weigh 1."""
STATES_UNTIL: Final = 0.7
"""Share of a new pupil's steps over which the weight of the layers' states falls from 1 to 0."""
_TINY: Final = 1e-6


def begin_pupil(folder: Path, layers: Sequence[int], *, seed: int) -> Any:  # noqa: ANN401  transformers has no types
    """Return a tagger made of some layers of another, ready to learn from it.

    Args:
        folder: The teacher, a BERT whose outputs are ``OUTPUTS``.
        layers: Which of its layers, ascending, counted from 0.
        seed: Seed of weights that the teacher lacks.

    Raises:
        InvalidSettings: The teacher is another model, or has no such layers.
        MissingArtefact: The folder cannot be read.
    """
    model = _read_tagger(folder, seed)
    encoder: Any = model.base_model.encoder
    if not layers or list(layers) != sorted({at for at in layers if 0 <= at < len(encoder.layer)}):
        msg = f"layers of the pupil: some of 0 to {len(encoder.layer) - 1}, ascending"
        raise InvalidSettings(msg)
    encoder.layer = nn.ModuleList([encoder.layer[at] for at in layers])
    model.config.num_hidden_layers = len(layers)
    return _prepare_pupil(model)


def take_up_pupil(folder: Path, *, seed: int) -> Any:  # noqa: ANN401  as above
    """Return a pupil that was taught before, ready to learn more from its teacher.

    Args:
        folder: The pupil, a BERT whose outputs are ``OUTPUTS``.
        seed: Seed of weights that it lacks.

    Raises:
        InvalidSettings: It is another model.
        MissingArtefact: The folder cannot be read.
    """
    return _prepare_pupil(_read_tagger(folder, seed))


def _prepare_pupil(model: Any) -> Any:  # noqa: ANN401  as above
    """Let a pupil learn without drop-out, as its targets already are probabilities.

    It keeps the teacher's word embeddings as they are, which makes a step cheaper.
    """
    model.config.hidden_dropout_prob = 0.0
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    model.base_model.embeddings.word_embeddings.weight.requires_grad_(requires_grad=False)
    return model


@dataclass(frozen=True, slots=True)
class TeacherLesson:
    """The loss of a pupil beside its teacher."""

    teacher: Any = field(repr=False)
    """A token classifier that does not learn."""
    imitated: tuple[int, ...]
    """Layer of the teacher that each layer of the pupil imitates."""
    name: str
    states_until: float = STATES_UNTIL
    """Share of the steps after which the states of layers count no more."""

    @classmethod
    def of(cls, folder: Path, pupil: Any, *, seed: int, states_until: float = STATES_UNTIL) -> Self:  # noqa: ANN401  as above
        """Read the teacher of a pupil.

        The pupil's layers imitate those that divide the teacher evenly, the last one its last.

        Args:
            folder: The teacher.
            pupil: The model that learns.
            seed: Seed of weights that the teacher lacks.
            states_until: 0 for a pupil that was taught before: its layers have settled.

        Raises:
            InvalidSettings: The teacher is another model.
            MissingArtefact: The folder cannot be read.
        """
        teacher = _read_tagger(folder, seed).to(pupil.device).eval()
        own, its = pupil.config.num_hidden_layers, teacher.config.num_hidden_layers
        imitated = tuple((at + 1) * its // own - 1 for at in range(own))
        name = f"teacher {digest(folder)}, states until {states_until:g}"
        return cls(teacher, imitated, name, states_until)

    def loss(self, model: Any, batch: Batch, *, bf16: bool, done: float) -> Tensor:  # noqa: ANN401  as above
        """Return the loss of a step, in nats for each piece, plus that of the layers' states."""
        weight = max(0.0, 1 - done / self.states_until) if self.states_until else 0.0
        hidden = weight > 0
        with torch.no_grad():
            right = run_model(self.teacher, batch, bf16=bf16, hidden=hidden)
        said = run_model(model, batch, bf16=bf16, hidden=hidden)
        text = batch.mask.bool()
        loss = _divergence(said.logits[text].float(), right.logits[text].float())
        loss = loss + LABELS * label_loss(said.logits.float(), batch)
        if not hidden:
            return loss
        for own, its in enumerate(self.imitated):
            # The first states are those of the embeddings.
            states, wanted = said.hidden_states[own + 1][text], right.hidden_states[its + 1][text]
            distance = _relative_distance(states.float(), wanted.float())
            loss = loss + weight / len(self.imitated) * distance
        return loss


def _divergence(said: Tensor, right: Tensor) -> Tensor:
    """Return the mean Kullback-Leibler divergence of rows of logits, in nats."""
    own = nn.functional.log_softmax(said / TEMPERATURE, dim=-1)
    wanted = nn.functional.log_softmax(right / TEMPERATURE, dim=-1)
    mean = nn.functional.kl_div(own, wanted, log_target=True, reduction="batchmean")
    # Gradients fall with the square of the temperature.
    return mean * TEMPERATURE**2


def _relative_distance(states: Tensor, wanted: Tensor) -> Tensor:
    return nn.functional.mse_loss(states, wanted) / (wanted.var() + _TINY)


def _read_tagger(folder: Path, seed: int) -> Any:  # noqa: ANN401  as above
    config = read_json(folder / "config.json")
    # Whatever its outputs are, ``start`` takes a model up as one of ours.
    outputs = {str(at): name for at, name in enumerate(OUTPUTS)}
    if config.get("model_type") != "bert" or config.get("id2label") != outputs:
        msg = f"{folder.name} can neither teach nor learn: it is no tagger of ours of BERT's kind"
        raise InvalidSettings(msg)
    return start(folder, seed=seed)
