"""Run ``deidstream vectors train``: learn vectors from a site's own de-identified notes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from deidstream.agents.runtime.lines import read_lines
from deidstream.agents.runtime.terminal import say
from deidstream.models.kneo.documents.document_vectors import save_document_vectors
from deidstream.models.kneo.words.word_vectors import WordModel, save_word_vectors
from deidstream.schemas.errors import InvalidNote, Reason, Refused
from deidstream.schemas.labelled import LabelledNote, decode_labelled
from deidstream.schemas.note import RawNote
from deidstream.study.corpus.read_notes import read_marked_notes
from deidstream.study.vectors.fit_documents import fit_document_vectors
from deidstream.study.vectors.fit_vectors import VectorPlan, fit_word_vectors
from deidstream.study.vectors.word_corpus import (
    count_words,
    cut_sentences,
    cut_whole_note,
    make_word_corpus,
)


@dataclass(frozen=True, slots=True)
class VectorRequest:
    """The options of the command line."""

    notes: tuple[Path, ...]
    out: Path
    model: WordModel | None
    """``None``: Doc2Vec."""
    plan: VectorPlan
    least_patients: int


def train_vectors(wanted: VectorRequest) -> str:
    """Learn vectors and write their folder; return its digest.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A line is no note, or the notes have too few words.
    """
    cut_note = cut_whole_note if wanted.model else cut_sentences
    corpus = make_word_corpus(_read_all(wanted.notes), wanted.least_patients, cut_note)
    unit = "notes" if wanted.model else "sentences"
    say(
        f"{len(corpus.notes):,} {unit}, {count_words(corpus.notes):,} words; left out: "
        f"{corpus.left_out:,} distinct words of too few patients or that are names"
    )
    if wanted.model is None:
        learnt = fit_document_vectors(corpus.notes, wanted.plan)
        say(f"{len(learnt.words):,} words are known")
        return save_document_vectors(learnt, wanted.out)
    vectors = fit_word_vectors(corpus.notes, wanted.plan, wanted.model)
    say(f"{len(vectors.words):,} words have a vector")
    return save_word_vectors(vectors, wanted.out)


def _read_all(paths: Sequence[Path]) -> Iterator[LabelledNote]:
    for path in paths:
        yield from read_marked_notes(path) if path.is_dir() else _read_lines(path)


def _read_lines(path: Path) -> Iterator[LabelledNote]:
    """Read ``notes.anonymized`` records, or labelled notes, whose spans are left out."""
    for number, line in read_lines(path):
        try:
            yield _decode(line)
        except InvalidNote as invalid:
            msg = f"{path}: line {number + 1}: {invalid}"
            raise Refused(msg) from None


def _decode(line: bytes) -> LabelledNote:
    if b'"spans"' in line:
        return decode_labelled(line)
    try:
        record = orjson.loads(line)
        text, patient = record["text"], record["patient_id"]
    except orjson.JSONDecodeError:
        raise InvalidNote(Reason.BAD_JSON) from None
    except KeyError:
        raise InvalidNote(Reason.MISSING_FIELD) from None
    except TypeError:
        raise InvalidNote(Reason.WRONG_TYPE) from None
    if not isinstance(text, str) or not isinstance(patient, str):
        raise InvalidNote(Reason.WRONG_TYPE)
    return LabelledNote(RawNote("", patient, text), ())
