"""The techniques of a study, in the order in which it shows them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.agents.runtime.load_embedder import load_embedder
from deidstream.agents.settings import Settings
from deidstream.models.kneo.documents.document_embedder import DocumentEmbedder, read_document
from deidstream.models.kneo.words.word_vectors import WordModel, WordVectors
from deidstream.study.evaluation.read_gold import read_predictions
from deidstream.study.techniques.aggregate import Aggregate
from deidstream.study.techniques.apply_policy import ApplyPolicy
from deidstream.study.techniques.concepts import Concepts, read_own_concepts, read_umls
from deidstream.study.techniques.keep_as_is import KeepAsIs
from deidstream.study.techniques.mask_numbers import MaskNumbers
from deidstream.study.techniques.mask_spans import MaskSpans
from deidstream.study.techniques.policy_models import PolicyModels
from deidstream.study.techniques.replace_concepts import ReplaceConcepts
from deidstream.study.techniques.replace_synonyms import ReplaceSynonyms
from deidstream.study.techniques.sentence_neighbours import Embed, SentenceNeighbours
from deidstream.study.techniques.sentence_slots import cut_slots
from deidstream.study.techniques.shuffle_sentences import ShuffleSentences
from deidstream.study.techniques.swap_words import SwapWords
from deidstream.study.techniques.synonyms import Synonyms, read_own_synonyms, read_wordnet
from deidstream.study.techniques.technique import StudyNote, Technique
from deidstream.study.techniques.word_neighbours import (
    LearntWords,
    ShippedWords,
    WordNeighbours,
    WordShelf,
)
from deidstream.study.vectors.fit_documents import fit_document_vectors
from deidstream.study.vectors.fit_vectors import VectorPlan
from deidstream.study.vectors.remembering import RememberingEmbedder

PERCENTS: Final = (20, 100)
MEMBERS: Final = (2, 3, 4)
DEGREES: Final = ((3, 3), (5, 5), (7, 7), (9, 9), (3, 14))
POLICIES: Final = ("surrogate", "safe-harbor", "kneo", "kneo-words", "kneo-notes")


@dataclass(frozen=True, slots=True)
class Materials:
    """What techniques are made of."""

    notes: Sequence[StudyNote] = field(repr=False)
    settings: Settings
    seed: int
    epochs: int = 0
    """Passes over the notes from which vectors are learnt; the papers take 100. 0: the shipped
    vectors of words are used, and Doc2Vec is left out."""
    wordnet: Path | None = None
    umls: Path | None = None
    encoders: tuple[str, ...] = ()
    """Further sentence-transformers checkpoints, by path."""
    spans: tuple[Path, ...] = ()
    """Files of spans that other de-identifiers reported."""
    minilm: "KeptRows" = field(init=False)
    """The embedder of the settings; techniques and attacks share what it embedded."""
    models: PolicyModels = field(init=False)
    """Of all policies; the seed makes their key."""
    words: WordShelf = field(init=False)
    """Vectors of words; techniques and classifiers share what was learnt."""

    def __post_init__(self) -> None:
        """Load nothing yet."""
        minilm, root = KeptRows(self.settings), sha256(f"study {self.seed}".encode()).digest()
        object.__setattr__(self, "minilm", minilm)
        object.__setattr__(self, "models", PolicyModels(self.settings, root, minilm.open))
        object.__setattr__(self, "words", WordShelf(self.notes))

    def list_word_ways(self) -> Sequence[LearntWords | ShippedWords]:
        """List the vectors of words: those of Abdalla et al., table 4, and FastText; or shipped."""
        if not self.epochs:
            return (ShippedWords(),)
        plan = VectorPlan(epochs=self.epochs)
        return (
            LearntWords("CBOW", WordModel.WORD2VEC, plan),
            LearntWords("skip-gram", WordModel.WORD2VEC, replace(plan, skip_gram=True)),
            LearntWords("FastText", WordModel.FASTTEXT, plan),
        )

    def read_vectors(self, fold: int) -> WordVectors:
        """Return the vectors by which a classifier reads the notes of a fold: the first way."""
        return self.words.read(self.list_word_ways()[0], fold).vectors

    def read_synonyms(self) -> Synonyms:
        """Read WordNet, or our own table."""
        return read_own_synonyms() if self.wordnet is None else read_wordnet(self.wordnet)

    def read_concepts(self) -> Concepts:
        """Read a subset of UMLS, or our own table."""
        return read_own_concepts() if self.umls is None else read_umls(self.umls)


def list_techniques(materials: Materials) -> list[Technique]:
    """List every technique; what each needs is read or learnt when it runs.

    Raises:
        MissingArtefact: A file that was named cannot be read.
    """
    return [
        KeepAsIs(),
        *_list_of_larbi(materials),
        *_list_words(materials),
        *_list_sentences(materials),
        *_list_policies(materials),
    ]


def _list_of_larbi(materials: Materials) -> Iterator[Technique]:
    seed = materials.seed
    yield ApplyPolicy("DeI", "redact", materials.models, family="suppression", masked=True)
    for path in materials.spans:
        yield MaskSpans(f"DeI {path.stem}", read_predictions(path).spans)
    yield MaskNumbers()
    yield ShuffleSentences(seed)
    yield from (SwapWords(percent, seed) for percent in PERCENTS)
    synonyms = materials.read_synonyms()
    yield from (ReplaceSynonyms(percent, seed, synonyms) for percent in PERCENTS)
    yield ReplaceConcepts(seed, materials.read_concepts())
    for augmented in (False, True):
        yield from (Aggregate(members, seed, augmented) for members in MEMBERS)


def _list_words(materials: Materials) -> Iterator[Technique]:
    for way in materials.list_word_ways():
        for degree, degree_to in DEGREES:
            yield WordNeighbours(way, materials.words, degree, degree_to, materials.seed)


def _list_sentences(materials: Materials) -> Iterator[Technique]:
    settings, seed, epochs = materials.settings, materials.seed, materials.epochs

    def learn_doc2vec(notes: Sequence[StudyNote], fold: int) -> Embed:
        others = (note.with_labels() for note in notes if note.fold != fold)
        cut = [read_document(one) for text in others for one in cut_slots(text).sentences]
        learnt = fit_document_vectors(cut, VectorPlan(epochs=epochs))
        # It embeds on its own; only a worker's budget asks for word pieces.
        return DocumentEmbedder(learnt, load_embedder(settings).pieces).embed

    if epochs:
        yield SentenceNeighbours("Doc2Vec", learn_doc2vec, seed)
    yield SentenceNeighbours("MiniLM", materials.minilm.read, seed)
    for path in materials.encoders:
        model = replace(settings.model, embedder=path)
        kept = KeptRows(replace(settings, model=model))
        yield SentenceNeighbours(Path(path).name, kept.read, seed)


def _list_policies(materials: Materials) -> Iterator[Technique]:
    folder = Path(str(files("deidstream.study.techniques"))) / "data"
    for way in ("redact", "replace"):
        policy = folder / f"deidclinic-{way}.toml"
        yield ApplyPolicy(f"DeIDClinic {way}", policy, materials.models, family="DeIDClinic")
    for name in POLICIES:
        yield ApplyPolicy(name, name, materials.models)


@dataclass(slots=True)
class KeptRows:
    """An embedder that is loaded at its first use and embeds each sentence once."""

    settings: Settings
    embedder: RememberingEmbedder | None = None

    def read(self, _notes: Sequence[StudyNote], _fold: int) -> Embed:
        """Return the embedder: it learnt from no note, so it is one for all folds."""
        return self.embed

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed each text."""
        return self.open().embed(texts)

    def open(self) -> RememberingEmbedder:
        """Return the embedder, loaded."""
        if self.embedder is None:
            self.embedder = RememberingEmbedder(load_embedder(self.settings))
        return self.embedder
