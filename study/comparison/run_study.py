"""Run ``deidstream study``: every technique by every measure, cell by cell, then the report."""

import os
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TypeVar

import orjson

from deidstream.agents.note_files.open_notes import Reading
from deidstream.agents.runtime.lines import write_whole
from deidstream.agents.runtime.load_models import find_index, find_tagger, find_vectors
from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import Settings, read_settings
from deidstream.models.neural.weights import DIGEST, digest, locate
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.study.comparison.cells import Cells, TechniqueRun
from deidstream.study.comparison.mtsamples import read_mtsamples
from deidstream.study.comparison.study_corpus import (
    Corpus,
    choose_notes,
    read_corpus,
    read_shipped_corpus,
)
from deidstream.study.comparison.study_page import StudyReport, write_page
from deidstream.study.evaluation.print_page import print_page
from deidstream.study.measures.measure import Judged, Measure
from deidstream.study.measures.registry import list_measures
from deidstream.study.techniques.registry import Materials, list_techniques
from deidstream.study.techniques.technique import Technique

FOLDS: Final = 4
FULL_EPOCHS: Final = 10
PAGE, FIGURES, PRINTED = "study.html", "study.json", "study.pdf"
VERSIONS: Final = ("deidstream", "gensim", "numpy", "scikit-learn")


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """The options of the command line."""

    out: Path
    full: bool = False
    """Attack by sentence vectors too, and learn vectors from the notes."""
    corpus: Path | None = None
    reading: Reading = field(default_factory=Reading)
    mtsamples: Path | None = None
    notes: int | None = None
    techniques: tuple[str, ...] = ()
    """Names, or beginnings of names; empty: all."""
    measures: tuple[str, ...] = ()
    epochs: int | None = None
    seed: int = 1
    wordnet: Path | None = None
    umls: Path | None = None
    encoders: tuple[str, ...] = ()
    spans: tuple[Path, ...] = ()
    chromium: str | None = None
    """A Chromium that prints the page; ``None``: no PDF is made."""

    @property
    def passes(self) -> int:
        """Passes over the notes that vectors are learnt from; 0: none are learnt."""
        return self.epochs or (FULL_EPOCHS if self.full else 0)


Named = TypeVar("Named", Technique, Measure)


@dataclass(frozen=True, slots=True)
class Study:
    """What is to be run."""

    corpus: Corpus
    techniques: Sequence[Technique]
    measures: Sequence[Measure]


def run_study(wanted: StudyRequest) -> int:
    """Run what is missing, and write the report.

    Raises:
        Refused: The corpus, a model or a file is missing or wrong.
    """
    if not wanted.out.parent.is_dir():
        msg = f"{wanted.out}: cannot be made: there is no folder for it"
        raise MissingArtefact(msg)
    corpus = choose_notes(_read_notes(wanted), wanted.notes, wanted.seed)
    settings = read_settings(os.environ)
    study = _prepare(wanted, corpus, settings)
    wanted.out.mkdir(exist_ok=True)
    cells = Cells.open(wanted.out, _describe(wanted, corpus, settings))
    _fill(cells, study)
    report = StudyReport(
        corpus=corpus,
        techniques=study.techniques,
        measures=study.measures,
        cells=cells,
    )
    write_whole(wanted.out / FIGURES, orjson.dumps(report.record(), option=orjson.OPT_INDENT_2))
    page = write_page(report).encode()
    write_whole(wanted.out / PAGE, page)
    if wanted.chromium is not None:
        write_whole(wanted.out / PRINTED, print_page(page, wanted.chromium))
    say(
        f"{wanted.out / PAGE}: {len(study.techniques)} techniques, {cells.seconds:,.0f} s in all, "
        f"{cells.processor_seconds:,.0f} s of processor time"
    )
    return 0


def _read_notes(wanted: StudyRequest) -> Corpus:
    if wanted.corpus is not None:
        corpus = read_corpus(wanted.corpus, wanted.reading, FOLDS, wanted.seed)
        if corpus.unread:
            say(f"{wanted.corpus}: {corpus.unread:,} notes could not be read")
        return corpus
    if wanted.mtsamples is not None:
        return read_mtsamples(wanted.mtsamples, FOLDS, wanted.seed)
    return read_shipped_corpus(FOLDS)


def _prepare(wanted: StudyRequest, corpus: Corpus, settings: Settings) -> Study:
    materials = Materials(
        notes=corpus.notes,
        settings=settings,
        seed=wanted.seed,
        epochs=wanted.passes,
        wordnet=wanted.wordnet,
        umls=wanted.umls,
        encoders=wanted.encoders,
        spans=wanted.spans,
    )
    techniques = list_techniques(materials)
    embed = materials.minilm.embed if wanted.full else None
    measures = list_measures(corpus.notes, materials.read_vectors, embed, wanted.seed)
    return Study(
        corpus,
        _choose("--techniques", wanted.techniques, techniques),
        _choose("--measures", wanted.measures, measures),
    )


def _choose(flag: str, wanted: Sequence[str], every: Sequence[Named]) -> list[Named]:
    """Return those whose names begin with one that is wanted.

    Raises:
        InvalidSettings: No name begins so.
    """
    for name in wanted:
        if not any(each.name.startswith(name) for each in every):
            known = ", ".join(each.name for each in every)
            msg = f"{flag}: {name} is not one of {known}"
            raise InvalidSettings(msg)
    return [each for each in every if not wanted or each.name.startswith(tuple(wanted))]


def _describe(wanted: StudyRequest, corpus: Corpus, settings: Settings) -> dict[str, Any]:
    """Return all that figures depend on: cells of another description are not taken over."""
    return {
        "corpus": corpus.digest,
        "folds": FOLDS,
        "seed": wanted.seed,
        "epochs": wanted.passes,
        "synonyms": "own table" if wanted.wordnet is None else str(wanted.wordnet),
        "concepts": "own table" if wanted.umls is None else str(wanted.umls),
        "models": _name_models(settings),
        "versions": {name: version(name) for name in VERSIONS},
        "python": platform.python_version(),
    }


def _name_models(settings: Settings) -> dict[str, str]:
    """Return the digest of each model; the embedder is named."""
    folders = {"index": find_index(settings), "vectors": find_vectors(settings)}
    second = settings.tagger.second
    return {
        "tagger": digest(find_tagger(settings)),
        **({"second tagger": digest(locate(second))} if second else {}),
        "embedder": settings.model.embedder,
        **{name: (folder / DIGEST).read_text("ascii").strip() for name, folder in folders.items()},
    }


@dataclass(slots=True)
class _Stopwatch:
    """Runs from when it is made until its time is added up."""

    seconds: float = field(default_factory=lambda: -time.perf_counter())
    processor_seconds: float = field(default_factory=lambda: -time.process_time())

    def add_to(self, cells: Cells) -> None:
        self.seconds += time.perf_counter()
        self.processor_seconds += time.process_time()
        cells.seconds += self.seconds
        cells.processor_seconds += self.processor_seconds


def _fill(cells: Cells, study: Study) -> None:
    """Measure every cell that is missing; a technique without one is not run again."""
    names = [measure.name for measure in study.measures]
    with progress("cells") as bar:
        task = bar.add_task("study", total=len(study.techniques) * len(names))
        for technique in study.techniques:
            missing = cells.missing(technique.name, names)
            bar.advance(task, len(names) - len(missing))
            if not missing:
                continue
            bar.update(task, description=technique.name)
            watch = _Stopwatch()
            outputs = list(technique.anonymize(study.corpus.notes))
            watch.add_to(cells)
            cells.runs[technique.name] = TechniqueRun(
                len(outputs), watch.seconds, watch.processor_seconds
            )
            judged = Judged(study.corpus.notes, outputs, technique)
            for measure in study.measures:
                if measure.name not in missing:
                    continue
                watch = _Stopwatch()
                figure = measure.measure(judged) if outputs else None
                watch.add_to(cells)
                cells.add(technique.name, measure.name, figure)
                bar.advance(task)
