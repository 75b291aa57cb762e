"""Turn text into word pieces: never truncated, never padded, never read as markup.

A folder says twice how its tokenizer works, in ``tokenizer.json`` and in ``tokenizer_config.json``,
and transformers weighs them against each other. Where both say the same and nothing more than
BERT's tokenizer needs, the first file is the tokenizer, and a second of imports is saved.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Self

from tokenizers import Encoding, Regex, Tokenizer, pre_tokenizers

from deidstream.models.neural.passes.packing import padded_length
from deidstream.models.neural.weights import loading
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.extras import Extra, needing

SYMBOLS_APART = "symbols_apart"
"""Key of a checkpoint's configuration: it was trained with ``Pieces.separate_symbols``."""
_LETTER = "a"
_APART = Regex(r"\p{S}|\S{80}")
_FILES: Final = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
_SPECIAL: Final = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
_WITHOUT_EFFECT: Final = {"name_or_path", "do_basic_tokenize", "never_split"}
_SETTINGS: Final = {
    "do_lower_case", "tokenize_chinese_chars", "strip_accents", "tokenizer_class",
    "model_max_length",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadTokenizer:
    """A tokenizer that nobody else holds, and the ids and the limit that its folder names."""

    tokenizer: Tokenizer = field(repr=False)
    pad_id: int
    unknown_id: int | None
    longest: int


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
        pieces = cls.load_plain(folder)
        return pieces.separate_symbols() if _wants_symbols_apart(folder) else pieces

    @classmethod
    def load_plain(cls, folder: Path) -> Self:
        """Read a tokenizer, whether or not its checkpoint was made with symbols apart.

        Raises:
            MissingArtefact: It is absent, not a fast one, or without a vocabulary.
        """
        with loading(f"tokenizer of {folder.name}"):
            read = read_tokenizer(folder)
        tokenizer = read.tokenizer
        tokenizer.no_truncation()
        tokenizer.no_padding()
        # A note that spells "[SEP]" must not end the sequence the model reads.
        tokenizer.encode_special_tokens = True
        letter = tokenizer.encode(_LETTER, add_special_tokens=False).ids
        # A folder without tokenizer files loads too, and reads every word as unknown.
        if not letter or read.unknown_id in letter:
            msg = f"tokenizer of {folder.name} does not know the letters"
            raise MissingArtefact(msg)
        before, after = _split_frame(tokenizer.encode(_LETTER).ids, letter)
        return cls(tokenizer, before, after, read.pad_id, read.longest)

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


def _wants_symbols_apart(folder: Path) -> bool:
    with loading(f"tokenizer of {folder.name}"):
        return read_json(folder / "config.json").get(SYMBOLS_APART) is True


def _split_frame(framed: list[int], bare: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    opening = next(at for at in range(len(framed)) if framed[at : at + len(bare)] == bare)
    return tuple(framed[:opening]), tuple(framed[opening + len(bare) :])


def read_tokenizer(folder: Path) -> ReadTokenizer:
    """Read the tokenizer of a folder.

    Raises:
        MissingArtefact: It is not a fast one.
        OSError: A file is absent or cannot be read.
        ValueError: A file has not its form.
    """
    return _read_bert_tokenizer(folder) or _read_by_library(folder)


def read_json(path: Path) -> dict[str, Any]:
    """Return the object that a file holds; an empty one if it is absent or holds another value.

    Raises:
        ValueError: It is not JSON.
    """
    content: Any = json.loads(path.read_bytes()) if path.exists() else {}
    return content if isinstance(content, dict) else {}


def _read_bert_tokenizer(folder: Path) -> ReadTokenizer | None:
    whole, settings, special = (read_json(folder / name) for name in _FILES)
    if (folder / "added_tokens.json").exists() or not _agree(whole, settings, special):
        return None
    tokenizer = Tokenizer.from_file(str(folder / _FILES[0]))
    pad = tokenizer.token_to_id(settings["pad_token"]) or 0
    unknown = tokenizer.token_to_id(settings["unk_token"])
    return ReadTokenizer(tokenizer, pad, unknown, settings["model_max_length"])


def _agree(whole: dict[str, Any], settings: dict[str, Any], special: dict[str, Any]) -> bool:
    """Return whether the three files describe one and the same tokenizer of BERT's kind."""
    known = {*_SPECIAL, *_SETTINGS}
    if not whole or known - settings.keys() or settings.keys() - known - _WITHOUT_EFFECT:
        return False
    tokens = {name: settings[name] for name in _SPECIAL}
    return (
        settings["tokenizer_class"] in {"BertTokenizer", "BertTokenizerFast"}
        and isinstance(settings["model_max_length"], int)
        and all(tokens.get(name) == token for name, token in special.items())
        and whole.get("normalizer") == _expected_normalizer(settings)
        and whole.get("pre_tokenizer") == {"type": "BertPreTokenizer"}
        and _is_word_piece(whole.get("model"), tokens["unk_token"])
        and _is_frame(whole, tokens)
    )


def _expected_normalizer(settings: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": settings["tokenize_chinese_chars"],
        "strip_accents": settings["strip_accents"],
        "lowercase": settings["do_lower_case"],
    }


def _is_word_piece(model: Any, unknown: str) -> bool:  # noqa: ANN401  whatever the file holds
    wanted = {
        "type": "WordPiece",
        "unk_token": unknown,
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
    }
    return isinstance(model, dict) and model == {**model, **wanted}


def _is_frame(whole: dict[str, Any], tokens: dict[str, str]) -> bool:
    vocabulary = whole["model"].get("vocab", {})
    added = {
        (token["content"], token["id"])
        for token in whole.get("added_tokens", ())
        if token["special"] and not (token["normalized"] or token["lstrip"] or token["rstrip"])
    }
    ids = {token: vocabulary.get(token) for token in tokens.values()}
    frame = [
        {"SpecialToken": {"id": tokens["cls_token"], "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": tokens["sep_token"], "type_id": 0}},
    ]
    post = whole.get("post_processor") or {}
    return (
        added == set(ids.items())
        and len(whole["added_tokens"]) == len(added)
        and post.get("type") == "TemplateProcessing"
        and post.get("single") == frame
    )


def _read_by_library(folder: Path) -> ReadTokenizer:
    with needing(Extra.TORCH, f"tokenizer of {folder.name}"):
        from transformers import AutoTokenizer  # noqa: PLC0415  other kinds need it

    found = AutoTokenizer.from_pretrained(
        str(folder), local_files_only=True, trust_remote_code=False
    )
    if not found.is_fast:
        msg = f"tokenizer of {folder.name} is not a fast one"
        raise MissingArtefact(msg)
    own = Tokenizer.from_str(found.backend_tokenizer.to_str())
    return ReadTokenizer(own, found.pad_token_id or 0, found.unk_token_id, found.model_max_length)
