"""Turn text into word pieces: never truncated, never padded, never read as markup."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from tokenizers import Encoding, Regex, Tokenizer, pre_tokenizers
from transformers import AutoTokenizer

from deidstream.models.neural.packing import padded_length
from deidstream.models.neural.weights import loading
from deidstream.schemas.errors import InvalidSettings, MissingArtefact

SYMBOLS_APART = "symbols_apart"
"""Key of a checkpoint's configuration: it was trained with ``Pieces.separate_symbols``."""
_LETTER = "a"
_APART = Regex(r"\p{S}|\S{80}")


@dataclass(frozen=True, slots=True)
class Pieces:
    """A checkpoint's tokenizer; needs none of its weights in memory."""

    tokenizer: Tokenizer = field(repr=False)
    before: tuple[int, ...]
    """Special ids that open a sequence, such as ``[CLS]``."""
    after: tuple[int, ...]
    """Special ids that close it, such as ``[SEP]``."""
    pad_id: int
    longest: int
    """Most ids of a sequence the model was made for, special ones included."""
    symbols_apart: bool = False
    """Whether ``separate_symbols`` made these."""

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the tokenizer of a checkpoint, as the checkpoint was made with it.

        Raises:
            MissingArtefact: It is absent, not a fast one, or without a vocabulary.
        """
        with loading(f"tokenizer of {folder.name}"):
            apart = _separated_symbols(folder)
            slow = AutoTokenizer.from_pretrained(
                str(folder), local_files_only=True, trust_remote_code=False
            )
        if not slow.is_fast:
            msg = f"tokenizer of {folder.name} is not a fast one"
            raise MissingArtefact(msg)
        tokenizer = _without_truncation(slow.backend_tokenizer)
        letter = tokenizer.encode(_LETTER, add_special_tokens=False).ids
        # A folder without tokenizer files loads too, and reads every word as unknown.
        if not letter or slow.unk_token_id in letter:
            msg = f"tokenizer of {folder.name} does not know the letters"
            raise MissingArtefact(msg)
        before, after = _split_frame(tokenizer.encode(_LETTER).ids, letter)
        pieces = cls(tokenizer, before, after, slow.pad_token_id or 0, slow.model_max_length)
        return pieces.separate_symbols() if apart else pieces

    def separate_symbols(self) -> Self:
        """Separate each symbol from the letters around it, and cut words after 80 characters.

        WordPiece reads a word with one character outside its vocabulary, such as an emoji, or one
        of more than 100 characters, as unknown: no letter of a name in it would be seen.

        Returns:
            New pieces; the same if the tokenizer is not of BERT's kind.
        """
        if not isinstance(self.tokenizer.pre_tokenizer, pre_tokenizers.BertPreTokenizer):
            return self
        tokenizer = Tokenizer.from_str(self.tokenizer.to_str())
        tokenizer.encode_special_tokens = True
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Split(_APART, "isolated"), pre_tokenizers.BertPreTokenizer()]
        )
        return replace(self, tokenizer=tokenizer, symbols_apart=True)

    def encode(self, texts: Sequence[str]) -> list[Encoding]:
        """Cut texts into pieces without special ones; offsets are code points of the text."""
        return self.tokenizer.encode_batch(list(texts), add_special_tokens=False)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Count the pieces of each text, special ones left out; nothing is truncated."""
        encoded = self.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [len(encoding) for encoding in encoded]

    def add_special_ids(self, ids: Sequence[int]) -> list[int]:
        """Put the special ids around ``ids``."""
        return [*self.before, *ids, *self.after]

    def text_room(self, window: int) -> int:
        """Return how many ids of a window are left for text.

        Raises:
            InvalidSettings: The padded window is longer than the model can read.
        """
        room = window - len(self.before) - len(self.after)
        if padded_length(window) > self.longest or room < 1:
            msg = f"a window of {window} word pieces does not fit this model"
            raise InvalidSettings(msg)
        return room


def _separated_symbols(folder: Path) -> bool:
    path = folder / "config.json"
    config = json.loads(path.read_bytes()) if path.exists() else {}
    return isinstance(config, dict) and config.get(SYMBOLS_APART) is True


def _without_truncation(tokenizer: Tokenizer) -> Tokenizer:
    own = Tokenizer.from_str(tokenizer.to_str())
    own.no_truncation()
    own.no_padding()
    # A note that spells "[SEP]" must not end the sequence the model reads.
    own.encode_special_tokens = True
    return own


def _split_frame(framed: list[int], bare: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    opening = next(at for at in range(len(framed)) if framed[at : at + len(bare)] == bare)
    return tuple(framed[:opening]), tuple(framed[opening + len(bare) :])
