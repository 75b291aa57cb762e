"""A file of an index or of a model that differs in one byte is refused before it is parsed."""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from deidstream.models.kneo import index
from deidstream.models.kneo.index_folder import shipped_index
from deidstream.models.kneo.words.word_vectors import load_word_vectors, shipped_vectors
from deidstream.models.neural.quantization import Quantization
from deidstream.models.neural.weights import (
    DIGEST,
    PACKAGED,
    PACKAGED_DIGEST,
    check_digest,
    find_encoder,
    shipped_tagger,
)
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.schemas.errors import MissingArtefact
from support.profiles import PROFILE

TIMES = PROFILE.examples // 5
DECIDING = {".json", ".model", ".safetensors", ".txt"}
pytestmark = pytest.mark.slow


def flip_bit(content: bytearray, rng: random.Random) -> None:
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)


def change_byte(content: bytearray, rng: random.Random) -> None:
    content[rng.randrange(len(content))] ^= rng.randrange(1, 256)


def cut_end(content: bytearray, rng: random.Random) -> None:
    del content[rng.randrange(len(content)) :]


def append(content: bytearray, rng: random.Random) -> None:
    content += rng.randbytes(rng.randrange(1, 64))


def swap_halves(content: bytearray, rng: random.Random) -> None:
    middle = rng.randrange(1, len(content))
    swapped = content[middle:] + content[:middle]
    content[:] = swapped if swapped != content else swapped + b"\0"


README = "README.md"
MUTATIONS: tuple[Callable[[bytearray, random.Random], None], ...] = (
    flip_bit,
    change_byte,
    cut_end,
    append,
    swap_halves,
)


def link_folder(source: Path, target: Path) -> Path:
    shutil.copytree(source, target, copy_function=link_or_copy)
    return target


def link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # the two folders are on different disks
        shutil.copyfile(source, target)


def mutate(folder: Path, names: list[Path], rng: random.Random) -> str:
    """Change one file of a folder of links, and leave the file that it links to as it is."""
    file = folder / rng.choice(names)
    content = bytearray(file.read_bytes())
    mutation = rng.choice(MUTATIONS)
    mutation(content, rng)
    file.unlink()
    file.write_bytes(content)
    return f"{mutation.__name__} of {file.name}"


def load_index(folder: Path) -> None:
    index.load(folder, PACKAGED_DIGEST)


def load_vectors(folder: Path) -> None:
    load_word_vectors(folder)


def load_tagger(folder: Path) -> None:
    # The ranges of int8, which torch does not read.
    Quantization.find(folder)
    expected = (shipped_tagger() / DIGEST).read_text().strip()
    Tagger.load(str(folder), settings=TaggerOptions(expected_digest=expected))


def check_embedder(folder: Path) -> None:
    check_digest(folder, PACKAGED_DIGEST)


KINDS: dict[str, tuple[Callable[[], Path], Callable[[Path], None]]] = {
    "index": (shipped_index, load_index),
    "tagger": (shipped_tagger, load_tagger),
    "embedder": (lambda: find_encoder(PACKAGED), check_embedder),
    "vectors": (shipped_vectors, load_vectors),
}


def is_read(file: Path) -> bool:
    folder_of_ours = file.parent in {shipped_index(), shipped_vectors()}
    return file.name != README and (file.suffix in DECIDING or folder_of_ours)


@pytest.mark.parametrize("kind", KINDS)
def test_every_mutated_file_is_refused(kind: str, tmp_path: Path) -> None:
    find, load = KINDS[kind]
    source = find()
    names = sorted(f.relative_to(source) for f in source.rglob("*") if f.is_file() and is_read(f))
    rng = random.Random(20_261_122)
    loaded: list[str] = []
    load(link_folder(source, tmp_path / "whole"))
    for number in range(TIMES):
        folder = link_folder(source, tmp_path / str(number))
        done = mutate(folder, names, rng)
        try:
            load(folder)
        except MissingArtefact:
            pass
        else:
            loaded.append(done)
        shutil.rmtree(folder)
    print(f"{kind}: {TIMES - len(loaded)} of {TIMES} mutated folders refused")  # noqa: T201 - the figure of the run
    assert loaded == []
