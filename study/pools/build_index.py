"""Build a KNEO index from notes that are already de-identified."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, TaskID
from rich.table import Table

from deidstream.agents.runtime.load_embedder import load_embedder
from deidstream.agents.runtime.load_models import load_recognizers
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.runtime.root_keys import read_key
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import Settings
from deidstream.models.kneo.slots import find_slots
from deidstream.models.kneo.vector_store import Storage
from deidstream.schemas.errors import Refused
from deidstream.study.corpus.read_corpus import (
    CorpusForm,
    Donor,
    Unreadable,
    count_notes,
    read_corpus,
)
from deidstream.study.pools.index_builder import Materials, build_index
from deidstream.study.pools.pool import Pool, PoolPlan, choose_pool
from deidstream.study.pools.shards import shards_of


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """What an index is built from, and how."""

    sources: Sequence[Path]
    out: Path
    donor: Donor = Donor.AUTO
    min_donors: int = 1
    storage: Storage = Storage.AUTO
    strict: bool = False
    fresh: bool = False
    """Whether what an interrupted build left is thrown away."""


def build(plan: IndexPlan, settings: Settings) -> str:
    """Build an index; return its digest.

    What was read or embedded before an interruption is not read or embedded again.

    Raises:
        Refused: A file, model or policy is missing or wrong, or no sentence is admitted.
    """
    policy = find_policy(settings.policy)
    form = _choose_form(plan, settings)
    total = count_notes(plan.sources)
    recognizers, tagger = load_recognizers(settings, policy)
    names = sorted(str(each.name) for each in recognizers)
    made_by = " ".join([version("deidstream"), policy.sha256, *names, tagger or ""])
    shards = shards_of(plan.out)
    if plan.fresh:
        shards.clear()
    unreadable = Unreadable()
    with progress("done") as bar:
        stages = _Stages(bar, total)
        pool = choose_pool(
            read_corpus(plan.sources, form, unreadable),
            recognizers,
            PoolPlan(
                min_donors=plan.min_donors, made_by=made_by, shards=shards, report=stages.report
            ),
        )
    for place in unreadable.places:
        say(f"not read: {place}")
    if not pool.sentences:
        _show(pool, unreadable)
        msg = "no sentence of these notes may enter a pool, so no index was built"
        raise Refused(msg)
    record = _record(plan, pool, unreadable) | {"policy": policy.name, "recognizers": names}
    materials = Materials(pool.sentences, pool.contexts, pool.notes, plan.storage, record)
    digest = embed(materials, plan.out, settings)
    _show(pool, unreadable)
    return digest


def embed(materials: Materials, folder: Path, settings: Settings) -> str:
    """Embed a pool and write its index, with a progress bar; return its digest."""
    embedder = load_embedder(settings)
    with progress("texts") as bar:
        stages = _Stages(bar)
        return build_index(
            embedder,
            settings.model.embedder,
            materials,
            folder,
            lambda done, total: stages.report("embed", done, total),
        )


def _choose_form(plan: IndexPlan, settings: Settings) -> CorpusForm:
    form = CorpusForm(plan.donor, strict=plan.strict, note_bytes=settings.worker.note_bytes)
    if plan.donor is not Donor.KEYED:
        return form
    return replace(form, root=read_key(settings.key.file), key_version=settings.key.version)


@dataclass(slots=True)
class _Stages:
    """A progress bar for each stage of a build."""

    bar: Progress
    notes: int | None = None
    """Notes of the corpus."""
    tasks: dict[str, TaskID] = field(default_factory=dict[str, TaskID])

    def report(self, stage: str, done: int, total: int | None) -> None:
        """Show what is done of a stage."""
        if stage not in self.tasks:
            self.tasks[stage] = self.bar.add_task(stage, total=None)
        self.bar.update(self.tasks[stage], completed=done, total=total or self.notes)


def _record(plan: IndexPlan, pool: Pool, unreadable: Unreadable) -> dict[str, object]:
    """Return what the manifest says of a build: settings and counts, no path and no name."""
    return {
        "donor": plan.donor.value,
        "min_donors": plan.min_donors,
        "storage": plan.storage.value,
        "notes": len(pool.notes),
        "unreadable": dict(unreadable.reasons),
        "sentences_read": pool.counts.read,
        "dropped": _dropped(pool),
        "same": pool.counts.same,
        "similar": pool.counts.similar,
        "with_slots": _count_slotted(pool),
    }


def _dropped(pool: Pool) -> Mapping[str, int]:
    return {reason.value: count for reason, count in sorted(pool.counts.dropped.items())}


def _count_slotted(pool: Pool) -> int:
    return sum(bool(find_slots(sentence.text)) for sentence in pool.sentences)


def _show(pool: Pool, unreadable: Unreadable) -> None:
    """Print what became of notes and sentences."""
    table = Table("", "count", "share")
    read = pool.counts.read

    def row(name: str, count: int, *, of: int = 0) -> None:
        table.add_row(name, f"{count:,}", f"{count / of:.1%}" if of else "")

    row("notes", len(pool.notes))
    row("patients", len({note.donor for note in pool.notes if note.donor}))
    if unreadable.count:
        row("not read", unreadable.count)
    row("sentences read", read)
    for reason, count in sorted(pool.counts.dropped.items(), key=lambda item: -item[1]):
        row(f"  dropped: {reason}", count, of=read)
    row("  merged: the same", pool.counts.same, of=read)
    row("  merged: nearly the same", pool.counts.similar, of=read)
    row("sentences admitted", len(pool.sentences), of=read)
    row("  with slots", _count_slotted(pool), of=len(pool.sentences))
    row("  of several patients", sum(len(s.donors) > 1 for s in pool.sentences))
    row("reference contexts", len(pool.contexts))
    Console().print(table)
