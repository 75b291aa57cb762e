"""What a tagger learns from a step: the loss on the labels of its pieces, or another lesson."""

from typing import Any, Protocol

import torch
from torch import Tensor, nn

from deidstream.study.tagger.examples import IGNORED, Batch


class Lesson(Protocol):
    """Gives each step its loss."""

    @property
    def name(self) -> str:
        """All that decides the losses besides the batch; part of a run's digest."""
        ...

    def loss(self, model: Any, batch: Batch, *, bf16: bool, done: float) -> Tensor:  # noqa: ANN401  its class is the checkpoint's
        """Return the loss of a step.

        Args:
            model: The token classifier that learns.
            batch: The windows of the step.
            bf16: Whether matrix products are bf16.
            done: Share of the steps that was taken, 0 to 1.
        """
        ...


class LabelLesson:
    """Plain cross entropy of the labels over all pieces."""

    name = "labels"

    def loss(self, model: Any, batch: Batch, *, bf16: bool, done: float) -> Tensor:  # noqa: ANN401, ARG002  as above; the same at any time
        """Return the mean cross entropy of the pieces, in nats."""
        return label_loss(run_model(model, batch, bf16=bf16).logits.float(), batch)


def label_loss(logits: Tensor, batch: Batch) -> Tensor:
    """Return the mean cross entropy of logits of shape ``(rows, length, outputs)``, in nats."""
    flat, targets = logits.flatten(0, 1), batch.targets.flatten()
    return nn.functional.cross_entropy(flat, targets, ignore_index=IGNORED)


def run_model(model: Any, batch: Batch, *, bf16: bool, hidden: bool = False) -> Any:  # noqa: ANN401  as above
    """Return what a token classifier says of a batch; with ``hidden`` also its layers' states."""
    shaped = getattr(model.config, "word_shapes", False)
    given = {"token_type_ids": batch.shapes} if shaped else {}
    with torch.autocast(model.device.type, torch.bfloat16, enabled=bf16):
        return model(
            input_ids=batch.ids, attention_mask=batch.mask, output_hidden_states=hidden, **given
        )
