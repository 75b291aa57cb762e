"""An embedder that is loaded at its first use, and known before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Final

from deidstream.models.neural import weights
from deidstream.models.neural.engine_choice import foresee_engine, foresee_precision
from deidstream.models.neural.engine_port import EngineChoice, EngineOptions
from deidstream.models.neural.tokenizer import Pieces
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.ports import NoteEmbedder

if TYPE_CHECKING:
    from deidstream.models.neural.sentence_embedder import Vectors


NOT_INSTALLED: Final = "not-installed"
"""Stands for the precision of an embedder that is not there."""


@dataclass(slots=True)
class DeferredEmbedder:
    """Names an embedder truly, and reads it when a text is to be embedded."""

    digest: str
    precision: str
    pieces: Pieces
    choice: EngineChoice | None
    """Which engine will compute, and why; ``None``: the embedder is not installed."""
    load: Callable[[], NoteEmbedder] = field(repr=False)
    _loaded: NoteEmbedder | None = None
    _turn: Lock = field(default_factory=Lock, repr=False)

    @property
    def dimension(self) -> int:
        """Length of a vector; reads the embedder."""
        return self._read().dimension

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Embed each text, as the embedder does.

        Raises:
            MissingArtefact: It cannot be read any more, or is not the one that was named.
        """
        return self._read().embed(texts)

    def _read(self) -> NoteEmbedder:
        with self._turn:
            if self._loaded is None:
                loaded = self.load()
                if (loaded.digest, loaded.precision) != (self.digest, self.precision):
                    msg = "the embedder was changed after the start"
                    raise MissingArtefact(msg)
                self._loaded = loaded
            return self._loaded


def defer_embedder(
    name_or_path: str, run: EngineOptions, load: Callable[[], NoteEmbedder]
) -> DeferredEmbedder | None:
    """Name a sentence-transformers model without loading it.

    The packaged one is named also if it is not installed. The first text to be embedded then tells
    which extra to install.

    Args:
        name_or_path: The packaged one, a folder, or the name of a downloaded one.
        run: By which engine and where.
        load: Loads it.

    Returns:
        ``None`` where only loading it tells how precisely it computes.

    Raises:
        MissingArtefact: The model is absent, or the packaged one was altered.
        InvalidSettings: The engine is not to be had.
    """
    if weights.is_left_out(name_or_path):
        pieces = load_packaged_pieces()
        return DeferredEmbedder(weights.PACKAGED_DIGEST, NOT_INSTALLED, pieces, None, load)
    folder = weights.find_encoder(name_or_path)
    choice = foresee_engine(folder, run)
    precision = foresee_precision(folder, run, choice)
    if precision is None:
        return None
    expected = weights.PACKAGED_DIGEST if name_or_path == weights.PACKAGED else ""
    digest = weights.check_digest(folder, expected)
    return DeferredEmbedder(digest, precision, Pieces.load(folder), choice, load)


def load_packaged_pieces() -> Pieces:
    """Read the tokenizer of the packaged embedder, which is also that of the shipped tagger."""
    return Pieces.load_plain(weights.shipped_tagger())
