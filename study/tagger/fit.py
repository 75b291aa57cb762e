"""Fine-tune a token classifier on examples; a run can be stopped and resumed."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor, nn

from deidstream.schemas.errors import InvalidSettings
from deidstream.study.tagger.examples import Batch, Example, collate, steps
from deidstream.study.tagger.lesson import LabelLesson, Lesson

FRESH_FACTOR = 5.0
"""How much faster what starts from nothing learns: the head and the shapes."""
_FRESH = ("classifier.", "token_type_embeddings.")
LABEL_LESSON: Lesson = LabelLesson()


@dataclass(frozen=True, slots=True)
class FitPlan:
    """How a tagger is fine-tuned."""

    epochs: int = 3
    learning_rate: float = 1e-4
    batch_pieces: int = 8192
    """Most padded word pieces of a step."""
    warmup: float = 0.06
    """Share of the steps over which the learning rate rises; then it falls to 0 in a line."""
    weight_decay: float = 0.01
    average: float = 0.995
    """Weight of the past in the running mean of the weights, which is what is kept; 0: the last."""
    kept: float = 0.0
    """Share of the weights of the start in the result: against forgetting, if a tagger learns
    further from notes unlike its first. Source: Wortsman et al., CVPR 2022, 7949, section 3."""
    gradient_norm: float = 1.0
    seed: int = 1
    bf16: bool = False
    """Whether matrix products are bf16."""
    save_steps: int = 100
    """Steps between two states on disk."""

    def __post_init__(self) -> None:
        """Refuse a plan that would learn nothing.

        Raises:
            InvalidSettings: There is no epoch, or no learning rate, or all of the start is kept.
        """
        if not 0 <= self.kept < 1:
            msg = "the share of the start that is kept must be from 0 to below 1"
            raise InvalidSettings(msg)
        if self.epochs < 1 or self.learning_rate <= 0:
            msg = "training needs at least one epoch and a learning rate above 0"
            raise InvalidSettings(msg)


@dataclass(frozen=True, slots=True)
class Step:
    """One step that was taken."""

    number: int
    """From 1."""
    of: int
    loss: float
    """What the lesson gave; mean cross entropy in nats for each piece if it is of labels."""
    pieces: int


@dataclass(slots=True)
class _State:
    model: Any = field(repr=False)
    optimizer: torch.optim.Optimizer = field(repr=False)
    average: dict[str, Tensor] = field(repr=False)
    run: str
    """Digest of all that decides what the steps do."""
    taken: int = 0

    @classmethod
    def fresh(cls, model: nn.Module, plan: FitPlan, run: str) -> Self:
        optimizer = torch.optim.AdamW(_groups(model, plan), lr=plan.learning_rate, fused=True)
        return cls(model, optimizer, {k: v.clone() for k, v in model.state_dict().items()}, run)

    def save(self, path: Path) -> None:
        beside = path.with_suffix(".new")
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "taken": self.taken,
            "run": self.run,
        }
        torch.save(state, beside)
        beside.replace(path)

    def restore(self, path: Path) -> None:
        with suppress(FileNotFoundError):
            state = torch.load(path, weights_only=True)
            if state.get("run", self.run) != self.run:
                msg = f"{path} is of a run with other notes or settings; remove it to begin again"
                raise InvalidSettings(msg)
            self.model.load_state_dict(state["model"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.average, self.taken = state["average"], state["taken"]


def fit(
    model: Any,  # noqa: ANN401  its class is the checkpoint's
    examples: Sequence[Example],
    plan: FitPlan,
    *,
    pad_id: int,
    state: Path,
    lesson: Lesson = LABEL_LESSON,
) -> Iterator[Step]:
    """Fine-tune ``model`` in place.

    A step draws the same batch and the same dropout however often the run was stopped, so that on
    one machine a run that was taken up again ends as one that was not.

    Args:
        model: A token classifier whose outputs are ``OUTPUTS``.
        examples: The windows to learn from.
        plan: How.
        pad_id: The vocabulary id of padding.
        state: Where the run's state is kept; if the file is there the run goes on from it.
        lesson: The loss; the plain cross entropy of all pieces if not given.

    Yields:
        Each step, after it was taken.

    Raises:
        InvalidSettings: The state is of a run with another model, other examples, another plan
            or lesson, or the loss is not a number.
    """
    order = _order(examples, plan)
    run = _State.fresh(model, plan, _digest(model, examples, plan, lesson))
    begun = {name: weight.clone() for name, weight in model.state_dict().items()}
    run.restore(state)
    model.train()
    while run.taken < len(order):
        batch = collate([examples[at] for at in order[run.taken]], pad_id, str(model.device))
        loss = _take(run, batch, plan, lesson, len(order))
        if run.taken % plan.save_steps == 0:
            run.save(state)
        yield Step(run.taken, len(order), loss, int(batch.mask.sum()))
    run.save(state)
    if plan.average:
        model.load_state_dict(run.average)
    if plan.kept:
        _keep(model, begun, plan.kept)
    model.eval()


def _keep(model: nn.Module, begun: dict[str, Tensor], share: float) -> None:
    for name, weight in model.state_dict().items():
        if weight.is_floating_point():
            weight.lerp_(begun[name], share)


def _order(examples: Sequence[Example], plan: FitPlan) -> list[list[int]]:
    lengths = [len(example.pieces) for example in examples]
    epochs = range(plan.epochs)
    return [
        step
        for epoch in epochs
        for step in steps(lengths, batch_pieces=plan.batch_pieces, seed=plan.seed * 1009 + epoch)
    ]


def _digest(model: nn.Module, examples: Sequence[Example], plan: FitPlan, lesson: Lesson) -> str:
    sizes = {name: tuple(weight.shape) for name, weight in model.named_parameters()}
    found = hashlib.sha256(repr((replace(plan, save_steps=0), sizes, lesson.name)).encode())
    # Encoders of one size may differ in nothing else: BERT's and those trained further from it.
    for weight in model.parameters():
        found.update(weight.detach().cpu().numpy().tobytes())
    for example in examples:
        found.update(example.pieces.tobytes() + example.targets.tobytes())
    return found.hexdigest()


def _groups(model: nn.Module, plan: FitPlan) -> list[dict[str, Any]]:
    named = [(name, weight) for name, weight in model.named_parameters() if weight.requires_grad]
    fresh = [weight for name, weight in named if any(part in name for part in _FRESH)]
    rest = [weight for name, weight in named if not any(part in name for part in _FRESH)]
    decay = {"weight_decay": plan.weight_decay}
    return [{"params": rest, "factor": 1.0, **decay}, {"params": fresh, "factor": FRESH_FACTOR}]


def _take(run: _State, batch: Batch, plan: FitPlan, lesson: Lesson, total: int) -> float:
    torch.manual_seed(plan.seed * 1_000_003 + run.taken)
    _set_rate(run, plan, total)
    loss = lesson.loss(run.model, batch, bf16=plan.bf16, done=run.taken / total)
    if not loss.isfinite():
        msg = f"the loss of step {run.taken + 1} is no number; a lower learning rate may help"
        raise InvalidSettings(msg)
    run.optimizer.zero_grad()
    torch.autograd.backward(loss)
    nn.utils.clip_grad_norm_(run.model.parameters(), plan.gradient_norm)
    run.optimizer.step()
    run.taken += 1
    _average(run, plan)
    return float(loss.detach())


def _set_rate(run: _State, plan: FitPlan, total: int) -> None:
    rising = max(1, round(plan.warmup * total))
    share = min((run.taken + 1) / rising, (total - run.taken) / max(1, total - rising))
    for group in run.optimizer.param_groups:
        group["lr"] = plan.learning_rate * group["factor"] * share


def _average(run: _State, plan: FitPlan) -> None:
    # Early on the mean would be mostly the untrained start.
    kept = min(plan.average, run.taken / (run.taken + 10))
    for name, weight in run.model.state_dict().items():
        mean = run.average[name]
        if mean.is_floating_point():
            mean.lerp_(weight, 1 - kept)
