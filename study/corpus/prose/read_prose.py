"""Read the prose of all sources, whatever form each has."""

from collections.abc import Iterator, Mapping, Sequence

from deidstream.study.corpus.prose.labelled_spans import read_labelled_spans
from deidstream.study.corpus.prose.named_people import read_named_people
from deidstream.study.corpus.prose.prose import Passage, ProseReader
from deidstream.study.corpus.prose.unlabelled_notes import UnlabelledNotes
from deidstream.study.corpus.sources import NameSource, ProseSource, Sources, SpanSource


def read_prose(sources: Sources) -> Mapping[str, Sequence[Passage]]:
    """Read what may be trained on, by source: texts with at least one usable sentence.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A line of a file is wrong.
    """
    notes = read_unlabelled(sources)
    reading = learn_words(notes)
    found: dict[str, list[Passage]] = {}
    for name, source in sources.sources.items():
        passages = _read_source(name, source, notes, reading)
        found[name] = [passage for passage in passages if passage.lines]
    return found


def read_unlabelled(sources: Sources) -> Mapping[str, UnlabelledNotes]:
    """Read the notes that nobody labelled, by source.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A line of a file is wrong.
    """
    return {
        name: UnlabelledNotes.read(name, source)
        for name, source in sources.sources.items()
        if isinstance(source, ProseSource)
    }


def learn_words(notes: Mapping[str, UnlabelledNotes]) -> ProseReader:
    """Learn which words are no names from everything in ``notes`` that is no speech.

    Raises:
        Refused: A line lacks a field.
    """
    return ProseReader.of(text for each in notes.values() for text in each.read_written())


def _read_source(
    name: str,
    source: ProseSource | NameSource | SpanSource,
    notes: Mapping[str, UnlabelledNotes],
    reading: ProseReader,
) -> Iterator[Passage]:
    if isinstance(source, NameSource):
        return read_named_people(name, source, reading)
    if isinstance(source, SpanSource):
        return read_labelled_spans(name, source, reading)
    other = source.apart_from
    apart = notes[other].find_held_out() if other else frozenset[str]()
    return notes[name].read_passages(reading, apart)
