"""Show what an index holds: its size, sources, repeats, and how near its sentences are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

import orjson
from rich.console import Console
from rich.table import Table

from deidstream.agents.runtime.lines import write_whole
from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.runtime.terminal import say
from deidstream.models.kneo import index
from deidstream.models.kneo.index import Index
from deidstream.models.kneo.index_folder import FILES, VECTORS, read_files
from deidstream.study.evaluation.diagram import AFTER, Axis, Series, draw
from deidstream.study.pools.index_figures import (
    COSINES,
    LENGTHS,
    IndexFigures,
    count_bytes,
    measure_index,
)

_MEGABYTE = 1e6


@dataclass(frozen=True, slots=True)
class Inspected:
    """An index whose files matched their checksums, and its figures."""

    index: Index
    sizes: Mapping[str, int]
    """Bytes of each file."""
    figures: IndexFigures


def inspect_index(folder: Path) -> Inspected:
    """Check an index and measure it, with a progress bar.

    Raises:
        MissingArtefact: A file is absent or altered.
    """
    checked = read_files(folder, FILES)
    sizes = {name: len(content) for name, content in sorted(checked.files.items())}
    loaded = index.parse(checked)
    with progress("sentences") as bar:
        task = bar.add_task("compare", total=len(loaded.texts))
        figures = measure_index(loaded, lambda done, _: bar.update(task, completed=done))
    return Inspected(loaded, sizes, figures)


def show_index(inspected: Inspected, shown: int) -> None:
    """Print the tables, and as many sentences as are asked for."""
    console = Console()
    facts = Table("index", "")
    for name, value in _list_facts(inspected):
        facts.add_row(name, value)
    console.print(facts)
    figures = inspected.figures
    console.print(_histogram("words of a sentence", LENGTHS, figures.lengths))
    console.print(_histogram("cosine of the nearest other", COSINES, figures.nearest))
    if shown:
        say("These sentences are de-identified text of patients: treat them as such.")
        texts = inspected.index.texts
        step = max(1, len(texts) // shown)
        for row in range(0, min(len(texts), step * shown), step):
            console.print(texts[row], markup=False, highlight=False)


def write_record(inspected: Inspected, path: Path) -> None:
    """Write every figure as JSON."""
    facts = asdict(inspected.index.facts) | {"digest": inspected.index.digest}
    record = {
        "facts": facts,
        "files": inspected.sizes,
        "memory": _count_memory(inspected),
        "figures": asdict(inspected.figures),
        "classes": {"lengths": LENGTHS, "nearest": COSINES},
    }
    write_whole(path, orjson.dumps(record, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))


def write_plot(inspected: Inspected, path: Path) -> None:
    """Draw the share of sampled sentences by the cosine of their nearest other."""
    figures = inspected.figures
    total = figures.sampled or 1
    points = [(end, count / total) for end, count in zip(COSINES, figures.nearest, strict=False)]
    highest = max((share for _, share in points), default=0.0)
    top = next(mark for mark in (0.1, 0.2, 0.4, 0.6, 0.8, 1.0) if highest <= mark)
    title = f"Nearest other sentence, {figures.sampled:,} of {len(inspected.index.texts):,}"
    across = Axis("cosine, up to", (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0))
    up = Axis("share of sentences", (0.0, top / 4, top / 2, 3 * top / 4, top), 2)
    series = Series(f"median {figures.median:.2f}", points, AFTER)
    write_whole(path, draw(title, across, up, (series,)).encode())


def _list_facts(inspected: Inspected) -> Iterator[tuple[str, str]]:
    made, figures = inspected.index, inspected.figures
    facts = made.facts
    yield "digest", made.digest[:12]
    yield "embedder", f"{facts.embedder}, {facts.dimension} dimensions"
    yield "vectors", facts.vectors
    yield "on disk", f"{sum(inspected.sizes.values()) / _MEGABYTE:,.1f} MB"
    for name, size in inspected.sizes.items():
        yield f"  {name}", f"{size / _MEGABYTE:,.1f} MB"
    for name, size in _count_memory(inspected).items():
        yield f"in memory: {name}", f"{size / _MEGABYTE:,.1f} MB"
    yield "sentences", f"{len(made.texts):,}"
    yield "  with slots", f"{figures.with_slots:,}"
    yield "  of several patients", f"{figures.several:,}"
    yield "  repeated word for word", f"{figures.same:,}"
    yield "  nearly repeated", f"{figures.similar:,}"
    yield "patients", f"{figures.donors:,}"
    yield "reference notes", f"{facts.notes:,}"
    yield "reference contexts", f"{facts.contexts:,}"
    for name, value in facts.build.items():
        yield f"built with: {name}", "" if isinstance(value, dict) else str(value)
        if isinstance(value, dict):
            for part, count in cast("dict[str, object]", value).items():
                yield f"  {part}", str(count)


def _count_memory(inspected: Inspected) -> dict[str, int]:
    """Return about what the index takes in memory; vectors are held as they are stored."""
    vectors = inspected.sizes[VECTORS]
    parts = count_bytes(inspected.index)
    return {"all": parts.pop("all but vectors") + vectors, "vectors": vectors, **parts}


def _histogram(title: str, ends: Sequence[float], counts: Sequence[int]) -> Table:
    table = Table(title, "count", "share", "")
    total, most = sum(counts) or 1, max(counts, default=0) or 1
    names = [*(f"to {end:g}" for end in ends), f"over {ends[-1]:g}"]
    for name, count in zip(names, counts, strict=True):
        if count or name != names[-1]:
            bar = "#" * round(30 * count / most)
            table.add_row(name, f"{count:,}", f"{count / total:.1%}", bar)
    return table
