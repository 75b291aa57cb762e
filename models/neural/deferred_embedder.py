"""An embedder that is loaded at its first use, and known before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from deidstream.models.neural import weights
from deidstream.models.neural.tokenizer import Pieces
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.ports import NoteEmbedder

if TYPE_CHECKING:
    from deidstream.models.neural.sentence_embedder import Vectors


@dataclass(slots=True)
class DeferredEmbedder:
    """Names an embedder truly, and reads it when a text is to be embedded."""

    digest: str
    pieces: Pieces
    load: Callable[[], NoteEmbedder] = field(repr=False)
    _loaded: NoteEmbedder | None = None
    _turn: Lock = field(default_factory=Lock, repr=False)

    @property
    def dimension(self) -> int:
        """Length of a vector; reads the embedder."""
        return self._read().dimension

    @property
    def precision(self) -> str:
        """How precisely it computes, and by what; reads the embedder."""
        return self._read().precision

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
                if loaded.digest != self.digest:
                    msg = "the embedder was changed after the start"
                    raise MissingArtefact(msg)
                self._loaded = loaded
            return self._loaded


def defer_embedder(name_or_path: str, load: Callable[[], NoteEmbedder]) -> DeferredEmbedder:
    """Name a sentence-transformers model without loading it.

    The packaged one is named also if it is not installed. The first text to be embedded then tells
    which extra to install.

    Args:
        name_or_path: The packaged one, a folder, or the name of a downloaded one.
        load: Loads it.

    Raises:
        MissingArtefact: The model is absent, or the packaged one was altered.
    """
    if weights.is_left_out(name_or_path):
        return DeferredEmbedder(weights.PACKAGED_DIGEST, load_packaged_pieces(), load)
    folder = weights.find_encoder(name_or_path)
    expected = weights.PACKAGED_DIGEST if name_or_path == weights.PACKAGED else ""
    digest = weights.check_digest(folder, expected)
    return DeferredEmbedder(digest, Pieces.load(folder), load)


def load_packaged_pieces() -> Pieces:
    """Read the tokenizer of the packaged embedder, which is also that of the shipped tagger."""
    return Pieces.load_plain(weights.shipped_tagger())
