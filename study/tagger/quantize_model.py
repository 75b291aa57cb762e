"""Quantize a tagger or an embedder: write the ranges that let it run in int8."""

from pathlib import Path

from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.settings import Settings
from deidstream.models.neural.bert_weights import read_bert_arrays
from deidstream.models.neural.quantization import Quantization
from deidstream.models.neural.sentence_embedder import SentenceEmbedder
from deidstream.models.neural.weights import find_encoder, loading
from deidstream.models.recognizers.label_map import parse_label_map
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.models.text.sentences import split_sentences
from deidstream.schemas.errors import Refused
from deidstream.study.corpus.read_notes import read_texts
from deidstream.study.tagger.quantize import EXACT, quantize_embedder, quantize_tagger

MOST_NOTES = 36
"""Most notes that ranges are taken from, and most on which the loss is measured; evenly spaced."""


def quantize_model(
    name_or_path: str, notes: Path, settings: Settings, out: Path | None
) -> Quantization:
    """Quantize the model of a folder, measure the loss on the sample notes, write the file.

    The file is written also where the loss is over its bound: it is then refused on loading, with
    the figures.

    Args:
        name_or_path: A token classifier or a sentence-transformers model.
        notes: Notes of the kind that the model will read; they need no labels.
        settings: Windows and label map of a tagger.
        out: Folder to write to instead of the model's.

    Raises:
        Refused: Something cannot be read or written, or the model is of another kind.
    """
    folder = find_encoder(name_or_path)
    texts = _choose(read_texts(notes))
    if not texts:
        msg = f"{notes}: no notes"
        raise Refused(msg)
    judged = _choose([note.text for note in sample_notes()])
    with loading(f"model {folder.name}"):
        weights = read_bert_arrays(folder)
    if weights is not None and weights.head is not None:
        found = quantize_tagger(_load_tagger(folder, settings), folder, texts, judged)
    else:
        embedder = SentenceEmbedder.load(name_or_path, run=EXACT)
        found = quantize_embedder(embedder, folder, _cut(texts), _cut(judged))
    found.write(out or folder)
    return found


def _load_tagger(folder: Path, settings: Settings) -> Tagger:
    wanted = settings.tagger
    options = TaggerOptions(
        window=wanted.window,
        overlap=wanted.overlap,
        run=EXACT,
        label_map=parse_label_map(wanted.labels),
    )
    return Tagger.load(str(folder), settings=options)


def _choose(texts: list[str]) -> list[str]:
    return texts[:: max(1, -(-len(texts) // MOST_NOTES))]


def _cut(texts: list[str]) -> list[str]:
    return [text[one.start : one.end] for text in texts for one in split_sentences(text)]
